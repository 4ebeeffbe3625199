package generic

import (
	"encoding/binary"
	"math/bits"

	"lamina/arch/keys"
)

// This file multiplies in the field of POLYVAL with integer multiplication, which takes the same time for all
// operands on the CPUs that Go runs on.
//
// Carries stay away from the coefficients if those are four bits apart: up to 15 products of single bits can meet at a
// position and still leave the next one alone, and bit 0 of the sum is their sum modulo 2. So a word is split into four
// classes, by bit position modulo 4, each shifted down to positions 0, 4, 8 and so on; then, with y = x^4, a word is a polynomial of
// degree 3 in x over polynomials in y. Karatsuba's method, twice, does with nine products of classes instead of
// 16; and, on the halves of an element, with three products of words instead of four.
//
// A class has 16 bits, not 15. The lowest bit of each class, which is the low four bits of the word, is therefore left
// out in the power of the hash key, and multiplied apart: a nibble times a class cannot carry at all.
//
// Sums of products need no masking before they are added by XOR, since the bits that carries reach are never looked at. So
// products of up to eight blocks by powers of the hash key are added first, and put together and reduced once.

const (
	// batch is how many blocks are hashed with one reduction.
	batch = 8

	class    = 0x1111111111111111
	nibble   = 15
	numParts = 3 // of an element: low half, high half, and their sum
	products = 9 // of two words
)

// classes holds the classes of a batch of words, and their sums: 0, 1, 2, 3, 0+1, 2+3, 0+2, 1+3, 0+1+2+3.
type classes [products][batch]uint64

// set makes w word i of the batch.
func (c *classes) set(i int, w uint64) {
	i %= batch
	c0, c1, c2, c3 := w&class, w>>1&class, w>>2&class, w>>3&class
	c[0][i] = c0
	c[1][i] = c1
	c[2][i] = c2
	c[3][i] = c3
	c01, c23 := c0^c1, c2^c3
	c[4][i] = c01
	c[5][i] = c23
	c[6][i] = c0 ^ c2
	c[7][i] = c1 ^ c3
	c[8][i] = c01 ^ c23
}

// hasher hashes blocks in batches. It holds the classes of the blocks, and of the powers of the hash key by which they
// will be multiplied; power batch-i is at index i.
type hasher struct {
	acc     keys.Element
	n       int // blocks in the batch, always fewer than it can take
	data    [numParts]classes
	powers  [numParts]classes
	nibbles [numParts][batch]uint64
}

// init prepares for hashing n blocks into acc. Fewer than a batch need fewer powers.
func (s *hasher) init(h *keys.Hash, acc keys.Element, n int) {
	s.acc = acc
	for i := max(0, batch-n); i < batch; i++ {
		s.initPower(i, &h.Powers[len(h.Powers)-batch+i])
	}
}

func (s *hasher) initPower(i int, p *keys.Element) {
	s.initPart(i, 0, p.Lo)
	s.initPart(i, 1, p.Hi)
	s.initPart(i, 2, p.Lo^p.Hi)
}

func (s *hasher) initPart(i, part int, w uint64) {
	s.powers[part].set(i, w&^nibble)
	s.nibbles[part][i%batch] = w & nibble
}

// add hashes a block.
func (s *hasher) add(lo, hi uint64) {
	if s.n == 0 {
		lo ^= s.acc.Lo
		hi ^= s.acc.Hi
	}
	s.data[0].set(s.n, lo)
	s.data[1].set(s.n, hi)
	s.data[2].set(s.n, lo^hi)
	s.n++
	if s.n == batch {
		s.flush()
	}
}

// sum returns the hash of all blocks added.
func (s *hasher) sum() keys.Element {
	if s.n > 0 {
		s.flush()
	}
	return s.acc
}

