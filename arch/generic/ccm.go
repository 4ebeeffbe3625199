package generic

import (
	"encoding/binary"

	"lamina/arch/keys"
)

// CCMEncrypt encrypts the whole blocks of src to dst by counter mode, bit-sliced, and adds src to the
// CBC-MAC, by table.
func CCMEncrypt(k *keys.Enc, mac, ctr *[16]byte, dst, src []byte) {
	CBCMAC(k, mac, src) // first, because encryption in place overwrites it
	ccmCrypt(k, ctr, dst, src)
}

// CCMDecrypt decrypts the whole blocks of src to dst by counter mode, bit-sliced, and adds dst to the
// CBC-MAC, by table.
func CCMDecrypt(k *keys.Enc, mac, ctr *[16]byte, dst, src []byte) {
	ccmCrypt(k, ctr, dst, src)
	CBCMAC(k, mac, dst)
}

// ccmCrypt does counter mode with a counter of 64 bits, and advances it.
func ccmCrypt(k *keys.Enc, ctr *[16]byte, dst, src []byte) {
	next := binary.BigEndian.Uint64(ctr[8:])
	CounterMode(k, true, binary.LittleEndian.Uint64(ctr[:8]), 0, next, dst, src)
	binary.BigEndian.PutUint64(ctr[8:], next+uint64(len(src)/keys.BlockSize))
}
