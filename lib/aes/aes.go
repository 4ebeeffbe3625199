// Package aes encrypts and decrypts single blocks with AES (FIPS 197), with keys of 16, 24 or 32 bytes.
//
// The block cipher by itself is a building block, not a way to encrypt messages: equal blocks give equal
// ciphertext, and nothing notices a change. To seal messages use package aesgcm.
//
// Keys are value types: embed them in other types, keep them on the stack, set them again with Init. After
// Init a key is only read, so any number of goroutines may use it at once, until one calls Init or Wipe. Use
// of a key that was never set, or was wiped, panics. Nothing here allocates but New and NewEncKey, and these
// only where the key outlives the function that makes it.
package aes

import (
	"strconv"

	"lamina/arch"
	"lamina/arch/keys"
	"lamina/lib/internal/alias"
)

// BlockSize is the size of an AES block in bytes.
const BlockSize = keys.BlockSize

// KeySizeError is the error for a key that has none of AES's sizes. Its value is the size in bytes that the
// key had.
type KeySizeError int

func (e KeySizeError) Error() string {
	return "aes: key of " + strconv.Itoa(int(e)) + " bytes; it must have 16, 24 or 32"
}

// EncKey is a key that encrypts only. It takes 256 bytes, half of what Key takes, and is all that modes such as
// CTR, GCM and CMAC need.
type EncKey struct {
	enc keys.Enc
	im  arch.Impl
}

// NewEncKey returns a key for encryption. The key must have 16, 24 or 32 bytes, or the error is a
// KeySizeError. It is not retained.
func NewEncKey(key []byte) (*EncKey, error) {
	// This much and no more, so that it inlines: then the compiler sees where the key goes, and one that stays in
	// the caller's frame is not allocated.
	return initEncKey(new(EncKey), key)
}

//go:noinline
func initEncKey(k *EncKey, key []byte) (*EncKey, error) {
	if err := k.Init(key); err != nil {
		return nil, err
	}
	return k, nil
}

// Init sets the key, under the best implementation that this CPU has. key must have 16, 24 or 32 bytes;
// otherwise k stays as it was and the error is a KeySizeError. key is not retained.
func (k *EncKey) Init(key []byte) error { return k.InitImpl(arch.Best(), key) }

// InitImpl is Init under the implementation im.
func (k *EncKey) InitImpl(im arch.Impl, key []byte) error {
	if !validKeySize(len(key)) {
		return KeySizeError(len(key))
	}
	k.im = im
	arch.ExpandKey(im, &k.enc, key)
	return nil
}

// EncryptBlock encrypts the block src to dst. Both must have exactly 16 bytes, and be the same memory or not
// overlap; otherwise it panics and writes nothing.
func (k *EncKey) EncryptBlock(dst, src []byte) {
	checkBlock("EncryptBlock", dst, src)
	k.check()
	arch.EncryptBlocks(k.im, &k.enc, dst, src)
}

// EncryptBlocks encrypts each 16-byte block of src to dst, independently of the others. Both must have the
// same length, a multiple of 16 that may be 0, and be the same memory or not overlap; otherwise it panics and
// writes nothing.
func (k *EncKey) EncryptBlocks(dst, src []byte) {
	checkBlocks("EncryptBlocks", dst, src)
	k.check()
	arch.EncryptBlocks(k.im, &k.enc, dst, src)
}

// Wipe overwrites the key with zeros. Any later use but Init panics.
func (k *EncKey) Wipe() { *k = EncKey{} }

func (k *EncKey) check() {
	if k.enc.Rounds == 0 {
		panic("aes: key used before Init or after Wipe")
	}
}

func validKeySize(n int) bool { return n == 16 || n == 24 || n == 32 }

func checkBlock(name string, dst, src []byte) {
	if len(src) != BlockSize || len(dst) != BlockSize {
		panic(wrongSize(name, "each must have 16", dst, src))
	}
	if alias.Inexact(dst, src) {
		panic(overlap(name))
	}
}

func checkBlocks(name string, dst, src []byte) {
	if len(src)%BlockSize != 0 || len(dst) != len(src) {
		panic(wrongSize(name, "both must have the same multiple of 16", dst, src))
	}
	if alias.Inexact(dst, src) {
		panic(overlap(name))
	}
}

// The messages of panics are made outside of the functions that panic, and stay there: building them takes a
// larger frame and more registers than all else in these.

//go:noinline
func overlap(name string) string {
	return "aes: " + name + ": dst and src overlap without being the same memory"
}

//go:noinline
func wrongSize(name, want string, dst, src []byte) string {
	return "aes: " + name + ": dst of " + strconv.Itoa(len(dst)) + " bytes and src of " +
		strconv.Itoa(len(src)) + "; " + want
}
