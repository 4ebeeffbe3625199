package aesccm

import (
	"crypto/subtle"
	"encoding/binary"
	"strconv"

	"lamina/lib/internal/alias"
)

// Seal encrypts plaintext, authenticates it together with ad, appends ciphertext and tag to dst and returns
// the result. What dst holds already is kept. If the capacity of dst suffices, nothing is allocated, and
// nothing is written past the tag.
//
// nonce must be as long as the key's nonces are and must never have sealed another message under this key.
// plaintext may have up to MaxText bytes. The appended part may be the memory of plaintext from the same
// start, so Seal(buf[:0], nonce, buf, ad) seals in place; otherwise it must overlap neither plaintext nor ad.
// Seal panics if any of this does not hold.
func (k *Key) Seal(dst, nonce, plaintext, ad []byte) []byte {
	k.check()
	k.checkNonce("Seal", nonce)
	k.checkText("Seal", plaintext)
	total := len(dst) + len(plaintext) + int(k.tagSize)
	if total > cap(dst) {
		return k.Seal(grow(dst, total), nonce, plaintext, ad)
	}
	ret := dst[:total]
	out := ret[len(dst):]
	if alias.Inexact(out, plaintext) || alias.Any(out, ad) {
		panic(overlap("Seal", "what is appended to dst", "plaintext or ad"))
	}
	k.seal(out[:len(plaintext)], out[len(plaintext):], nonce, plaintext, ad)
	return ret
}

