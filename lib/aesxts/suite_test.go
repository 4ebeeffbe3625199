package aesxts

import (
	"testing"

	"lamina/arch"
	"lamina/internal/suite"
	"lamina/internal/textbook"
)

func TestSuite(t *testing.T) {
	suite.Run(t, suite.Mode[Key]{
		Mode:    textbook.XTS,
		Init:    func(k *Key, im arch.Impl, key []byte, _, _ int) error { return k.InitImpl(im, key) },
		Encrypt: func(k *Key, dst, _, tweak, src, _ []byte) { k.Encrypt(dst, src, (*[16]byte)(tweak)) },
		Decrypt: func(k *Key, dst, tweak, src, _, _ []byte) error {
			k.Decrypt(dst, src, (*[16]byte)(tweak))
			return nil
		},
		Piece: 16,
		Start: textbook.XTSTweak,
	})
}
