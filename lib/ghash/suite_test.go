package ghash

import (
	"testing"

	"lamina/arch"
	"lamina/internal/suite"
	"lamina/internal/textbook"
)

// hashPieces is a Hash that is given a message in pieces.
type hashPieces struct{ Hash }

func (h *hashPieces) AuthUpdate(data []byte) {
	var unused [16]byte
	h.Update(data)
	h.Sum(&unused) // changes nothing
}

func (*hashPieces) EncryptUpdate(_, _ []byte)   {}
func (*hashPieces) DecryptUpdate(_, _ []byte)   {}
func (h *hashPieces) EncryptFinal(sum []byte)   { h.Sum((*[16]byte)(sum)) }
func (*hashPieces) DecryptFinal(_ []byte) error { return nil }

func TestSuite(t *testing.T) {
	for _, m := range []suite.Mode[Key]{
		{Mode: textbook.GHASH, Init: func(k *Key, im arch.Impl, h []byte, _, _ int) error {
			k.InitImpl(im, (*[16]byte)(h))
			return nil
		}},
		{Mode: textbook.POLYVAL, Init: func(k *Key, im arch.Impl, h []byte, _, _ int) error {
			k.InitPOLYVALImpl(im, (*[16]byte)(h))
			return nil
		}},
	} {
		m.Encrypt = func(k *Key, _, sum, _, _, data []byte) {
			h := New(k)
			h.Update(data)
			h.Sum((*[16]byte)(sum))
		}
		m.Piece = 1
		m.Begin = func(k *Key, _ []byte, _, _ int) suite.Pieces { return &hashPieces{New(k)} }
		suite.Run(t, m)
	}
}
