// Package fuzzing turns what a fuzzer gives into inputs that reach the code. The fuzz targets of lib share it.
//
// Fuzzers change a few bytes at a time and seldom make an input longer. So that every length is one change
// away, targets take the length of a text as a number of its own and fill it up with [Bytes].
package fuzzing

import (
	"bytes"
	"crypto/sha256"
	"iter"
	"math/rand/v2"
	"testing"
)

// MaxText is more than any length or count at which the code goes another way: twice the longest step of a
// loop, 1024 bytes, and some. Longer texts only make targets slower.
const MaxText = 4200

// Boundaries are lengths around those at which the code goes another way: blocks, vectors, batches of
// vectors, and the longest step of a loop. They are seeds.
var Boundaries = []uint16{
	0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 191, 255, 256, 257, 383, 384, 385, 511, 512, 513,
	767, 1023, 1024, 1025, 2047, 2049, 4095, 4111,
}

// Len brings a length that the fuzzer chose below MaxText, and leaves those that are as they are.
func Len(n uint16) int { return int(n) % MaxText }

// Bytes returns n bytes that begin with data. Those that data has not look random, depend on all of it, and
// are the same every time.
func Bytes(data []byte, n int) []byte {
	out := make([]byte, n)
	if got := copy(out, data); got < n {
		rand.NewChaCha8(sha256.Sum256(data)).Read(out[got:])
	}
	return out
}

// Block is Bytes for a block.
func Block(data []byte) [16]byte { return [16]byte(Bytes(data, 16)) }

// Pick returns an element of list.
func Pick(list []int, choice uint8) int { return list[int(choice)%len(list)] }

// Pieces cuts n bytes: each byte of cuts is the length of a piece, and what is left is the last. It gives
// where each piece begins and ends.
func Pieces(n int, cuts []byte) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		from := 0
		for _, c := range cuts {
			to := min(from+int(c), n)
			if !yield(from, to) {
				return
			}
			from = to
		}
		yield(from, n)
	}
}

// canary is what lies around the memory of a Room, and in it at first.
const canary = 0xc5

// Room is memory for a result with canaries before and behind it.
type Room struct {
	whole []byte
	from  int
	Bytes []byte // the memory; its capacity ends with it
}

// NewRoom returns room for n bytes whose address has the given remainder modulo 64, as far as allocations of
// that size begin at a multiple of 64.
func NewRoom(n int, align uint8) Room {
	from := 64 + int(align)%64
	whole := bytes.Repeat([]byte{canary}, from+n+64)
	return Room{whole, from, whole[from : from+n : from+n]}
}

// Holding is NewRoom with a copy of data in it.
func Holding(data []byte, align uint8) Room {
	r := NewRoom(len(data), align)
	copy(r.Bytes, data)
	return r
}

// Intact reports whether all canaries are alive.
func (r Room) Intact() bool {
	end := r.from + len(r.Bytes)
	return allCanary(r.whole[:r.from]) && allCanary(r.whole[end:])
}

func allCanary(b []byte) bool { return bytes.Count(b, []byte{canary}) == len(b) }

// CheckCrypt runs f, which encrypts or decrypts src to dst, from in to other memory and in place, at addresses
// that depend on align, and wants want, all canaries alive, and in unchanged.
func CheckCrypt(t *testing.T, name string, in, want []byte, align uint8, f func(dst, src []byte)) {
	t.Helper()
	src, dst := Holding(in, align), NewRoom(len(in), align>>3)
	f(dst.Bytes, src.Bytes)
	checkResult(t, name, want, dst)
	if !bytes.Equal(src.Bytes, in) || !src.Intact() {
		t.Fatalf("%s of %d bytes changed src, or memory around it", name, len(in))
	}
	f(src.Bytes, src.Bytes)
	checkResult(t, name+" in place", want, src)
}

func checkResult(t *testing.T, name string, want []byte, got Room) {
	t.Helper()
	if !bytes.Equal(got.Bytes, want) {
		t.Fatalf("%s of %d bytes: got %x, want %x", name, len(want), got.Bytes, want)
	}
	if !got.Intact() {
		t.Fatalf("%s of %d bytes wrote outside of dst", name, len(want))
	}
}
