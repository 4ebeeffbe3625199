package aesxts

import (
	"encoding/binary"
	"strconv"

	"lamina/arch"
	"lamina/lib/internal/alias"
)

// Encrypt encrypts src to dst: a data unit, or a piece of one. tweak is the data unit's tweak, such as its
// number, little-endian.
//
// A long data unit can be encrypted in pieces. Each piece but the last must have a multiple of 16 bytes, and
// the last at least 16. After a call with a multiple of 16 bytes, tweak has become that under which the next
// call continues, as if both were one. Set it anew for another data unit. After other lengths, which use
// ciphertext stealing and so end the data unit, tweak is as it was. Tweaks in between, unlike the first, depend
// on the key: keep them secret.
//
// dst and src must have the same length, at least 16 bytes, and be the same memory or not overlap. tweak must
// not overlap either. Otherwise Encrypt panics, before it writes a byte.
func (k *Key) Encrypt(dst, src []byte, tweak *[16]byte) {
	k.checkUnit("Encrypt", dst, src, tweak)
	t := k.start(tweak)
	arch.XTSEncrypt(k.im, &k.text.Enc, &t, dst, src)
	k.next(tweak, &t, len(src))
}

// Decrypt decrypts src to dst, otherwise as Encrypt. The pieces of a data unit need not be those in which it
// was encrypted.
func (k *Key) Decrypt(dst, src []byte, tweak *[16]byte) {
	k.checkUnit("Decrypt", dst, src, tweak)
	t := k.start(tweak)
	arch.XTSDecrypt(k.im, &k.text.Dec, &t, dst, src)
	k.next(tweak, &t, len(src))
}

// start returns the encrypted tweak.
func (k *Key) start(tweak *[16]byte) (t [16]byte) {
	lo, hi := binary.LittleEndian.Uint64(tweak[:8]), binary.LittleEndian.Uint64(tweak[8:])
	arch.EncryptTweak(k.im, &k.tweak.Enc, &t, lo, hi)
	return t
}

// next sets tweak to the one that encrypts to t, the tweak of the block behind n bytes.
func (k *Key) next(tweak, t *[16]byte, n int) {
	if n%BlockSize == 0 {
		arch.DecryptTweak(k.im, &k.tweak.Dec, t)
		*tweak = *t
	}
	clear(t[:])
}

func (k *Key) checkUnit(name string, dst, src []byte, tweak *[16]byte) {
	k.check()
	if len(src) < BlockSize || len(dst) != len(src) {
		panic(wrongSize(name, dst, src))
	}
	if alias.Inexact(dst, src) {
		panic(overlap(name, "dst and src overlap without being the same memory"))
	}
	if alias.Any(tweak[:], dst) || alias.Any(tweak[:], src) {
		panic(overlap(name, "tweak overlaps dst or src"))
	}
}

// The messages of panics are made outside of the functions that panic, and stay there: building them takes a
// larger frame and more registers than all else in these.

//go:noinline
func wrongSize(name string, dst, src []byte) string {
	return "aesxts: " + name + ": dst of " + strconv.Itoa(len(dst)) + " bytes and src of " + strconv.Itoa(len(src)) +
		"; both must have the same length, at least 16"
}

//go:noinline
func overlap(name, what string) string { return "aesxts: " + name + ": " + what }
