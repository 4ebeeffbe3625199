package textbook

import "bytes"

// encryptXTS is IEEE 1619-2018, sections 5.2 and 5.3, for tweaks of 128 bits. A message of whole blocks is
// continued with the tweak that encrypts to that of the block behind it.
func encryptXTS(key, iv, text, _ []byte, _ int) (out, tag, next []byte) {
	half := len(key) / 2
	b, tweaks := newAES(key[:half]), newAES(key[half:])
	tweak := encrypted(tweaks, iv)
	one := func(p []byte) []byte {
		c := xor(encrypted(b, xor(p, tweak)), tweak)
		tweak = timesX(tweak)
		return c
	}
	whole := len(text) &^ 15
	for _, p := range blocks(text[:whole]) {
		out = append(out, one(p)...)
	}
	rest := text[whole:]
	if len(rest) == 0 {
		return out, nil, decrypted(tweaks, tweak)
	}
	// The last whole block of ciphertext is cut. Its front comes last, and what was cut off completes the rest.
	last := bytes.Clone(out[whole-16:])
	stolen := one(append(bytes.Clone(rest), last[len(rest):]...))
	return append(append(out[:whole-16], stolen...), last[:len(rest)]...), nil, iv
}

// XTSTweak returns the tweak that encrypts to t, the tweak of the first block.
func XTSTweak(key, t []byte) []byte { return decrypted(newAES(key[len(key)/2:]), t) }

// timesX multiplies by x in the field of IEEE 1619: bits and bytes from the lowest, modulo x^128 + x^7 + x^2 + x +
// 1.
func timesX(in []byte) []byte {
	out := make([]byte, 16)
	for i := range out {
		out[i] = in[i] << 1
		if i > 0 {
			out[i] |= in[i-1] >> 7
		}
	}
	if in[15]&0x80 != 0 {
		out[0] ^= 0x87
	}
	return out
}
