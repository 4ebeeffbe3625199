package aesxts

import (
	"encoding/binary"
	"fmt"
	"testing"

	"lamina/arch"
)

var benchSizes = []int{16, 63, 64, 200, 256, 300, 500, 512, 1420, 4095, 4096, 16384}

func BenchmarkEncrypt(b *testing.B) {
	benchmark(b, func(k *Key, buf []byte, tweak *[16]byte) { k.Encrypt(buf, buf, tweak) })
}

func BenchmarkDecrypt(b *testing.B) {
	benchmark(b, func(k *Key, buf []byte, tweak *[16]byte) { k.Decrypt(buf, buf, tweak) })
}

func benchmark(b *testing.B, f func(k *Key, buf []byte, tweak *[16]byte)) {
	for _, keySize := range []int{32, 64} {
		for _, im := range arch.Impls() {
			for _, n := range benchSizes {
				b.Run(fmt.Sprintf("%d/%v/%d", 4*keySize, im, n), func(b *testing.B) {
					k, buf := newKey(b, im, bytesFor(1, keySize)), make([]byte, n)
					var tweak [16]byte
					b.SetBytes(int64(n))
					for b.Loop() {
						binary.LittleEndian.PutUint64(tweak[:8], 5)
						binary.LittleEndian.PutUint64(tweak[8:], 0)
						f(k, buf, &tweak)
					}
				})
			}
		}
	}
}

// BenchmarkSectors does 64 sectors in one call.
func BenchmarkSectors(b *testing.B) {
	for _, im := range arch.Impls() {
		for _, size := range []int{512, 4096} {
			b.Run(fmt.Sprintf("256/%v/%d", im, size), func(b *testing.B) {
				k, buf := newKey(b, im, bytesFor(1, 64)), make([]byte, 64*size)
				b.SetBytes(int64(len(buf)))
				for b.Loop() {
					k.EncryptSectors(buf, buf, 7, size)
				}
			})
		}
	}
}

// BenchmarkOracle is x/crypto's XTS, to compare with.
func BenchmarkOracle(b *testing.B) {
	for _, n := range benchSizes {
		if n%16 != 0 {
			continue
		}
		b.Run(fmt.Sprintf("256/x-crypto/%d", n), func(b *testing.B) {
			c, buf := newOracle(b, bytesFor(1, 64)), make([]byte, n)
			b.SetBytes(int64(n))
			for b.Loop() {
				c.Encrypt(buf, buf, 5)
			}
		})
	}
}
