// Package suite tests a mode of the library under every implementation, the same way for all modes. A mode
// plugs in with a few lines, Mode, and is compared with package textbook: every length, every cut into pieces,
// every alignment, next to pages that may not be touched, with counters about to wrap, under keys that another
// implementation prepared, and in long chains. Vector registers are dirty before every call, and canaries stand
// around every buffer.
//
// It is for tests only. What is particular to a mode, as its errors and panics, the mode's own tests have.
package suite

import (
	"testing"

	"lamina/arch"
	"lamina/internal/textbook"
)

// Mode is a mode with keys of type K, which has no pointers.
type Mode[K comparable] struct {
	textbook.Mode

	// Init sets a key that may have been used before.
	Init func(k *K, im arch.Impl, key []byte, ivSize, tagSize int) error
	// Encrypt encrypts src to dst, which may be the same memory, and writes the tag. iv becomes what continues
	// the message. What a mode does not have is empty.
	Encrypt func(k *K, dst, tag, iv, src, ad []byte)
	// Decrypt undoes Encrypt. With a wrong tag it returns an error and dst is zero. It is nil for functions
	// that have an inverse in no sense.
	Decrypt func(k *K, dst, iv, src, tag, ad []byte) error

	// Piece is of what the lengths of the pieces of a text are multiples, except the last. It is 0 if there is
	// no way to give a message in pieces.
	Piece int
	// Begin begins a message in pieces, for encryption or decryption, and leaves iv as it is. If it is nil, and
	// Piece is not 0, Encrypt and Decrypt continue messages.
	Begin func(k *K, iv []byte, adLen, textLen int) Pieces

	// Start returns the IV with which the first counter block or encrypted tweak is block. It is nil if that is
	// the IV itself.
	Start func(key, block []byte) []byte
}

// Pieces is a message that arrives in pieces: associated data first, then text, and then one of the Finals.
type Pieces interface {
	AuthUpdate(data []byte)
	EncryptUpdate(dst, src []byte)
	DecryptUpdate(dst, src []byte)
	EncryptFinal(tag []byte)
	DecryptFinal(tag []byte) error
}

// Run tests a mode. With -short it takes a sample of each kind of test.
func Run[K comparable](t *testing.T, m Mode[K]) {
	for _, test := range []struct {
		name string
		run  func(s *state[K])
	}{
		{"Lengths", (*state[K]).lengths},
		{"Alignments", (*state[K]).alignments},
		{"Guards", (*state[K]).guards},
		{"Wraps", (*state[K]).wraps},
		{"Pieces", (*state[K]).pieces},
		{"OtherKeys", (*state[K]).otherKeys},
		{"MonteCarlo", (*state[K]).monteCarlo},
	} {
		t.Run(m.Name+"/"+test.name, func(t *testing.T) { test.run(&state[K]{t: t, mode: m, mem: new(canaried)}) })
	}
}

// Check compares one message, whose tag has tagSize bytes, under every implementation.
func Check[K comparable](t *testing.T, m Mode[K], key, iv, text, ad []byte, tagSize int) {
	t.Helper()
	s := &state[K]{t: t, mode: m, mem: new(canaried)}
	s.everywhere(s.message(key, iv, text, ad, tagSize))
}
