package generic

import (
	"encoding/binary"
	"math/bits"

	"lamina/arch/keys"
)

// sliceBlocks is how many blocks the wide kernel takes at once.
const sliceBlocks = 16

// slice is the state of 16 blocks: word 8*row + bit holds that bit of that row, at position 16*column + block.
//
// So the S-box works on eight words of a row, ShiftRows is a rotation of the words of a row by 16 positions a column, and
// MixColumns moves no bits at all.
type slice [32]uint64

// A round key in this form repeats each of its bits for all 16 blocks.
type sliceKeys struct {
	round [keys.MaxRounds + 1]slice
	last  int
}

const (
	affine     = 0x6363636363636363 // the S-box's constant in each byte
	everyOther = 0x0000ffff0000ffff // lanes 0 and 2 of 16 bits
	everyLane  = 0x0001000100010001
)

// packColumns turns the columns of a block into two words: 16-bit lane c of the first is rows 0 and 1 of column c, and of
// the second rows 2 and 3.
func packColumns(b *[keys.BlockSize]byte) (rows01, rows23 uint64) {
	c02 := uint64(binary.LittleEndian.Uint32(b[0:])) | uint64(binary.LittleEndian.Uint32(b[8:]))<<32
	c13 := uint64(binary.LittleEndian.Uint32(b[4:])) | uint64(binary.LittleEndian.Uint32(b[12:]))<<32
	swap := (c02>>16 ^ c13) & everyOther
	return c02 ^ swap<<16, c13 ^ swap
}

// spread fills s with a state all of whose 16 blocks are the packed block.
func (s *slice) spread(rows01, rows23 uint64) {
	for i := range 16 {
		e, f := rows01&everyLane, rows23&everyLane
		s[i] = e<<16 - e
		s[16+i] = f<<16 - f
		rows01 >>= 1
		rows23 >>= 1
	}
}

// expand fills k from an encryption schedule. Every key that is added after an S-box contains the S-box's constant too,
// which MixColumns leaves as it is.
func (k *sliceKeys) expand(enc *keys.Enc) {
	k.last = min(int(enc.Rounds), keys.MaxRounds)
	constant := uint64(0)
	for r := range k.last + 1 {
		rows01, rows23 := packColumns((*[keys.BlockSize]byte)(enc.RoundKeys[keys.BlockSize*r:]))
		k.round[r].spread(rows01^constant, rows23^constant)
		constant = affine
	}
}

// encrypt encrypts 16 blocks.
func (k *sliceKeys) encrypt(s *slice) {
	s.addKey(&k.round[0])
	s.subBytesShiftRows()
	k.encryptSubstituted(s)
}

// encryptSubstituted is what encrypt does after the first ShiftRows.
func (k *sliceKeys) encryptSubstituted(s *slice) {
	for r := 1; r < k.last; r++ {
		s.mixColumns(&k.round[r])
		s.subBytesShiftRows()
	}
	s.addKey(&k.round[k.last])
}

func (s *slice) addKey(k *slice) {
	for i := range s {
		s[i] ^= k[i]
	}
}

// subBytesShiftRows substitutes every byte and rotates row r left by r columns.
func (s *slice) subBytesShiftRows() {
	s.subRow0()
	s.subRow1()
	s.subRow2()
	s.subRow3()
}

func (s *slice) subRow0() {
	s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7] = sbox(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7])
}

func (s *slice) subRow1() {
	x0, x1, x2, x3, x4, x5, x6, x7 := sbox(s[8], s[9], s[10], s[11], s[12], s[13], s[14], s[15])
	s[8] = bits.RotateLeft64(x0, -16)
	s[9] = bits.RotateLeft64(x1, -16)
	s[10] = bits.RotateLeft64(x2, -16)
	s[11] = bits.RotateLeft64(x3, -16)
	s[12] = bits.RotateLeft64(x4, -16)
	s[13] = bits.RotateLeft64(x5, -16)
	s[14] = bits.RotateLeft64(x6, -16)
	s[15] = bits.RotateLeft64(x7, -16)
}

func (s *slice) subRow2() {
	x0, x1, x2, x3, x4, x5, x6, x7 := sbox(s[16], s[17], s[18], s[19], s[20], s[21], s[22], s[23])
	s[16] = bits.RotateLeft64(x0, 32)
	s[17] = bits.RotateLeft64(x1, 32)
	s[18] = bits.RotateLeft64(x2, 32)
	s[19] = bits.RotateLeft64(x3, 32)
	s[20] = bits.RotateLeft64(x4, 32)
	s[21] = bits.RotateLeft64(x5, 32)
	s[22] = bits.RotateLeft64(x6, 32)
	s[23] = bits.RotateLeft64(x7, 32)
}

