package generic

import (
	"encoding/binary"
	"math/bits"

	"lamina/arch/keys"
)

// This file is the bit-sliced kernel for four blocks.

// narrowBlocks is how many blocks the narrow kernel takes at once.
const narrowBlocks = 4

// narrow is the state of four blocks: word i holds bit i of every byte, at position 16*row + 4*column + block.
//
// So MixColumns rotates words by 16 positions a row, and ShiftRows rotates the four 16-bit lanes of a word
// each by its own number of columns.
type narrow [8]uint64

// narrowKeys is a key schedule in which each bit is repeated for all four blocks.
type narrowKeys struct {
	round [keys.MaxRounds + 1]narrow
	last  int // the number of rounds

	inverse bool // whether the keys are for decryption
}

// expandEnc fills k for encryption, as wideKeys.expandEnc does.
func (k *narrowKeys) expandEnc(enc *keys.Enc) {
	k.last = min(int(enc.Rounds), keys.MaxRounds)
	k.inverse = false
	k.expand(0, &enc.RoundKeys, 0)
	for r := 1; r <= k.last; r++ {
		k.expand(r, &enc.RoundKeys, affine)
	}
}

// expandDec fills k for decryption, as wideKeys.expandDec does.
func (k *narrowKeys) expandDec(dec *keys.Dec) {
	k.last = min(int(dec.Rounds), keys.MaxRounds)
	k.inverse = true
	for r := range k.last {
		k.expand(r, &dec.RoundKeys, affine)
	}
	k.expand(k.last, &dec.RoundKeys, 0)
}

func (k *narrowKeys) expand(r int, schedule *[keys.ScheduleSize]byte, constant uint64) {
	key := (*[keys.BlockSize]byte)(schedule[keys.BlockSize*r:])
	even := interleave(loadColumns(key, 0)) ^ constant
	odd := interleave(loadColumns(key, 1)) ^ constant
	// Nibbles of even and odd columns take turns; the first word has their bits 0 to 3, the second 4 to 7.
	even, odd = swapMove(even, odd, 4, 0x0f0f0f0f0f0f0f0f)
	rk := &k.round[r]
	for i := range 4 {
		e, f := even&class, odd&class
		rk[i] = e<<4 - e
		rk[4+i] = f<<4 - f
		even >>= 1
		odd >>= 1
	}
}

// encrypt encrypts four blocks.
func (k *narrowKeys) encrypt(s *narrow) {
	s.addKey(&k.round[0])
	for r := 1; r < k.last; r++ {
		sbox((*[8]uint64)(s))
		s.shiftMix(&k.round[r])
	}
	sbox((*[8]uint64)(s))
	s.shiftAdd(&k.round[k.last])
}

// decrypt decrypts four blocks with the schedule of the equivalent inverse cipher.
func (k *narrowKeys) decrypt(s *narrow) {
	s.addKey(&k.round[0])
	for r := 1; r < k.last; r++ {
		invSbox((*[8]uint64)(s))
		s.invShiftMix(&k.round[r])
	}
	invSbox((*[8]uint64)(s))
	s.invShiftAdd(&k.round[k.last])
}

func (s *narrow) addKey(k *narrow) {
	for i := range s {
		s[i] ^= k[i]
	}
}

// shiftAdd is ShiftRows and the addition of a round key.
func (s *narrow) shiftAdd(k *narrow) {
	for i, w := range s {
		s[i] = shiftRows(w) ^ k[i]
	}
}

// invShiftAdd is InvShiftRows and the addition of a round key.
func (s *narrow) invShiftAdd(k *narrow) {
	for i, w := range s {
		s[i] = invShiftRows(w) ^ k[i]
	}
}

// shiftRows rotates lane r right by r columns: lanes 2 and 3 by two columns, then lanes 1 and 3 by one.
func shiftRows(w uint64) uint64 {
	w = swapBits(w, 8, 0x00ff00ff00000000)
	return w&0x0000ffff0000ffff | w>>4&0x0fff00000fff0000 | w<<12&0xf0000000f0000000
}

// invShiftRows is the inverse of shiftRows.
func invShiftRows(w uint64) uint64 {
	w = swapBits(w, 8, 0x00ff00ff00000000)
	return w&0x0000ffff0000ffff | w<<4&0xfff00000fff00000 | w>>12&0x000f0000000f0000
}

// shiftMix is ShiftRows, MixColumns and the addition of a round key: 2*t_r + a_(r+1) + t_(r+2), where t_r =
// a_r + a_(r+1), as in wide.shiftMix.
func (s *narrow) shiftMix(k *narrow) {
	a7 := shiftRows(s[7])
	next7 := bits.RotateLeft64(a7, -16)
	top := a7 ^ next7
	below := top
	for i, w := range s[:7] {
		a := shiftRows(w)
		next := bits.RotateLeft64(a, -16)
		t := a ^ next
		s[i] = below ^ next ^ bits.RotateLeft64(t, 32) ^ k[i]
		below = t
	}
	s[7] = below ^ next7 ^ bits.RotateLeft64(top, 32) ^ k[7]
	s[1] ^= top
	s[3] ^= top
	s[4] ^= top
}

// invShiftMix is InvShiftRows, InvMixColumns and the addition of a round key, as in wide.invShiftMix.
func (s *narrow) invShiftMix(k *narrow) {
	var v [8]uint64
	for i, w := range s {
		w = invShiftRows(w)
		s[i] = w
		v[i] = w ^ bits.RotateLeft64(w, 32)
	}
	quadruple(&v)
	a7 := s[7] ^ v[7]
	top := a7 ^ bits.RotateLeft64(a7, -16)
	below := top
	for i, w := range s {
		a := w ^ v[i]
		next := bits.RotateLeft64(a, -16)
		t := a ^ next
		s[i] = below ^ next ^ bits.RotateLeft64(t, 32) ^ k[i]
		below = t
	}
	s[1] ^= top
	s[3] ^= top
	s[4] ^= top
}

// pack fills s with four blocks.
func (s *narrow) pack(b *[narrowBlocks * keys.BlockSize]byte) {
	for j := range narrowBlocks {
		block := (*[keys.BlockSize]byte)(b[keys.BlockSize*j:])
		s[j] = interleave(loadColumns(block, 0))
		s[4+j] = interleave(loadColumns(block, 1))
	}
	transpose8((*[8]uint64)(s))
}

// unpack is the inverse of pack. It destroys s.
func (s *narrow) unpack(b *[narrowBlocks * keys.BlockSize]byte) {
	transpose8((*[8]uint64)(s))
	for j := range narrowBlocks {
		c02, c13 := separate(s[j]), separate(s[4+j])
		binary.LittleEndian.PutUint64(b[keys.BlockSize*j:], c02&0xffffffff|c13<<32)
		binary.LittleEndian.PutUint64(b[keys.BlockSize*j+8:], c02>>32|c13&^0xffffffff)
	}
}

// interleave takes bytes in the order 0 4 1 5 2 6 3 7.
func interleave(w uint64) uint64 {
	return swapBits(swapBits(w, 16, 0x00000000ffff0000), 8, 0x0000ff000000ff00)
}

// separate is the inverse of interleave.
func separate(w uint64) uint64 {
	return swapBits(swapBits(w, 8, 0x0000ff000000ff00), 16, 0x00000000ffff0000)
}

// swapBits exchanges the bits that mask selects with those n positions above.
func swapBits(w uint64, n int, mask uint64) uint64 {
	t := (w ^ w>>n) & mask
	return w ^ t ^ t<<n
}
