package generic

import (
	"crypto/subtle"
	"encoding/binary"

	"lamina/arch/keys"
)

// counters makes the key stream of GCM's counter mode.
//
// The wide kernel gets its counter blocks without packing. They differ in the last byte alone until the counter's upper 24 bits
// change. That byte is in row 3, so for 256 counters rows 0 to 2 are the same until the first MixColumns, and are substituted once.
type counters struct {
	enc   *keys.Enc
	block [keys.BlockSize]byte // all but the last four bytes matter
	next  uint32               // the next counter

	narrow narrowKeys // of either kernel, once it has been used
	wide   wideKeys

	high        uint32     // upper 24 bits of the counters that state and substituted are for
	state       wide       // counter blocks whose last byte is 0, after the first key was added
	substituted [24]uint64 // rows 0 to 2 of state after the first SubBytes
}

// init starts at a counter block. Who declares c sets the key: a key stored through a pointer would escape.
func (c *counters) init(first *[keys.BlockSize]byte) {
	c.block = *first
	c.next = binary.BigEndian.Uint32(first[12:])
}

// stream writes to buf the next blocks of key stream, of which n are needed, and returns how many bytes it wrote.
func (c *counters) stream(buf *[wideBlocks * keys.BlockSize]byte, n int) int {
	if n > narrowLimit {
		c.streamWide(buf)
		return wideBlocks * keys.BlockSize
	}
	c.streamNarrow((*[narrowBlocks * keys.BlockSize]byte)(buf[:]))
	return narrowBlocks * keys.BlockSize
}

func (c *counters) streamNarrow(buf *[narrowBlocks * keys.BlockSize]byte) {
	if c.narrow.last == 0 {
		c.narrow.expandEnc(c.enc)
	}
	for i := range narrowBlocks {
		binary.BigEndian.PutUint32(c.block[12:], c.next)
		copy(buf[keys.BlockSize*i:], c.block[:])
		c.next++
	}
	var s narrow
	s.pack(buf)
	c.narrow.encrypt(&s)
	s.unpack(buf)
}

func (c *counters) streamWide(buf *[wideBlocks * keys.BlockSize]byte) {
	if c.wide.last == 0 {
		c.wide.expandEnc(c.enc)
		c.prepare()
	}
	if c.high != c.next>>8 {
		c.prepare()
	}
	s := c.state
	if s.addCounters(c.next) {
		s.subBytes()
	} else {
		copy(s[:], c.substituted[:])
		sbox((*[8]uint64)(s[24:]))
	}
	c.wide.encryptSubstituted(&s)
	s.unpack(buf)
	c.next += wideBlocks
}

// prepare fills what depends on the upper 24 bits of the counter.
func (c *counters) prepare() {
	c.high = c.next >> 8
	binary.BigEndian.PutUint32(c.block[12:], c.high<<8)
	c.state.spread(packColumns(&c.block))
	c.state.addKey(&c.wide.round[0])
	s := c.state
	s.subBytes()
	copy(c.substituted[:], s[:])
}

// addCounters makes block i of s, which has counter n without its last byte, the block with counter n+i. It reports
// whether that changed any byte but the last of any block.
func (s *wide) addCounters(n uint32) bool {
	const column3 = 48
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
	var buf [wideBlocks * keys.BlockSize]byte
	for len(src) > 0 {
		n := c.stream(&buf, countBlocks(src))
		n = subtle.XORBytes(dst, src, buf[:n])
		dst, src = dst[n:], src[n:]
	}
}

// xorAfter is xor, but writes the first block of key stream to block.
func (c *counters) xorAfter(block *[keys.BlockSize]byte, dst, src []byte) {
	var buf [wideBlocks * keys.BlockSize]byte
	n := c.stream(&buf, 1+countBlocks(src))
	*block = [keys.BlockSize]byte(buf[:])
	n = subtle.XORBytes(dst, src, buf[keys.BlockSize:n])
	c.xor(dst[n:], src[n:])
}

// countBlocks counts the blocks of data, the last one padded.
func countBlocks(data []byte) int {
	return len(data)/keys.BlockSize + (len(data)%keys.BlockSize+keys.BlockSize-1)/keys.BlockSize
}