func (s *slice) subRow3() {
	x0, x1, x2, x3, x4, x5, x6, x7 := sbox(s[24], s[25], s[26], s[27], s[28], s[29], s[30], s[31])
	s[24] = bits.RotateLeft64(x0, 16)
	s[25] = bits.RotateLeft64(x1, 16)
	s[26] = bits.RotateLeft64(x2, 16)
	s[27] = bits.RotateLeft64(x3, 16)
	s[28] = bits.RotateLeft64(x4, 16)
	s[29] = bits.RotateLeft64(x5, 16)
	s[30] = bits.RotateLeft64(x6, 16)
	s[31] = bits.RotateLeft64(x7, 16)
}

// mixColumns is MixColumns and the addition of a round key. With t_r = a_r + a_(r+1), row r becomes
//
//	2*t_r + a_(r+1) + t_(r+2)
//
// and doubling moves bit i-1 to i, and bit 7 to 0, 1, 3 and 4. Rows count modulo 4.
func (s *slice) mixColumns(k *slice) {
	// Bit 7 of t, which doubling reduces, and the bit below the current one, which it moves up.
	top0 := s[7] ^ s[15]
	top1 := s[15] ^ s[23]
	top2 := s[23] ^ s[31]
	top3 := s[31] ^ s[7]
	below0, below1, below2, below3 := top0, top1, top2, top3
	var a0, a1, a2, a3, t0, t1, t2, t3 uint64

	// Bit 0.
	a0, a1, a2, a3 = s[0], s[8], s[16], s[24]
	t0 = a0 ^ a1
	t1 = a1 ^ a2
	t2 = a2 ^ a3
	t3 = a3 ^ a0
	below0 ^= a1
	below0 ^= t2
	s[0] = below0 ^ k[0]
	below1 ^= a2
	below1 ^= t3
	s[8] = below1 ^ k[8]
	below2 ^= a3
	below2 ^= t0
	s[16] = below2 ^ k[16]
	below3 ^= a0
	below3 ^= t1
	s[24] = below3 ^ k[24]
	below0, below1, below2, below3 = t0, t1, t2, t3

	// Bit 1.
	a0, a1, a2, a3 = s[1], s[9], s[17], s[25]
	t0 = a0 ^ a1
	t1 = a1 ^ a2
	t2 = a2 ^ a3
	t3 = a3 ^ a0
	below0 ^= a1
	below0 ^= t2
	below0 ^= top0
	s[1] = below0 ^ k[1]
	below1 ^= a2
	below1 ^= t3
	below1 ^= top1
	s[9] = below1 ^ k[9]
	below2 ^= a3
	below2 ^= t0
	below2 ^= top2
	s[17] = below2 ^ k[17]
	below3 ^= a0
	below3 ^= t1
	below3 ^= top3
	s[25] = below3 ^ k[25]
	below0, below1, below2, below3 = t0, t1, t2, t3

	// Bit 2.
	a0, a1, a2, a3 = s[2], s[10], s[18], s[26]
	t0 = a0 ^ a1
	t1 = a1 ^ a2
	t2 = a2 ^ a3
	t3 = a3 ^ a0
	below0 ^= a1
	below0 ^= t2
	s[2] = below0 ^ k[2]
	below1 ^= a2
	below1 ^= t3
	s[10] = below1 ^ k[10]
	below2 ^= a3
	below2 ^= t0
	s[18] = below2 ^ k[18]
	below3 ^= a0
	below3 ^= t1
	s[26] = below3 ^ k[26]
	below0, below1, below2, below3 = t0, t1, t2, t3

	// Bit 3.
	a0, a1, a2, a3 = s[3], s[11], s[19], s[27]
	t0 = a0 ^ a1
	t1 = a1 ^ a2
	t2 = a2 ^ a3
	t3 = a3 ^ a0
	below0 ^= a1
	below0 ^= t2
	below0 ^= top0
	s[3] = below0 ^ k[3]
	below1 ^= a2
	below1 ^= t3
	below1 ^= top1
	s[11] = below1 ^ k[11]
	below2 ^= a3
	below2 ^= t0
	below2 ^= top2
	s[19] = below2 ^ k[19]
	below3 ^= a0
	below3 ^= t1
	below3 ^= top3
	s[27] = below3 ^ k[27]
	below0, below1, below2, below3 = t0, t1, t2, t3

	// Bit 4.
	a0, a1, a2, a3 = s[4], s[12], s[20], s[28]
	t0 = a0 ^ a1
	t1 = a1 ^ a2
	t2 = a2 ^ a3
	t3 = a3 ^ a0
	below0 ^= a1
	below0 ^= t2
	below0 ^= top0
	s[4] = below0 ^ k[4]
	below1 ^= a2
	below1 ^= t3
	below1 ^= top1
	s[12] = below1 ^ k[12]
	below2 ^= a3
	below2 ^= t0
	below2 ^= top2
	s[20] = below2 ^ k[20]
	below3 ^= a0
	below3 ^= t1
	below3 ^= top3
	s[28] = below3 ^ k[28]
	below0, below1, below2, below3 = t0, t1, t2, t3

	// Bit 5.
	a0, a1, a2, a3 = s[5], s[13], s[21], s[29]
	t0 = a0 ^ a1
	t1 = a1 ^ a2
	t2 = a2 ^ a3
	t3 = a3 ^ a0
	below0 ^= a1
	below0 ^= t2
	s[5] = below0 ^ k[5]
	below1 ^= a2
	below1 ^= t3
	s[13] = below1 ^ k[13]
	below2 ^= a3
	below2 ^= t0
	s[21] = below2 ^ k[21]
	below3 ^= a0
	below3 ^= t1
	s[29] = below3 ^ k[29]
	below0, below1, below2, below3 = t0, t1, t2, t3

	// Bit 6.
	a0, a1, a2, a3 = s[6], s[14], s[22], s[30]
	t0 = a0 ^ a1
	t1 = a1 ^ a2
	t2 = a2 ^ a3
	t3 = a3 ^ a0
	below0 ^= a1
	below0 ^= t2
	s[6] = below0 ^ k[6]
	below1 ^= a2
	below1 ^= t3
	s[14] = below1 ^ k[14]
	below2 ^= a3
	below2 ^= t0
	s[22] = below2 ^ k[22]
	below3 ^= a0
	below3 ^= t1
	s[30] = below3 ^ k[30]
	below0, below1, below2, below3 = t0, t1, t2, t3

	// Bit 7.
	a0, a1, a2, a3 = s[7], s[15], s[23], s[31]
	below0 ^= a1
	below0 ^= top2
	s[7] = below0 ^ k[7]
	below1 ^= a2
	below1 ^= top3
	s[15] = below1 ^ k[15]
	below2 ^= a3
	below2 ^= top0
	s[23] = below2 ^ k[23]
	below3 ^= a0
	below3 ^= top1
	s[31] = below3 ^ k[31]
}

