package aes

import (
	"crypto/cipher"

	"lamina/arch"
	"lamina/arch/keys"
	"lamina/lib/internal/alias"
)

// Key is a key that encrypts and decrypts. It implements cipher.Block.
//
// Its EncKey can be handed to what only encrypts.
type Key struct {
	EncKey
	dec keys.Dec
}

var _ cipher.Block = (*Key)(nil)

// New returns a key for both directions. The key must have 16, 24 or 32 bytes, or the error is a
// KeySizeError. It is not retained.
func New(key []byte) (*Key, error) {
	return initKey(new(Key), key) // inlines, as NewEncKey does and for the same reason
}

//go:noinline
func initKey(k *Key, key []byte) (*Key, error) {
	if err := k.Init(key); err != nil {
		return nil, err
	}
	return k, nil
}

// Init sets the key, under the best implementation that this CPU has. key must have 16, 24 or 32 bytes;
// otherwise k stays as it was and the error is a KeySizeError. key is not retained.
func (k *Key) Init(key []byte) error { return k.InitImpl(arch.Best(), key) }

// InitImpl is Init under the implementation im.
func (k *Key) InitImpl(im arch.Impl, key []byte) error {
	if err := k.EncKey.InitImpl(im, key); err != nil {
		return err
	}
	arch.InvertKey(im, &k.dec, &k.enc)
	return nil
}

// DecryptBlock decrypts the block src to dst. Both must have exactly 16 bytes, and be the same memory or not
// overlap; otherwise it panics and writes nothing.
func (k *Key) DecryptBlock(dst, src []byte) {
	checkBlock("DecryptBlock", dst, src)
	k.check()
	arch.DecryptBlocks(k.im, &k.dec, dst, src)
}

// DecryptBlocks decrypts each 16-byte block of src to dst, independently of the others. Both must have the
// same length, a multiple of 16 that may be 0, and be the same memory or not overlap; otherwise it panics and
// writes nothing.
func (k *Key) DecryptBlocks(dst, src []byte) {
	checkBlocks("DecryptBlocks", dst, src)
	k.check()
	arch.DecryptBlocks(k.im, &k.dec, dst, src)
}

// BlockSize returns 16.
func (k *Key) BlockSize() int { return BlockSize }

// Encrypt encrypts the first block of src to the first 16 bytes of dst and leaves the rest alone, as
// cipher.Block has it. It panics if either is shorter, or if the two blocks overlap without being the same
// memory.
func (k *Key) Encrypt(dst, src []byte) {
	dst, src = firstBlocks("Encrypt", dst, src)
	k.check()
	arch.EncryptBlocks(k.im, &k.enc, dst, src)
}

// Decrypt decrypts the first block of src to the first 16 bytes of dst and leaves the rest alone, as
// cipher.Block has it. It panics if either is shorter, or if the two blocks overlap without being the same
// memory.
func (k *Key) Decrypt(dst, src []byte) {
	dst, src = firstBlocks("Decrypt", dst, src)
	k.check()
	arch.DecryptBlocks(k.im, &k.dec, dst, src)
}

// Wipe overwrites the key with zeros. Any later use but Init panics.
func (k *Key) Wipe() { *k = Key{} }

func firstBlocks(name string, dst, src []byte) (_, _ []byte) {
	if len(src) < BlockSize || len(dst) < BlockSize {
		panic(wrongSize(name, "each must have at least 16", dst, src))
	}
	dst, src = dst[:BlockSize], src[:BlockSize]
	if alias.Inexact(dst, src) {
		panic(overlap(name))
	}
	return dst, src
}
