package aesccm

import (
	"testing"

	"lamina/internal/suite"
	"lamina/internal/textbook"
)

func TestSuite(t *testing.T) {
	suite.Run(t, suite.Mode[Key]{
		Mode:    textbook.CCM,
		Init:    (*Key).InitImpl,
		Encrypt: (*Key).Encrypt,
		Decrypt: (*Key).Decrypt,
		Piece:   1,
		Begin: func(k *Key, nonce []byte, adLen, textLen int) suite.Pieces {
			c, err := NewCtx(k, nonce, uint64(adLen), uint64(textLen))
			if err != nil {
				panic(err)
			}
			return &c
		},
	})
}
