package generic

import (
	"encoding/binary"
	"math/bits"

	"lamina/arch/keys"
)

//go:generate go run gentables.go

// This file is AES by table lookup, for one block or a few, where the bit-sliced code would leave most of its
// lanes empty. Each direction has a single table of 1 KiB: entry s is the contribution of a byte of row 0 to
// its column, and a byte of row r contributes the same word rotated by r bytes.
//
// The state is four little-endian words, one for each column, row 0 in the low byte.

// warm reads one word of every cache line of a table and returns zero, which the caller adds to its state so
// that the reads come first and cannot be left out. From then on a lookup tells little about its index by its
// duration, as long as nothing evicts the table while the blocks are done.
func warm(table *[256]uint32) uint32 {
	w := table[255] // a table that does not start on a line boundary ends in a 17th line
	for i := 0; i < 256; i += wordsPerLine {
		w &= table[i]
	}
	return w
}

// wordsPerLine counts the words of 32 bits in the usual cache line of 64 bytes.
const wordsPerLine = 16

// encryptTable encrypts the whole blocks of src to dst.
func encryptTable(k *keys.Enc, dst, src []byte) {
	zero := warm(&encTable)
	for len(src) >= keys.BlockSize && len(dst) >= keys.BlockSize {
		encryptBlockTable(k, (*[keys.BlockSize]byte)(dst), (*[keys.BlockSize]byte)(src), zero)
		dst, src = dst[keys.BlockSize:], src[keys.BlockSize:]
	}
}

func encryptBlockTable(k *keys.Enc, dst, src *[keys.BlockSize]byte, zero uint32) {
	rk := k.RoundKeys[:]
	s0 := binary.LittleEndian.Uint32(src[0:]) ^ binary.LittleEndian.Uint32(rk[0:]) ^ zero
	s1 := binary.LittleEndian.Uint32(src[4:]) ^ binary.LittleEndian.Uint32(rk[4:])
	s2 := binary.LittleEndian.Uint32(src[8:]) ^ binary.LittleEndian.Uint32(rk[8:])
	s3 := binary.LittleEndian.Uint32(src[12:]) ^ binary.LittleEndian.Uint32(rk[12:])
	rk = rk[16:]
	for range int(k.Rounds) - 1 {
		t0 := encColumn(s0, s1, s2, s3) ^ binary.LittleEndian.Uint32(rk[0:])
		t1 := encColumn(s1, s2, s3, s0) ^ binary.LittleEndian.Uint32(rk[4:])
		t2 := encColumn(s2, s3, s0, s1) ^ binary.LittleEndian.Uint32(rk[8:])
		t3 := encColumn(s3, s0, s1, s2) ^ binary.LittleEndian.Uint32(rk[12:])
		s0, s1, s2, s3 = t0, t1, t2, t3
		rk = rk[16:]
	}
	t0 := encLastColumn(s0, s1, s2, s3) ^ binary.LittleEndian.Uint32(rk[0:])
	t1 := encLastColumn(s1, s2, s3, s0) ^ binary.LittleEndian.Uint32(rk[4:])
	t2 := encLastColumn(s2, s3, s0, s1) ^ binary.LittleEndian.Uint32(rk[8:])
	t3 := encLastColumn(s3, s0, s1, s2) ^ binary.LittleEndian.Uint32(rk[12:])
	storeColumns(dst, t0, t1, t2, t3)
}

// encColumn is SubBytes, ShiftRows and MixColumns for one column, given the columns its four rows come from.
func encColumn(row0, row1, row2, row3 uint32) uint32 {
	return encTable[byte(row0)] ^
		bits.RotateLeft32(encTable[byte(row1>>8)], 8) ^
		bits.RotateLeft32(encTable[byte(row2>>16)], 16) ^
		bits.RotateLeft32(encTable[byte(row3>>24)], 24)
}

// encLastColumn is encColumn without MixColumns. Bytes 1 and 2 of an entry are the plain substitute.
func encLastColumn(row0, row1, row2, row3 uint32) uint32 {
	return encTable[byte(row0)]>>8&0xff |
		encTable[byte(row1>>8)]&0xff00 |
		encTable[byte(row2>>16)]&0xff0000 |
		encTable[byte(row3>>24)]<<8&0xff000000
}

