package aescbc

import (
	"testing"

	"lamina/arch"
	"lamina/internal/suite"
	"lamina/internal/textbook"
	"lamina/lib/aes"
)

// cbc and cts are the modes of this package for the suite.
var (
	cbc = suite.Mode[aes.Key]{
		Mode:    textbook.CBC,
		Init:    initKey,
		Encrypt: func(k *aes.Key, dst, _, iv, src, _ []byte) { Encrypt(&k.EncKey, (*[16]byte)(iv), dst, src) },
		Decrypt: func(k *aes.Key, dst, iv, src, _, _ []byte) error {
			Decrypt(k, (*[16]byte)(iv), dst, src)
			return nil
		},
		Piece: 16,
	}
	cts = suite.Mode[aes.Key]{
		Mode:    textbook.CTS,
		Init:    initKey,
		Encrypt: func(k *aes.Key, dst, _, iv, src, _ []byte) { EncryptCTS(&k.EncKey, (*[16]byte)(iv), dst, src) },
		Decrypt: func(k *aes.Key, dst, iv, src, _, _ []byte) error {
			DecryptCTS(k, (*[16]byte)(iv), dst, src)
			return nil
		},
	}
)

func initKey(k *aes.Key, im arch.Impl, key []byte, _, _ int) error { return k.InitImpl(im, key) }

func TestSuite(t *testing.T) {
	suite.Run(t, cbc)
	suite.Run(t, cts)
}
