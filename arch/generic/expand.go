package generic

import (
	"encoding/binary"
	"math/bits"

	"lamina/arch/keys"
)

// ExpandKey fills k with the schedule of key (FIPS 197, section 5.2). len(key) is 16, 24 or 32.
func ExpandKey(k *keys.Enc, key []byte) {
	*k = keys.Enc{Rounds: uint32(len(key)/4 + 6)}
	end := (int(k.Rounds) + 1) * keys.BlockSize
	copy(k.RoundKeys[:], key)
	rcon := uint32(1)
	w := binary.LittleEndian.Uint32(key[len(key)-4:])
	for i, column := len(key), 0; i < end; i += 4 {
		switch {
		case column == 0:
			w = subWord(bits.RotateLeft32(w, -8)) ^ rcon
			rcon = doubleBytes(rcon)
		case column == 16 && len(key) == 32:
			w = subWord(w)
		}
		w ^= binary.LittleEndian.Uint32(k.RoundKeys[i-len(key):])
		binary.LittleEndian.PutUint32(k.RoundKeys[i:], w)
		if column += 4; column == len(key) {
			column = 0
		}
	}
}

// InvertKey fills d with the schedule of the equivalent inverse cipher (FIPS 197, section 5.3.5) that belongs
// to k.
func InvertKey(d *keys.Dec, k *keys.Enc) {
	*d = keys.Dec{Rounds: k.Rounds}
	last := int(k.Rounds) * keys.BlockSize
	for i := 0; i < last+keys.BlockSize; i += 4 {
		w := binary.LittleEndian.Uint32(k.RoundKeys[last-i&^15|i&15:])
		if i >= keys.BlockSize && i < last {
			w = invMixColumn(w)
		}
		binary.LittleEndian.PutUint32(d.RoundKeys[i:], w)
	}
}

// subWord substitutes the four bytes of w, by the circuit.
func subWord(w uint32) uint32 {
	const lanes = 0x01010101
	var x [8]uint64
	for i := range x {
		x[i] = uint64(w & lanes)
		w >>= 1
	}
	sbox(&x)
	var s uint32
	for i := range x {
		s = s<<1 | uint32(x[7-i])
	}
	return s ^ affine&0xffffffff
}
