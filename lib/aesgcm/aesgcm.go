// Package aesgcm seals and opens messages with AES-GCM (NIST SP 800-38D).
//
// # Nonces
//
// Under one key, no nonce may ever seal two messages. If one does, whoever sees both learns the XOR of the
// two texts, and can forge any message from then on. Use one of these:
//
//   - A counter, 12 bytes, that the sealing side keeps and never sets back; with several senders, each has
//     its own key, or a number of its own in the first 4 bytes. Write the counter as one 8-byte store,
//     binary.BigEndian.PutUint64(nonce[4:], n): nonces written byte by byte just before the call slow it
//     down.
//   - 12 random bytes, for at most 2^32 messages under one key; then the chance of a repetition is below 2^-32.
//
// Nonces of other lengths are hashed to a counter block; they cost more and are no safer than 12 random
// bytes. They are there for formats that have them.
//
// # Ways to call
//
//   - [Key.Seal] and [Key.Open] append, as crypto/cipher does; a *Key is a cipher.AEAD.
//   - [Key.Encrypt] and [Key.Decrypt] keep text and tag apart and take nonces of any length.
//   - [Ctx] takes a message in pieces. Prefer the calls above where the message is in memory: they are
//     faster, and they never hand out text that is not authenticated.
//   - [Key.GMAC], [Key.VerifyGMAC] and [GMAC] authenticate without encrypting.
//
// # Keys
//
// A Key is a value type of less than 1 KiB: embed it, keep it on the stack, set it again with Init. After
// Init it is only read, so any number of goroutines may use it at once, until one calls Init or Wipe. Use of
// a key that was never set, or was wiped, panics. Nothing here allocates, except New where the key outlives
// the function that makes it, Seal and Open where the capacity of dst is too small, and errors of Init.
//
// # Errors and panics
//
// What a message can cause is an error: a wrong tag, or a length that no sealed message has. A mistake in the
// program panics before a byte is written: a nonce, tag or destination of the wrong size, buffers that
// overlap without starting at the same byte, calls out of order, more text to be sealed than GCM allows.
package aesgcm

import (
	"crypto/cipher"
	"errors"
	"strconv"

	"lamina/arch"
	"lamina/arch/keys"
	"lamina/lib/aes"
)

const (
	// NonceSize is the size in bytes of the nonces that Seal and Open take.
	NonceSize = 12
	// TagSize is the size in bytes of the full tag.
	TagSize = 16
	// MaxText is how many bytes one message can have: 2^36 - 32, for the counter has 32 bits and the tag
	// takes one of its values.
	MaxText = 1<<36 - 32
	// MaxAD is how many bytes of associated data one message can have: their number in bits takes 64 bits.
	MaxAD = 1<<61 - 1
)

// ErrOpen is the error for a message that is not what was sealed under this key, with this nonce and this
// associated data. It tells no more, on purpose.
var ErrOpen = errors.New("aesgcm: message authentication failed")

// TagSizeError is the error for a tag size that GCM does not have. Its value is the size in bytes.
type TagSizeError int

func (e TagSizeError) Error() string {
	return "aesgcm: tag of " + strconv.Itoa(int(e)) + " bytes; it must have 4, 8, 12, 13, 14, 15 or 16"
}

// Key is an AES-GCM key together with the size of its tags. It implements cipher.AEAD.
type Key struct {
	gcm     keys.GCM
	im      arch.Impl
	tagSize uint8
}

var _ cipher.AEAD = (*Key)(nil)

// New returns a key with tags of 16 bytes. The key must have 16, 24 or 32 bytes, or the error is an
// aes.KeySizeError. It is not retained.
func New(key []byte) (*Key, error) {
	// This much and no more, so that it inlines: then the compiler sees where the key goes, and one that stays in
	// the caller's frame is not allocated.
	return initKey(new(Key), key)
}

//go:noinline
func initKey(k *Key, key []byte) (*Key, error) {
	if err := k.Init(key, TagSize); err != nil {
		return nil, err
	}
	return k, nil
}

// Init sets the key and the size of its tags in bytes, under the best implementation that this CPU has. key
// must have 16, 24 or 32 bytes, or the error is an aes.KeySizeError; tagSize must be 4, 8, 12, 13, 14, 15 or
// 16, or the error is a TagSizeError. On an error k stays as it was. key is not retained.
//
// Use 16 unless a format says otherwise: each byte less makes forgery 256 times as likely, and with 4 and 8
// bytes the key may seal few and short messages only (SP 800-38D, appendix C).
func (k *Key) Init(key []byte, tagSize int) error { return k.InitImpl(arch.Best(), key, tagSize) }

// InitImpl is Init under the implementation im.
func (k *Key) InitImpl(im arch.Impl, key []byte, tagSize int) error {
	switch len(key) {
	case 16, 24, 32:
	default:
		return aes.KeySizeError(len(key))
	}
	switch tagSize {
	case 4, 8, 12, 13, 14, 15, 16:
	default:
		return TagSizeError(tagSize)
	}
	k.im, k.tagSize = im, uint8(tagSize)
	arch.PrepareGCM(im, &k.gcm, key)
	return nil
}

// NonceSize returns 12, the size in bytes of the nonces that Seal and Open take.
func (k *Key) NonceSize() int { return NonceSize }

// Overhead returns the size of the tag in bytes, which is what Seal adds to a message.
func (k *Key) Overhead() int {
	k.check()
	return int(k.tagSize)
}

// Wipe overwrites the key with zeros. Any later use but Init panics, also of a Ctx or GMAC begun with the key.
func (k *Key) Wipe() { *k = Key{} }

func (k *Key) check() {
	if k.tagSize == 0 {
		panic("aesgcm: key used before Init or after Wipe")
	}
}
