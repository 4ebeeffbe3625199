package generic

import (
	"encoding/binary"

	"lamina/arch/keys"
)

// CounterMode encrypts src, of any length, to dst by a counter mode. A counter block is base0 and base1,
// little-endian, XOR the counter: if last is set, big-endian in the last eight bytes, and otherwise
// little-endian in the first eight. With last set base1 is zero. The counter wraps at 2^64.
func CounterMode(k *keys.Enc, last bool, base0, base1, counter uint64, dst, src []byte) {
	c := counters{enc: k, place: place{last, 8}, next: counter}
	binary.LittleEndian.PutUint64(c.base[:8], base0)
	binary.LittleEndian.PutUint64(c.base[8:], base1)
	c.xor(nil, dst, src)
}
