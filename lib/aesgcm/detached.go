package aesgcm

import (
	"strconv"

	"lamina/arch"
	"lamina/lib/internal/alias"
)

// Encrypt encrypts src to dst and writes the tag over ad and dst to tag.
//
// dst must be as long as src, at most MaxText bytes, and be the same memory or not overlap it. tag must be as
// long as the key's tags are. nonce must have at least 1 byte and must never have encrypted another message
// under this key; 12 bytes are fastest. dst and tag must not overlap each other, nonce or ad; tag must not
// overlap src either. Encrypt panics, before it writes a byte, if any of this does not hold.
func (k *Key) Encrypt(dst, tag, nonce, src, ad []byte) {
	k.checkDetached("Encrypt", dst, tag, nonce, src, ad)
	if uint64(len(src)) > MaxText {
		panic(tooMuchText("Encrypt"))
	}
	if alias.Any(tag, dst) || alias.Any(tag, src) || alias.Any(tag, nonce) || alias.Any(tag, ad) {
		panic(overlap("Encrypt", "tag", "dst, src, nonce or ad"))
	}
	if len(nonce) != NonceSize {
		c := NewCtx(k, nonce)
		c.AuthUpdate(ad)
		c.EncryptUpdate(dst, src)
		c.EncryptFinal(tag)
		return
	}
	if len(tag) == TagSize {
		arch.GCMSeal(k.im, &k.gcm, (*[16]byte)(tag), dst, src, (*[12]byte)(nonce), ad)
		return
	}
	var full [16]byte
	arch.GCMSeal(k.im, &k.gcm, &full, dst, src, (*[12]byte)(nonce), ad)
	copy(tag, full[:])
}

// Decrypt checks that tag is the tag over ad and src, and decrypts src to dst. If it is not, or if src has
// more than MaxText bytes, it returns ErrOpen, and dst is zero.
//
// dst must be as long as src and be the same memory or not overlap it. tag must be as long as the key's tags
// are: cut it by that size, not by what is left of a message. nonce must have at least 1 byte. dst must not
// overlap tag, nonce or ad. Decrypt panics, before it writes a byte, if any of this does not hold.
func (k *Key) Decrypt(dst, nonce, src, tag, ad []byte) error {
	k.checkDetached("Decrypt", dst, tag, nonce, src, ad)
	if alias.Any(dst, tag) {
		panic(overlap("Decrypt", "dst", "tag"))
	}
	if uint64(len(src)) > MaxText {
		clear(dst)
		return ErrOpen
	}
	if len(nonce) != NonceSize {
		c := NewCtx(k, nonce)
		c.AuthUpdate(ad)
		c.DecryptUpdate(dst, src)
		err := c.DecryptFinal(tag)
		if err != nil {
			clear(dst)
		}
		return err
	}
	var full [16]byte
	arch.GCMOpen(k.im, &k.gcm, &full, dst, src, (*[12]byte)(nonce), ad)
	if !equalTag(&full, tag) {
		clear(dst)
		return ErrOpen
	}
	return nil
}

func (k *Key) checkDetached(name string, dst, tag, nonce, src, ad []byte) {
	k.check()
	if len(nonce) == 0 {
		panic(noNonce(name))
	}
	k.checkTag(name, tag)
	if len(dst) != len(src) {
		panic(wrongDst(name, len(dst), len(src)))
	}
	if alias.Inexact(dst, src) || alias.Any(dst, nonce) || alias.Any(dst, ad) {
		panic(overlap(name, "dst", "src, nonce or ad"))
	}
}

func (k *Key) checkTag(name string, tag []byte) {
	if len(tag) != int(k.tagSize) {
		panic(wrongTag(name, len(tag), int(k.tagSize)))
	}
}

//go:noinline
func noNonce(name string) string {
	return "aesgcm: " + name + ": empty nonce; it must have at least 1 byte"
}

//go:noinline
func wrongTag(name string, got, want int) string {
	return "aesgcm: " + name + ": tag of " + strconv.Itoa(got) + " bytes; the key was set up for " + strconv.Itoa(want)
}

//go:noinline
func wrongDst(name string, dst, src int) string {
	return "aesgcm: " + name + ": dst of " + strconv.Itoa(dst) + " bytes and src of " + strconv.Itoa(src) +
		"; they must have the same length"
}
