package generic

import (
	"crypto/subtle"
	"encoding/binary"

	"lamina/arch/keys"
)

// counters is a position in a counter mode.
type counters struct {
	enc   *keys.Enc
	place place
	base  [keys.BlockSize]byte // what counters are added to
	next  uint64               // the next counter; place says how many of its bits count
}

// place is where counters go in a block, and how wide they are.
type place struct {
	last  bool // they are big-endian and end with the block, or else little-endian and begin with it
	bytes int  // 4 or 8
}

// startCounters starts at a counter block of GCM, whose counter is in the last four bytes.
func startCounters(k *keys.Enc, first *[keys.BlockSize]byte) counters {
	c := counters{enc: k, place: place{true, 4}, base: *first, next: uint64(binary.BigEndian.Uint32(first[12:]))}
	clear(c.base[12:])
	return c
}

// block sets b to the block of counter n.
func (c *counters) block(b *[keys.BlockSize]byte, n uint64) {
	*b = c.base
	switch {
	case !c.place.last:
		binary.LittleEndian.PutUint64(b[:8], binary.LittleEndian.Uint64(b[:8])^n)
	case c.place.bytes == 4:
		binary.BigEndian.PutUint32(b[12:], uint32(n))
	default:
		binary.BigEndian.PutUint64(b[8:], n)
	}
}

// coordinates returns the row and the column of byte i of a counter, the lowest being byte 0.
func (p place) coordinates(i int) (row, column int) {
	if p.last {
		i = keys.BlockSize - 1 - i
	}
	return i % 4, i / 4
}

// xor adds key stream to src. If first is not nil, it gets the first block of key stream. A partial last
// block uses up a whole one.
func (c *counters) xor(first *[keys.BlockSize]byte, dst, src []byte) {
	n := countBlocks(src)
	if first != nil {
		n++
	}
	if n > narrowLimit {
		var done int
		if n > wideBlocks+narrowBlocks {
			done = c.xorWide(first, dst, src, n)
		} else {
			done = c.xorOnce(first, dst, src)
		}
		dst, src = dst[done:], src[done:]
		first = nil
	}
	if first != nil || len(src) > 0 {
		c.xorNarrow(first, dst, src)
	}
}

// xorWide is xor for the first of n blocks of key stream, until so few are left that the narrow kernel does
// them faster. It returns how many bytes of src it did.
func (c *counters) xorWide(first *[keys.BlockSize]byte, dst, src []byte, n int) (done int) {
	var w wideCounters
	w.init(c)
	for ; n > narrowBlocks; n -= wideBlocks {
		var buf [wideSize]byte
		w.stream(c, &buf)
		done += addStream(first, dst[done:], src[done:], buf[:])
		first = nil
	}
	return done
}

// xorOnce is xorWide for a single group.
func (c *counters) xorOnce(first *[keys.BlockSize]byte, dst, src []byte) (done int) {
	var s wide
	var b [keys.BlockSize]byte
	c.block(&b, c.next&^0xff)
	s.spread(packColumns(&b))
	s.addCounters(c.place, c.next)
	encryptOnce(c.enc, &s)
	var buf [wideSize]byte
	s.unpack(&buf)
	c.next += wideBlocks
	return addStream(first, dst, src, buf[:])
}

// xorNarrow is xor by the narrow kernel.
func (c *counters) xorNarrow(first *[keys.BlockSize]byte, dst, src []byte) {
	var k narrowKeys
	k.expandEnc(c.enc)
	for first != nil || len(src) > 0 {
		var buf [narrowSize]byte
		for i := range narrowBlocks {
			c.block((*[keys.BlockSize]byte)(buf[keys.BlockSize*i:]), c.next)
			c.next++
		}
		var s narrow
		s.pack(&buf)
		k.encrypt(&s)
		s.unpack(&buf)
		done := addStream(first, dst, src, buf[:])
		dst, src = dst[done:], src[done:]
		first = nil
	}
}

// addStream moves a block of key stream to first, if that is not nil, and adds the rest to src, as far as it
// goes. It returns how many bytes it added.
func addStream(first *[keys.BlockSize]byte, dst, src, stream []byte) int {
	if first != nil {
		stream = stream[copy(first[:], stream):]
	}
	return subtle.XORBytes(dst, src, stream)
}

// wideCounters makes states of the wide kernel of consecutive counter blocks, without packing them.
//
// The blocks differ in the counter's lowest byte alone until the rest of the counter changes. So for 256
// counters the three rows that have not this byte are the same until the first MixColumns, and are
// substituted once.
type wideCounters struct {
	keys        wideKeys
	high        uint64 // all but the lowest byte of the counters that the rest is for
	low         int    // where the row with the lowest byte begins
	state       wide   // counter blocks whose lowest byte is 0, after the first key was added
	substituted wide   // state after the first SubBytes, except for that row
}

func (w *wideCounters) init(c *counters) {
	w.keys.expandEnc(c.enc)
	row, _ := c.place.coordinates(0)
	w.low = 8 * row
	w.prepare(c)
}

// prepare fills what depends on all but the lowest byte of the counter.
func (w *wideCounters) prepare(c *counters) {
	w.high = c.next >> 8
	var b [keys.BlockSize]byte
	c.block(&b, c.next&^0xff)
	w.state.spread(packColumns(&b))
	w.state.addKey(&w.keys.round[0])
	w.substituted = w.state
	for i := 0; i < len(w.substituted); i += 8 {
		if i != w.low {
			sbox((*[8]uint64)(w.substituted[i:]))
		}
	}
}

// stream writes 16 blocks of key stream to buf and advances c.
func (w *wideCounters) stream(c *counters, buf *[wideSize]byte) {
	if w.high != c.next>>8 {
		w.prepare(c)
	}
	s := w.state
	if s.addCounters(c.place, c.next) {
		s.subBytes()
	} else {
		copy(s[:w.low], w.substituted[:])
		copy(s[w.low+8:], w.substituted[w.low+8:])
		sbox((*[8]uint64)(s[w.low:]))
	}
	w.keys.encryptSubstituted(&s)
	s.unpack(buf)
	c.next += wideBlocks
}

// addCounters makes block i of s, which has counter n without its lowest byte, the block with counter n+i. It
// reports whether that changed any other byte of any block.
func (s *wide) addCounters(p place, n uint64) bool {
	index := [8]uint64{0xaaaa, 0xcccc, 0xf0f0, 0xff00} // bit b of i at position i
	row, column := p.coordinates(0)
	low := s[8*row:][:8]
	carry := uint64(0)
	for b, i := range index {
		l := -(n >> b & 1) & 0xffff
		low[b] ^= (l ^ i ^ carry) << (16 * column)
		carry = l&i | (l|i)&carry
	}
	if carry == 0 {
		return false
	}
	for b := 8; b < 8*p.bytes; b++ {
		row, column := p.coordinates(b / 8)
		s[8*row+b%8] ^= carry << (16 * column)
		carry &= -(n >> b & 1)
	}
	return true
}

// countBlocks counts the blocks of data, the last one padded.
func countBlocks(data []byte) int {
	return len(data)/keys.BlockSize + (len(data)%keys.BlockSize+keys.BlockSize-1)/keys.BlockSize
}
