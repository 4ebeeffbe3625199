package aes

import (
	"testing"

	"lamina/arch"
	"lamina/internal/fuzzing"
)

// FuzzBlocks compares implementations with crypto/aes.
func FuzzBlocks(f *testing.F) {
	for i, n := range fuzzing.Boundaries {
		f.Add([]byte{byte(i)}, uint8(i), []byte("text"), n, uint8(3*i))
	}
	f.Fuzz(func(t *testing.T, keyData []byte, size uint8, textData []byte, length uint16, align uint8) {
		key := fuzzing.Bytes(keyData, fuzzing.Pick(keySizes, size))
		plain := fuzzing.Bytes(textData, fuzzing.Len(length)&^15)
		std, want := stdBlock(t, key), make([]byte, len(plain))
		for i := 0; i < len(plain); i += 16 {
			std.Encrypt(want[i:], plain[i:])
		}
		for _, im := range arch.Impls() {
			k := newKey(t, im, key)
			fuzzing.CheckCrypt(t, im.String()+": EncryptBlocks", plain, want, align, k.EncryptBlocks)
			fuzzing.CheckCrypt(t, im.String()+": DecryptBlocks", want, plain, align, k.DecryptBlocks)
		}
	})
}
