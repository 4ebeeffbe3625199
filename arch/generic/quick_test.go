package generic

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"testing"

	"lamina/arch/keys"
)

func TestQuick(t *testing.T) {
	for _, ks := range []int{16, 24, 32} {
		key := make([]byte, ks)
		for i := range key {
			key[i] = byte(i*7 + 1)
		}
		var k keys.GCM
		PrepareGCM(&k, key)
		var kk keys.Key
		ExpandKey(&kk.Enc, key)
		InvertKey(&kk.Dec, &kk.Enc)
		b, _ := aes.NewCipher(key)
		in := []byte("0123456789abcdef")
		want, got := make([]byte, 16), make([]byte, 16)
		b.Encrypt(want, in)
		EncryptBlocks(&kk.Enc, got, in)
		if !bytes.Equal(want, got) {
			t.Fatal("enc")
		}
		DecryptBlocks(&kk, got, got)
		if !bytes.Equal(in, got) {
			t.Fatal("dec")
		}
		a, _ := cipher.NewGCM(b)
		nonce := [12]byte{1, 2, 3, 4}
		for n := range 300 {
			msg := bytes.Repeat([]byte{5, 6, 7, 8, 9}, n)[:n]
			w := a.Seal(nil, nonce[:], msg, key)
			var tag [16]byte
			g := make([]byte, n)
			GCMSeal(&k, &tag, g, msg, &nonce, key)
			if !bytes.Equal(w, append(g, tag[:]...)) {
				t.Fatal("seal", n)
			}
			GCMOpen(&k, &tag, g, g[:n], &nonce, key)
			if !bytes.Equal(w[n:], tag[:]) || !bytes.Equal(g, msg) {
				t.Fatal("open", n)
			}
		}
	}
}
