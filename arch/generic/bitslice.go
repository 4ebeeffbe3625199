package generic

import (
	"encoding/binary"

	"lamina/arch/keys"
)

// This file is what the two bit-sliced kernels share. A kernel holds the bits of its blocks in words, bit i
// of all bytes in the words with index i modulo 8, and calculates on all of them at once. It has no load and
// no branch that depends on a key or a text. There are two kernels: one for 16 blocks (wide.go), and one for
// four (narrow.go), which costs more per block and less per call.

// affine is the constant of the S-box in each byte of a word.
const affine = 0x6363636363636363

// narrowLimit is the greatest number of blocks that the narrow kernel does faster than the wide one, keys
// included. When the wide kernel has its keys already, that number is narrowBlocks.
const narrowLimit = 8

// loadColumns returns the columns i and i+2 of a block, the first in the low half.
func loadColumns(b *[keys.BlockSize]byte, i int) uint64 {
	i *= 4
	return uint64(binary.LittleEndian.Uint32(b[i:])) | uint64(binary.LittleEndian.Uint32(b[8+i:]))<<32
}

// swapMove exchanges the bits of a that mask<<n selects with those of b that mask selects.
func swapMove(a, b uint64, n int, mask uint64) (uint64, uint64) {
	t := (a>>n ^ b) & mask
	return a ^ t<<n, b ^ t
}

// transpose8 exchanges, for each byte of the words, the index of the word and the index of the bit.
func transpose8(w *[8]uint64) {
	const (
		m1 = 0x5555555555555555
		m2 = 0x3333333333333333
		m4 = 0x0f0f0f0f0f0f0f0f
	)
	w0, w1, w2, w3, w4, w5, w6, w7 := w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]
	w0, w1 = swapMove(w0, w1, 1, m1)
	w2, w3 = swapMove(w2, w3, 1, m1)
	w4, w5 = swapMove(w4, w5, 1, m1)
	w6, w7 = swapMove(w6, w7, 1, m1)
	w0, w2 = swapMove(w0, w2, 2, m2)
	w1, w3 = swapMove(w1, w3, 2, m2)
	w4, w6 = swapMove(w4, w6, 2, m2)
	w5, w7 = swapMove(w5, w7, 2, m2)
	w[0], w[4] = swapMove(w0, w4, 4, m4)
	w[1], w[5] = swapMove(w1, w5, 4, m4)
	w[2], w[6] = swapMove(w2, w6, 4, m4)
	w[3], w[7] = swapMove(w3, w7, 4, m4)
}

// quadruple multiplies the bytes whose bits are in w by x^2 in the field of AES: bits 6 and 7 move to x^8 and
// x^9, which are x^4 + x^3 + x + 1 and x times that.
func quadruple(w *[8]uint64) {
	w6, w7 := w[6], w[7]
	w67 := w6 ^ w7
	w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7] = w6, w67, w[0]^w7, w[1]^w6, w[2]^w67, w[3]^w7, w[4], w[5]
}