// Open checks that ciphertext, which ends in the tag, and ad are what Seal made and was given, decrypts the
// ciphertext, appends the plaintext to dst and returns the result. If they are not, it returns nil and
// ErrOpen, and what it would have appended to dst is zero. What dst holds already is kept. If the capacity of
// dst suffices, nothing is allocated, and nothing is written past the plaintext.
//
// nonce must be as long as the key's nonces are. The appended part may be the memory of ciphertext from the
// same start, so Open(buf[:0], nonce, buf, ad) opens in place; otherwise it must overlap neither ciphertext
// nor ad. Open panics if any of this does not hold. A ciphertext shorter than the tag, or longer than any
// message can be, gives ErrOpen.
func (k *Key) Open(dst, nonce, ciphertext, ad []byte) ([]byte, error) {
	k.check()
	k.checkNonce("Open", nonce)
	n := len(ciphertext) - int(k.tagSize)
	if n < 0 {
		return nil, ErrOpen
	}
	if uint64(n) > k.maxText() {
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
	if err := k.open(out, nonce, ciphertext[:n], ciphertext[n:], ad); err != nil {
		return nil, err
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

// Encrypt encrypts src to dst and writes the tag over ad and src to tag.
//
// dst must be as long as src, at most MaxText bytes, and be the same memory or not overlap it. tag and nonce
// must be as long as the key's are, and nonce must never have encrypted another message under this key. dst
// and tag must not overlap each other, nonce or ad; tag must not overlap src either. Encrypt panics, before
// it writes a byte, if any of this does not hold.
func (k *Key) Encrypt(dst, tag, nonce, src, ad []byte) {
	k.checkDetached("Encrypt", dst, tag, nonce, src, ad)
	k.checkText("Encrypt", src)
	if alias.Any(tag, dst) || alias.Any(tag, src) || alias.Any(tag, nonce) || alias.Any(tag, ad) {
		panic(overlap("Encrypt", "tag", "dst, src, nonce or ad"))
	}
	k.seal(dst, tag, nonce, src, ad)
}

// Decrypt checks that tag is the tag over ad and the text, and decrypts src to dst. If it is not, or if src
// has more than MaxText bytes, it returns ErrOpen, and dst is zero.
//
// dst must be as long as src and be the same memory or not overlap it. tag must be as long as the key's tags
// are: cut it by that size, not by what is left of a message. nonce must be as long as the key's nonces are.
// dst must not overlap tag, nonce or ad. Decrypt panics, before it writes a byte, if any of this does not
// hold.
func (k *Key) Decrypt(dst, nonce, src, tag, ad []byte) error {
	k.checkDetached("Decrypt", dst, tag, nonce, src, ad)
	if alias.Any(dst, tag) {
		panic(overlap("Decrypt", "dst", "tag"))
	}
	if uint64(len(src)) > k.maxText() {
		clear(dst)
		return ErrOpen
	}
	return k.open(dst, nonce, src, tag, ad)
}

func (k *Key) seal(dst, tag, nonce, src, ad []byte) {
	var m message
	m.begin(k, nonce, uint64(len(ad)), uint64(len(src)))
	m.authenticate(k, ad)
	m.encrypt(k, dst, src)
	full := m.tag()
	copy(tag, full[:])
}

func (k *Key) open(dst, nonce, src, tag, ad []byte) error {
	var m message
	m.begin(k, nonce, uint64(len(ad)), uint64(len(src)))
	m.authenticate(k, ad)
	m.decrypt(k, dst, src)
	full := m.tag()
	if !equalTag(&full, tag) {
		clear(dst)
		return ErrOpen
	}
	return nil
}

// equalTag reports whether full begins with tag, in time that depends on the length of tag only.
func equalTag(full *[blockSize]byte, tag []byte) bool {
	if len(tag) < maxTag {
		return subtle.ConstantTimeCompare(full[:len(tag)], tag) == 1
	}
	diff := binary.NativeEndian.Uint64(full[:8]) ^ binary.NativeEndian.Uint64(tag)
	diff |= binary.NativeEndian.Uint64(full[8:]) ^ binary.NativeEndian.Uint64(tag[8:])
	return diff == 0
}

// grow returns dst in memory of its own, with room for total bytes.
//
//go:noinline
func grow(dst []byte, total int) []byte {
	ret := make([]byte, len(dst), total)
	copy(ret, dst)
	return ret
}

func (k *Key) checkNonce(name string, nonce []byte) {
	if len(nonce) != int(k.nonceSize) {
		panic(wrongSize(name, "nonce", len(nonce), int(k.nonceSize)))
	}
}

func (k *Key) checkTag(name string, tag []byte) {
	if len(tag) != int(k.tagSize) {
		panic(wrongSize(name, "tag", len(tag), int(k.tagSize)))
	}
}

func (k *Key) checkText(name string, src []byte) {
	if uint64(len(src)) > k.maxText() {
		panic(tooMuchText(name, len(src), k.maxText()))
	}
}

func (k *Key) checkDetached(name string, dst, tag, nonce, src, ad []byte) {
	k.check()
	k.checkNonce(name, nonce)
	k.checkTag(name, tag)
	if len(dst) != len(src) {
		panic(wrongDst(name, len(dst), len(src)))
	}
	if alias.Inexact(dst, src) || alias.Any(dst, nonce) || alias.Any(dst, ad) {
		panic(overlap(name, "dst", "src, nonce or ad"))
	}
}

// The messages of panics are made outside of the functions that panic, and stay there: building them takes a
// larger frame and more registers than all else in these.

//go:noinline
func wrongSize(name, what string, got, want int) string {
	return "aesccm: " + name + ": " + what + " of " + strconv.Itoa(got) + " bytes; the key was set up for " + strconv.Itoa(want)
}

//go:noinline
func tooMuchText(name string, got int, most uint64) string {
	return "aesccm: " + name + ": text of " + strconv.Itoa(got) + " bytes; with nonces of this size it may have " +
		strconv.FormatUint(most, 10)
}

//go:noinline
func wrongDst(name string, dst, src int) string {
	return "aesccm: " + name + ": dst of " + strconv.Itoa(dst) + " bytes and src of " + strconv.Itoa(src) +
		"; they must have the same length"
}

//go:noinline
func overlap(name, output, inputs string) string {
	return "aesccm: " + name + ": " + output + " overlaps " + inputs
}
