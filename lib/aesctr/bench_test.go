package aesctr

import (
	"crypto/cipher"
	"fmt"
	"testing"

	"lamina/arch"
)

// Benchmark has every way to call under every implementation, beside crypto/cipher with a new stream for
// every text.
func Benchmark(b *testing.B) {
	for _, size := range []int{16, 32} {
		key := make([]byte, size)
		block := stdBlock(b, key)
		for _, n := range []int{16, 63, 64, 256, 512, 1420, 4096, 16384} {
			buf := make([]byte, n)
			var iv [16]byte
			run := func(name string, f func()) {
				b.Run(fmt.Sprintf("%s/AES-%d/%d", name, 8*size, n), func(b *testing.B) {
					b.SetBytes(int64(n))
					for b.Loop() {
						f()
					}
				})
			}
			run("crypto", func() { cipher.NewCTR(block, iv[:]).XORKeyStream(buf, buf) })
			for _, im := range arch.Impls() {
				k := newKey(b, im, key)
				counter := uint64(1)
				run(im.String()+"/CTR", func() { CTR(k, &iv, buf, buf) })
				run(im.String()+"/XCTR", func() { XCTR(k, &counter, &iv, buf, buf) })
				run(im.String()+"/Stream", func() { NewCTR(k, iv[:]).XORKeyStream(buf, buf) })
			}
		}
	}
}
