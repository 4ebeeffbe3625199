package aescmac

import (
	"bytes"
	"testing"

	"lamina/arch"
	"lamina/internal/fuzzing"
)

// FuzzMAC compares implementations of CMAC, and of XCBC-MAC where xcbc says so, with the specification, at
// once and in pieces, and has them verify the tag, whole and with the bit flip wrong.
func FuzzMAC(f *testing.F) {
	for i, n := range fuzzing.Boundaries {
		f.Add([]byte{byte(i)}, uint8(i), i%2 == 1, []byte("data"), n, []byte{byte(i), 16, 0, 17}, uint16(i))
	}
	f.Fuzz(func(t *testing.T, keyData []byte, sizes uint8, xcbc bool, textData []byte, length uint16, cuts []byte,
		flip uint16) {
		keySize := fuzzing.Pick(keySizes, sizes)
		if xcbc {
			keySize = 16
		}
		key, data := fuzzing.Bytes(keyData, keySize), fuzzing.Bytes(textData, fuzzing.Len(length))
		tagSize := 4 + int(sizes)/3%13
		_, want, _ := macMode(xcbc).Mode.Encrypt(key, nil, nil, data, 16)
		tag := want[:tagSize]
		forged := bytes.Clone(tag)
		forged[int(flip/8)%tagSize] ^= 1 << (flip % 8)
		for _, im := range arch.Impls() {
			k := newKey(t, im, xcbc, key, tagSize)
			if got := k.Sum(data); !bytes.Equal(got[:], want) {
				t.Fatalf("%v: Sum: %x, want %x", im, got, want)
			}
			h := NewHash(k)
			for from, to := range fuzzing.Pieces(len(data), cuts) {
				h.Write(data[from:to])
				h.Sum(nil) // changes nothing
			}
			if got := h.Sum(nil); !bytes.Equal(got, tag) {
				t.Fatalf("%v: Hash: %x, want %x", im, got, tag)
			}
			if err := k.Verify(data, tag); err != nil || h.Verify(tag) != nil {
				t.Fatalf("%v: Verify: %v, of the Hash: %v", im, err, h.Verify(tag))
			}
			if err := k.Verify(data, forged); err != ErrVerify || h.Verify(forged) != ErrVerify {
				t.Fatalf("%v: Verify of a wrong tag: %v, of the Hash: %v", im, err, h.Verify(forged))
			}
		}
	})
}
