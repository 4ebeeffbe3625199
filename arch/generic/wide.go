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
	const lanes = 0x0001000100010001 // bit 0 of each, which a subtraction repeats in the whole lane
	for i := range 16 {
		e, f := rows01&lanes, rows23&lanes
		s[i] = e<<16 - e
		s[16+i] = f<<16 - f
		rows01 >>= 1
		rows23 >>= 1
	}
}

// expandEnc fills k for encryption. The constant of the S-box is in every key that is added after an S-box,
// whether before or after MixColumns, which leaves it as it is.
func (k *wideKeys) expandEnc(enc *keys.Enc) {
	k.last = min(int(enc.Rounds), keys.MaxRounds)
	k.inverse = false
	k.round[0].setKey(&enc.RoundKeys, 0, 0)
	for r := 1; r <= k.last; r++ {
		k.round[r].setKey(&enc.RoundKeys, r, affine)
	}
}

// expandDec fills k for decryption. The constant of the inverse S-box is in every key that is added before one.
func (k *wideKeys) expandDec(dec *keys.Dec) {
	k.last = min(int(dec.Rounds), keys.MaxRounds)
	k.inverse = true
	for r := range k.last {
		k.round[r].setKey(&dec.RoundKeys, r, affine)
	}
	k.round[k.last].setKey(&dec.RoundKeys, k.last, 0)
}

// setKey makes s round key r of a schedule plus a constant in each byte.
func (s *wide) setKey(schedule *[keys.ScheduleSize]byte, r int, constant uint64) {
	rows01, rows23 := packColumns((*[keys.BlockSize]byte)(schedule[keys.BlockSize*r:]))
	s.spread(rows01^constant, rows23^constant)
}

// encrypt encrypts 16 blocks.
func (k *wideKeys) encrypt(s *wide) {
	s.addKey(&k.round[0])
	s.subBytes()
	s.shiftMix(&k.round[1])
	k.encryptMixed(s)
}

// encryptMixed is what encrypt does after the first round.
func (k *wideKeys) encryptMixed(s *wide) {
	for r := 2; r < k.last; r++ {
		s.subBytes()
		s.shiftMix(&k.round[r])
	}
	s.subBytes()
	s.shiftAdd(&k.round[k.last])
}

