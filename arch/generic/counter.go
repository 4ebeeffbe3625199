package generic

import (
	"crypto/subtle"
	"encoding/binary"

	"lamina/arch/keys"
)

// counters is a position in GCM's counter mode.
type counters struct {
	enc   *keys.Enc
	block [keys.BlockSize]byte // all but the last four bytes matter
	next  uint32               // the next counter
}

// startCounters starts at a counter block.
func startCounters(k *keys.Enc, first *[keys.BlockSize]byte) counters {
	return counters{enc: k, block: *first, next: binary.BigEndian.Uint32(first[12:])}
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
	binary.BigEndian.PutUint32(c.block[12:], c.next&^0xff)
	s.spread(packColumns(&c.block))
	s.addCounters(c.next)
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
			binary.BigEndian.PutUint32(c.block[12:], c.next)
			copy(buf[keys.BlockSize*i:], c.block[:])
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
// The blocks differ in the last byte alone until the counter's upper 24 bits change. That byte is in row 3,
// so for 256 counters rows 0 to 2 are the same until the first MixColumns, and are substituted once.
type wideCounters struct {
	keys        wideKeys
	high        uint32     // upper 24 bits of the counters that the rest is for
	state       wide       // counter blocks whose last byte is 0, after the first key was added
	substituted [24]uint64 // rows 0 to 2 of state after the first SubBytes
}

func (w *wideCounters) init(c *counters) {
	w.keys.expandEnc(c.enc)
	w.prepare(c)
}

// prepare fills what depends on the upper 24 bits of the counter.
func (w *wideCounters) prepare(c *counters) {
	w.high = c.next >> 8
	binary.BigEndian.PutUint32(c.block[12:], w.high<<8)
	w.state.spread(packColumns(&c.block))
	w.state.addKey(&w.keys.round[0])
	copy(w.substituted[:], w.state[:])
	sbox((*[8]uint64)(w.substituted[0:]))
	sbox((*[8]uint64)(w.substituted[8:]))
	sbox((*[8]uint64)(w.substituted[16:]))
}

// stream writes 16 blocks of key stream to buf and advances c.
func (w *wideCounters) stream(c *counters, buf *[wideSize]byte) {
	if w.high != c.next>>8 {
		w.prepare(c)
	}
	s := w.state
	if s.addCounters(c.next) {
		s.subBytes()
	} else {
		copy(s[:], w.substituted[:])
		sbox((*[8]uint64)(s[24:]))
	}
	w.keys.encryptSubstituted(&s)
	s.unpack(buf)
	c.next += wideBlocks
}

// addCounters makes block i of s, which has counter n without its last byte, the block with counter n+i. It
// reports whether that changed any byte but the last of any block.
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

// countBlocks counts the blocks of data, the last one padded.
func countBlocks(data []byte) int {
	return len(data)/keys.BlockSize + (len(data)%keys.BlockSize+keys.BlockSize-1)/keys.BlockSize
}
