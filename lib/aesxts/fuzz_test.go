package aesxts

import (
	"bytes"
	"math/big"
	"slices"
	"testing"

	"lamina/arch"
	"lamina/internal/fuzzing"
)

// fuzzKey makes a key out of data, with halves that differ.
func fuzzKey(data []byte, size uint8) []byte {
	key := fuzzing.Bytes(data, fuzzing.Pick(keySizes, size))
	if half := len(key) / 2; bytes.Equal(key[:half], key[half:]) {
		key[0] ^= 1
	}
	return key
}

// fuzzTweaks have the carries of doubling in them: none, all, out of each byte, from the last bit alone.
var fuzzTweaks = [][]byte{{}, make([]byte, 16), bytes.Repeat([]byte{0xff}, 16), bytes.Repeat([]byte{0x80}, 16), {15: 0x80}}

// FuzzImpls compares implementations with the standard written down, a data unit at once and in pieces.
func FuzzImpls(f *testing.F) {
	for i, n := range fuzzing.Boundaries {
		tweak, cuts := fuzzTweaks[i%len(fuzzTweaks)], []byte{byte(i), 2, 64}
		f.Add([]byte{byte(i)}, uint8(i), tweak, []byte("text"), n, cuts, uint8(3*i))
	}
	f.Fuzz(func(t *testing.T, keyData []byte, size uint8, tweakData, textData []byte, length uint16, cuts []byte,
		align uint8) {
		key, start := fuzzKey(keyData, size), fuzzing.Block(tweakData)
		text := fuzzing.Bytes(textData, BlockSize+fuzzing.Len(length))
		want := reference(key, start, text)
		pieces := unitPieces(len(text), cuts)
		for _, im := range arch.Impls() {
			k := newKey(t, im, key)
			for _, c := range []struct {
				name    string
				in, out []byte
				f       func(dst, src []byte, tweak *[16]byte)
			}{{"Encrypt", text, want, k.Encrypt}, {"Decrypt", want, text, k.Decrypt}} {
				fuzzing.CheckCrypt(t, im.String()+": "+c.name, c.in, c.out, align, func(dst, src []byte) {
					tweak := start
					c.f(dst, src, &tweak)
				})
				fuzzing.CheckCrypt(t, im.String()+": "+c.name+" in pieces", c.in, c.out, align, func(dst, src []byte) {
					tweak, from := start, 0
					for _, to := range pieces {
						c.f(dst[from:to], src[from:to], &tweak)
						from = to
					}
				})
			}
		}
	})
}

// unitPieces returns the ends of pieces of whole blocks, as many as each byte of cuts says and at least one, and
// of a last piece of at least 16 bytes.
func unitPieces(n int, cuts []byte) (ends []int) {
	at := 0
	for _, c := range cuts {
		at += 16 * max(1, int(c))
		if at > n-16 {
			break
		}
		ends = append(ends, at)
	}
	return append(ends, n)
}

// FuzzSectors compares consecutive sectors with data units, one by one.
func FuzzSectors(f *testing.F) {
	for i, n := range []uint16{16, 17, 31, 32, 33, 512, 520, 1024, 1040, 4096} {
		f.Add([]byte{byte(i)}, uint8(i), uint64(i), n, uint8(i), uint8(5*i))
		f.Add([]byte{byte(i)}, uint8(i), -uint64(i), n, uint8(3), uint8(5*i)) // the number's carry into its upper half
	}
	f.Fuzz(func(t *testing.T, keyData []byte, size uint8, first uint64, sectorSize uint16, count, align uint8) {
		key := fuzzKey(keyData, size)
		n := BlockSize + fuzzing.Len(sectorSize)
		text := fuzzing.Bytes(keyData, n*int(count%9))
		var want []byte
		number := new(big.Int).SetUint64(first)
		for unit := range slices.Chunk(text, n) {
			tweak := [16]byte(number.FillBytes(make([]byte, 16)))
			slices.Reverse(tweak[:])
			want = append(want, reference(key, tweak, unit)...)
			number.Add(number, big.NewInt(1))
		}
		for _, im := range arch.Impls() {
			k := newKey(t, im, key)
			fuzzing.CheckCrypt(t, im.String()+": EncryptSectors", text, want, align, func(dst, src []byte) {
				k.EncryptSectors(dst, src, first, n)
			})
			fuzzing.CheckCrypt(t, im.String()+": DecryptSectors", want, text, align, func(dst, src []byte) {
				k.DecryptSectors(dst, src, first, n)
			})
		}
	})
}
