package textbook

import "bytes"

// encryptECB encrypts each block by itself: SP 800-38A, section 6.1.
func encryptECB(key, _, text, _ []byte, _ int) (out, tag, next []byte) {
	b := newAES(key)
	for _, p := range blocks(text) {
		out = append(out, encrypted(b, p)...)
	}
	return out, nil, nil
}

// encryptCBC is SP 800-38A, section 6.2. A message is continued with its last block.
func encryptCBC(key, iv, text, _ []byte, _ int) (out, tag, next []byte) {
	b := newAES(key)
	next = iv
	for _, p := range blocks(text) {
		next = encrypted(b, xor(p, next))
		out = append(out, next...)
	}
	return out, nil, next
}

// encryptCTS is CBC-CS3 of the addendum to SP 800-38A: CBC of the text filled up with zeros, the last two blocks
// exchanged, and cut to the length of the text. next is the last block that was encrypted (RFC 3962, section 5).
func encryptCTS(key, iv, text, _ []byte, _ int) (out, tag, next []byte) {
	out, _, next = encryptCBC(key, iv, padded(text), nil, 0)
	if n := len(out); n > 16 {
		out = append(append(bytes.Clone(out[:n-32]), out[n-16:]...), out[n-32:n-16]...)
	}
	return out[:len(text)], nil, next
}

// cbcMAC is CBC-MAC of whole blocks from a block of zeros.
func cbcMAC(key, data []byte) []byte {
	_, _, mac := encryptCBC(key, make([]byte, 16), data, nil, 0)
	return mac
}

// cmac is SP 800-38B, section 6.2.
func cmac(key, data []byte) []byte {
	k1 := double(encrypted(newAES(key), make([]byte, 16)))
	return chainedMAC(key, k1, double(k1), data)
}

// xcbcMAC is RFC 3566, section 4.
func xcbcMAC(key, data []byte) []byte {
	b := newAES(key)
	derived := func(value byte) []byte { return encrypted(b, bytes.Repeat([]byte{value}, 16)) }
	return chainedMAC(derived(1), derived(2), derived(3), data)
}

// chainedMAC is CBC-MAC with the secret whole added to a last block that is whole, and filled to one that was
// filled up with a one bit and zeros.
func chainedMAC(key, whole, filled, data []byte) []byte {
	last := whole
	if len(data) == 0 || len(data)%16 != 0 {
		last = filled
		data = padded(append(bytes.Clone(data), 0x80))
	}
	n := len(data) - 16
	return cbcMAC(key, append(bytes.Clone(data[:n]), xor(data[n:], last)...))
}

// double multiplies by x in the field of SP 800-38B: bits and bytes from the highest, modulo x^128 + x^7 + x^2 + x
// + 1.
func double(in []byte) []byte {
	out := make([]byte, 16)
	for i := range out {
		out[i] = in[i] << 1
		if i < 15 {
			out[i] |= in[i+1] >> 7
		}
	}
	if in[0]&0x80 != 0 {
		out[15] ^= 0x87
	}
	return out
}
