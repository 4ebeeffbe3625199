package aescbc

import (
	"testing"

	"lamina/arch"
	"lamina/internal/fuzzing"
	"lamina/internal/suite"
	"lamina/lib/aes"
)

// FuzzCBC compares implementations with the definition, a text at once and in pieces of whole blocks, as many as
// each byte of cuts says.
func FuzzCBC(f *testing.F) {
	for i, n := range fuzzing.Boundaries {
		f.Add([]byte{byte(i)}, uint8(i), []byte("iv"), []byte("text"), n, []byte{byte(i), 0, 8}, uint8(3*i))
	}
	f.Fuzz(func(t *testing.T, keyData []byte, size uint8, ivData, textData []byte, length uint16, cuts []byte, align uint8) {
		key, iv := fuzzing.Bytes(keyData, fuzzing.Pick(cbc.Keys, size)), fuzzing.Block(ivData)
		text := fuzzing.Bytes(textData, fuzzing.Len(length)&^15)
		want, next := textbookCrypt(cbc, key, iv, text)
		for _, im := range arch.Impls() {
			k := newKey(t, im, key)
			for _, c := range []struct {
				name    string
				in, out []byte
				f       func(iv *[16]byte, dst, src []byte)
			}{
				{"Encrypt", text, want, func(iv *[16]byte, dst, src []byte) { Encrypt(&k.EncKey, iv, dst, src) }},
				{"Decrypt", want, text, func(iv *[16]byte, dst, src []byte) { Decrypt(k, iv, dst, src) }},
			} {
				checkFuzz(t, im, c.name, c.in, c.out, iv, next, align, c.f)
				checkFuzz(t, im, c.name+" in pieces", c.in, c.out, iv, next, align, func(iv *[16]byte, dst, src []byte) {
					for from, to := range fuzzing.Pieces(len(src)/16, cuts) {
						c.f(iv, dst[16*from:16*to], src[16*from:16*to])
					}
				})
			}
		}
	})
}

// FuzzCTS compares implementations with the definition.
func FuzzCTS(f *testing.F) {
	for i, n := range fuzzing.Boundaries {
		f.Add([]byte{byte(i)}, uint8(i), []byte("iv"), []byte("text"), n, uint8(3*i))
	}
	f.Fuzz(func(t *testing.T, keyData []byte, size uint8, ivData, textData []byte, length uint16, align uint8) {
		key, iv := fuzzing.Bytes(keyData, fuzzing.Pick(cbc.Keys, size)), fuzzing.Block(ivData)
		text := fuzzing.Bytes(textData, aes.BlockSize+fuzzing.Len(length))
		want, next := textbookCrypt(cts, key, iv, text)
		for _, im := range arch.Impls() {
			k := newKey(t, im, key)
			checkFuzz(t, im, "EncryptCTS", text, want, iv, next, align, func(iv *[16]byte, dst, src []byte) {
				EncryptCTS(&k.EncKey, iv, dst, src)
			})
			checkFuzz(t, im, "DecryptCTS", want, text, iv, next, align, func(iv *[16]byte, dst, src []byte) {
				DecryptCTS(k, iv, dst, src)
			})
		}
	})
}

// checkFuzz is fuzzing.CheckCrypt for functions that make next of the IV.
func checkFuzz(t *testing.T, im arch.Impl, name string, in, out []byte, iv, next [16]byte, align uint8,
	f func(iv *[16]byte, dst, src []byte)) {
	t.Helper()
	fuzzing.CheckCrypt(t, im.String()+": "+name, in, out, align, func(dst, src []byte) {
		got := iv
		if f(&got, dst, src); got != next {
			t.Fatalf("%v: %s of %d bytes: iv becomes %x, want %x", im, name, len(in), got, next)
		}
	})
}

// textbookCrypt encrypts text by the definition of the mode, and returns the IV to continue with too.
func textbookCrypt(m suite.Mode[aes.Key], key []byte, iv [16]byte, text []byte) ([]byte, [16]byte) {
	out, _, next := m.Mode.Encrypt(key, iv[:], text, nil, 0)
	return out, [16]byte(next)
}
