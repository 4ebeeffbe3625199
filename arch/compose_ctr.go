package arch

import (
	"crypto/subtle"
	"encoding/binary"
	"unsafe"

	"lamina/arch/keys"
)

// composeCounterMode is counterMode made of EncryptBlocks, for an architecture that has no more.
func composeCounterMode(im Impl, k *keys.Enc, last bool, base0, base1, counter uint64, dst, src *byte, n int) {
	var stream [composeBatch]byte
	to, from := unsafe.Slice(dst, n), unsafe.Slice(src, n)
	for len(from) > 0 {
		size := min(len(from), composeBatch)
		blocks := stream[:(size+keys.BlockSize-1)&^(keys.BlockSize-1)]
		for b := blocks; len(b) > 0; b = b[keys.BlockSize:] {
			binary.LittleEndian.PutUint64(b, base0)
			binary.LittleEndian.PutUint64(b[8:], base1)
			if last {
				binary.BigEndian.PutUint64(b[8:], counter)
			} else {
				binary.LittleEndian.PutUint64(b, base0^counter)
			}
			counter++
		}
		EncryptBlocks(im, k, blocks, blocks)
		subtle.XORBytes(to[:size], from[:size], blocks[:size])
		to, from = to[size:], from[size:]
	}
	clear(stream[:])
}
