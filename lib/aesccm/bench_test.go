package aesccm

import (
	"fmt"
	"testing"

	"lamina/arch"
	"lamina/arch/keys"
)

// BenchmarkSeal stands beside CBC encryption of as much text, whose time is the latency of its rounds.
func BenchmarkSeal(b *testing.B) {
	for _, im := range arch.Impls() {
		for _, size := range []int{16, 32} {
			for _, n := range []int{16, 64, 512, 1420, 4096} {
				k := newKey(b, im, make([]byte, size), 12, 16)
				var enc keys.Enc
				arch.ExpandKey(im, &enc, make([]byte, size))
				var iv [16]byte
				nonce, ad, buf := make([]byte, 12), make([]byte, 13), make([]byte, n+16)
				text := make([]byte, n)
				sealed := k.Seal(nil, nonce, text, ad)
				blocks := buf[:wholeBlocks(n)]
				for _, way := range []struct {
					name string
					run  func()
				}{
					{"CBC", func() { arch.CBCEncrypt(im, &enc, &iv, blocks, blocks) }},
					{"Seal", func() { k.Seal(buf[:0], nonce, text, ad) }},
					{"Open", func() { k.Open(text[:0], nonce, sealed, ad) }},
				} {
					b.Run(fmt.Sprintf("%s/%v/%d/%d", way.name, im, size*8, n), func(b *testing.B) {
						b.SetBytes(int64(n))
						for b.Loop() {
							way.run()
						}
					})
				}
			}
		}
	}
}