// pack fills s with 16 blocks.
func (s *slice) pack(b *[sliceBlocks * keys.BlockSize]byte) {
	for j := range 8 {
		a01, a23 := packColumns((*[keys.BlockSize]byte)(b[keys.BlockSize*j:]))
		b01, b23 := packColumns((*[keys.BlockSize]byte)(b[keys.BlockSize*(j+8):]))
		s[j], s[8+j] = swapMove(a01, b01, 8, 0x00ff00ff00ff00ff)
		s[16+j], s[24+j] = swapMove(a23, b23, 8, 0x00ff00ff00ff00ff)
	}
	transpose8((*[8]uint64)(s[0:]))
	transpose8((*[8]uint64)(s[8:]))
	transpose8((*[8]uint64)(s[16:]))
	transpose8((*[8]uint64)(s[24:]))
}

// unpackXOR is the inverse of pack and adds src to the blocks. It destroys s.
func (s *slice) unpackXOR(dst, src *[sliceBlocks * keys.BlockSize]byte) {
	transpose8((*[8]uint64)(s[0:]))
	transpose8((*[8]uint64)(s[8:]))
	transpose8((*[8]uint64)(s[16:]))
	transpose8((*[8]uint64)(s[24:]))
	for j := range 8 {
		a01, b01 := swapMove(s[j], s[8+j], 8, 0x00ff00ff00ff00ff)
		a23, b23 := swapMove(s[16+j], s[24+j], 8, 0x00ff00ff00ff00ff)
		unpackColumns((*[keys.BlockSize]byte)(dst[keys.BlockSize*j:]), (*[keys.BlockSize]byte)(src[keys.BlockSize*j:]), a01, a23)
		unpackColumns((*[keys.BlockSize]byte)(dst[keys.BlockSize*(j+8):]), (*[keys.BlockSize]byte)(src[keys.BlockSize*(j+8):]), b01, b23)
	}
}

// unpackColumns is the inverse of packColumns.
func unpackColumns(dst, src *[keys.BlockSize]byte, rows01, rows23 uint64) {
	c02, c13 := swapMove(rows01, rows23, 16, everyOther)
	binary.LittleEndian.PutUint64(dst[0:], binary.LittleEndian.Uint64(src[0:])^(c02&0xffffffff|c13<<32))
	binary.LittleEndian.PutUint64(dst[8:], binary.LittleEndian.Uint64(src[8:])^(c02>>32|c13&^0xffffffff))
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
