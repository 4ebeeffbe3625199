package aesxts

import (
	"encoding/binary"
	"strconv"

	"lamina/arch"
	"lamina/lib/internal/alias"
)

// EncryptSectors encrypts consecutive sectors of sectorSize bytes from src to dst. The first has the number
// first; numbers are of 128 bits, so those after 2^64-1 do not begin again at 0.
//
// sectorSize must be at least 16, and need not be a multiple of it. dst and src must have the same length, a
// multiple of sectorSize that may be 0, and be the same memory or not overlap. Otherwise EncryptSectors panics,
// before it writes a byte.
func (k *Key) EncryptSectors(dst, src []byte, first uint64, sectorSize int) {
	count := k.checkSectors("EncryptSectors", dst, src, sectorSize)
	n := sectorNumber{lo: first}
	if count >= batchFrom {
		done := k.encryptBatches(&n, dst, src, sectorSize, count)
		dst, src = dst[done:], src[done:]
	}
	var tweak [TweakSize]byte
	for ; len(src) > 0; n.next() {
		arch.EncryptTweak(k.im, &k.tweak.Enc, &tweak, n.lo, n.hi)
		arch.XTSEncrypt(k.im, &k.text.Enc, &tweak, dst[:sectorSize], src[:sectorSize])
		dst, src = dst[sectorSize:], src[sectorSize:]
	}
	clear(tweak[:])
}

// DecryptSectors decrypts consecutive sectors, otherwise as EncryptSectors.
func (k *Key) DecryptSectors(dst, src []byte, first uint64, sectorSize int) {
	count := k.checkSectors("DecryptSectors", dst, src, sectorSize)
	n := sectorNumber{lo: first}
	if count >= batchFrom {
		done := k.decryptBatches(&n, dst, src, sectorSize, count)
		dst, src = dst[done:], src[done:]
	}
	var tweak [TweakSize]byte
	for ; len(src) > 0; n.next() {
		arch.EncryptTweak(k.im, &k.tweak.Enc, &tweak, n.lo, n.hi)
		arch.XTSDecrypt(k.im, &k.text.Dec, &tweak, dst[:sectorSize], src[:sectorSize])
		dst, src = dst[sectorSize:], src[sectorSize:]
	}
	clear(tweak[:])
}

// encryptBatches does as many of count sectors as it can with their tweaks encrypted together, and returns how
// many bytes that were.
func (k *Key) encryptBatches(n *sectorNumber, dst, src []byte, sectorSize, count int) (done int) {
	var tweaks [tweakBatch]byte
	for count >= batchFrom {
		list := n.list(tweaks[:], count)
		count -= len(list) / TweakSize
		arch.EncryptBlocks(k.im, &k.tweak.Enc, list, list)
		for ; len(list) > 0; list = list[TweakSize:] {
			end := done + sectorSize
			arch.XTSEncrypt(k.im, &k.text.Enc, (*[TweakSize]byte)(list), dst[done:end], src[done:end])
			done = end
		}
	}
	clear(tweaks[:])
	return done
}

// decryptBatches does as many of count sectors as it can with their tweaks encrypted together, and returns how
// many bytes that were.
func (k *Key) decryptBatches(n *sectorNumber, dst, src []byte, sectorSize, count int) (done int) {
	var tweaks [tweakBatch]byte
	for count >= batchFrom {
		list := n.list(tweaks[:], count)
		count -= len(list) / TweakSize
		arch.EncryptBlocks(k.im, &k.tweak.Enc, list, list)
		for ; len(list) > 0; list = list[TweakSize:] {
			end := done + sectorSize
			arch.XTSDecrypt(k.im, &k.text.Dec, (*[TweakSize]byte)(list), dst[done:end], src[done:end])
			done = end
		}
	}
	clear(tweaks[:])
	return done
}

const (
	// tweakBatch is the size of the tweaks that are encrypted at once: enough to fill the widest
	// implementation.
	tweakBatch = 32 * TweakSize
	// batchFrom is from how many sectors on that pays. It is more than one also because a single block might be
	// encrypted by table.
	batchFrom = 8
)

// sectorNumber is a sector number of 128 bits.
type sectorNumber struct{ lo, hi uint64 }

// list writes consecutive numbers to tweaks as far as there is room, at most count. It returns what it wrote,
// and moves on.
func (n *sectorNumber) list(tweaks []byte, count int) []byte {
	tweaks = tweaks[:TweakSize*min(count, len(tweaks)/TweakSize)]
	for t := tweaks; len(t) > 0; t = t[TweakSize:] {
		binary.LittleEndian.PutUint64(t[:8], n.lo)
		binary.LittleEndian.PutUint64(t[8:], n.hi)
		n.next()
	}
	return tweaks
}

func (n *sectorNumber) next() {
	if n.lo++; n.lo == 0 {
		n.hi++
	}
}

// checkSectors returns the number of sectors.
func (k *Key) checkSectors(name string, dst, src []byte, sectorSize int) int {
	k.check()
	if sectorSize < BlockSize {
		panic(wrongSectorSize(name, sectorSize))
	}
	count := len(src) / sectorSize
	if count*sectorSize != len(src) || len(dst) != len(src) {
		panic(wrongSectors(name, dst, src, sectorSize))
	}
	if alias.Inexact(dst, src) {
		panic(overlap(name, "dst and src overlap without being the same memory"))
	}
	return count
}

//go:noinline
func wrongSectorSize(name string, size int) string {
	return "aesxts: " + name + ": sectors of " + strconv.Itoa(size) + " bytes; they must have at least 16"
}

//go:noinline
func wrongSectors(name string, dst, src []byte, size int) string {
	return "aesxts: " + name + ": dst of " + strconv.Itoa(len(dst)) + " bytes and src of " + strconv.Itoa(len(src)) +
		"; both must have the same length, a multiple of the sector size " + strconv.Itoa(size)
}
