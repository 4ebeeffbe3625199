package ghash

import (
	"slices"
	"testing"

	"lamina/arch"
	"lamina/internal/fuzzing"
)

// FuzzImpls compares implementations of GHASH, and of POLYVAL where polyval says so, with the definition, at
// once and in pieces.
func FuzzImpls(f *testing.F) {
	for i, n := range fuzzing.Boundaries {
		f.Add([]byte{byte(i)}, i%2 == 1, []byte("data"), n, []byte{byte(i), 16, 0, 17})
		f.Add(make([]byte, 16), i%2 == 1, []byte("data"), n, []byte{})
	}
	f.Fuzz(func(t *testing.T, keyData []byte, polyval bool, textData []byte, length uint16, cuts []byte) {
		h, data := fuzzing.Block(keyData), fuzzing.Bytes(textData, fuzzing.Len(length))
		init, want := (*Key).InitImpl, plainGHASH(h, data)
		if polyval {
			init, want = (*Key).InitPOLYVALImpl, plainPOLYVAL(h, data)
		}
		for _, im := range arch.Impls() {
			var k Key
			init(&k, im, &h)
			if got := sumOf(&k, data); got != want {
				t.Fatalf("%v, POLYVAL %v: got %x, want %x", im, polyval, got, want)
			}
			hash := New(&k)
			var got [16]byte
			for from, to := range fuzzing.Pieces(len(data), cuts) {
				hash.Update(data[from:to])
				hash.Sum(&got)
			}
			if got != want {
				t.Fatalf("%v, POLYVAL %v, in pieces: got %x, want %x", im, polyval, got, want)
			}
		}
	})
}

// plainGHASH is GHASH a bit at a time: SP 800-38D, sections 6.3 and 6.4, with zeros behind data.
func plainGHASH(h [16]byte, data []byte) (y [16]byte) {
	for block := range slices.Chunk(data, 16) {
		for i, b := range block {
			y[i] ^= b
		}
		var z [16]byte
		v := h
		for i := range 128 {
			if y[i/8]>>(7-i%8)&1 == 1 {
				for j := range z {
					z[j] ^= v[j]
				}
			}
			timesX(&v)
		}
		y = z
	}
	return y
}

// timesX multiplies by x in GHASH's field, whose blocks have the coefficient of x^0 in the first bit.
func timesX(v *[16]byte) {
	carry := byte(0)
	for i := range v {
		v[i], carry = v[i]>>1|carry<<7, v[i]&1
	}
	v[0] ^= carry * 0xe1
}

// plainPOLYVAL is POLYVAL by way of GHASH: RFC 8452, appendix A.
func plainPOLYVAL(h [16]byte, data []byte) [16]byte {
	slices.Reverse(h[:])
	timesX(&h)
	var reversed []byte
	for block := range slices.Chunk(data, 16) {
		whole := fullBlock(block)
		slices.Reverse(whole[:])
		reversed = append(reversed, whole[:]...)
	}
	sum := plainGHASH(h, reversed)
	slices.Reverse(sum[:])
	return sum
}

func fullBlock(data []byte) (b [16]byte) {
	copy(b[:], data)
	return b
}