// encryptOnce encrypts 16 blocks without expanding the schedule, which would not pay for so few.
func encryptOnce(enc *keys.Enc, s *wide) {
	last := min(int(enc.Rounds), keys.MaxRounds)
	var k wide
	k.setKey(&enc.RoundKeys, 0, 0)
	s.addKey(&k)
	s.subBytes()
	for r := 1; r < last; r++ {
		k.setKey(&enc.RoundKeys, r, affine)
		s.shiftMix(&k)
		s.subBytes()
	}
	k.setKey(&enc.RoundKeys, last, affine)
	s.shiftAdd(&k)
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

// subBytes substitutes every byte, and adds the constant to it.
func (s *wide) subBytes() {
	sbox((*[8]uint64)(s[0:]))
	sbox((*[8]uint64)(s[8:]))
	sbox((*[8]uint64)(s[16:]))
	sbox((*[8]uint64)(s[24:]))
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

// shiftMix is ShiftRows, MixColumns and the addition of a round key. MixColumns makes row r
//
//	2*(a_r + a_(r+1)) + a_(r+1) + a_(r+2) + a_(r+3) = 2*t_r + a_r + u
//
// where t_r = a_r + a_(r+1), u = a_0 + a_1 + a_2 + a_3, and rows count modulo 4. Doubling moves bit i-1 to i,
// and bit 7 to 0, 1, 3 and 4.
//
// Statements stand in the order that leaves the compiler the fewest values to keep at once.
func (s *wide) shiftMix(k *wide) {
	// Bit 7 of t, which doubling reduces, and b_r, the bit of t_r below the current one, which it moves up.
	a0 := s[7]
	a1 := bits.RotateLeft64(s[15], row1)
	a2 := bits.RotateLeft64(s[23], row2)
	a3 := bits.RotateLeft64(s[31], row3)
	b0, b1, b2, b3 := a0^a1, a1^a2, a2^a3, a3^a0
	top := [4]uint64{b0, b1, b2, b3}
	var u uint64

	// Bit 0.
	a0 = s[0]
	a1 = bits.RotateLeft64(s[8], row1)
	a2 = bits.RotateLeft64(s[16], row2)
	a3 = bits.RotateLeft64(s[24], row3)
	b0 ^= a0
	b1 ^= a1
	b2 ^= a2
	b3 ^= a3
	u = a0
	a0 ^= a1
	a1 ^= a2
	a2 ^= a3
	a3 ^= u
	u = a0 ^ a2
	s[0] = b0 ^ u ^ k[0]
	s[8] = b1 ^ u ^ k[8]
	s[16] = b2 ^ u ^ k[16]
	s[24] = b3 ^ u ^ k[24]
	b0, b1, b2, b3 = a0, a1, a2, a3

	// Bit 1.
	a0 = s[1]
	a1 = bits.RotateLeft64(s[9], row1)
	a2 = bits.RotateLeft64(s[17], row2)
	a3 = bits.RotateLeft64(s[25], row3)
	b0 ^= a0
	b1 ^= a1
	b2 ^= a2
	b3 ^= a3
	b0 ^= top[0]
	b1 ^= top[1]
	b2 ^= top[2]
	b3 ^= top[3]
	u = a0
	a0 ^= a1
	a1 ^= a2
	a2 ^= a3
	a3 ^= u
	u = a0 ^ a2
	s[1] = b0 ^ u ^ k[1]
	s[9] = b1 ^ u ^ k[9]
	s[17] = b2 ^ u ^ k[17]
	s[25] = b3 ^ u ^ k[25]
	b0, b1, b2, b3 = a0, a1, a2, a3

	// Bit 2.
	a0 = s[2]
	a1 = bits.RotateLeft64(s[10], row1)
	a2 = bits.RotateLeft64(s[18], row2)
	a3 = bits.RotateLeft64(s[26], row3)
	b0 ^= a0
	b1 ^= a1
	b2 ^= a2
	b3 ^= a3
	u = a0
	a0 ^= a1
	a1 ^= a2
	a2 ^= a3
	a3 ^= u
	u = a0 ^ a2
	s[2] = b0 ^ u ^ k[2]
	s[10] = b1 ^ u ^ k[10]
	s[18] = b2 ^ u ^ k[18]
	s[26] = b3 ^ u ^ k[26]
	b0, b1, b2, b3 = a0, a1, a2, a3

	// Bit 3.
	a0 = s[3]
	a1 = bits.RotateLeft64(s[11], row1)
	a2 = bits.RotateLeft64(s[19], row2)
	a3 = bits.RotateLeft64(s[27], row3)
	b0 ^= a0
	b1 ^= a1
	b2 ^= a2
	b3 ^= a3
	b0 ^= top[0]
	b1 ^= top[1]
	b2 ^= top[2]
	b3 ^= top[3]
	u = a0
	a0 ^= a1
	a1 ^= a2
	a2 ^= a3
	a3 ^= u
	u = a0 ^ a2
	s[3] = b0 ^ u ^ k[3]
	s[11] = b1 ^ u ^ k[11]
	s[19] = b2 ^ u ^ k[19]
	s[27] = b3 ^ u ^ k[27]
	b0, b1, b2, b3 = a0, a1, a2, a3

	// Bit 4.
	a0 = s[4]
	a1 = bits.RotateLeft64(s[12], row1)
	a2 = bits.RotateLeft64(s[20], row2)
	a3 = bits.RotateLeft64(s[28], row3)
	b0 ^= a0
	b1 ^= a1
	b2 ^= a2
	b3 ^= a3
	b0 ^= top[0]
	b1 ^= top[1]
	b2 ^= top[2]
	b3 ^= top[3]
	u = a0
	a0 ^= a1
	a1 ^= a2
	a2 ^= a3
	a3 ^= u
	u = a0 ^ a2
	s[4] = b0 ^ u ^ k[4]
	s[12] = b1 ^ u ^ k[12]
	s[20] = b2 ^ u ^ k[20]
	s[28] = b3 ^ u ^ k[28]
	b0, b1, b2, b3 = a0, a1, a2, a3

	// Bit 5.
	a0 = s[5]
	a1 = bits.RotateLeft64(s[13], row1)
	a2 = bits.RotateLeft64(s[21], row2)
	a3 = bits.RotateLeft64(s[29], row3)
	b0 ^= a0
	b1 ^= a1
	b2 ^= a2
	b3 ^= a3
	u = a0
	a0 ^= a1
	a1 ^= a2
	a2 ^= a3
	a3 ^= u
	u = a0 ^ a2
	s[5] = b0 ^ u ^ k[5]
	s[13] = b1 ^ u ^ k[13]
	s[21] = b2 ^ u ^ k[21]
	s[29] = b3 ^ u ^ k[29]
	b0, b1, b2, b3 = a0, a1, a2, a3

	// Bit 6.
	a0 = s[6]
	a1 = bits.RotateLeft64(s[14], row1)
	a2 = bits.RotateLeft64(s[22], row2)
	a3 = bits.RotateLeft64(s[30], row3)
	b0 ^= a0
	b1 ^= a1
	b2 ^= a2
	b3 ^= a3
	u = a0
	a0 ^= a1
	a1 ^= a2
	a2 ^= a3
	a3 ^= u
	u = a0 ^ a2
	s[6] = b0 ^ u ^ k[6]
	s[14] = b1 ^ u ^ k[14]
	s[22] = b2 ^ u ^ k[22]
	s[30] = b3 ^ u ^ k[30]
	b0, b1, b2, b3 = a0, a1, a2, a3

	// Bit 7.
	a0 = s[7]
	a1 = bits.RotateLeft64(s[15], row1)
	a2 = bits.RotateLeft64(s[23], row2)
	a3 = bits.RotateLeft64(s[31], row3)
	b0 ^= a0
	b1 ^= a1
	b2 ^= a2
	b3 ^= a3
	u = top[0] ^ top[2]
	s[7] = b0 ^ u ^ k[7]
	s[15] = b1 ^ u ^ k[15]
	s[23] = b2 ^ u ^ k[23]
	s[31] = b3 ^ u ^ k[31]
}

// invSubBytes is the inverse of subBytes.
func (s *wide) invSubBytes() {
	invSbox((*[8]uint64)(s[0:]))
	invSbox((*[8]uint64)(s[8:]))
	invSbox((*[8]uint64)(s[16:]))
	invSbox((*[8]uint64)(s[24:]))
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

// invShiftMix is InvShiftRows, InvMixColumns and the addition of a round key. InvMixColumns makes row r
//
//	14*a_r + 11*a_(r+1) + 13*a_(r+2) + 9*a_(r+3) = 2*t_r + a_r + u + 8*u + 4*e_r
//
// where t_r = a_r + a_(r+1), u = a_0 + a_1 + a_2 + a_3 and e_r = a_r + a_(r+2). So the terms behind a_r are
// the same for rows 0 and 2, where they are v below, and for rows 1 and 3, where e_1 = e_0 + u makes them w =
// v + 4*u.
//
// As in shiftMix, bits are done from the lowest on, with the higher ones that multiplication reduces at hand.
func (s *wide) invShiftMix(k *wide) {
	// Of bits 5 to 7 what is moved beyond bit 7: u, e_0 and t_r.
	u5 := s[5] ^ bits.RotateLeft64(s[13], -row1) ^ bits.RotateLeft64(s[21], -row2) ^ bits.RotateLeft64(s[29], -row3)
	e6 := s[6] ^ bits.RotateLeft64(s[22], -row2)
	u6 := e6 ^ bits.RotateLeft64(s[14], -row1) ^ bits.RotateLeft64(s[30], -row3)
	a0 := s[7]
	a1 := bits.RotateLeft64(s[15], -row1)
	a2 := bits.RotateLeft64(s[23], -row2)
	a3 := bits.RotateLeft64(s[31], -row3)
	e7 := a0 ^ a2
	b0, b1, b2, b3 := a0^a1, a1^a2, a2^a3, a3^a0
	u7 := b0 ^ b2
	top := [4]uint64{b0, b1, b2, b3}
	u67 := u6 ^ u7
	c2 := u67 ^ e7
	c1 := u5 ^ u6 ^ e6 ^ e7
	var v, w uint64

	// Bit 0.
	a0 = s[0]
	a1 = bits.RotateLeft64(s[8], -row1)
	a2 = bits.RotateLeft64(s[16], -row2)
	a3 = bits.RotateLeft64(s[24], -row3)
	e0 := a0 ^ a2
	u0 := e0 ^ a1 ^ a3
	v = u0 ^ u5 ^ e6
	w = v ^ u6
	b0 ^= a0
	b1 ^= a1
	b2 ^= a2
	b3 ^= a3
	s[0] = b0 ^ v ^ k[0]
	s[8] = b1 ^ w ^ k[8]
	s[16] = b2 ^ v ^ k[16]
	s[24] = b3 ^ w ^ k[24]
	b0, b1, b2, b3 = a0^a1, a1^a2, a2^a3, a3^a0

	// Bit 1.
	a0 = s[1]
	a1 = bits.RotateLeft64(s[9], -row1)
	a2 = bits.RotateLeft64(s[17], -row2)
	a3 = bits.RotateLeft64(s[25], -row3)
	e1 := a0 ^ a2
	u1 := e1 ^ a1 ^ a3
	v = u1 ^ c1
	w = v ^ u67
	b0 ^= a0
	b1 ^= a1
	b2 ^= a2
	b3 ^= a3
	b0 ^= top[0]
	b1 ^= top[1]
	b2 ^= top[2]
	b3 ^= top[3]
	s[1] = b0 ^ v ^ k[1]
	s[9] = b1 ^ w ^ k[9]
	s[17] = b2 ^ v ^ k[17]
	s[25] = b3 ^ w ^ k[25]
	b0, b1, b2, b3 = a0^a1, a1^a2, a2^a3, a3^a0

	// Bit 2.
	a0 = s[2]
	a1 = bits.RotateLeft64(s[10], -row1)
	a2 = bits.RotateLeft64(s[18], -row2)
	a3 = bits.RotateLeft64(s[26], -row3)
	e2 := a0 ^ a2
	u2 := e2 ^ a1 ^ a3
	v = u2 ^ c2 ^ e0
	w = v ^ u0 ^ u7
	b0 ^= a0
	b1 ^= a1
	b2 ^= a2
	b3 ^= a3
	s[2] = b0 ^ v ^ k[2]
	s[10] = b1 ^ w ^ k[10]
	s[18] = b2 ^ v ^ k[18]
	s[26] = b3 ^ w ^ k[26]
	b0, b1, b2, b3 = a0^a1, a1^a2, a2^a3, a3^a0

	// Bit 3.
	a0 = s[3]
	a1 = bits.RotateLeft64(s[11], -row1)
	a2 = bits.RotateLeft64(s[19], -row2)
	a3 = bits.RotateLeft64(s[27], -row3)
	e3 := a0 ^ a2
	u3 := e3 ^ a1 ^ a3
	v = u3 ^ u5 ^ u7 ^ e6 ^ u0 ^ e1
	w = v ^ u1 ^ u6
	b0 ^= a0
	b1 ^= a1
	b2 ^= a2
	b3 ^= a3
	b0 ^= top[0]
	b1 ^= top[1]
	b2 ^= top[2]
	b3 ^= top[3]
	s[3] = b0 ^ v ^ k[3]
	s[11] = b1 ^ w ^ k[11]
	s[19] = b2 ^ v ^ k[19]
	s[27] = b3 ^ w ^ k[27]
	b0, b1, b2, b3 = a0^a1, a1^a2, a2^a3, a3^a0

	// Bit 4.
	a0 = s[4]
	a1 = bits.RotateLeft64(s[12], -row1)
	a2 = bits.RotateLeft64(s[20], -row2)
	a3 = bits.RotateLeft64(s[28], -row3)
	e4 := a0 ^ a2
	u4 := e4 ^ a1 ^ a3
	v = u4 ^ c1 ^ u1 ^ e2
	w = v ^ u2 ^ u67
	b0 ^= a0
	b1 ^= a1
	b2 ^= a2
	b3 ^= a3
	b0 ^= top[0]
	b1 ^= top[1]
	b2 ^= top[2]
	b3 ^= top[3]
	s[4] = b0 ^ v ^ k[4]
	s[12] = b1 ^ w ^ k[12]
	s[20] = b2 ^ v ^ k[20]
	s[28] = b3 ^ w ^ k[28]
	b0, b1, b2, b3 = a0^a1, a1^a2, a2^a3, a3^a0

	// Bit 5.
	a0 = s[5]
	a1 = bits.RotateLeft64(s[13], -row1)
	a2 = bits.RotateLeft64(s[21], -row2)
	a3 = bits.RotateLeft64(s[29], -row3)
	e5 := a0 ^ a2
	v = u5 ^ c2 ^ u2 ^ e3
	w = v ^ u3 ^ u7
	b0 ^= a0
	b1 ^= a1
	b2 ^= a2
	b3 ^= a3
	s[5] = b0 ^ v ^ k[5]
	s[13] = b1 ^ w ^ k[13]
	s[21] = b2 ^ v ^ k[21]
	s[29] = b3 ^ w ^ k[29]
	b0, b1, b2, b3 = a0^a1, a1^a2, a2^a3, a3^a0

	// Bit 6.
	a0 = s[6]
	a1 = bits.RotateLeft64(s[14], -row1)
	a2 = bits.RotateLeft64(s[22], -row2)
	a3 = bits.RotateLeft64(s[30], -row3)
	v = u6 ^ u7 ^ u3 ^ e4
	w = v ^ u4
	b0 ^= a0
	b1 ^= a1
	b2 ^= a2
	b3 ^= a3
	s[6] = b0 ^ v ^ k[6]
	s[14] = b1 ^ w ^ k[14]
	s[22] = b2 ^ v ^ k[22]
	s[30] = b3 ^ w ^ k[30]
	b0, b1, b2, b3 = a0^a1, a1^a2, a2^a3, a3^a0

	// Bit 7.
	a0 = s[7]
	a1 = bits.RotateLeft64(s[15], -row1)
	a2 = bits.RotateLeft64(s[23], -row2)
	a3 = bits.RotateLeft64(s[31], -row3)
	v = u7 ^ u4 ^ e5
	w = v ^ u5
	b0 ^= a0
	b1 ^= a1
	b2 ^= a2
	b3 ^= a3
	s[7] = b0 ^ v ^ k[7]
	s[15] = b1 ^ w ^ k[15]
	s[23] = b2 ^ v ^ k[23]
	s[31] = b3 ^ w ^ k[31]
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

// packColumns turns the columns of a block into two words: 16-bit lane c of the first is rows 0 and 1 of
// column c, and of the second rows 2 and 3.
func packColumns(b *[keys.BlockSize]byte) (rows01, rows23 uint64) {
	return swapMove(loadColumns(b, 0), loadColumns(b, 1), 16, 0x0000ffff0000ffff)
}

// unpackColumns is the inverse of packColumns.
func unpackColumns(b *[keys.BlockSize]byte, rows01, rows23 uint64) {
	c02, c13 := swapMove(rows01, rows23, 16, 0x0000ffff0000ffff)
	binary.LittleEndian.PutUint64(b[0:], c02&0xffffffff|c13<<32)
	binary.LittleEndian.PutUint64(b[8:], c02>>32|c13&^0xffffffff)
}
