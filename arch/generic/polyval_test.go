package generic

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"lamina/arch/keys"
)

// plainDot is the product of RFC 8452, section 3, bit by bit: a*b*x^-128.
func plainDot(a, b keys.Element) keys.Element {
	var p keys.Element
	for i := range 128 { // Add b for each bit of a, and divide by x.
		word := a.Lo
		if i >= 64 {
			word = a.Hi
		}
		if word>>(i%64)&1 != 0 {
			p.Lo ^= b.Lo
			p.Hi ^= b.Hi
		}
		odd := p.Lo & 1
		p.Lo = p.Lo>>1 | p.Hi<<63
		p.Hi >>= 1
		if odd != 0 { // Adding the modulus made it even: x^128 + x^127 + x^126 + x^121 + 1, divided by x.
			p.Hi ^= 1<<63 | 1<<62 | 1<<61 | 1<<56
		}
	}
	return p
}

// plainPOLYVAL hashes whole blocks.
func plainPOLYVAL(h, acc keys.Element, data []byte) keys.Element {
	for ; len(data) > 0; data = data[16:] {
		acc.Lo ^= binary.LittleEndian.Uint64(data)
		acc.Hi ^= binary.LittleEndian.Uint64(data[8:])
		acc = plainDot(acc, h)
	}
	return acc
}

// reverseBlocks returns data with the bytes of each block reversed.
func reverseBlocks(data []byte) []byte {
	data = bytes.Clone(data)
	for i := 0; i < len(data); i += 16 {
		slices.Reverse(data[i : i+16])
	}
	return data
}

// RFC 8452, appendix A.
func TestRFC8452(t *testing.T) {
	element := func(s string) keys.Element {
		b := unhex(t, s)
		return keys.Element{Lo: binary.LittleEndian.Uint64(b), Hi: binary.LittleEndian.Uint64(b[8:])}
	}
	var h keys.Hash
	PrepareHash(&h, element("25629347589242761d31f826ba4b757b"))
	var acc keys.Element
	POLYVALBlocks(&h, &acc, unhex(t, "4f4f95668c83dfb6401762bb2d01a262d1a24ddd2721d006bbe45f20d3c9f362"))
	if want := element("f7a3b47b846119fae5b7866cf5e5b77e"); acc != want {
		t.Errorf("POLYVAL is %x, want %x", acc, want)
	}
}

// hashKeys are random, and such that many products meet at one bit position.
var hashKeys = []keys.Element{
	{},
	{Lo: 1},
	{Hi: 1 << 63},
	{Lo: ^uint64(0), Hi: ^uint64(0)},
	{Lo: ^uint64(0)},
	{Hi: ^uint64(0)},
	{Lo: class, Hi: class << 3},
	{Lo: ^uint64(15), Hi: 15},
	{Lo: 0x0123456789abcdef, Hi: 0xfedcba9876543210},
	{Lo: 0x9ddfea08eb382d69, Hi: 0xc2b2ae3d27d4eb4f},
}

func TestPrepareHash(t *testing.T) {
	for _, base := range hashKeys {
		var h keys.Hash
		PrepareHash(&h, base)
		want := base
		for i := len(h.Powers) - 1; i >= 0; i-- {
			if h.Powers[i] != want {
				t.Errorf("base %x: power %d is %x, want %x", base, len(h.Powers)-i, h.Powers[i], want)
			}
			// Dividing by x^64 is multiplying by x^64 under dot.
			if i < len(h.Folded) {
				if folded := plainDot(want, keys.Element{Hi: 1}); h.Folded[i] != folded {
					t.Errorf("base %x: power %d folded is %x, want %x", base, len(h.Powers)-i, h.Folded[i], folded)
				}
			}
			want = plainDot(want, base)
		}
	}
}

func TestHashAgainstDefinition(t *testing.T) {
	const maxBlocks = 35
	random := randomBytes(2, maxBlocks*16)
	ones := bytes.Repeat([]byte{0xff}, maxBlocks*16)
	for _, base := range hashKeys {
		var h keys.Hash
		PrepareHash(&h, base)
		for _, acc := range hashKeys {
			for _, all := range [][]byte{random, ones} {
				for n := range maxBlocks + 1 {
					data := all[:16*n]
					want := plainPOLYVAL(base, acc, data)
					got := acc
					POLYVALBlocks(&h, &got, data)
					if got != want {
						t.Fatalf("POLYVAL, key %x, from %x, %d blocks: %x, want %x", base, acc, n, got, want)
					}
					got = acc
					GHASHBlocks(&h, &got, reverseBlocks(data))
					if got != want {
						t.Fatalf("GHASH, key %x, from %x, %d blocks: %x, want %x", base, acc, n, got, want)
					}
				}
			}
		}
	}
}

func BenchmarkGHASH(b *testing.B) {
	var h keys.Hash
	PrepareHash(&h, hashKeys[len(hashKeys)-1])
	var acc keys.Element
	for _, n := range []int{16, 64, 128, 256, 1024, 16384} {
		data := make([]byte, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(n))
			for b.Loop() {
				GHASHBlocks(&h, &acc, data)
			}
		})
	}
}

func BenchmarkPrepareHash(b *testing.B) {
	var h keys.Hash
	for b.Loop() {
		PrepareHash(&h, hashKeys[len(hashKeys)-1])
	}
}
