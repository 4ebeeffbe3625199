package generic

import (
	"encoding/binary"

	"lamina/arch/keys"
)

// CCMEncrypt encrypts the whole blocks of src to dst by counter mode, bit-sliced, and adds src to the CBC-MAC, by table.
func CCMEncrypt(k *keys.Enc, mac, ctr *[16]byte, dst, src []byte) {
	CBCMAC(k, mac, src) // first, because encryption in place overwrites it
	ccmCrypt(k, ctr, dst, src)
}

// CCMDecrypt decrypts the whole blocks of src to dst by counter mode, bit-sliced, and adds dst to the CBC-MAC, by table.
func CCMDecrypt(k *keys.Enc, mac, ctr *[16]byte, dst, src []byte) {
	ccmCrypt(k, ctr, dst, src)
	CBCMAC(k, mac, dst)
}

// ccmCrypt does counter mode with a counter of 64 bits and advances it, in runs in which only its lower 32 bits change.
func ccmCrypt(k *keys.Enc, ctr *[16]byte, dst, src []byte) {
	for len(src) > 0 {
		next := binary.BigEndian.Uint64(ctr[8:])
		n := len(src)
		if run := (1<<32 - next&0xffffffff) * keys.BlockSize; uint64(n) > run {
			n = int(run)
		}
		c := startCounters(k, ctr)
		c.xor(nil, dst[:n], src[:n])
		binary.BigEndian.PutUint64(ctr[8:], next+uint64(n/keys.BlockSize))
		dst, src = dst[n:], src[n:]
	}
}
