//go:build amd64 && !purego

package amd64

import (
	"bytes"
	"fmt"
	"testing"
	"unsafe"

	"lamina/arch/generic"
)

type countFunc func(k *Enc, order *[16]byte, base0, base1, counter uint64, dst, src *byte, n int)

var countForms = map[string]countFunc{
	"AESNI":       CountAESNI,
	"AESNIAVX":    CountAESNIAVX,
	"VAESAVX2":    CountVAESAVX2,
	"VAESAVX512Y": CountVAESAVX512Y,
	"VAESAVX512Z": CountVAESAVX512Z,
}

// TestCount compares every length up to two passes of the widest form, and some of three, with the portable code.
func TestCount(t *testing.T) {
	orders := []struct {
		last  bool
		bytes [16]byte
	}{
		{true, [16]byte{128, 128, 128, 128, 128, 128, 128, 128, 7, 6, 5, 4, 3, 2, 1, 0}},
		{false, [16]byte{0, 1, 2, 3, 4, 5, 6, 7, 128, 128, 128, 128, 128, 128, 128, 128}},
	}
	forEachForm(t, countForms, func(t *testing.T, count countFunc) {
		for _, size := range keySizes {
			var k Enc
			generic.ExpandKey(&k, randomBytes(size))
			for n := 0; n < 1700; n += 1 + n/1100*7 {
				for _, order := range orders {
					base0, base1, counter := random.Uint64(), random.Uint64(), random.Uint64()>>1
					if order.last {
						base1 = 0
					}
					src := randomBytes(n)
					want, got := make([]byte, n+1), make([]byte, n+1)
					generic.CounterMode(&k, order.last, base0, base1, counter, want[:n], src)
					count(&k, &order.bytes, base0, base1, counter, &got[0], unsafe.SliceData(src), n)
					if !bytes.Equal(got, want) {
						t.Fatalf("%d-byte key, %d bytes, counter last: %v: wrong", size, n, order.last)
					}
					count(&k, &order.bytes, base0, base1, counter, &got[0], &got[0], n)
					if !bytes.Equal(got[:n], src) || got[n] != 0 {
						t.Fatalf("%d-byte key, %d bytes, counter last: %v: wrong in place", size, n, order.last)
					}
				}
			}
		}
	})
}

func BenchmarkCount(b *testing.B) {
	var k Enc
	generic.ExpandKey(&k, randomBytes(32))
	forEachForm(b, countForms, func(b *testing.B, count countFunc) {
		for _, n := range []int{16, 63, 64, 256, 1420, 16384} {
			b.Run(fmt.Sprint(n), func(b *testing.B) {
				order, buf := [16]byte{}, make([]byte, n)
				b.SetBytes(int64(n))
				for b.Loop() {
					count(&k, &order, 0, 0, 1, &buf[0], &buf[0], n)
				}
			})
		}
	})
}
