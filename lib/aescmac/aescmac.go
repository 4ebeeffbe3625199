// Package aescmac authenticates messages with CMAC (NIST SP 800-38B, RFC 4493) and XCBC-MAC (RFC 3566), both
// over AES.
//
// Of the two, CMAC is the one to use; XCBC-MAC is for the protocols that have it, IPsec among them. They have
// no nonce: the same message has the same tag. A key must not serve both, nor any other mode.
//
// # Ways to call
//
//   - [Key.Sum] and [Key.Verify] take a message that is in memory.
//   - [Hash] takes one in pieces; it is a hash.Hash.
//
// # Tags
//
// A tag has 16 bytes. A shorter one, whose size is set with the key and counts for Verify and Hash, is its
// beginning: each byte less makes forgery 256 times as likely. AES-XCBC-MAC-96 and AES-CMAC-96 of IPsec have
// 12. Compare tags with Verify, which takes the same time wherever they differ, and never with ==.
//
// # Keys
//
// A Key is a value type: embed it, keep it on the stack, set it again with Init or InitXCBC. After that it is
// only read, so any number of goroutines may use it at once, until one sets or wipes it. Use of a key that
// was never set, or was wiped, panics. Nothing here allocates, except New and NewXCBC where the key outlives
// the function that makes it, Hash.Sum where the capacity of its slice is too small, and errors of Init.
package aescmac

import (
	"crypto/subtle"
	"errors"
	"strconv"

	"lamina/arch"
	"lamina/arch/keys"
	"lamina/lib/aes"
)

const (
	// Size is the size in bytes of the full tag.
	Size = 16
	// BlockSize is the size of a block in bytes.
	BlockSize = aes.BlockSize

	minTag = 4
)

// ErrVerify is the error for a tag that is not the message's.
var ErrVerify = errors.New("aescmac: message authentication failed")

// TagSizeError is the error for a tag size that is not supported. Its value is the size in bytes.
type TagSizeError int

func (e TagSizeError) Error() string {
	return "aescmac: tag of " + strconv.Itoa(int(e)) + " bytes; it must have 4 to 16"
}

// XCBCKeySizeError is the error for a key that XCBC-MAC does not have. Its value is the size in bytes that
// the key had.
type XCBCKeySizeError int

func (e XCBCKeySizeError) Error() string {
	return "aescmac: XCBC-MAC key of " + strconv.Itoa(int(e)) + " bytes; it must have 16"
}

// Key is a key of CMAC or of XCBC-MAC, together with the size of its tags.
//
// Both are CBC-MAC under one key, with a secret added to the last block: one if the block is whole, another
// if it was filled up. They differ in where these come from.
type Key struct {
	enc     keys.Enc
	whole   [BlockSize]byte // added to a last block that is whole
	filled  [BlockSize]byte // added to one that was filled up
	im      arch.Impl
	tagSize uint8
}

// New returns a key of CMAC with tags of 16 bytes. The key must have 16, 24 or 32 bytes, or the error is an
// aes.KeySizeError. It is not retained.
func New(key []byte) (*Key, error) {
	// This much and no more, so that it inlines: then the compiler sees where the key goes, and one that stays in
	// the caller's frame is not allocated.
	return initKey(new(Key), key)
}

//go:noinline
func initKey(k *Key, key []byte) (*Key, error) {
	if err := k.Init(key, Size); err != nil {
		return nil, err
	}
	return k, nil
}

// NewXCBC returns a key of XCBC-MAC with tags of 16 bytes. The key must have 16 bytes, or the error is an
// XCBCKeySizeError. It is not retained.
func NewXCBC(key []byte) (*Key, error) {
	return initXCBC(new(Key), key) // inlines, as New does and for the same reason
}

//go:noinline
func initXCBC(k *Key, key []byte) (*Key, error) {
	if err := k.InitXCBC(key, Size); err != nil {
		return nil, err
	}
	return k, nil
}

// Init sets a key of CMAC and the size of its tags in bytes, under the best implementation that this CPU has.
// key must have 16, 24 or 32 bytes, or the error is an aes.KeySizeError; tagSize must be 4 to 16, or the
// error is a TagSizeError. On an error k stays as it was. key is not retained.
func (k *Key) Init(key []byte, tagSize int) error { return k.InitImpl(arch.Best(), key, tagSize) }

// InitImpl is Init under the implementation im.
func (k *Key) InitImpl(im arch.Impl, key []byte, tagSize int) error {
	switch len(key) {
	case 16, 24, 32:
	default:
		return aes.KeySizeError(len(key))
	}
	if tagSize < minTag || tagSize > Size {
		return TagSizeError(tagSize)
	}
	k.set(im, key, tagSize)
	// SP 800-38B, section 6.1: the subkeys are L*x and L*x^2, with L the encryption of zero.
	k.whole = [BlockSize]byte{}
	arch.EncryptBlocks(im, &k.enc, k.whole[:], k.whole[:])
	double(&k.whole, &k.whole)
	double(&k.filled, &k.whole)
	return nil
}

