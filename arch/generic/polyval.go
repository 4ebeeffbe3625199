package generic

import (
	"encoding/binary"
	"math/bits"

	"lamina/arch/keys"
)

// This file multiplies in the field of POLYVAL with integer multiplication, which takes the same time for all
// operands on the CPUs that Go runs on.
//
// Carries stay away from the coefficients if those are four bits apart: up to 15 products of single bits can
// meet at a position and still leave the next one alone, and bit 0 of the sum is their sum modulo 2. So a
// word is split into four classes, by bit position modulo 4, each shifted down to positions 0, 4, 8 and so
// on; then, with y = x^4, a word is a polynomial of degree 3 in x over polynomials in y. Karatsuba's method,
// twice, does with nine products of classes instead of 16; and, on the halves of an element, with three
// products of words instead of four.
//
// A class has 16 bits, not 15. The lowest bit of each class, which is the low four bits of the word, is
// therefore left out in the power of the hash key, and multiplied apart: a nibble times a class cannot carry
// at all.
//
// Sums of products need no masking before they are added by XOR, since the bits that carries reach are never
// looked at. So products of up to eight blocks by powers of the hash key are added first, and put together
// and reduced once.

const (
	// batch is how many blocks are hashed with one reduction.
	batch = 8

	class    = 0x1111111111111111
	nibble   = 15
	products = 9 // of two words
)

// multiplier is a word that others will be multiplied by.
type multiplier struct {
	// The classes without the nibble, and their sums: 0, 1, 2, 3, 0+1, 2+3, 0+2, 1+3, 0+1+2+3.
	classes [products]uint64
	nibble  uint64
}

func (m *multiplier) init(w uint64) {
	m.nibble = w & nibble
	w &^= nibble
	c0, c1, c2, c3 := w&class, w>>1&class, w>>2&class, w>>3&class
	m.classes[0] = c0
	m.classes[1] = c1
	m.classes[2] = c2
	m.classes[3] = c3
	c01, c23 := c0^c1, c2^c3
	m.classes[4] = c01
	m.classes[5] = c23
	m.classes[6] = c0 ^ c2
	m.classes[7] = c1 ^ c3
	m.classes[8] = c01 ^ c23
}

// sums adds products of words, taken apart: the high and low halves of the products of classes, in the order of
// multiplier, and the products of classes 0 to 3 with the nibble.
type sums struct {
	hi, lo  [products]uint64
	nibbles [4]uint64
}

// add adds the product of w and m.
func (s *sums) add(w uint64, m *multiplier) {
	c0, c1, c2, c3 := w&class, w>>1&class, w>>2&class, w>>3&class
	s.nibbles[0] ^= c0 * m.nibble
	s.nibbles[1] ^= c1 * m.nibble
	s.nibbles[2] ^= c2 * m.nibble
	s.nibbles[3] ^= c3 * m.nibble
	hi, lo := bits.Mul64(c0, m.classes[0])
	s.hi[0] ^= hi
	s.lo[0] ^= lo
	hi, lo = bits.Mul64(c1, m.classes[1])
	s.hi[1] ^= hi
	s.lo[1] ^= lo
	hi, lo = bits.Mul64(c2, m.classes[2])
	s.hi[2] ^= hi
	s.lo[2] ^= lo
	hi, lo = bits.Mul64(c3, m.classes[3])
	s.hi[3] ^= hi
	s.lo[3] ^= lo
	c01 := c0 ^ c1
	hi, lo = bits.Mul64(c01, m.classes[4])
	s.hi[4] ^= hi
	s.lo[4] ^= lo
	c23 := c2 ^ c3
	hi, lo = bits.Mul64(c23, m.classes[5])
	s.hi[5] ^= hi
	s.lo[5] ^= lo
	hi, lo = bits.Mul64(c0^c2, m.classes[6])
	s.hi[6] ^= hi
	s.lo[6] ^= lo
	hi, lo = bits.Mul64(c1^c3, m.classes[7])
	s.hi[7] ^= hi
	s.lo[7] ^= lo
	hi, lo = bits.Mul64(c01^c23, m.classes[8])
	s.hi[8] ^= hi
	s.lo[8] ^= lo
}

// join returns the carry-less sum.
func (s *sums) join() (hi, lo uint64) {
	h0, h1, h2, h3, h4, h5, h6 := karatsuba(&s.hi)
	l0, l1, l2, l3, l4, l5, l6 := karatsuba(&s.lo)
	// Coefficients of x^4 to x^6 are y times a coefficient of x^0 to x^2.
	h0 = (h0 ^ h4<<4 ^ l4>>60) & class
	h1 = (h1 ^ h5<<4 ^ l5>>60) & class
	h2 = (h2 ^ h6<<4 ^ l6>>60) & class
	h3 &= class
	l0 = (l0 ^ l4<<4) & class
	l1 = (l1 ^ l5<<4) & class
	l2 = (l2 ^ l6<<4) & class
	l3 &= class
	// Bits of a class are at multiples of 4, so these shifts lose none.
	hi = h0 ^ h1<<1 ^ h2<<2 ^ h3<<3
	lo = l0 ^ l1<<1 ^ l2<<2 ^ l3<<3
	// Products with nibbles have 64 bits before the shift.
	n := &s.nibbles
	hi ^= n[1]>>63 ^ n[2]>>62 ^ n[3]>>61
	lo ^= n[0] ^ n[1]<<1 ^ n[2]<<2 ^ n[3]<<3
	return hi, lo
}

