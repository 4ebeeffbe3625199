package cobblestone

import (
	"crypto/hkdf"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/binary"
	"fmt"

	"lamina/arch"
	"lamina/lib/aesgcm"
)

// stream is what seals and opens the chunks of one message. After init it is only read, until wipe.
type stream struct {
	key       aesgcm.Key
	baseNonce [12]byte
}

// header is what precedes the chunks.
type header [HeaderSize]byte

func (h *header) salt() []byte       { return h[:saltSize] }
func (h *header) commitment() []byte { return h[saltSize:] }

func checkKeySize(key []byte) error {
	if len(key) != 16 && len(key) != 32 {
		return fmt.Errorf("cobblestone: input key of %d bytes; it must have 16 (Cobblestone-128) "+
			"or 32 (Cobblestone-256)", len(key))
	}
	return nil
}

// init derives the key and the nonces of the message with the given salt, and returns its commitment. The
// size of key has been checked.
func (s *stream) init(im arch.Impl, key, salt, context []byte) (commitment [commitmentSize]byte, err error) {
	aead := "AEAD_AES_128_GCM"
	if len(key) == 32 {
		aead = "AEAD_AES_256_GCM"
	}
	info := "c2sp.org/chunked-encryption@v1+" + aead + "\x00" + string(salt) + string(context)
	derived, err := hkdf.Expand(sha512.New, key, info, len(key)+len(s.baseNonce)+commitmentSize)
	if err != nil {
		return commitment, fmt.Errorf("cobblestone: deriving the key: %w", err)
	}
	defer clear(derived)
	if err := s.key.InitImpl(im, derived[:len(key)], tagSize); err != nil {
		return commitment, fmt.Errorf("cobblestone: %w", err)
	}
	rest := derived[len(key):]
	copy(s.baseNonce[:], rest)
	copy(commitment[:], rest[len(s.baseNonce):])
	return commitment, nil
}

// initFromHeader derives the key and the nonces of the message with header h, if key and context are the ones
// it was sealed with.
func (s *stream) initFromHeader(im arch.Impl, key, context []byte, h *header) error {
	commitment, err := s.init(im, key, h.salt(), context)
	if err != nil {
		return err
	}
	if subtle.ConstantTimeCompare(commitment[:], h.commitment()) != 1 {
		s.wipe()
		return fmt.Errorf("cobblestone: %w", ErrKey)
	}
	return nil
}

// nonce is the base nonce XOR the number of the chunk, big-endian. Numbers have 38 bits, so that the last
// five bytes change; they are written as part of one 8-byte store because that is how AES-GCM reads them
// back.
func (s *stream) nonce(chunk uint64) (nonce [12]byte) {
	copy(nonce[:4], s.baseNonce[:4])
	binary.BigEndian.PutUint64(nonce[4:], binary.BigEndian.Uint64(s.baseNonce[4:])^chunk)
	return nonce
}

// seal seals plaintext and its tag into dst, which begins where plaintext does or does not overlap it.
func (s *stream) seal(dst, plaintext []byte, chunk uint64) {
	nonce := s.nonce(chunk)
	s.key.Seal(dst[:0], nonce[:], plaintext, nil)
}

// open opens the sealed chunk in place. If it is not authentic, it leaves no plaintext in it.
func (s *stream) open(sealed []byte, chunk uint64) error {
	nonce := s.nonce(chunk)
	if _, err := s.key.Open(sealed[:0], nonce[:], sealed, nil); err != nil {
		return &ChunkError{chunk, ErrDamaged}
	}
	return nil
}

func (s *stream) wipe() {
	s.key.Wipe()
	clear(s.baseNonce[:])
}
