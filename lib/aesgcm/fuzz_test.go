package aesgcm

import (
	"bytes"
	"testing"

	"lamina/arch"
)

// fuzzKey makes a key of one of the three sizes out of data, and returns a tag size.
func fuzzKey(data []byte, sizes uint8) (key []byte, tagSize int) {
	key = make([]byte, keySizes[int(sizes)%len(keySizes)])
	copy(key, data)
	return key, tagSizes[int(sizes)/len(keySizes)%len(tagSizes)]
}

// FuzzImpls seals under every implementation, compares with crypto/cipher, and opens, forged and not.
func FuzzImpls(f *testing.F) {
	f.Add([]byte("key"), uint8(0), []byte("twelve bytes"), []byte("text"), []byte("ad"), uint16(0))
	f.Add([]byte{}, uint8(20), []byte{1}, make([]byte, 257), make([]byte, 33), uint16(999))
	f.Add([]byte{7}, uint8(10), make([]byte, 16), make([]byte, 1000), []byte{}, uint16(5))
	f.Fuzz(func(t *testing.T, keyData []byte, sizes uint8, nonce, text, ad []byte, flip uint16) {
		if len(nonce) == 0 {
			return
		}
		key, tagSize := fuzzKey(keyData, sizes)
		want := newOracle(t, key, len(nonce), tagSize).seal(nonce, text, ad)
		n := len(text)
		for _, im := range arch.Impls() {
			k := newKey(t, im, key, tagSize)
			got := make([]byte, len(want))
			k.Encrypt(got[:n], got[n:], nonce, text, ad)
			if !bytes.Equal(got, want) {
				t.Fatalf("%v: Encrypt: got %x, want %x", im, got, want)
			}
			if len(nonce) == NonceSize {
				if got := k.Seal(got[:0], nonce, text, ad); !bytes.Equal(got, want) {
					t.Fatalf("%v: Seal: got %x, want %x", im, got, want)
				}
			}
			forged := bytes.Clone(want)
			bit := int(flip) % (len(forged) * 8)
			forged[bit/8] ^= 1 << (bit % 8)
			if err := k.Decrypt(forged[:n], nonce, forged[:n], forged[n:], ad); err != ErrOpen || !allEqual(forged[:n], 0) {
				t.Fatalf("%v: Decrypt of a forgery: %v, left %x", im, err, forged[:n])
			}
			if err := k.Decrypt(got[:n], nonce, got[:n], got[n:], ad); err != nil || !bytes.Equal(got[:n], text) {
				t.Fatalf("%v: Decrypt: %v, text %x, want %x", im, err, got[:n], text)
			}
		}
	})
}

// FuzzSplits compares a message in pieces with the message at once. Each byte of cuts is the length of a piece.
func FuzzSplits(f *testing.F) {
	f.Add([]byte("key"), uint8(0), []byte("nonce"), make([]byte, 100), make([]byte, 40), []byte{9})
	f.Add([]byte{}, uint8(1), []byte("twelve bytes"), make([]byte, 600), []byte{}, []byte{1, 15, 17, 255, 0, 33})
	f.Fuzz(func(t *testing.T, keyData []byte, sizes uint8, nonce, text, ad, cuts []byte) {
		if len(nonce) == 0 {
			return
		}
		var p pieces
		for _, c := range cuts {
			p = append(p, int(c))
		}
		p = append(p, 97)
		key, tagSize := fuzzKey(keyData, sizes)
		for _, im := range arch.Impls() {
			k := newKey(t, im, key, tagSize)
			want := make([]byte, len(text)+tagSize)
			k.Encrypt(want[:len(text)], want[len(text):], nonce, text, ad)
			checkSplit(t, k, nonce, text, ad, want, p, p)
		}
	})
}
