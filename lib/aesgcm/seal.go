package aesgcm

import (
	"encoding/binary"
	"strconv"

	"lamina/arch"
	"lamina/lib/internal/alias"
)

// Seal encrypts plaintext, authenticates it together with ad, appends ciphertext and tag to dst and returns
// the result. What dst holds already is kept. If the capacity of dst suffices, nothing is allocated, and
// nothing is written past the tag.
//
// nonce must have 12 bytes and must never have sealed another message under this key. plaintext may have up
// to MaxText bytes. The appended part may be the memory of plaintext from the same start, so Seal(buf[:0],
// nonce, buf, ad) seals in place; otherwise it must overlap neither plaintext nor ad. Seal panics if any of
// this does not hold.
func (k *Key) Seal(dst, nonce, plaintext, ad []byte) []byte {
	k.check()
	if len(nonce) != NonceSize {
		panic(wrongNonce("Seal", len(nonce)))
	}
	if uint64(len(plaintext)) > MaxText {
		panic(tooMuchText("Seal"))
	}
	total := len(dst) + len(plaintext) + int(k.tagSize)
	if total > cap(dst) {
		return k.Seal(grow(dst, total), nonce, plaintext, ad)
	}
	ret := dst[:total]
	out := ret[len(dst):]
	if alias.Inexact(out, plaintext) || alias.Any(out, ad) {
		panic(overlap("Seal", "what is appended to dst", "plaintext or ad"))
	}
	text, tag := out[:len(plaintext)], out[len(plaintext):]
	if len(tag) == TagSize {
		arch.GCMSeal(k.im, &k.gcm, (*[16]byte)(tag), text, plaintext, (*[12]byte)(nonce), ad)
		return ret
	}
	var full [16]byte
	arch.GCMSeal(k.im, &k.gcm, &full, text, plaintext, (*[12]byte)(nonce), ad)
	copy(tag, full[:])
	return ret
}

// Open checks that ciphertext, which ends in the tag, and ad are what Seal made and was given, decrypts the
// ciphertext, appends the plaintext to dst and returns the result. If they are not, it returns nil and
// ErrOpen, and what it would have appended to dst is zero. What dst holds already is kept. If the capacity of
// dst suffices, nothing is allocated, and nothing is written past the plaintext.
//
// nonce must have 12 bytes. The appended part may be the memory of ciphertext from the same start, so
// Open(buf[:0], nonce, buf, ad) opens in place; otherwise it must overlap neither ciphertext nor ad. Open
// panics if any of this does not hold. A ciphertext shorter than the tag, or longer than any message can be,
// gives ErrOpen.
func (k *Key) Open(dst, nonce, ciphertext, ad []byte) ([]byte, error) {
	k.check()
	if len(nonce) != NonceSize {
		panic(wrongNonce("Open", len(nonce)))
	}
	n := len(ciphertext) - int(k.tagSize)
	if n < 0 {
		return nil, ErrOpen
	}
	if uint64(n) > MaxText {
		return openTooLong(dst, ciphertext, ad, n)
	}
	total := len(dst) + n
	if total > cap(dst) {
		return k.Open(grow(dst, total), nonce, ciphertext, ad)
	}
	ret := dst[:total]
	out := ret[len(dst):]
	if alias.Inexact(out, ciphertext) || alias.Any(out, ad) {
		panic(overlap("Open", "what is appended to dst", "ciphertext or ad"))
	}
	var tag [16]byte
	arch.GCMOpen(k.im, &k.gcm, &tag, out, ciphertext[:n], (*[12]byte)(nonce), ad)
	if !equalTag(&tag, ciphertext[n:]) {
		clear(out)
		return nil, ErrOpen
	}
	return ret, nil
}

// openTooLong is Open for n bytes of text, more than a message can have: what would be appended to dst is zero.
func openTooLong(dst, ciphertext, ad []byte, n int) ([]byte, error) {
	if total := len(dst) + n; total <= cap(dst) {
		out := dst[len(dst):total]
		if alias.Inexact(out, ciphertext) || alias.Any(out, ad) {
			panic(overlap("Open", "what is appended to dst", "ciphertext or ad"))
		}
		clear(out)
	}
	return nil, ErrOpen
}

// grow returns dst in memory of its own, with room for total bytes.
//
//go:noinline
func grow(dst []byte, total int) []byte {
	ret := make([]byte, len(dst), total)
	copy(ret, dst)
	return ret
}

// equalTag reports whether got begins with want, in time that depends on the length of want only.
func equalTag(got *[16]byte, want []byte) bool {
	if len(want) == TagSize {
		diff := binary.LittleEndian.Uint64(got[:8]) ^ binary.LittleEndian.Uint64(want)
		diff |= binary.LittleEndian.Uint64(got[8:]) ^ binary.LittleEndian.Uint64(want[8:])
		return diff == 0
	}
	return equalShortTag(got, want)
}

func equalShortTag(got *[16]byte, want []byte) bool {
	diff := byte(0)
	for i, b := range want {
		diff |= got[i] ^ b
	}
	return diff == 0
}

// The messages of panics are made outside of the functions that panic, and stay there: building them takes a
// larger frame and more registers than all else in these.

//go:noinline
func wrongNonce(name string, n int) string {
	return "aesgcm: " + name + ": nonce of " + strconv.Itoa(n) + " bytes; it must have 12"
}

//go:noinline
func tooMuchText(name string) string {
	return "aesgcm: " + name + ": more than 2^36 - 32 bytes of text"
}

//go:noinline
func overlap(name, output, inputs string) string {
	return "aesgcm: " + name + ": " + output + " overlaps " + inputs
}
