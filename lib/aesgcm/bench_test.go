package aesgcm

import (
	"encoding/binary"
	"fmt"
	"testing"

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

// BenchmarkCtx is one record in pieces: associated data, text, tag.
func BenchmarkCtx(b *testing.B) {
	for _, im := range arch.Impls() {
		for _, n := range []int{16, 256, 1420} {
			b.Run(fmt.Sprintf("%v/%d", im, n), func(b *testing.B) {
				k := newKey(b, im, make([]byte, 32), TagSize)
				var nonce [12]byte
				ad, buf := make([]byte, 13), make([]byte, n+16)
				b.SetBytes(int64(n))
				for number := uint64(0); b.Loop(); number++ {
					binary.BigEndian.PutUint64(nonce[4:], number)
					c := NewCtx(k, nonce[:])
					c.AuthUpdate(ad)
					c.EncryptUpdate(buf[:n], buf[:n])
					c.EncryptFinal(buf[n:])
				}
			})
		}
	}
}
