//go:build amd64 && !purego

package amd64

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"testing"
	"unsafe"

	"lamina/arch/generic"
)

type (
	recordFunc func(k *GCM, tag *[16]byte, dst, src *byte, n int, nonce *[12]byte, ad *byte, adLen int)
	updateFunc func(k *GCM, acc *Element, ctr *[16]byte, dst, src *byte, n int)
)

// gcmFuncs are the GCM functions of one form.
type gcmFuncs struct {
	seal, open       recordFunc
	encrypt, decrypt updateFunc
}

var gcmForms = map[string]gcmFuncs{
	"AESNI":       {GCMSealAESNI, GCMOpenAESNI, GCMEncryptAESNI, GCMDecryptAESNI},
	"AESNIAVX":    {GCMSealAESNIAVX, GCMOpenAESNIAVX, GCMEncryptAESNIAVX, GCMDecryptAESNIAVX},
	"VAESAVX2":    {GCMSealVAESAVX2, GCMOpenVAESAVX2, GCMEncryptVAESAVX2, GCMDecryptVAESAVX2},
	"VAESAVX512Y": {GCMSealVAESAVX512Y, GCMOpenVAESAVX512Y, GCMEncryptVAESAVX512Y, GCMDecryptVAESAVX512Y},
	"VAESAVX512Z": {GCMSealVAESAVX512Z, GCMOpenVAESAVX512Z, GCMEncryptVAESAVX512Z, GCMDecryptVAESAVX512Z},
}

func randomBytes(n int) []byte {
	b := make([]byte, n)
	rand.Read(b)
	return b
}

// TestGCMRecords compares every length with the portable code.
func TestGCMRecords(t *testing.T) {
	for _, keySize := range []int{16, 24, 32} {
		var k GCM
		generic.PrepareGCM(&k, randomBytes(keySize))
		forEachForm(t, gcmForms, func(t *testing.T, f gcmFuncs) {
			for n := 0; n <= 1700; n++ {
				adLen := n % 70
				if n > 1100 {
					adLen = n
				}
				src, ad, nonce := randomBytes(n), randomBytes(adLen), [12]byte(randomBytes(12))
				want, got := make([]byte, n+1), make([]byte, n+1)
				var wantTag, gotTag [16]byte
				generic.GCMSeal(&k, &wantTag, want[:n], src, &nonce, ad)
				f.seal(&k, &gotTag, &got[0], unsafe.SliceData(src), n, &nonce, unsafe.SliceData(ad), adLen)
				if !bytes.Equal(got, want) {
					t.Fatalf("%d bytes, %d of associated data: ciphertext differs", n, adLen)
				}
				if gotTag != wantTag {
					t.Fatalf("%d bytes, %d of associated data: tag differs", n, adLen)
				}
				f.open(&k, &gotTag, &got[0], &got[0], n, &nonce, unsafe.SliceData(ad), adLen)
				if !bytes.Equal(got[:n], src) || got[n] != 0 {
					t.Fatalf("%d bytes, %d of associated data: plaintext differs", n, adLen)
				}
				if gotTag != wantTag {
					t.Fatalf("%d bytes, %d of associated data: tag differs in opening", n, adLen)
				}
			}
		})
	}
}

// TestGCMUpdates compares every number of blocks with the portable code, with counters that wrap.
func TestGCMUpdates(t *testing.T) {
	for _, keySize := range []int{16, 24, 32} {
		var k GCM
		generic.PrepareGCM(&k, randomBytes(keySize))
		forEachForm(t, gcmForms, func(t *testing.T, f gcmFuncs) {
			for blocks := range 140 {
				n := 16 * blocks
				src, ctr := randomBytes(n), [16]byte(randomBytes(16))
				copy(ctr[12:], []byte{255, 255, 255, byte(256 - blocks)})
				want, got := make([]byte, n+1), make([]byte, n+1)
				acc := Element{Lo: 1, Hi: 2}
				wantAcc, gotAcc := acc, acc
				generic.GCMEncrypt(&k, &wantAcc, &ctr, want[:n], src)
				f.encrypt(&k, &gotAcc, &ctr, &got[0], unsafe.SliceData(src), n)
				if !bytes.Equal(got, want) {
					t.Fatalf("%d blocks: ciphertext differs", blocks)
				}
				if gotAcc != wantAcc {
					t.Fatalf("%d blocks: hash differs", blocks)
				}
				gotAcc = acc
				f.decrypt(&k, &gotAcc, &ctr, &got[0], &got[0], n)
				if !bytes.Equal(got[:n], src) || got[n] != 0 {
					t.Fatalf("%d blocks: plaintext differs", blocks)
				}
				if gotAcc != wantAcc {
					t.Fatalf("%d blocks: hash differs in decryption", blocks)
				}
			}
		})
	}
}

func BenchmarkGCMSeal(b *testing.B) {
	benchmarkRecords(b, func(f gcmFuncs) recordFunc { return f.seal })
}

func BenchmarkGCMOpen(b *testing.B) {
	benchmarkRecords(b, func(f gcmFuncs) recordFunc { return f.open })
}

func benchmarkRecords(b *testing.B, choose func(f gcmFuncs) recordFunc) {
	forEachForm(b, gcmForms, func(b *testing.B, f gcmFuncs) {
		record := choose(f)
		for _, keySize := range []int{16, 32} {
			var k GCM
			generic.PrepareGCM(&k, randomBytes(keySize))
			for _, n := range []int{0, 16, 64, 256, 512, 1420, 4096, 16384} {
				b.Run(fmt.Sprintf("%d/%d", 8*keySize, n), func(b *testing.B) {
					buf, ad := make([]byte, n+1), make([]byte, 13)
					var tag [16]byte
					var nonce [12]byte
					for i := 0; b.Loop(); i++ {
						*(*uint64)(unsafe.Pointer(&nonce[4])) = uint64(i)
						record(&k, &tag, &buf[0], &buf[0], n, &nonce, &ad[0], 13)
					}
				})
			}
		}
	})
}
