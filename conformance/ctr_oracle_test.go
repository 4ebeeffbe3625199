package conformance

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"testing"

	"lamina/arch"
	lamina "lamina/lib/aes"
	"lamina/lib/aesctr"
)

// TestCTROracle compares every way of calling aesctr with crypto/cipher, on random texts. Counters often begin so that they
// carry.
func TestCTROracle(t *testing.T) {
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		s := newSource(3)
		for i := range oracleRecords() {
			key, ctr, text := s.bytes(s.pick(16, 24, 32)), [16]byte(s.bytes(16)), s.bytes(s.length())
			for j := s.IntN(17); j < 15; j++ {
				ctr[j] = 0xff
			}
			block, err := aes.NewCipher(key)
			if err != nil {
				t.Fatal(err)
			}
			want := make([]byte, len(text))
			cipher.NewCTR(block, ctr[:]).XORKeyStream(want, text)

			var k lamina.EncKey
			if err := k.InitImpl(im, key); err != nil {
				t.Fatal(err)
			}
			check := func(what string, got []byte) {
				t.Helper()
				if !bytes.Equal(got, want) {
					t.Fatalf("text %d, key %d, text %d bytes, from %x: %s", i, len(key), len(text), ctr, what)
				}
			}
			c := ctr
			dst, from := s.buffer(text)
			aesctr.CTR(&k, &c, dst, from)
			check("CTR", dst)

			stream := aesctr.NewCTR(&k, ctr[:])
			dst, from = s.buffer(text)
			s.pieces(len(text), func(a, b int) { stream.XORKeyStream(dst[a:b], from[a:b]) })
			check("XORKeyStream", dst)

			dst, from = s.buffer(text)
			s.pieces(len(text), func(a, b int) { stream.XORKeyStreamAt(dst[a:b], from[a:b], uint64(a)) })
			check("XORKeyStreamAt", dst)
		}
	})
}
