// Package plainaes has two forms of AES encryption as they are commonly written in portable code, to compare the
// library's portable form with: FourTables, the usual fast one, and FixedTime, one that reads its whole S-box before
// every round. They are for measuring only. Both leak keys through the cache, the second a little less.
//
// Both are FIPS 197, with the columns of the state in big-endian words.
package plainaes

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// BlockSize is the size of a block in bytes.
const BlockSize = 16

// maxWords is the size in words of the longest schedule: 15 round keys of 4.
const maxWords = 60

// sbox is the S-box (section 5.1.1): the inverse in the field, and an affine map.
var sbox = makeSBox()

// tables are the S-box and MixColumns in one, for each of the four rows: tables[r][b] is the column that b in row r
// adds to the output.
var tables = makeTables()

func makeSBox() (s [256]byte) {
	// p goes through all elements but 0 as powers of 3, and q through their inverses.
	p, q := byte(1), byte(1)
	for {
		p ^= double(p)
		q ^= q << 1
		q ^= q << 2
		q ^= q << 4
		if q&0x80 != 0 {
			q ^= 0x09
		}
		s[p] = q ^ bits.RotateLeft8(q, 1) ^ bits.RotateLeft8(q, 2) ^ bits.RotateLeft8(q, 3) ^ bits.RotateLeft8(q, 4) ^ 0x63
		if p == 1 {
			s[0] = 0x63
			return s
		}
	}
}

func makeTables() (t [4][256]uint32) {
	for b := range 256 {
		s := sbox[b]
		column := uint32(double(s))<<24 | uint32(s)<<16 | uint32(s)<<8 | uint32(double(s)^s)
		for row := range t {
			t[row][b] = bits.RotateLeft32(column, -8*row)
		}
	}
	return t
}

// double multiplies by x in the field.
func double(b byte) byte { return b<<1 ^ 0x1b&-(b>>7) }

// schedule is the forward schedule of a key.
type schedule struct {
	words  [maxWords]uint32
	rounds int
}

// expand is KeyExpansion (section 5.2).
func (k *schedule) expand(key []byte) error {
	switch len(key) {
	case 16, 24, 32:
	default:
		return fmt.Errorf("plainaes: key of %d bytes; it must have 16, 24 or 32", len(key))
	}
	n := len(key) / 4
	k.rounds = n + 6
	for i := range n {
		k.words[i] = binary.BigEndian.Uint32(key[4*i:])
	}
	constant := byte(1)
	for i := n; i < 4*(k.rounds+1); i++ {
		w := k.words[i-1]
		switch {
		case i%n == 0:
			w = substitute(bits.RotateLeft32(w, 8)) ^ uint32(constant)<<24
			constant = double(constant)
		case n > 6 && i%n == 4:
			w = substitute(w)
		}
		k.words[i] = k.words[i-n] ^ w
	}
	return nil
}

func substitute(w uint32) uint32 {
	return uint32(sbox[w>>24])<<24 | uint32(sbox[w>>16&0xff])<<16 | uint32(sbox[w>>8&0xff])<<8 | uint32(sbox[w&0xff])
}

// FourTables is AES by four tables of 1 KiB.
type FourTables struct{ schedule }

// Init sets the key, of 16, 24 or 32 bytes.
func (k *FourTables) Init(key []byte) error { return k.expand(key) }

