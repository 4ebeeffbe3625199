package aescmac

import (
	"testing"

	"lamina/arch"
	"lamina/internal/suite"
	"lamina/internal/textbook"
)

// hashPieces is a Hash that is given a message in pieces.
type hashPieces struct{ Hash }

func (h *hashPieces) AuthUpdate(data []byte) {
	h.Write(data)
	h.Sum(nil) // changes nothing
}

func (*hashPieces) EncryptUpdate(_, _ []byte)       {}
func (*hashPieces) DecryptUpdate(_, _ []byte)       {}
func (h *hashPieces) EncryptFinal(tag []byte)       { h.Sum(tag[:0]) }
func (h *hashPieces) DecryptFinal(tag []byte) error { return h.Verify(tag) }

// macMode is CMAC, or XCBC-MAC, for the suite.
func macMode(xcbc bool) suite.Mode[Key] {
	m := suite.Mode[Key]{
		Mode: textbook.CMAC,
		Init: func(k *Key, im arch.Impl, key []byte, _, tagSize int) error { return k.InitImpl(im, key, tagSize) },
		Encrypt: func(k *Key, _, tag, _, _, data []byte) {
			full := k.Sum(data)
			copy(tag, full[:])
		},
		Decrypt: func(k *Key, _, _, _, tag, data []byte) error { return k.Verify(data, tag) },
		Piece:   1,
		Begin: func(k *Key, _ []byte, _, _ int) suite.Pieces {
			var h hashPieces
			h.Init(k)
			return &h
		},
	}
	if xcbc {
		m.Mode = textbook.XCBCMAC
		m.Init = func(k *Key, im arch.Impl, key []byte, _, tagSize int) error { return k.InitXCBCImpl(im, key, tagSize) }
	}
	return m
}

func TestSuite(t *testing.T) {
	suite.Run(t, macMode(false))
	suite.Run(t, macMode(true))
}
