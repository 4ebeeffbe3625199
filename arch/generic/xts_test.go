package generic

import (
	"bytes"
	"testing"

	"lamina/arch/keys"
)

// TestXTSKernels holds that a message gives the same through every mixture of kernels: piece by piece, the
// narrow one does it all.
func TestXTSKernels(t *testing.T) {
	for _, size := range []int{16, 24, 32} {
		var k keys.Key
		key, text := make([]byte, size), make([]byte, 16*70)
		for i := range text {
			text[i] = byte(i * i)
		}
		for i := range key {
			key[i] = byte(3*i + size)
		}
		ExpandKey(&k.Enc, key)
		InvertKey(&k.Dec, &k.Enc)
		for n := 16; n <= len(text); n += 16 {
			start := [16]byte{0xff, 0xfe, 15: 0xa5}
			want, got := make([]byte, n), make([]byte, n)
			wantNext, gotNext := start, start
			for i := 0; i < n; i += 16 {
				XTSEncrypt(&k.Enc, &wantNext, want[i:i+16], text[i:i+16])
			}
			XTSEncrypt(&k.Enc, &gotNext, got, text[:n])
			if !bytes.Equal(got, want) || gotNext != wantNext {
				t.Fatalf("%d-byte key, %d bytes: encryption differs", size, n)
			}
			gotNext = start
			XTSDecrypt(&k.Dec, &gotNext, got, got)
			if !bytes.Equal(got, text[:n]) || gotNext != wantNext {
				t.Fatalf("%d-byte key, %d bytes: decryption differs", size, n)
			}
		}
	}
}
