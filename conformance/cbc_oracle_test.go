package conformance

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"testing"

	"lamina/arch"
	lamina "lamina/lib/aes"
	"lamina/lib/aescbc"
)

// TestCBCOracle compares CBC with crypto/cipher on random messages in random pieces, in place and not.
func TestCBCOracle(t *testing.T) {
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		s := newSource(5)
		for i := range oracleRecords() / 4 {
			key, iv, text := s.bytes(s.pick(16, 24, 32)), [16]byte(s.bytes(16)), s.bytes(16*(s.length()/16))
			block, err := aes.NewCipher(key)
			if err != nil {
				t.Fatal(err)
			}
			want := make([]byte, len(text))
			cipher.NewCBCEncrypter(block, iv[:]).CryptBlocks(want, text)
			var k lamina.Key
			if err := k.InitImpl(im, key); err != nil {
				t.Fatal(err)
			}
			next := iv
			dst, from := s.buffer(text)
			s.pieces(len(text)/16, func(a, b int) { aescbc.Encrypt(&k.EncKey, &next, dst[16*a:16*b], from[16*a:16*b]) })
			if !bytes.Equal(dst, want) {
				t.Fatalf("message %d: Encrypt of %d bytes with a key of %d", i, len(text), len(key))
			}
			next = iv
			dst, from = s.buffer(want)
			s.pieces(len(text)/16, func(a, b int) { aescbc.Decrypt(&k, &next, dst[16*a:16*b], from[16*a:16*b]) })
			if !bytes.Equal(dst, text) {
				t.Fatalf("message %d: Decrypt of %d bytes with a key of %d", i, len(text), len(key))
			}
		}
	})
}
