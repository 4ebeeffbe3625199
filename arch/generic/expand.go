package generic

import (
	"encoding/binary"
	"math/bits"

	"lamina/arch/keys"
)

// ExpandKey fills k with the schedule of key (FIPS 197, section 5.2). len(key) is 16, 24 or 32.
func ExpandKey(k *keys.Enc, key []byte) {
	*k = keys.Enc{Rounds: uint32(len(key)/4 + 6)}
	words := (int(k.Rounds) + 1) * 4
	n := copy(k.RoundKeys[:], key) / 4
	rcon := uint32(1)
	w := binary.LittleEndian.Uint32(key[len(key)-4:])
	for i := n; i < words; i++ {
		switch i % n {
		case 0:
			w = subWord(bits.RotateLeft32(w, -8)) ^ rcon
			rcon = doubleBytes(rcon)
		case 4:
			if n == 8 {
				w = subWord(w)
			}
		}
		w ^= binary.LittleEndian.Uint32(k.RoundKeys[4*(i-n):])
		binary.LittleEndian.PutUint32(k.RoundKeys[4*i:], w)
	}
}

// InvertKey fills d with the schedule of the equivalent inverse cipher (FIPS 197, section 5.3.5) that belongs to k.
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
		x[i] = uint64(w >> i & lanes)
	}
	sbox(&x)
	var s uint64
	for i := range x {
		s |= x[i] << i
	}
	return uint32(s) ^ affine&0xffffffff
}
