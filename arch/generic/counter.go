package generic

import (
	"crypto/subtle"
	"encoding/binary"

	"lamina/arch/keys"
)

// counters makes the key stream of GCM's counter mode, 16 blocks at a time, without packing counter blocks.
//
// Consecutive counter blocks differ in the last byte alone until the counter's upper 24 bits change. That byte is in row 3, so
// for 256 counters rows 0 to 2 are the same until the first MixColumns, and are substituted once.
type counters struct {
	keys        sliceKeys
	block       [keys.BlockSize]byte
	next        uint32     // the next counter
	high        uint32     // upper 24 bits of the counters that state and substituted are for
	state       slice      // counter blocks whose last byte is 0, after the first key was added
	substituted [24]uint64 // rows 0 to 2 of state after the first ShiftRows
}

// column3 is where the column of the counter starts in a word of a slice.
const column3 = 48

// init starts at a counter block.
func (c *counters) init(k *keys.Enc, first *[keys.BlockSize]byte) {
	c.keys.expand(k)
	c.block = *first
	c.next = binary.BigEndian.Uint32(first[12:])
	c.prepare()
}

// prepare fills what depends on the upper 24 bits of the counter.
func (c *counters) prepare() {
	c.high = c.next >> 8
	binary.BigEndian.PutUint32(c.block[12:], c.high<<8)
	c.state.spread(packColumns(&c.block))
	c.state.addKey(&c.keys.round[0])
	s := c.state
	s.subRow0()
	s.subRow1()
	s.subRow2()
	copy(c.substituted[:], s[:])
}

// stream fills s with the next 16 blocks of key stream.
func (c *counters) stream(s *slice) {
	if c.high != c.next>>8 {
		c.prepare()
	}
	*s = c.state
	if s.addCounters(c.next) {
		s.subBytesShiftRows()
	} else {
		copy(s[:], c.substituted[:])
		s.subRow3()
	}
	c.keys.encryptSubstituted(s)
	c.next += sliceBlocks
}

// addCounters makes block i of s, which has counter n without its last byte, the block with counter n+i. It reports
// whether that changed any byte but the last of any block.
func (s *slice) addCounters(n uint32) bool {
	index := [8]uint64{0xaaaa, 0xcccc, 0xf0f0, 0xff00} // bit b of i at position i
	carry := uint64(0)
	for b, i := range index {
		l := -uint64(n>>b&1) & 0xffff
		s[24+b] ^= (l ^ i ^ carry) << column3
		carry = l&i | (l|i)&carry
	}
	if carry == 0 {
		return false
	}
	for b := 8; b < 32; b++ {
		s[8*(3-b/8)+b%8] ^= carry << column3
		carry &= -uint64(n >> b & 1)
	}
	return true
}

// xor adds key stream to src. A partial last block uses up a whole one.
func (c *counters) xor(dst, src []byte) {
	const size = sliceBlocks * keys.BlockSize
	var s slice
	for len(src) >= size && len(dst) >= size {
		c.stream(&s)
		s.unpackXOR((*[size]byte)(dst), (*[size]byte)(src))
		dst, src = dst[size:], src[size:]
	}
	if len(src) > 0 {
		var last [size]byte
		c.stream(&s)
		s.unpackXOR(&last, &last)
		subtle.XORBytes(dst, src, last[:])
	}
}

// xorAfter adds key stream to src too, but first takes a block of it for the caller.
func (c *counters) xorAfter(block *[keys.BlockSize]byte, dst, src []byte) {
	var s slice
	var first [sliceBlocks * keys.BlockSize]byte
	c.stream(&s)
	s.unpackXOR(&first, &first)
	*block = [keys.BlockSize]byte(first[:])
	n := subtle.XORBytes(dst, src, first[keys.BlockSize:])
	c.xor(dst[n:], src[n:])
}
