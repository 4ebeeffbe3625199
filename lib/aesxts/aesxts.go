// Package aesxts encrypts sectors and other data units of storage with AES-XTS (IEEE 1619, NIST SP 800-38E),
// ciphertext stealing included.
//
// XTS makes as many bytes of ciphertext as there are of plaintext, so a sector stays a sector. What it can do
// in no more bytes is little: nothing notices a change, and the same text in the same place encrypts to the
// same bytes. Use it for what is stored in place and has no room for a tag, and package aesgcm for all else.
//
// # Keys
//
// A key is two AES keys of equal size, one for the text and one for tweaks: 32, 48 or 64 bytes together. They
// must differ. Init refuses equal halves, which SP 800-38E and FIPS 140 forbid, because then XTS is weaker than
// its proof says; InitAllowWeak is for data that was encrypted with such a key.
//
// A Key is a value type of about 1 KiB: embed it, keep it on the stack, set it again with Init. After Init it
// is only read, so any number of goroutines may use it at once, until one calls Init or Wipe. Use of a key that
// was never set, or was wiped, panics. Nothing here allocates, except New where the key outlives the function
// that makes it, and errors of Init.
//
// # Ways to call
//
//   - [Key.EncryptSectors] and [Key.DecryptSectors] take any number of consecutive sectors in one call. They
//     are the fastest way, also for one sector.
//   - [Key.Encrypt] and [Key.Decrypt] take one data unit, or a piece of one, under a tweak of 16 bytes.
//
// A tweak is the number of the data unit as 16 bytes, little-endian. Two data units under one key must not have
// the same, and one of them should have at most 2^20 blocks, 16 MiB; the functions hold neither.
//
// # Panics
//
// Data cannot cause errors here. A mistake in the program panics before a byte is written: a length that does
// not fit, buffers that overlap without starting at the same byte.
package aesxts

import (
	"crypto/subtle"
	"errors"
	"strconv"

	"lamina/arch"
	"lamina/arch/keys"
)

const (
	// BlockSize is the size of an AES block in bytes, and the smallest size of a data unit.
	BlockSize = keys.BlockSize
	// TweakSize is the size of a tweak in bytes.
	TweakSize = 16
)

// ErrWeakKey is the error for a key whose two halves are equal.
var ErrWeakKey = errors.New("aesxts: both halves of the key are equal; they must be two independent keys")

// KeySizeError is the error for a key that has none of XTS's sizes. Its value is the size in bytes that the key
// had.
type KeySizeError int

func (e KeySizeError) Error() string {
	return "aesxts: key of " + strconv.Itoa(int(e)) + " bytes; it must have 32, 48 or 64, two AES keys of equal size"
}

// Key is an AES-XTS key for both directions.
type Key struct {
	text  keys.Key
	tweak keys.Key // the inverse schedule continues messages
	im    arch.Impl
}

// New returns a key, as Init sets it.
func New(key []byte) (*Key, error) {
	// This much and no more, so that it inlines: then the compiler sees where the key goes, and one that stays
	// in the caller's frame is not allocated.
	return initKey(new(Key), key)
}

//go:noinline
func initKey(k *Key, key []byte) (*Key, error) {
	if err := k.Init(key); err != nil {
		return nil, err
	}
	return k, nil
}

// Init sets the key, under the best implementation that this CPU has. key must have 32, 48 or 64 bytes for
// AES-128, AES-192 or AES-256, or the error is a KeySizeError. Its first half is the key for the text, and the
// second the one for tweaks. If they are equal, which is found out in constant time, the error is ErrWeakKey.
// On an error k stays as it was. key is not retained.
func (k *Key) Init(key []byte) error { return k.InitImpl(arch.Best(), key) }

// InitImpl is Init under the implementation im.
func (k *Key) InitImpl(im arch.Impl, key []byte) error {
	if !validKeySize(len(key)) {
		return KeySizeError(len(key))
	}
	half := len(key) / 2
	if subtle.ConstantTimeCompare(key[:half], key[half:]) == 1 {
		return ErrWeakKey
	}
	k.set(im, key)
	return nil
}

// InitAllowWeak is Init for keys whose halves may be equal: for reading data that was encrypted with such a
// key, not for new data.
func (k *Key) InitAllowWeak(key []byte) error { return k.InitAllowWeakImpl(arch.Best(), key) }

// InitAllowWeakImpl is InitAllowWeak under the implementation im.
func (k *Key) InitAllowWeakImpl(im arch.Impl, key []byte) error {
	if !validKeySize(len(key)) {
		return KeySizeError(len(key))
	}
	k.set(im, key)
	return nil
}

func validKeySize(n int) bool { return n == 32 || n == 48 || n == 64 }

func (k *Key) set(im arch.Impl, key []byte) {
	half := len(key) / 2
	k.im = im
	arch.ExpandKey(im, &k.text.Enc, key[:half])
	arch.InvertKey(im, &k.text.Dec, &k.text.Enc)
	arch.ExpandKey(im, &k.tweak.Enc, key[half:])
	arch.InvertKey(im, &k.tweak.Dec, &k.tweak.Enc)
}

// Wipe overwrites the key with zeros. Any later use but Init panics.
func (k *Key) Wipe() { *k = Key{} }

func (k *Key) check() {
	if k.text.Rounds == 0 {
		panic("aesxts: key used before Init or after Wipe")
	}
}