// Encrypt encrypts the first block of src to dst.
func (k *FourTables) Encrypt(dst, src []byte) {
	rk := k.words[:4*(k.rounds+1)]
	s0 := binary.BigEndian.Uint32(src[0:]) ^ rk[0]
	s1 := binary.BigEndian.Uint32(src[4:]) ^ rk[1]
	s2 := binary.BigEndian.Uint32(src[8:]) ^ rk[2]
	s3 := binary.BigEndian.Uint32(src[12:16]) ^ rk[3]
	for rk = rk[4:]; len(rk) > 4; rk = rk[4:] {
		t0 := rk[0] ^ tables[0][s0>>24] ^ tables[1][s1>>16&0xff] ^ tables[2][s2>>8&0xff] ^ tables[3][s3&0xff]
		t1 := rk[1] ^ tables[0][s1>>24] ^ tables[1][s2>>16&0xff] ^ tables[2][s3>>8&0xff] ^ tables[3][s0&0xff]
		t2 := rk[2] ^ tables[0][s2>>24] ^ tables[1][s3>>16&0xff] ^ tables[2][s0>>8&0xff] ^ tables[3][s1&0xff]
		t3 := rk[3] ^ tables[0][s3>>24] ^ tables[1][s0>>16&0xff] ^ tables[2][s1>>8&0xff] ^ tables[3][s2&0xff]
		s0, s1, s2, s3 = t0, t1, t2, t3
	}
	lastRound(dst, rk, s0, s1, s2, s3)
}

// FixedTime is AES by the S-box alone, all of which is read before each round: its 256 bytes are in the cache then,
// and the lookups take about the same time. Nothing keeps them there.
type FixedTime struct{ schedule }

// Init sets the key, of 16, 24 or 32 bytes.
func (k *FixedTime) Init(key []byte) error { return k.expand(key) }

// Encrypt encrypts the first block of src to dst.
func (k *FixedTime) Encrypt(dst, src []byte) {
	rk := k.words[:4*(k.rounds+1)]
	s0 := binary.BigEndian.Uint32(src[0:]) ^ rk[0]
	s1 := binary.BigEndian.Uint32(src[4:]) ^ rk[1]
	s2 := binary.BigEndian.Uint32(src[8:]) ^ rk[2]
	s3 := binary.BigEndian.Uint32(src[12:16]) ^ rk[3]
	for rk = rk[4:]; len(rk) > 4; rk = rk[4:] {
		// What is read joins the state, as 0, or the compiler would leave the reading out.
		s0 ^= touch()
		t0 := rk[0] ^ mixColumn(shiftedRow(s0, s1, s2, s3))
		t1 := rk[1] ^ mixColumn(shiftedRow(s1, s2, s3, s0))
		t2 := rk[2] ^ mixColumn(shiftedRow(s2, s3, s0, s1))
		t3 := rk[3] ^ mixColumn(shiftedRow(s3, s0, s1, s2))
		s0, s1, s2, s3 = t0, t1, t2, t3
	}
	s0 ^= touch()
	lastRound(dst, rk, s0, s1, s2, s3)
}

// zero is 0, which the compiler does not know.
var zero uint32

// touch reads every part of the S-box, in steps that no cache line is shorter than, and returns 0.
func touch() uint32 {
	all := byte(0)
	for i := 0; i < len(sbox); i += 16 {
		all ^= sbox[i]
	}
	return uint32(all) & zero
}

// shiftedRow is SubBytes and ShiftRows for one column of the output, which has its rows from four of the input.
func shiftedRow(a, b, c, d uint32) uint32 {
	return uint32(sbox[a>>24])<<24 | uint32(sbox[b>>16&0xff])<<16 | uint32(sbox[c>>8&0xff])<<8 | uint32(sbox[d&0xff])
}

// mixColumn is MixColumns for one column (section 5.1.3), four products at once.
func mixColumn(w uint32) uint32 {
	high := w & 0x80808080
	doubled := (w^high)<<1 ^ (high>>7)*0x1b
	return doubled ^ bits.RotateLeft32(w^doubled, 8) ^ bits.RotateLeft32(w, 16) ^ bits.RotateLeft32(w, 24)
}

// lastRound is the round without MixColumns.
func lastRound(dst []byte, rk []uint32, s0, s1, s2, s3 uint32) {
	binary.BigEndian.PutUint32(dst[0:], rk[0]^shiftedRow(s0, s1, s2, s3))
	binary.BigEndian.PutUint32(dst[4:], rk[1]^shiftedRow(s1, s2, s3, s0))
	binary.BigEndian.PutUint32(dst[8:], rk[2]^shiftedRow(s2, s3, s0, s1))
	binary.BigEndian.PutUint32(dst[12:16], rk[3]^shiftedRow(s3, s0, s1, s2))
}