// flush replaces acc by the sum of the products of the blocks in the batch, which already contains acc.
func (s *hasher) flush() {
	l1, l0 := s.product(0)
	h1, h0 := s.product(1)
	m1, m0 := s.product(2)
	s.acc = reduce(h1, h0^m1^l1^h1, l1^m0^l0^h0, l0)
	s.n = 0
}

// product returns the sum of the carry-less products of one part of blocks and powers.
func (s *hasher) product(part int) (hi, lo uint64) {
	data, powers, nibbles := &s.data[part], &s.powers[part], &s.nibbles[part]
	var h, l [products]uint64
	var e [4]uint64
	if s.n == batch {
		for i := range products {
			h[i], l[i] = sum8(&data[i], &powers[i])
		}
		for i := range e {
			e[i] = sum8Nibbles(&data[i], nibbles)
		}
	} else {
		first := batch - s.n
		for i := range products {
			h[i], l[i] = sum(data[i][:s.n], powers[i][first:])
		}
		for i := range e {
			_, e[i] = sum(data[i][:s.n], nibbles[first:])
		}
	}
	return join(&h, &l, &e)
}

// sum returns the sum, by XOR, of the products of a and b, which have the same length.
func sum(a, b []uint64) (hi, lo uint64) {
	for i, x := range a {
		h, l := bits.Mul64(x, b[i])
		hi ^= h
		lo ^= l
	}
	return hi, lo
}

// sum8 is sum for a whole batch.
func sum8(a, b *[batch]uint64) (hi, lo uint64) {
	h0, l0 := bits.Mul64(a[0], b[0])
	h1, l1 := bits.Mul64(a[1], b[1])
	hi, lo = h0^h1, l0^l1
	h2, l2 := bits.Mul64(a[2], b[2])
	hi, lo = hi^h2, lo^l2
	h3, l3 := bits.Mul64(a[3], b[3])
	hi, lo = hi^h3, lo^l3
	h4, l4 := bits.Mul64(a[4], b[4])
	hi, lo = hi^h4, lo^l4
	h5, l5 := bits.Mul64(a[5], b[5])
	hi, lo = hi^h5, lo^l5
	h6, l6 := bits.Mul64(a[6], b[6])
	hi, lo = hi^h6, lo^l6
	h7, l7 := bits.Mul64(a[7], b[7])
	return hi ^ h7, lo ^ l7
}

// sum8Nibbles is sum8 where the elements of b are so short that products have no high half.
func sum8Nibbles(a, b *[batch]uint64) uint64 {
	s := a[0]*b[0] ^ a[1]*b[1]
	s ^= a[2] * b[2]
	s ^= a[3] * b[3]
	s ^= a[4] * b[4]
	s ^= a[5] * b[5]
	s ^= a[6] * b[6]
	s ^= a[7] * b[7]
	return s
}

// join makes a product of words of the high and low halves of the products of their classes, and of the products of
// the classes of one with the nibble that was left out of the other.
func join(h, l *[products]uint64, e *[4]uint64) (hi, lo uint64) {
	h0, h1, h2, h3, h4, h5, h6 := karatsuba(h)
	l0, l1, l2, l3, l4, l5, l6 := karatsuba(l)
	// Coefficients of x^4 to x^6 are y times a coefficient of x^0 to x^2.
	h0 ^= h4<<4 | l4>>60
	h1 ^= h5<<4 | l5>>60
	h2 ^= h6<<4 | l6>>60
	l0 = (l0 ^ l4<<4) & class
	l1 = (l1 ^ l5<<4) & class
	l2 = (l2 ^ l6<<4) & class
	l3 &= class
	hi = h0&class ^ h1&class<<1 ^ h2&class<<2 ^ h3&class<<3
	lo = l0 ^ l1<<1 ^ l2<<2 ^ l3<<3
	// A class starts at bit 0, so that only the top nibble can pass the end of the low word: 15 of 16 bits of
	// l1 to l3 stay, and the last one is at bit 60 before the shift.
	lo ^= e[0] ^ e[1]<<1 ^ e[2]<<2 ^ e[3]<<3
	hi ^= e[1]>>63 ^ e[2]>>62 ^ e[3]>>61
	return hi, lo
}

