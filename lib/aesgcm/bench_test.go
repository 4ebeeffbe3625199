package aesgcm

import (
	"encoding/binary"
	"fmt"
	"testing"
	"time"

	"lamina/arch"
	"lamina/arch/keys"
)

// BenchmarkMethod shows what Seal and Open add to the hooks under them.
func BenchmarkMethod(b *testing.B) {
	for _, im := range arch.Impls() {
		for _, n := range []int{0, 16, 64, 256, 1420} {
			k := newKey(b, im, make([]byte, 32), TagSize)
			var g keys.GCM
			arch.PrepareGCM(im, &g, make([]byte, 32))
			var nonce [12]byte
			var tag [16]byte
			ad, buf, text := make([]byte, 13), make([]byte, n+16), make([]byte, n)
			sealed := k.Seal(nil, nonce[:], text, ad)
			run := func(name string, f func()) {
				b.Run(fmt.Sprintf("%v/%s/%d", im, name, n), func(b *testing.B) {
					b.SetBytes(int64(n))
					for b.Loop() {
						f()
					}
				})
			}
			run("hook-seal", func() { arch.GCMSeal(im, &g, (*[16]byte)(buf[n:]), buf[:n], text, &nonce, ad) })
			run("Seal", func() { k.Seal(buf[:0], nonce[:], text, ad) })
			run("Encrypt", func() { k.Encrypt(buf[:n], buf[n:], nonce[:], text, ad) })
			run("hook-open", func() { arch.GCMOpen(im, &g, &tag, text, sealed[:n], &nonce, ad) })
			run("Open", func() { k.Open(text[:0], nonce[:], sealed, ad) })
			run("Decrypt", func() { k.Decrypt(text, nonce[:], sealed[:n], sealed[n:], ad) })
		}
	}
}

// BenchmarkSplit compares a record in three calls with the same record in one: the least time of many short
// rounds that take turns, so that what else the machine does falls on both alike.
func BenchmarkSplit(b *testing.B) {
	for _, im := range arch.Impls() {
		for _, keySize := range []int{16, 32} {
			for _, n := range []int{0, 16, 256, 920, 1420, 2500} {
				k := newKey(b, im, make([]byte, keySize), TagSize)
				var nonce [12]byte
				ad, buf, sealed, tag := make([]byte, 13), make([]byte, n), make([]byte, n), make([]byte, 16)
				b.Run(fmt.Sprintf("%v/%d/encrypt/%d", im, keySize*8, n), func(b *testing.B) {
					compare(b, func(number uint64) {
						binary.BigEndian.PutUint64(nonce[4:], number)
						k.Encrypt(buf, tag, nonce[:], buf, ad)
					}, func(number uint64) {
						binary.BigEndian.PutUint64(nonce[4:], number)
						c := NewCtx(k, nonce[:])
						c.AuthUpdate(ad)
						c.EncryptUpdate(buf, buf)
						c.EncryptFinal(tag)
					})
				})
				binary.BigEndian.PutUint64(nonce[4:], 0)
				k.Encrypt(sealed, tag, nonce[:], buf, ad)
				b.Run(fmt.Sprintf("%v/%d/decrypt/%d", im, keySize*8, n), func(b *testing.B) {
					compare(b, func(uint64) {
						binary.BigEndian.PutUint64(nonce[4:], 0)
						if k.Decrypt(buf, nonce[:], sealed, tag, ad) != nil {
							b.Fatal("refused")
						}
					}, func(uint64) {
						binary.BigEndian.PutUint64(nonce[4:], 0)
						c := NewCtx(k, nonce[:])
						c.AuthUpdate(ad)
						c.DecryptUpdate(buf, sealed)
						if c.DecryptFinal(tag) != nil {
							b.Fatal("refused")
						}
					})
				})
			}
		}
	}
}

// compare reports the least time that a call of each takes, and the difference in nanoseconds and in cycles.
// The clock is had from multiplications of 64 bits that wait for one another, of 3 cycles on most CPUs, with an
// operation of 1 cycle between them.
func compare(b *testing.B, one, split func(number uint64)) {
	const calls = 100
	var number uint64
	least := [3]time.Duration{1 << 62, 1 << 62, 1 << 62}
	round := func(i int, f func(uint64)) {
		start := time.Now()
		for range calls {
			number++
			f(number)
		}
		least[i] = min(least[i], time.Since(start))
	}
	product := uint64(3)
	for b.Loop() {
		round(0, one)
		round(1, split)
		round(2, func(number uint64) {
			for range 20 {
				product *= product | 1
			}
		})
	}
	sink = product
	per := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / calls }
	cycle := per(least[2]) / 80
	b.ReportMetric(per(least[0]), "one-ns")
	b.ReportMetric(per(least[1]), "split-ns")
	b.ReportMetric(per(least[1])-per(least[0]), "more-ns")
	b.ReportMetric((per(least[1])-per(least[0]))/cycle, "more-cycles")
	b.ReportMetric(0, "ns/op")
}

var sink uint64
