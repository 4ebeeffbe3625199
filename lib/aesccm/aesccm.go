// Package aesccm seals and opens messages with AES-CCM (NIST SP 800-38C, RFC 3610).
//
// CCM is for protocols that have it. It takes about three to ten times as long as GCM, because in its MAC
// every block waits for the one before; where there is a choice use package aesgcm.
//
// # Nonces
//
// Under one key, no nonce may ever seal two messages. If one does, whoever sees both learns the XOR of the
// two texts. Nonces have 7 to 13 bytes, one size for each key, and the longer they are, the shorter a message
// can be: with nonces of n bytes it has less than 2^(8*(15-n)) bytes, which for 13 is 64 KiB and for 12 is 16
// MiB. Use a counter; random nonces need 12 bytes or more, and then at most 2^32 messages.
//
// # Ways to call
//
//   - [Key.Seal] and [Key.Open] append, as crypto/cipher does; a *Key is a cipher.AEAD.
//   - [Key.Encrypt] and [Key.Decrypt] keep text and tag apart.
//   - [Ctx] takes a message in pieces, whose lengths in all are announced before. Prefer the calls above
//     where the message is in memory: they are faster, and they never hand out text that is not
//     authenticated.
//
// # Keys
//
// A Key is a value type of less than 300 bytes: embed it, keep it on the stack, set it again with Init. After
// Init it is only read, so any number of goroutines may use it at once, until one calls Init or Wipe. Use of
// a key that was never set, or was wiped, panics. Nothing here allocates, except New where the key outlives
// the function that makes it, Seal and Open where the capacity of dst is too small, and errors.
//
// # Errors and panics
//
// What a message can cause is an error: a wrong tag, or a length that no sealed message has. A mistake in the
// program panics before a byte is written: a nonce, tag or destination of the wrong size, buffers that
// overlap without starting at the same byte, calls out of order, more text to be sealed than the nonce
// allows.
package aesccm

import (
	"crypto/cipher"
	"errors"
	"strconv"

	"lamina/arch"
	"lamina/arch/keys"
	"lamina/lib/aes"
)

const (
	minNonce = 7
	maxNonce = 13
	minTag   = 4
	maxTag   = 16

	blockSize = aes.BlockSize
)

// ErrOpen is the error for a message that is not what was sealed under this key, with this nonce and this
// associated data. It tells no more, on purpose.
var ErrOpen = errors.New("aesccm: message authentication failed")

// NonceSizeError is the error for a nonce size that CCM does not have. Its value is the size in bytes.
type NonceSizeError int

func (e NonceSizeError) Error() string {
	return "aesccm: nonce of " + strconv.Itoa(int(e)) + " bytes; it must have 7 to 13"
}

// TagSizeError is the error for a tag size that CCM does not have. Its value is the size in bytes.
type TagSizeError int

func (e TagSizeError) Error() string {
	return "aesccm: tag of " + strconv.Itoa(int(e)) + " bytes; it must have 4, 6, 8, 10, 12, 14 or 16"
}

// TextSizeError is the error for a text that is longer than the nonces of a key allow. Its value is the most
// they allow, in bytes.
type TextSizeError uint64

func (e TextSizeError) Error() string {
	return "aesccm: the text is too long; with nonces of this size it may have " + strconv.FormatUint(uint64(e), 10) + " bytes"
}

// Key is an AES-CCM key together with the sizes of its nonces and tags. It implements cipher.AEAD.
type Key struct {
	enc       keys.Enc
	im        arch.Impl
	nonceSize uint8
	tagSize   uint8
}

var _ cipher.AEAD = (*Key)(nil)

// New returns a key with nonces and tags of the given sizes in bytes, as Init sets it. key is not retained.
func New(key []byte, nonceSize, tagSize int) (*Key, error) {
	// This much and no more, so that it inlines: then the compiler sees where the key goes, and one that stays in
	// the caller's frame is not allocated.
	return initKey(new(Key), key, nonceSize, tagSize)
}

//go:noinline
func initKey(k *Key, key []byte, nonceSize, tagSize int) (*Key, error) {
	if err := k.Init(key, nonceSize, tagSize); err != nil {
		return nil, err
	}
	return k, nil
}

// Init sets the key and the sizes of its nonces and tags in bytes, under the best implementation that this
// CPU has. key must have 16, 24 or 32 bytes, or the error is an aes.KeySizeError; nonceSize must be 7 to 13,
// or the error is a NonceSizeError; tagSize must be 4, 6, 8, 10, 12, 14 or 16, or the error is a
// TagSizeError. On an error k stays as it was. key is not retained.
//
// Tags of less than 8 bytes need care (SP 800-38C, appendix B.2): each byte less makes forgery 256 times as
// likely.
func (k *Key) Init(key []byte, nonceSize, tagSize int) error {
	return k.InitImpl(arch.Best(), key, nonceSize, tagSize)
}

// InitImpl is Init under the implementation im.
func (k *Key) InitImpl(im arch.Impl, key []byte, nonceSize, tagSize int) error {
	switch len(key) {
	case 16, 24, 32:
	default:
		return aes.KeySizeError(len(key))
	}
	if nonceSize < minNonce || nonceSize > maxNonce {
		return NonceSizeError(nonceSize)
	}
	if tagSize < minTag || tagSize > maxTag || tagSize%2 != 0 {
		return TagSizeError(tagSize)
	}
	k.im, k.nonceSize, k.tagSize = im, uint8(nonceSize), uint8(tagSize)
	arch.ExpandKey(im, &k.enc, key)
	return nil
}

// NonceSize returns the size of the key's nonces in bytes.
func (k *Key) NonceSize() int {
	k.check()
	return int(k.nonceSize)
}

// Overhead returns the size of the tag in bytes, which is what Seal adds to a message.
func (k *Key) Overhead() int {
	k.check()
	return int(k.tagSize)
}

// MaxText returns how many bytes one message can have with nonces of the key's size.
func (k *Key) MaxText() uint64 {
	k.check()
	return k.maxText()
}

// maxText is the greatest number that fits the bytes of the first block that the nonce leaves.
func (k *Key) maxText() uint64 { return ^uint64(0) >> (8 * (k.nonceSize - minNonce)) }

// Wipe overwrites the key with zeros. Any later use but Init panics, also of a Ctx begun with the key.
func (k *Key) Wipe() { *k = Key{} }

func (k *Key) check() {
	if k.tagSize == 0 {
		panic("aesccm: key used before Init or after Wipe")
	}
}