// karatsuba returns the coefficients of x^0 to x^6 of a product, from nine products of classes. They are one half of
// the bits of each.
func karatsuba(p *[products]uint64) (c0, c1, c2, c3, c4, c5, c6 uint64) {
	p01 := p[0] ^ p[1]
	p23 := p[2] ^ p[3]
	c0 = p[0]
	c1 = p01 ^ p[4]
	c2 = p01 ^ p[2] ^ p[6]
	c4 = p23 ^ p[1] ^ p[7]
	c5 = p23 ^ p[5]
	c6 = p[3]
	c3 = c1 ^ c5 ^ p[6] ^ p[7] ^ p[8]
	return
}

// reduce returns a polynomial of 256 bits, given from the top, times x^-128.
func reduce(w3, w2, w1, w0 uint64) keys.Element {
	low := fold(fold(keys.Element{Lo: w0, Hi: w1}))
	return keys.Element{Lo: low.Lo ^ w2, Hi: low.Hi ^ w3}
}

// fold returns e*x^-64. The modulus is 1 in its low half, x^63 + x^62 + x^57 + ... up to bit 127: adding e.Lo times the modulus clears
// the low half.
func fold(e keys.Element) keys.Element {
	return keys.Element{
		Lo: e.Hi ^ e.Lo<<63 ^ e.Lo<<62 ^ e.Lo<<57,
		Hi: e.Lo ^ e.Lo>>1 ^ e.Lo>>2 ^ e.Lo>>7,
	}
}

// ghashKey turns GHASH's H = E(0) into the base by which POLYVAL over byte-reversed blocks is GHASH: mulX_POLYVAL of H
// byte-reversed (RFC 8452, appendix A).
func ghashKey(b *[keys.BlockSize]byte) keys.Element {
	lo, hi := binary.BigEndian.Uint64(b[8:]), binary.BigEndian.Uint64(b[0:])
	carry := -(hi >> 63)
	return keys.Element{Lo: lo<<1 ^ carry&1, Hi: hi<<1 | lo>>63 ^ carry&0xc200000000000000}
}

// PrepareHash fills h with the powers of base, and with those powers folded. It takes the same time for every base.
func PrepareHash(h *keys.Hash, base keys.Element) {
	var s hasher
	s.initPower(batch-1, &base)
	s.acc = base
	for i := len(h.Powers) - 1; i >= 0; i-- {
		h.Powers[i] = s.acc
		if i < len(h.Folded) {
			h.Folded[i] = fold(s.acc)
		}
		s.add(0, 0)
		s.flush()
	}
}

// GHASHBlocks replaces acc by the hash of acc and the 16-byte blocks of data. It takes the same time for all data of one
// length.
func GHASHBlocks(h *keys.Hash, acc *keys.Element, data []byte) {
	var s hasher
	s.init(h, *acc, len(data)/keys.BlockSize)
	s.addGHASH(data)
	*acc = s.sum()
}

// addGHASH hashes whole blocks as GHASH does, the first byte the highest.
func (s *hasher) addGHASH(data []byte) {
	for ; len(data) >= keys.BlockSize; data = data[keys.BlockSize:] {
		s.add(binary.BigEndian.Uint64(data[8:]), binary.BigEndian.Uint64(data))
	}
}

// POLYVALBlocks is GHASHBlocks for POLYVAL, where the first byte is the lowest.
func POLYVALBlocks(h *keys.Hash, acc *keys.Element, data []byte) {
	var s hasher
	s.init(h, *acc, len(data)/keys.BlockSize)
	for ; len(data) >= keys.BlockSize; data = data[keys.BlockSize:] {
		s.add(binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[8:]))
	}
	*acc = s.sum()
}
