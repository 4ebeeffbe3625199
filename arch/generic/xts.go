package generic

import (
	"crypto/subtle"
	"encoding/binary"

	"lamina/arch/keys"
)

// This file is XTS (IEEE 1619). All of it is bit-sliced, the tweak and single blocks included.

// xts is XTS in one direction at a position in a message.
type xts struct {
	enc    *keys.Enc // nil for decryption
	dec    *keys.Dec // nil for encryption
	lo, hi uint64    // the tweak of the next block
}

// XTSEncrypt encrypts src, of at least 16 bytes, to dst. tweak is the encrypted tweak of the first block, and
// becomes that of the block behind src.
func XTSEncrypt(k *keys.Enc, tweak *[16]byte, dst, src []byte) {
	x := xts{enc: k}
	x.crypt(tweak, dst, src)
}

// XTSDecrypt decrypts src to dst, otherwise as XTSEncrypt.
func XTSDecrypt(k *keys.Dec, tweak *[16]byte, dst, src []byte) {
	x := xts{dec: k}
	x.crypt(tweak, dst, src)
}

// EncryptTweak sets tweak to the encryption of the little-endian number hi:lo.
func EncryptTweak(k *keys.Enc, tweak *[16]byte, lo, hi uint64) {
	binary.LittleEndian.PutUint64(tweak[:8], lo)
	binary.LittleEndian.PutUint64(tweak[8:], hi)
	encryptNarrow(k, tweak[:], tweak[:])
}

// DecryptTweak decrypts tweak in place.
func DecryptTweak(k *keys.Dec, tweak *[16]byte) { decryptNarrow(k, tweak[:], tweak[:]) }

func (x *xts) crypt(tweak *[16]byte, dst, src []byte) {
	x.lo = binary.LittleEndian.Uint64(tweak[:8])
	x.hi = binary.LittleEndian.Uint64(tweak[8:])
	whole := len(src)
	if whole%keys.BlockSize != 0 {
		whole = whole&^(keys.BlockSize-1) - keys.BlockSize
	}
	done := 0
	if whole > narrowLimit*keys.BlockSize {
		done = x.wide(dst[:whole], src[:whole])
	}
	if done < len(src) {
		x.narrow(dst[done:], src[done:], whole-done)
	}
	binary.LittleEndian.PutUint64(tweak[:8], x.lo)
	binary.LittleEndian.PutUint64(tweak[8:], x.hi)
}

// wide does whole blocks by the wide kernel, until so few are left that the narrow kernel does them faster. It
// returns how many bytes it did.
func (x *xts) wide(dst, src []byte) (done int) {
	var k wideKeys
	if x.enc != nil {
		k.expandEnc(x.enc)
	} else {
		k.expandDec(x.dec)
	}
	var tweaks, buf [wideSize]byte
	for len(src)-done > narrowSize {
		n := min(len(src)-done, wideSize)
		x.list(tweaks[:n])
		subtle.XORBytes(buf[:n], src[done:], tweaks[:n])
		k.crypt(buf[:n], buf[:n])
		subtle.XORBytes(dst[done:], buf[:n], tweaks[:n])
		done += n
	}
	return done
}

// narrow does whole bytes of blocks by the narrow kernel, and then a whole and a partial block, if there are
// more bytes.
func (x *xts) narrow(dst, src []byte, whole int) {
	var k narrowKeys
	if x.enc != nil {
		k.expandEnc(x.enc)
	} else {
		k.expandDec(x.dec)
	}
	var tweaks [narrowSize]byte
	for done := 0; done < whole; {
		n := min(whole-done, narrowSize)
		x.list(tweaks[:n])
		k.cryptTweaked(dst[done:done+n], src[done:done+n], tweaks[:n])
		done += n
	}
	if whole < len(src) {
		x.list(tweaks[:2*keys.BlockSize])
		k.steal(dst[whole:], src[whole:], tweaks[:16], tweaks[16:32])
	}
}

// cryptTweaked does whole blocks, at most narrowBlocks, under the tweaks of the same length.
func (k *narrowKeys) cryptTweaked(dst, src, tweaks []byte) {
	subtle.XORBytes(dst, src, tweaks)
	k.crypt(dst, dst)
	subtle.XORBytes(dst, dst, tweaks)
}

// steal does a whole block and a partial one. What the whole one becomes is cut: the front is the partial block
// of the output, and the rest completes that of the input. Decryption undoes it in the opposite order, with the
// tweaks exchanged.
func (k *narrowKeys) steal(dst, src, tweak, next []byte) {
	if k.inverse {
		tweak, next = next, tweak
	}
	var block, front [keys.BlockSize]byte
	k.cryptTweaked(block[:], src[:keys.BlockSize], tweak)
	front = block
	copy(block[:], src[keys.BlockSize:]) // all is read before anything is written, for dst may be src
	copy(dst[keys.BlockSize:], front[:])
	k.cryptTweaked(dst[:keys.BlockSize], block[:], next)
}

// list fills tweaks with the tweaks of the next blocks, and moves on.
func (x *xts) list(tweaks []byte) {
	lo, hi := x.lo, x.hi
	for ; len(tweaks) >= keys.BlockSize; tweaks = tweaks[keys.BlockSize:] {
		binary.LittleEndian.PutUint64(tweaks, lo)
		binary.LittleEndian.PutUint64(tweaks[8:], hi)
		// Multiply by x. What leaves at x^128 returns as x^7 + x^2 + x + 1; a mask, for tweaks are secret.
		carry := -(hi >> 63)
		hi = hi<<1 | lo>>63
		lo = lo<<1 ^ carry&0x87
	}
	x.lo, x.hi = lo, hi
}
