package generic

import (
	"encoding/binary"

	"lamina/arch/keys"
)

// PrepareHash fills h with the powers of base, and with those powers folded.
func PrepareHash(h *keys.Hash, base keys.Element) {
	p := base
	for i := len(h.Powers) - 1; i >= 0; i-- {
		h.Powers[i] = p
		if i < len(h.Folded) {
			h.Folded[i] = fold(p)
		}
		p = dot(p, base)
	}
}

// GHASHBlocks adds the 16-byte blocks of data to the hash acc.
func GHASHBlocks(h *keys.Hash, acc *keys.Element, data []byte) {
	p := h.Powers[len(h.Powers)-1]
	for ; len(data) >= keys.BlockSize; data = data[keys.BlockSize:] {
		acc.Hi ^= binary.BigEndian.Uint64(data[0:])
		acc.Lo ^= binary.BigEndian.Uint64(data[8:])
		*acc = dot(*acc, p)
	}
}

// POLYVALBlocks is GHASHBlocks for little-endian blocks.
func POLYVALBlocks(h *keys.Hash, acc *keys.Element, data []byte) {
	p := h.Powers[len(h.Powers)-1]
	for ; len(data) >= keys.BlockSize; data = data[keys.BlockSize:] {
		acc.Lo ^= binary.LittleEndian.Uint64(data[0:])
		acc.Hi ^= binary.LittleEndian.Uint64(data[8:])
		*acc = dot(*acc, p)
	}
}

// ghashKey turns GHASH's H = E(0) into the base whose POLYVAL is GHASH over byte-reversed blocks: mulX(ByteReverse(H)).
func ghashKey(b *[keys.BlockSize]byte) keys.Element {
	lo, hi := binary.BigEndian.Uint64(b[8:]), binary.BigEndian.Uint64(b[0:])
	carry := -(hi >> 63)
	return keys.Element{Lo: lo<<1 ^ carry&1, Hi: hi<<1 | lo>>63 ^ carry&0xc200000000000000}
}

// fold returns e*x^-64. The modulus times e.Lo has e.Lo in its low half, so adding it clears that.
func fold(e keys.Element) keys.Element {
	return keys.Element{
		Lo: e.Hi ^ e.Lo<<63 ^ e.Lo<<62 ^ e.Lo<<57,
		Hi: e.Lo ^ e.Lo>>1 ^ e.Lo>>2 ^ e.Lo>>7,
	}
}

// dot returns a*b*x^-128.
func dot(a, b keys.Element) keys.Element {
	l1, l0 := clmul(a.Lo, b.Lo)
	m1, m0 := clmul(a.Lo^a.Hi, b.Lo^b.Hi)
	h1, h0 := clmul(a.Hi, b.Hi)
	m0 ^= l0 ^ h0
	m1 ^= l1 ^ h1
	low := fold(fold(keys.Element{Lo: l0, Hi: l1 ^ m0}))
	return keys.Element{Lo: low.Lo ^ h0 ^ m1, Hi: low.Hi ^ h1}
}

// clmul is the carry-less product of two words.
func clmul(a, b uint64) (hi, lo uint64) {
	for i := range 64 {
		bit := -(a >> i & 1)
		lo ^= b << i & bit
		hi ^= b >> 1 >> (63 - i) & bit
	}
	return hi, lo
}
