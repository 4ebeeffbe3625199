package aesctr

import (
	"encoding/binary"
	"testing"

	"lamina/arch"
	"lamina/internal/suite"
	"lamina/internal/textbook"
	"lamina/lib/aes"
)

func initKey(k *aes.EncKey, im arch.Impl, key []byte, _, _ int) error { return k.InitImpl(im, key) }

func TestSuite(t *testing.T) {
	suite.Run(t, suite.Mode[aes.EncKey]{
		Mode:    textbook.CTR,
		Init:    initKey,
		Encrypt: func(k *aes.EncKey, dst, _, ctr, src, _ []byte) { CTR(k, (*[16]byte)(ctr), dst, src) },
		Decrypt: func(k *aes.EncKey, dst, ctr, src, _, _ []byte) error {
			CTR(k, (*[16]byte)(ctr), dst, src)
			return nil
		},
		Piece: 16,
	})
	suite.Run(t, suite.Mode[aes.EncKey]{
		Mode:    textbook.XCTR,
		Init:    initKey,
		Encrypt: func(k *aes.EncKey, dst, _, iv, src, _ []byte) { xctr(k, iv, dst, src) },
		Decrypt: func(k *aes.EncKey, dst, iv, src, _, _ []byte) error {
			xctr(k, iv, dst, src)
			return nil
		},
		Piece: 16,
	})
}

// xctr takes the counter and the IV in one.
func xctr(k *aes.EncKey, iv, dst, src []byte) {
	counter := binary.LittleEndian.Uint64(iv)
	XCTR(k, &counter, (*[16]byte)(iv[8:]), dst, src)
	binary.LittleEndian.PutUint64(iv, counter)
}

// streamPieces is a Stream that is given a text in pieces of any length.
type streamPieces struct{ *Stream }

func (streamPieces) AuthUpdate([]byte)               {}
func (s streamPieces) EncryptUpdate(dst, src []byte) { s.XORKeyStream(dst, src) }
func (s streamPieces) DecryptUpdate(dst, src []byte) { s.XORKeyStream(dst, src) }
func (streamPieces) EncryptFinal([]byte)             {}
func (streamPieces) DecryptFinal([]byte) error       { return nil }

// TestSuiteStream has the pieces of a text one after the other, and at once, by XORKeyStreamAt, all of it.
func TestSuiteStream(t *testing.T) {
	at := func(k *aes.EncKey, dst, ctr, src []byte) {
		NewCTR(k, ctr).XORKeyStreamAt(dst, src, 0)
		advance(ctr, len(src))
	}
	suite.Run(t, suite.Mode[aes.EncKey]{
		Mode:    textbook.CTR,
		Init:    initKey,
		Encrypt: func(k *aes.EncKey, dst, _, ctr, src, _ []byte) { at(k, dst, ctr, src) },
		Decrypt: func(k *aes.EncKey, dst, ctr, src, _, _ []byte) error {
			at(k, dst, ctr, src)
			return nil
		},
		Piece: 1,
		Begin: func(k *aes.EncKey, ctr []byte, _, _ int) suite.Pieces { return streamPieces{NewCTR(k, ctr)} },
	})
}

// advance adds the blocks of n bytes to a counter, as CTR does.
func advance(ctr []byte, n int) {
	for range (n + 15) / 16 {
		for i := 15; i >= 0; i-- {
			if ctr[i]++; ctr[i] != 0 {
				break
			}
		}
	}
}
