package aes

import (
	"testing"

	"lamina/arch"
	"lamina/internal/suite"
	"lamina/internal/textbook"
)

// ecb is many blocks, each by itself, for the suite.
var ecb = suite.Mode[Key]{
	Mode:    textbook.ECB,
	Init:    func(k *Key, im arch.Impl, key []byte, _, _ int) error { return k.InitImpl(im, key) },
	Encrypt: func(k *Key, dst, _, _, src, _ []byte) { k.EncryptBlocks(dst, src) },
	Decrypt: func(k *Key, dst, _, src, _, _ []byte) error {
		k.DecryptBlocks(dst, src)
		return nil
	},
	Piece: 16,
}

func TestSuite(t *testing.T) { suite.Run(t, ecb) }
