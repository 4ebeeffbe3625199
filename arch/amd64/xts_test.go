//go:build amd64 && !purego

package amd64

import (
	"bytes"
	"fmt"
	"testing"

	"lamina/arch/generic"
	"lamina/arch/keys"
)

// xtsFuncs are the XTS functions of one form.
type xtsFuncs struct {
	encrypt func(k *Enc, tweak *[16]byte, dst, src *byte, n int)
	decrypt func(d *Dec, tweak *[16]byte, dst, src *byte, n int)
	tweak   func(k *Enc, tweak *[16]byte, lo, hi uint64)
}

var xtsOf = map[string]xtsFuncs{
	"AESNI":       {XTSEncryptAESNI, XTSDecryptAESNI, XTSTweakAESNI},
	"AESNIAVX":    {XTSEncryptAESNIAVX, XTSDecryptAESNIAVX, XTSTweakAESNIAVX},
	"VAESAVX2":    {XTSEncryptVAESAVX2, XTSDecryptVAESAVX2, XTSTweakAESNIAVX},
	"VAESAVX512Y": {XTSEncryptVAESAVX512Y, XTSDecryptVAESAVX512Y, XTSTweakAESNIAVX},
	"VAESAVX512Z": {XTSEncryptVAESAVX512Z, XTSDecryptVAESAVX512Z, XTSTweakAESNIAVX},
}

func xtsKey(size int) *keys.Key {
	k := new(keys.Key)
	generic.ExpandKey(&k.Enc, randomBytes(size))
	generic.InvertKey(&k.Dec, &k.Enc)
	return k
}

// TestXTS compares every length with the portable code, also those that package arch gives to another form.
func TestXTS(t *testing.T) {
	for _, size := range keySizes {
		k := xtsKey(size)
		forEachForm(t, xtsOf, func(t *testing.T, fn xtsFuncs) {
			for n := 16; n <= 1700; n++ {
				src, tweak := randomBytes(n), [16]byte(randomBytes(16))
				want, got := make([]byte, n+1), make([]byte, n+1)
				wantNext, gotNext := tweak, tweak
				generic.XTSEncrypt(&k.Enc, &wantNext, want[:n], src)
				fn.encrypt(&k.Enc, &gotNext, &got[0], &src[0], n)
				if !bytes.Equal(got, want) || gotNext != wantNext {
					t.Fatalf("%d-byte key, %d bytes: encryption differs; next tweak %x, want %x", size, n, gotNext, wantNext)
				}
				gotNext = tweak
				fn.decrypt(&k.Dec, &gotNext, &got[0], &got[0], n)
				if !bytes.Equal(got[:n], src) || got[n] != 0 || gotNext != wantNext {
					t.Fatalf("%d-byte key, %d bytes: decryption differs; next tweak %x, want %x", size, n, gotNext, wantNext)
				}
			}
			for range 20 {
				lo, hi := random.Uint64(), random.Uint64()
				var got, want [16]byte
				generic.EncryptTweak(&k.Enc, &want, lo, hi)
				if fn.tweak(&k.Enc, &got, lo, hi); got != want {
					t.Fatalf("%d-byte key: tweak %x%x becomes %x, want %x", size, hi, lo, got, want)
				}
			}
		})
	}
}

// BenchmarkXTSEncrypt has the tweak of a call depend on the call before.
func BenchmarkXTSEncrypt(b *testing.B) {
	benchmarkXTS(b, func(fn xtsFuncs, k *keys.Key, tweak *[16]byte, data *byte, n int) {
		fn.encrypt(&k.Enc, tweak, data, data, n)
	})
}

func BenchmarkXTSDecrypt(b *testing.B) {
	benchmarkXTS(b, func(fn xtsFuncs, k *keys.Key, tweak *[16]byte, data *byte, n int) {
		fn.decrypt(&k.Dec, tweak, data, data, n)
	})
}

func benchmarkXTS(b *testing.B, f func(fn xtsFuncs, k *keys.Key, tweak *[16]byte, data *byte, n int)) {
	for _, size := range []int{16, 32} {
		k := xtsKey(size)
		forEachForm(b, xtsOf, func(b *testing.B, fn xtsFuncs) {
			for _, n := range []int{16, 63, 64, 512, 4095, 4096, 16384} {
				b.Run(fmt.Sprintf("%d/%d", 8*size, n), func(b *testing.B) {
					data := make([]byte, n)
					var tweak [16]byte
					b.SetBytes(int64(n))
					for b.Loop() {
						f(fn, k, &tweak, &data[0], n)
					}
				})
			}
		})
	}
}
