package aesgcm

import (
	"testing"

	"lamina/arch"
	"lamina/internal/suite"
	"lamina/internal/textbook"
)

func TestSuite(t *testing.T) {
	suite.Run(t, suite.Mode[Key]{
		Mode: textbook.GCM,
		Init: func(k *Key, im arch.Impl, key []byte, _, tagSize int) error { return k.InitImpl(im, key, tagSize) },

		Encrypt: (*Key).Encrypt,
		Decrypt: (*Key).Decrypt,
		Piece:   1,
		Begin: func(k *Key, nonce []byte, _, _ int) suite.Pieces {
			c := NewCtx(k, nonce)
			return &c
		},
		Start: textbook.GCMNonce,
	})
}
