package aesctr

import (
	stdaes "crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"testing"

	"lamina/arch"
	"lamina/internal/textbook"
	"lamina/lib/aes"
)

var keySizes = []int{16, 24, 32}

// forEachImpl runs test for every implementation of this CPU.
func forEachImpl(t *testing.T, test func(t *testing.T, im arch.Impl)) {
	for _, im := range arch.Impls() {
		t.Run(im.String(), func(t *testing.T) { test(t, im) })
	}
}

// bytesFor returns n bytes that are random, and the same on every run for the same seed.
func bytesFor(seed byte, n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{seed}).Read(b)
	return b
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

func newKey(t testing.TB, im arch.Impl, key []byte) *aes.EncKey {
	t.Helper()
	k := new(aes.EncKey)
	if err := k.InitImpl(im, key); err != nil {
		t.Fatal(err)
	}
	return k
}

func stdBlock(t testing.TB, key []byte) cipher.Block {
	t.Helper()
	b, err := stdaes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// startBlocks are counter blocks in the middle of nowhere, at 0, and a few blocks before the carry out of 32,
// 64, 96 and 128 bits.
func startBlocks() [][16]byte {
	list := [][16]byte{[16]byte(bytesFor(1, 16)), {}}
	for _, full := range []int{4, 8, 12, 16} {
		b := [16]byte(bytesFor(2, 16))
		for i := 16 - full; i < 16; i++ {
			b[i] = 0xff
		}
		b[15] = 0xfd
		list = append(list, b)
	}
	return list
}

// plainCTR is counter mode as the textbook has it.
func plainCTR(key []byte, ctr [16]byte, src []byte) []byte {
	out, _, _ := textbook.CTR.Encrypt(key, ctr[:], src, nil, 0)
	return out
}

// plainXCTR is the definition of XCTR, with the number of the first block.
func plainXCTR(key []byte, first uint64, iv [16]byte, src []byte) []byte {
	out, _, _ := textbook.XCTR.Encrypt(key, append(binary.LittleEndian.AppendUint64(nil, first), iv[:]...), src, nil, 0)
	return out
}
