package generic

import (
	"crypto/subtle"
	"encoding/binary"
	"math/bits"

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
	var buf [wideSize]byte
	w.init(c)
	for ; n > narrowBlocks; n -= wideBlocks {
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
	if len(stream) == wideSize && len(src) >= wideSize {
		addWide((*[wideSize]byte)(dst), (*[wideSize]byte)(src), (*[wideSize]byte)(stream))
		return wideSize
	}
	return subtle.XORBytes(dst, src, stream)
}

// addWide is addStream for the blocks of a wide state, of which there are so many that it shows.
func addWide(dst, src, stream *[wideSize]byte) {
	for i := 0; i < wideSize; i += 16 {
		a := binary.LittleEndian.Uint64(src[i:]) ^ binary.LittleEndian.Uint64(stream[i:])
		b := binary.LittleEndian.Uint64(src[i+8:]) ^ binary.LittleEndian.Uint64(stream[i+8:])
		binary.LittleEndian.PutUint64(dst[i:], a)
		binary.LittleEndian.PutUint64(dst[i+8:], b)
	}
}

// wideCounters makes key stream of consecutive counter blocks, without packing them.
//
// The blocks differ in the counter's lowest byte alone until the rest of the counter changes. So for 256
// counters the first round is done once, for the blocks whose lowest byte is 0; what another value changes is one
// row, up to MixColumns, and linear from there on.
type wideCounters struct {
	keys  wideKeys
	high  uint64    // all but the lowest byte of the counters that the rest is for
	row   int       // the row with the lowest byte
	state wide      // counter blocks whose lowest byte is 0, after the first key was added
	base  [8]uint64 // that row of state after the first SubBytes
	mixed wide      // state after the first round
}

func (w *wideCounters) init(c *counters) {
	w.keys.expandEnc(c.enc)
	w.row, _ = c.place.coordinates(0)
	w.prepare(c)
}

// prepare fills what depends on all but the lowest byte of the counter.
func (w *wideCounters) prepare(c *counters) {
	w.high = c.next >> 8
	var b [keys.BlockSize]byte
	c.block(&b, c.next&^0xff)
	w.state.spread(packColumns(&b))
	w.state.addKey(&w.keys.round[0])
	w.mixed = w.state
	w.mixed.subBytes()
	copy(w.base[:], w.mixed[8*w.row:])
	w.mixed.shiftMix(&w.keys.round[1])
}

// stream writes 16 blocks of key stream to buf and advances c.
func (w *wideCounters) stream(c *counters, buf *[wideSize]byte) {
	if w.high != c.next>>8 {
		w.prepare(c)
	}
	var s wide
	row := [8]uint64(w.state[8*w.row:])
	if _, column := c.place.coordinates(0); addIndex(&row, column, c.next) == 0 {
		sbox(&row)
		for i := range row {
			row[i] ^= w.base[i]
		}
		s = w.mixed
		s.addMixed(w.row, &row)
	} else {
		s = w.state
		s.addCounters(c.place, c.next)
		s.subBytes()
		s.shiftMix(&w.keys.round[1])
	}
	w.keys.encryptMixed(&s)
	s.unpack(buf)
	c.next += wideBlocks
}

// addMixed adds to s, a state after MixColumns, what a change of one row before ShiftRows makes of it. Row r of
// MixColumns' input counts twice in row r of its output, three times in the row before, and once in the others.
func (s *wide) addMixed(r int, row *[8]uint64) {
	same, before := (*[8]uint64)(s[8*r:]), (*[8]uint64)(s[8*((r+3)%4):])
	other, another := (*[8]uint64)(s[8*((r+1)%4):]), (*[8]uint64)(s[8*((r+2)%4):])
	shift := r * row1
	top := bits.RotateLeft64(row[7], shift)
	below := top // what doubling moves up to the bit
	for i, d := range row {
		d = bits.RotateLeft64(d, shift)
		twice := below
		if i == 1 || i == 3 || i == 4 {
			twice ^= top
		}
		same[i] ^= twice
		before[i] ^= twice ^ d
		other[i] ^= d
		another[i] ^= d
		below = d
	}
}

// addCounters makes block i of s, which has counter n without its lowest byte, the block with counter n+i.
func (s *wide) addCounters(p place, n uint64) {
	row, column := p.coordinates(0)
	carry := addIndex((*[8]uint64)(s[8*row:]), column, n)
	for b := 8; carry != 0 && b < 8*p.bytes; b++ {
		row, column := p.coordinates(b / 8)
		s[8*row+b%8] ^= carry << (16 * column)
		carry &= -(n >> b & 1)
	}
}

// addIndex makes a byte of every block the lowest byte of n+i, where i is the number of the block: the one in
// column of row, which has been 0, or something that is to be added to it. It returns a bit for every block
// in which that carries.
func addIndex(row *[8]uint64, column int, n uint64) (carry uint64) {
	index := [4]uint64{0xaaaa, 0xcccc, 0xf0f0, 0xff00} // bit b of i at position i
	shift := 16 * column & 63
	for b, i := range index {
		l := -(n & 1) & 0xffff
		row[b] ^= (l ^ i ^ carry) << shift
		carry = l&i | (l|i)&carry
		n >>= 1
	}
	for b := 4; b < 8; b++ {
		l := -(n & 1) & 0xffff
		row[b] ^= (l ^ carry) << shift
		carry &= l
		n >>= 1
	}
	return carry
}

// countBlocks counts the blocks of data, the last one padded.
func countBlocks(data []byte) int {
	return len(data)/keys.BlockSize + (len(data)%keys.BlockSize+keys.BlockSize-1)/keys.BlockSize
}
