package generic

import (
	"encoding/binary"
	"math/bits"

	"lamina/arch/keys"
)

// This file is the bit-sliced kernel for 16 blocks.

// wideBlocks is how many blocks the wide kernel takes at once.
const wideBlocks = 16

// wide is the state of 16 blocks: word 8*row + bit holds that bit of that row, at position 16*column + block.
//
// So ShiftRows is a rotation of words, by 16 positions a column, and MixColumns moves no bits at all.
type wide [32]uint64

// wideKeys is a key schedule in which each bit is repeated for all 16 blocks.
type wideKeys struct {
	round [keys.MaxRounds + 1]wide
	last  int // the number of rounds

	inverse bool // whether the keys are for decryption
}

// ShiftRows rotates the words of a row left by this, and InvShiftRows by the negative.
const row1, row2, row3 = -16, -32, -48

// spread fills s with a state all of whose 16 blocks are the packed block.
func (s *wide) spread(rows01, rows23 uint64) {
	const lanes = 0x0001000100010001
	for i := range 16 {
		e, f := rows01&lanes, rows23&lanes
		s[i] = e<<16 - e
		s[16+i] = f<<16 - f
		rows01 >>= 1
		rows23 >>= 1
	}
}

// expandEnc fills k for encryption. The constant of the S-box is in every key that is added after an S-box, whether before or
// after MixColumns, which leaves it as it is.
func (k *wideKeys) expandEnc(enc *keys.Enc) {
	k.last = min(int(enc.Rounds), keys.MaxRounds)
	k.inverse = false
	k.expand(0, &enc.RoundKeys, 0)
	for r := 1; r <= k.last; r++ {
		k.expand(r, &enc.RoundKeys, affine)
	}
}

// expandDec fills k for decryption. The constant of the inverse S-box is in every key that is added before one.
func (k *wideKeys) expandDec(dec *keys.Dec) {
	k.last = min(int(dec.Rounds), keys.MaxRounds)
	k.inverse = true
	for r := range k.last {
		k.expand(r, &dec.RoundKeys, affine)
	}
	k.expand(k.last, &dec.RoundKeys, 0)
}

func (k *wideKeys) expand(r int, schedule *[keys.ScheduleSize]byte, constant uint64) {
	rows01, rows23 := packColumns((*[keys.BlockSize]byte)(schedule[keys.BlockSize*r:]))
	k.round[r].spread(rows01^constant, rows23^constant)
}

// encrypt encrypts 16 blocks.
func (k *wideKeys) encrypt(s *wide) {
	s.addKey(&k.round[0])
	s.subBytes()
	k.encryptSubstituted(s)
}

// encryptSubstituted is what encrypt does after the first SubBytes.
func (k *wideKeys) encryptSubstituted(s *wide) {
	for r := 1; r < k.last; r++ {
		s.shiftMix(&k.round[r])
		s.subBytes()
	}
	s.shiftAdd(&k.round[k.last])
}

// decrypt decrypts 16 blocks with the schedule of the equivalent inverse cipher.
func (k *wideKeys) decrypt(s *wide) {
	s.addKey(&k.round[0])
	for r := 1; r < k.last; r++ {
		s.invSubBytes()
		s.invShiftMix(&k.round[r])
	}
	s.invSubBytes()
	s.invShiftAdd(&k.round[k.last])
}

func (s *wide) addKey(k *wide) {
	for i := range s {
		s[i] ^= k[i]
	}
}

// invSubBytes is the inverse of subBytes.
func (s *wide) invSubBytes() {
	invSbox((*[8]uint64)(s[0:]))
	invSbox((*[8]uint64)(s[8:]))
	invSbox((*[8]uint64)(s[16:]))
	invSbox((*[8]uint64)(s[24:]))
}

// shiftAdd is ShiftRows and the addition of a round key.
func (s *wide) shiftAdd(k *wide) {
	for i := range 8 {
		s[i] ^= k[i]
		s[8+i] = bits.RotateLeft64(s[8+i], row1) ^ k[8+i]
		s[16+i] = bits.RotateLeft64(s[16+i], row2) ^ k[16+i]
		s[24+i] = bits.RotateLeft64(s[24+i], row3) ^ k[24+i]
	}
}

// subBytes substitutes every byte, and adds the constant to it.
func (s *wide) subBytes() {
	sbox((*[8]uint64)(s[0:]))
	sbox((*[8]uint64)(s[8:]))
	sbox((*[8]uint64)(s[16:]))
	sbox((*[8]uint64)(s[24:]))
}

