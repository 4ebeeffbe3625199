package textbook

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// encryptGCM is SP 800-38D, section 7.1.
func encryptGCM(key, iv, text, ad []byte, tagSize int) (out, tag, next []byte) {
	h := gcmHashKey(key)
	j0 := append(bytes.Clone(iv), 0, 0, 0, 1)
	if len(iv) != 12 {
		j0 = ghash(h, append(padded(iv), lengths(0, len(iv))...))
	}
	counter := bytes.Clone(j0)
	stream := counted(key, make([]byte, 16+len(text)), func(int) []byte {
		block := bytes.Clone(counter)
		increment(counter[12:])
		return block
	})
	out = xor(text, stream[16:])
	s := ghash(h, slices.Concat(padded(ad), padded(out), lengths(len(ad), len(out))))
	return out, xor(s, stream[:16])[:tagSize], iv
}

// gcmHashKey is H.
func gcmHashKey(key []byte) []byte { return encrypted(newAES(key), make([]byte, 16)) }

// lengths is the block of two lengths, in bits.
func lengths(a, b int) []byte {
	return append(bigEndian(uint64(a)*8, 8), bigEndian(uint64(b)*8, 8)...)
}

// GCMNonce returns the nonce of 16 bytes from which GCM gets the counter block j0. The hash of a nonce N is (N*H
// + L)*H, with L the block of its length, so N = (J0/H + L)/H.
func GCMNonce(key, j0 []byte) []byte {
	inverse := invert(gcmHashKey(key))
	return multiply(xor(multiply(j0, inverse), lengths(0, 16)), inverse)
}

// invert raises to the power 2^128 - 2, in GHASH's field.
func invert(a []byte) []byte {
	result := append([]byte{0x80}, make([]byte, 15)...) // one
	for range 127 {
		a = multiply(a, a)
		result = multiply(result, a)
	}
	return result
}

// ghash is SP 800-38D, section 6.4.
func ghash(h, data []byte) []byte {
	y := make([]byte, 16)
	for _, x := range blocks(padded(data)) {
		y = multiply(xor(y, x), h)
	}
	return y
}

// polyval is RFC 8452, by its relation to GHASH in appendix A: with all blocks byte-reversed, under the reversed
// key times x.
func polyval(h, data []byte) []byte {
	x := append([]byte{0x40}, make([]byte, 15)...)
	var all []byte
	for _, b := range blocks(padded(data)) {
		all = append(all, reversed(b)...)
	}
	return reversed(ghash(multiply(reversed(h), x), all))
}

func reversed(b []byte) []byte {
	b = bytes.Clone(b)
	slices.Reverse(b)
	return b
}

// multiply is the product of SP 800-38D, section 6.3, bit by bit: bits and bytes from the highest, modulo 1 + x +
// x^2 + x^7 + x^128.
func multiply(x, y []byte) []byte {
	hi, lo := binary.BigEndian.Uint64(y), binary.BigEndian.Uint64(y[8:])
	var zhi, zlo uint64
	for i := range 128 {
		if x[i/8]>>(7-i%8)&1 != 0 {
			zhi, zlo = zhi^hi, zlo^lo
		}
		odd := lo & 1
		hi, lo = hi>>1, lo>>1|hi<<63
		if odd != 0 {
			hi ^= 0xe1 << 56
		}
	}
	return append(bigEndian(zhi, 8), bigEndian(zlo, 8)...)
}