// decryptTable decrypts the whole blocks of src to dst.
func decryptTable(d *keys.Dec, dst, src []byte) {
	zero := warm(&decTable)
	for len(src) >= keys.BlockSize && len(dst) >= keys.BlockSize {
		decryptBlockTable(d, (*[keys.BlockSize]byte)(dst), (*[keys.BlockSize]byte)(src), zero)
		dst, src = dst[keys.BlockSize:], src[keys.BlockSize:]
	}
}

func decryptBlockTable(d *keys.Dec, dst, src *[keys.BlockSize]byte, zero uint32) {
	rk := d.RoundKeys[:]
	s0 := binary.LittleEndian.Uint32(src[0:]) ^ binary.LittleEndian.Uint32(rk[0:]) ^ zero
	s1 := binary.LittleEndian.Uint32(src[4:]) ^ binary.LittleEndian.Uint32(rk[4:])
	s2 := binary.LittleEndian.Uint32(src[8:]) ^ binary.LittleEndian.Uint32(rk[8:])
	s3 := binary.LittleEndian.Uint32(src[12:]) ^ binary.LittleEndian.Uint32(rk[12:])
	rk = rk[16:]
	for range int(d.Rounds) - 1 {
		t0 := decColumn(s0, s3, s2, s1) ^ binary.LittleEndian.Uint32(rk[0:])
		t1 := decColumn(s1, s0, s3, s2) ^ binary.LittleEndian.Uint32(rk[4:])
		t2 := decColumn(s2, s1, s0, s3) ^ binary.LittleEndian.Uint32(rk[8:])
		t3 := decColumn(s3, s2, s1, s0) ^ binary.LittleEndian.Uint32(rk[12:])
		s0, s1, s2, s3 = t0, t1, t2, t3
		rk = rk[16:]
	}
	t0 := mixColumn(decColumn(s0, s3, s2, s1)) ^ binary.LittleEndian.Uint32(rk[0:])
	t1 := mixColumn(decColumn(s1, s0, s3, s2)) ^ binary.LittleEndian.Uint32(rk[4:])
	t2 := mixColumn(decColumn(s2, s1, s0, s3)) ^ binary.LittleEndian.Uint32(rk[8:])
	t3 := mixColumn(decColumn(s3, s2, s1, s0)) ^ binary.LittleEndian.Uint32(rk[12:])
	storeColumns(dst, t0, t1, t2, t3)
}

// decColumn is InvSubBytes, InvShiftRows and InvMixColumns for one column, given the columns its four rows
// come from. The table has no plain inverse substitute; the last round gets rid of InvMixColumns by
// mixColumn.
func decColumn(row0, row1, row2, row3 uint32) uint32 {
	return decTable[byte(row0)] ^
		bits.RotateLeft32(decTable[byte(row1>>8)], 8) ^
		bits.RotateLeft32(decTable[byte(row2>>16)], 16) ^
		bits.RotateLeft32(decTable[byte(row3>>24)], 24)
}

// doubleBytes multiplies the four bytes of a column by x in the field of AES.
func doubleBytes(c uint32) uint32 {
	return c&0x7f7f7f7f<<1 ^ c>>7&0x01010101*0x1b
}

// mixColumn is MixColumns (FIPS 197, section 5.1.3) for one column: row r becomes 2*(a_r + a_(r+1)) + a_(r+1)
// + a_(r+2) + a_(r+3).
func mixColumn(c uint32) uint32 {
	next := bits.RotateLeft32(c, -8)
	pair := c ^ next
	return doubleBytes(pair) ^ next ^ bits.RotateLeft32(pair, -16)
}

// invMixColumn is InvMixColumns (FIPS 197, section 5.3.3) for one column: its matrix is that of MixColumns
// times the one that adds 4*(a_r + a_(r+2)) to row r.
func invMixColumn(c uint32) uint32 {
	return mixColumn(c ^ doubleBytes(doubleBytes(c^bits.RotateLeft32(c, 16))))
}

func storeColumns(dst *[keys.BlockSize]byte, c0, c1, c2, c3 uint32) {
	binary.LittleEndian.PutUint32(dst[0:], c0)
	binary.LittleEndian.PutUint32(dst[4:], c1)
	binary.LittleEndian.PutUint32(dst[8:], c2)
	binary.LittleEndian.PutUint32(dst[12:], c3)
}