// karatsuba returns the coefficients of x^0 to x^6 of a product, from nine products of classes.
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

// hasher hashes a number of blocks that is known from the start.
type hasher struct {
	acc  keys.Element
	left int // blocks to come

	// Power batch-i of the hash key is at index i. The next block meets the one at index next, and the last
	// block of every batch power 1.
	powers [batch]struct{ lo, hi, both multiplier }
	next   int

	lo, hi, both sums // of products of low halves, of high halves, and of sums of halves
}

// init prepares for hashing n blocks into acc. Fewer than a batch need fewer powers.
func (s *hasher) init(h *keys.Hash, acc keys.Element, n int) {
	s.acc = acc
	s.left = n
	s.next = max(0, batch-n)
	for i := s.next; i < batch; i++ {
		s.setPower(i, &h.Powers[len(h.Powers)-batch+i])
	}
}

func (s *hasher) setPower(i int, e *keys.Element) {
	p := &s.powers[i]
	p.lo.init(e.Lo)
	p.hi.init(e.Hi)
	p.both.init(e.Lo ^ e.Hi)
}

// add hashes a block. The first one of a batch takes along the hash of the batches before.
func (s *hasher) add(lo, hi uint64) {
	lo ^= s.acc.Lo
	hi ^= s.acc.Hi
	s.acc = keys.Element{}
	p := &s.powers[uint(s.next)%batch]
	s.lo.add(lo, &p.lo)
	s.hi.add(hi, &p.hi)
	s.both.add(lo^hi, &p.both)
	s.next++
	s.left--
	if s.next == batch {
		s.reduce()
		s.next = max(0, batch-s.left)
	}
}

// reduce ends a batch.
func (s *hasher) reduce() {
	l1, l0 := s.lo.join()
	h1, h0 := s.hi.join()
	m1, m0 := s.both.join()
	s.lo, s.hi, s.both = sums{}, sums{}, sums{}
	low := fold(fold(keys.Element{Lo: l0, Hi: l1 ^ m0 ^ l0 ^ h0}))
	s.acc = keys.Element{Lo: low.Lo ^ h0 ^ m1 ^ l1 ^ h1, Hi: low.Hi ^ h1}
}

// fold returns e*x^-64. The modulus is 1 in its low half, x^63 + x^62 + x^57 + ... up to bit 127: adding e.Lo
// times the modulus clears the low half.
func fold(e keys.Element) keys.Element {
	return keys.Element{
		Lo: e.Hi ^ e.Lo<<63 ^ e.Lo<<62 ^ e.Lo<<57,
		Hi: e.Lo ^ e.Lo>>1 ^ e.Lo>>2 ^ e.Lo>>7,
	}
}

// GHASHKey turns GHASH's H = E(0) into the base by which POLYVAL over byte-reversed blocks is GHASH:
// mulX_POLYVAL of H byte-reversed (RFC 8452, appendix A). What leaves at x^128 returns as x^127 + x^126 + x^121 +
// 1, by a mask, for H is secret.
func GHASHKey(b *[keys.BlockSize]byte) keys.Element {
	lo, hi := binary.BigEndian.Uint64(b[8:]), binary.BigEndian.Uint64(b[0:])
	carry := -(hi >> 63)
	return keys.Element{Lo: lo<<1 ^ carry&1, Hi: hi<<1 | lo>>63 ^ carry&0xc200000000000000}
}

// PrepareHash fills h with the powers of base, and with those powers folded. It takes the same time for every
// base.
func PrepareHash(h *keys.Hash, base keys.Element) {
	var s hasher
	s.setPower(batch-1, &base)
	s.acc = base
	for i := len(h.Powers) - 1; i >= 0; i-- {
		h.Powers[i] = s.acc
		if i < len(h.Folded) {
			h.Folded[i] = fold(s.acc)
		}
		s.next = batch - 1
		s.add(0, 0)
	}
}

// GHASHBlocks replaces acc by the hash of acc and the 16-byte blocks of data. It takes the same time for all
// data of one length.
func GHASHBlocks(h *keys.Hash, acc *keys.Element, data []byte) {
	var s hasher
	s.init(h, *acc, len(data)/keys.BlockSize)
	s.addGHASH(data)
	*acc = s.acc
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
	*acc = s.acc
}
