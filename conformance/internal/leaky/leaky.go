// Package leaky has functions that leak what they work on, each in a way in which cryptography has leaked. A check
// that does not find them checks nothing.
package leaky

import (
	"bytes"
	"math/bits"
)

// EqualUntil compares as bytes.Equal may: it stops at the first difference.
//
//go:noinline
func EqualUntil(a, b []byte) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// MultiplyBits multiplies in GF(2^64) bit by bit, and leaves out what is zero.
//
//go:noinline
func MultiplyBits(a, b uint64) (p uint64) {
	for ; b != 0; b >>= 1 {
		if b&1 != 0 {
			p ^= a
		}
		reduce := a>>63 != 0
		a <<= 1
		if reduce {
			a ^= 0x1b
		}
	}
	return p
}

// table is larger than the second-level cache of most cores.
var table [1 << 22]byte

// Substitute chains look-ups in a large table, at indices that depend on the input.
//
//go:noinline
func Substitute(in []byte) (sum byte) {
	state := uint32(1)
	for _, b := range in {
		state = bits.RotateLeft32(state^uint32(b), 11) * 0x9e3779b1
		sum ^= table[state%uint32(len(table))]
		state ^= uint32(sum)
	}
	return sum
}

// Choose returns one of two words. No operand of its condition is a word, but one was made of a word.
//
//go:noinline
func Choose(words *[2]uint32, secret byte) uint32 {
	if i := int(secret); i > 127 {
		return words[0]
	}
	return words[1]
}

// Modulus reduces by division, which takes longer for larger quotients.
//
//go:noinline
func Modulus(a, m uint64) uint64 {
	return a % m
}

// The source of what follows shows nothing.

// Convert converts, for which the compiler makes a branch on some CPUs: those that convert signed integers only.
//
//go:noinline
func Convert(word uint64) float64 {
	return float64(word)
}

// Reverse reverses the bits of a byte, which the standard library does by table.
//
//go:noinline
func Reverse(b byte) byte {
	return bits.Reverse8(b)
}

// Same compares, for which the standard library promises no time.
//
//go:noinline
func Same(a, b []byte) bool {
	return bytes.Equal(a, b)
}