// shiftMix is ShiftRows, MixColumns and the addition of a round key. With t_r = a_r + a_(r+1), row r becomes
//
//	2*t_r + a_(r+1) + t_(r+2)
//
// and doubling moves bit i-1 to i, and bit 7 to 0, 1, 3 and 4. Rows count modulo 4.
func (s *wide) shiftMix(k *wide) {
	a0 := s[7]
	a1 := bits.RotateLeft64(s[15], row1)
	a2 := bits.RotateLeft64(s[23], row2)
	a3 := bits.RotateLeft64(s[31], row3)
	// Bit 7 of t, which doubling reduces, and the bit below the current one, which it moves up.
	top0 := a0 ^ a1
	top1 := a1 ^ a2
	top2 := a2 ^ a3
	top3 := a3 ^ a0
	below0, below1, below2, below3 := top0, top1, top2, top3
	var t0, t1, t2, t3 uint64

	// Bit 0.
	a0 = s[0]
	a1 = bits.RotateLeft64(s[8], row1)
	a2 = bits.RotateLeft64(s[16], row2)
	a3 = bits.RotateLeft64(s[24], row3)
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
	a0 = s[1]
	a1 = bits.RotateLeft64(s[9], row1)
	a2 = bits.RotateLeft64(s[17], row2)
	a3 = bits.RotateLeft64(s[25], row3)
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
	a0 = s[2]
	a1 = bits.RotateLeft64(s[10], row1)
	a2 = bits.RotateLeft64(s[18], row2)
	a3 = bits.RotateLeft64(s[26], row3)
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
	a0 = s[3]
	a1 = bits.RotateLeft64(s[11], row1)
	a2 = bits.RotateLeft64(s[19], row2)
	a3 = bits.RotateLeft64(s[27], row3)
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
	a0 = s[4]
	a1 = bits.RotateLeft64(s[12], row1)
	a2 = bits.RotateLeft64(s[20], row2)
	a3 = bits.RotateLeft64(s[28], row3)
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
	a0 = s[5]
	a1 = bits.RotateLeft64(s[13], row1)
	a2 = bits.RotateLeft64(s[21], row2)
	a3 = bits.RotateLeft64(s[29], row3)
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
	a0 = s[6]
	a1 = bits.RotateLeft64(s[14], row1)
	a2 = bits.RotateLeft64(s[22], row2)
	a3 = bits.RotateLeft64(s[30], row3)
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
	a0 = s[7]
	a1 = bits.RotateLeft64(s[15], row1)
	a2 = bits.RotateLeft64(s[23], row2)
	a3 = bits.RotateLeft64(s[31], row3)
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

// invShiftAdd is InvShiftRows and the addition of a round key.
func (s *wide) invShiftAdd(k *wide) {
	for i := range 8 {
		s[i] ^= k[i]
		s[8+i] = bits.RotateLeft64(s[8+i], -row1) ^ k[8+i]
		s[16+i] = bits.RotateLeft64(s[16+i], -row2) ^ k[16+i]
		s[24+i] = bits.RotateLeft64(s[24+i], -row3) ^ k[24+i]
	}
}

// invShiftMix is InvShiftRows, InvMixColumns and the addition of a round key. The matrix of InvMixColumns is that of MixColumns
// times the one that adds 4*(a_r + a_(r+2)) to row r.
func (s *wide) invShiftMix(k *wide) {
	var even, odd [8]uint64 // a_r + a_(r+2) for even and odd r, after InvShiftRows
	for i := range 8 {
		even[i] = s[i] ^ bits.RotateLeft64(s[16+i], -row2)
		odd[i] = bits.RotateLeft64(s[8+i], -row1) ^ bits.RotateLeft64(s[24+i], -row3)
	}
	quadruple(&even)
	quadruple(&odd)
	// The rotations are those of InvShiftRows, and those that shiftMix will undo.
	for i := range 8 {
		s[i] ^= even[i]
		s[8+i] = bits.RotateLeft64(s[8+i], -2*row1) ^ bits.RotateLeft64(odd[i], -row1)
		s[16+i] ^= bits.RotateLeft64(even[i], -row2)
		s[24+i] = bits.RotateLeft64(s[24+i], -2*row3) ^ bits.RotateLeft64(odd[i], -row3)
	}
	s.shiftMix(k)
}

// pack fills s with 16 blocks.
func (s *wide) pack(b *[wideBlocks * keys.BlockSize]byte) {
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

// unpack is the inverse of pack. It destroys s.
func (s *wide) unpack(b *[wideBlocks * keys.BlockSize]byte) {
	transpose8((*[8]uint64)(s[0:]))
	transpose8((*[8]uint64)(s[8:]))
	transpose8((*[8]uint64)(s[16:]))
	transpose8((*[8]uint64)(s[24:]))
	for j := range 8 {
		a01, b01 := swapMove(s[j], s[8+j], 8, 0x00ff00ff00ff00ff)
		a23, b23 := swapMove(s[16+j], s[24+j], 8, 0x00ff00ff00ff00ff)
		unpackColumns((*[keys.BlockSize]byte)(b[keys.BlockSize*j:]), a01, a23)
		unpackColumns((*[keys.BlockSize]byte)(b[keys.BlockSize*(j+8):]), b01, b23)
	}
}

// packColumns turns the columns of a block into two words: 16-bit lane c of the first is rows 0 and 1 of column c, and of
// the second rows 2 and 3.
func packColumns(b *[keys.BlockSize]byte) (rows01, rows23 uint64) {
	return swapMove(loadColumns(b, 0), loadColumns(b, 1), 16, 0x0000ffff0000ffff)
}

// unpackColumns is the inverse of packColumns.
func unpackColumns(b *[keys.BlockSize]byte, rows01, rows23 uint64) {
	c02, c13 := swapMove(rows01, rows23, 16, 0x0000ffff0000ffff)
	binary.LittleEndian.PutUint64(b[0:], c02&0xffffffff|c13<<32)
	binary.LittleEndian.PutUint64(b[8:], c02>>32|c13&^0xffffffff)
}
