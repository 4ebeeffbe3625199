package aesccm

import (
	"bytes"
	"testing"

	"lamina/arch"
	"lamina/internal/fuzzing"
)

// FuzzCCM seals under every implementation, at once and in pieces, compares with the specification, and
// opens, forged and not. Each byte of cuts is the length of a piece.
func FuzzCCM(f *testing.F) {
	add := func(sizes uint8, length, adLength uint16, cuts ...byte) {
		f.Add([]byte{sizes}, sizes, []byte("nonce"), []byte("text"), length, []byte("ad"), adLength, length, cuts)
	}
	for i, n := range fuzzing.Boundaries {
		add(uint8(11*i), n, uint16(i), byte(i), 16, 0, 17)
		add(uint8(7*i), uint16(i), n, 1, 15, 17, 255, 0, 33)
	}
	for i, n := range []uint16{65279, 65280, 65281} {
		add(uint8(i), 40, n)
	}
	f.Fuzz(func(t *testing.T, keyData []byte, sizes uint8, nonceData, textData []byte, length uint16,
		adData []byte, adLength, flip uint16, cuts []byte) {
		key := fuzzing.Bytes(keyData, fuzzing.Pick(keySizes, sizes))
		nonce := fuzzing.Bytes(nonceData, fuzzing.Pick(nonceSizes, sizes/3))
		tagSize := fuzzing.Pick(tagSizes, sizes/21)
		text, ad := fuzzing.Bytes(textData, fuzzing.Len(length)), fuzzing.Bytes(adData, adLen(adLength))
		lengths := []int{}
		for _, c := range cuts {
			lengths = append(lengths, int(c))
		}
		lengths = append(lengths, 97)
		want := reference(key, nonce, text, ad, tagSize)
		for _, im := range arch.Impls() {
			k := newKey(t, im, key, len(nonce), tagSize)
			checkSealed(t, k, nonce, text, ad, want)
			checkSplit(t, k, nonce, text, ad, want, lengths, lengths)
			forged := bytes.Clone(want)
			bit := int(flip) % (len(forged) * 8)
			forged[bit/8] ^= 1 << (bit % 8)
			if got, err := k.Open(forged[:0], nonce, forged, ad); got != nil || err != ErrOpen || !allEqual(forged[:len(text)], 0) {
				t.Fatalf("%v: Open of a forgery: %x, %v", im, got, err)
			}
		}
	})
}

// adLen keeps lengths short, but those around 65280 as they are: from there on the length is written otherwise.
func adLen(n uint16) int {
	if n >= 65270 {
		return int(n)
	}
	return fuzzing.Len(n)
}
