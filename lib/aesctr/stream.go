package aesctr

import (
	"crypto/cipher"
	"encoding/binary"
	"math/bits"
	"strconv"

	"lamina/arch"
	"lamina/lib/aes"
	"lamina/lib/internal/alias"
)

// Stream is the key stream of one message in counter mode. It implements cipher.Stream.
//
// XORKeyStream serves one goroutine, since it moves on through the stream. XORKeyStreamAt does not look at
// how far that came, and any number of goroutines may call it at once, and beside XORKeyStream.
type Stream struct {
	key    *aes.EncKey
	hi, lo uint64 // the first counter block, as a 128-bit integer
	next   uint64 // the offset at which XORKeyStream goes on
}

var _ cipher.Stream = (*Stream)(nil)

// NewCTR returns the key stream that begins with the counter block iv, which must have 16 bytes, or NewCTR
// panics. k stays in use; iv is not retained.
func NewCTR(k *aes.EncKey, iv []byte) *Stream {
	// This much and no more, so that it inlines: then the compiler sees where the stream goes, and one that
	// stays in the caller's frame is not allocated, nor is its key.
	s := newStream(iv)
	s.key = k
	return &s
}

//go:noinline
func newStream(iv []byte) Stream {
	if len(iv) != BlockSize {
		panic("aesctr: NewCTR: IV of " + strconv.Itoa(len(iv)) + " bytes; it must have 16")
	}
	return Stream{hi: binary.BigEndian.Uint64(iv[:8]), lo: binary.BigEndian.Uint64(iv[8:])}
}

// XORKeyStream adds the next len(src) bytes of the key stream to src and writes them to dst, of which it
// leaves the rest alone if it is longer. The pieces of a text may have any length; those that do not begin at
// a multiple of 16 bytes cost one more block.
//
// dst[:len(src)] and src must be the same memory or not overlap. XORKeyStream panics otherwise, and if dst is
// shorter than src.
func (s *Stream) XORKeyStream(dst, src []byte) {
	s.xor("XORKeyStream", dst, src, s.next)
	s.next += uint64(len(src))
}

// XORKeyStreamAt adds the len(src) bytes of the key stream from offset on to src and writes them to dst;
// otherwise it is XORKeyStream. It changes nothing in s: where XORKeyStream goes on stays the same.
func (s *Stream) XORKeyStreamAt(dst, src []byte, offset uint64) {
	s.xor("XORKeyStreamAt", dst, src, offset)
}

func (s *Stream) xor(name string, dst, src []byte, offset uint64) {
	if s.key == nil {
		panic(unset(name))
	}
	im, enc := s.key.Schedule()
	if len(dst) < len(src) {
		panic(wrongSize(name, "dst must not be shorter", dst, src))
	}
	dst = dst[:len(src)]
	if alias.Inexact(dst, src) {
		panic(overlap(name))
	}
	var ctr [16]byte
	lo, carry := bits.Add64(s.lo, offset/BlockSize, 0)
	binary.BigEndian.PutUint64(ctr[:8], s.hi+carry)
	binary.BigEndian.PutUint64(ctr[8:], lo)
	if before := offset % BlockSize; before != 0 && len(src) > 0 {
		var block [BlockSize]byte
		n := copy(block[before:], src)
		arch.CTR(im, enc, &ctr, block[:], block[:])
		copy(dst[:n], block[before:])
		clear(block[:]) // what is not text in it is key stream
		dst, src = dst[n:], src[n:]
	}
	arch.CTR(im, enc, &ctr, dst, src)
}

//go:noinline
func unset(name string) string {
	return "aesctr: " + name + ": the stream was not made by NewCTR with a key"
}