// InitXCBC sets a key of XCBC-MAC, which must have 16 bytes, or the error is an XCBCKeySizeError; otherwise
// as Init.
func (k *Key) InitXCBC(key []byte, tagSize int) error {
	return k.InitXCBCImpl(arch.Best(), key, tagSize)
}

// InitXCBCImpl is InitXCBC under the implementation im.
func (k *Key) InitXCBCImpl(im arch.Impl, key []byte, tagSize int) error {
	if len(key) != 16 {
		return XCBCKeySizeError(len(key))
	}
	if tagSize < minTag || tagSize > Size {
		return TagSizeError(tagSize)
	}
	// RFC 3566, section 4: the key of CBC-MAC and the two secrets are what the key makes of blocks of ones,
	// twos and threes.
	var derived [3 * BlockSize]byte
	for i := range derived {
		derived[i] = byte(1 + i/BlockSize)
	}
	k.set(im, key, tagSize)
	arch.EncryptBlocks(im, &k.enc, derived[:], derived[:])
	k.whole = [BlockSize]byte(derived[BlockSize:])
	k.filled = [BlockSize]byte(derived[2*BlockSize:])
	k.set(im, derived[:BlockSize], tagSize)
	clear(derived[:])
	return nil
}

func (k *Key) set(im arch.Impl, key []byte, tagSize int) {
	k.im, k.tagSize = im, uint8(tagSize)
	arch.ExpandKey(im, &k.enc, key)
}

// double sets out to in*x, in the field of SP 800-38B: bits and bytes from the highest, modulo x^128 + x^7 +
// x^2 + x + 1.
func double(out, in *[BlockSize]byte) {
	carry := -(in[0] >> 7) // a mask, for in is secret
	for i := range BlockSize - 1 {
		out[i] = in[i]<<1 | in[i+1]>>7
	}
	out[BlockSize-1] = in[BlockSize-1]<<1 ^ carry&0x87
}

// Sum returns the full tag of data, which may be empty. With keys whose tags are shorter, the tag is the
// beginning of it.
func (k *Key) Sum(data []byte) (tag [Size]byte) {
	k.check()
	whole := beforeLast(len(data))
	arch.CBCMAC(k.im, &k.enc, &tag, data[:whole])
	k.finish(&tag, data[whole:])
	return tag
}

// Verify returns nil if tag is the tag of data, and otherwise ErrVerify. tag must be as long as the key's
// tags are, or Verify panics: cut it by that size, not by what is left of a message.
func (k *Key) Verify(data, tag []byte) error {
	k.check()
	k.checkTag("Verify", tag)
	want := k.Sum(data)
	return compare(&want, tag)
}

// TagSize returns the size of the key's tags in bytes.
func (k *Key) TagSize() int {
	k.check()
	return int(k.tagSize)
}

// Wipe overwrites the key with zeros. Any later use but Init and InitXCBC panics, also of a Hash begun with
// the key.
func (k *Key) Wipe() { *k = Key{} }

// finish adds the last block of a message to acc, which becomes the tag. It has at most 16 bytes, and none
// only if the message is empty.
func (k *Key) finish(acc *[BlockSize]byte, last []byte) {
	block := k.whole
	if len(last) < BlockSize {
		block = k.filled
		block[len(last)] ^= 0x80
	}
	subtle.XORBytes(block[:], block[:], last)
	arch.CBCMAC(k.im, &k.enc, acc, block[:])
}

// beforeLast returns how many of n bytes lie before the last block, which may be a part of one.
func beforeLast(n int) int {
	if n == 0 {
		return 0
	}
	return (n - 1) &^ (BlockSize - 1)
}

func compare(want *[Size]byte, tag []byte) error {
	if subtle.ConstantTimeCompare(want[:len(tag)], tag) == 0 {
		return ErrVerify
	}
	return nil
}

func (k *Key) check() {
	if k.tagSize == 0 {
		panic("aescmac: key used before Init or after Wipe")
	}
}

func (k *Key) checkTag(name string, tag []byte) {
	if len(tag) != int(k.tagSize) {
		panic(wrongTag(name, len(tag), int(k.tagSize)))
	}
}

//go:noinline
func wrongTag(name string, got, want int) string {
	return "aescmac: " + name + ": tag of " + strconv.Itoa(got) + " bytes; the key was set up for " + strconv.Itoa(want)
}
