package aesctr

import (
	"bytes"
	"encoding/binary"
	"math/big"
	"testing"

	"lamina/arch"
	"lamina/internal/fuzzing"
)

// addFuzzSeeds adds seeds for each boundary of lengths, with counter blocks in the middle of nowhere and just
// before each carry, and places from the first to the last there are. Every target here has the same
// arguments.
func addFuzzSeeds(f *testing.F) {
	starts := startBlocks()
	for i, n := range fuzzing.Boundaries {
		start, cuts := starts[i%len(starts)], []byte{byte(i), 16, 0, byte(7 * i)}
		for _, place := range []uint64{uint64(n), 3 << (2 * i), -uint64(n) - uint64(i)} {
			f.Add([]byte{byte(i)}, uint8(i), start[:], place, []byte("text"), n, cuts, uint8(3*i))
		}
	}
}

// FuzzCTR compares implementations with the definition of counter mode, a text at once and in two calls.
func FuzzCTR(f *testing.F) {
	addFuzzSeeds(f)
	f.Fuzz(func(t *testing.T, keyData []byte, size uint8, ctrData []byte, place uint64, textData []byte, length uint16,
		_ []byte, align uint8) {
		key, start := fuzzing.Bytes(keyData, fuzzing.Pick(keySizes, size)), fuzzing.Block(ctrData)
		text := fuzzing.Bytes(textData, fuzzing.Len(length))
		want, next := plainCTR(key, start, text), advanced(start, blocksIn(len(text)))
		cut := int(place%uint64(len(text)+1)) &^ 15
		for _, im := range arch.Impls() {
			k := newKey(t, im, key)
			fuzzing.CheckCrypt(t, im.String()+": CTR", text, want, align, func(dst, src []byte) {
				ctr := start
				if CTR(k, &ctr, dst, src); ctr != next {
					t.Fatalf("%v: CTR of %d bytes advances %x to %x, want %x", im, len(src), start, ctr, next)
				}
			})
			fuzzing.CheckCrypt(t, im.String()+": CTR in two calls", text, want, align, func(dst, src []byte) {
				ctr := start
				CTR(k, &ctr, dst[:cut], src[:cut])
				CTR(k, &ctr, dst[cut:], src[cut:])
			})
		}
	})
}

// FuzzXCTR compares implementations with the definition of XCTR, a text at once and in two calls.
func FuzzXCTR(f *testing.F) {
	addFuzzSeeds(f)
	f.Fuzz(func(t *testing.T, keyData []byte, size uint8, ivData []byte, place uint64, textData []byte, length uint16,
		_ []byte, align uint8) {
		key, iv := fuzzing.Bytes(keyData, fuzzing.Pick(keySizes, size)), fuzzing.Block(ivData)
		text := fuzzing.Bytes(textData, fuzzing.Len(length))
		start := binary.BigEndian.Uint64(iv[8:]) // any; this makes of seeds before a carry some before a wrap
		want, next := plainXCTR(key, start, iv, text), start+blocksIn(len(text))
		cut := int(place%uint64(len(text)+1)) &^ 15
		for _, im := range arch.Impls() {
			k := newKey(t, im, key)
			fuzzing.CheckCrypt(t, im.String()+": XCTR", text, want, align, func(dst, src []byte) {
				counter := start
				if XCTR(k, &counter, &iv, dst, src); counter != next {
					t.Fatalf("%v: XCTR of %d bytes advances %d to %d, want %d", im, len(src), start, counter, next)
				}
			})
			fuzzing.CheckCrypt(t, im.String()+": XCTR in two calls", text, want, align, func(dst, src []byte) {
				counter := start
				XCTR(k, &counter, &iv, dst[:cut], src[:cut])
				XCTR(k, &counter, &iv, dst[cut:], src[cut:])
			})
		}
	})
}

// FuzzStream compares a text in pieces, read on and read at their places, with the definition. The place is
// that of the whole text in the stream.
func FuzzStream(f *testing.F) {
	addFuzzSeeds(f)
	f.Fuzz(func(t *testing.T, keyData []byte, size uint8, ivData []byte, place uint64, textData []byte, length uint16,
		cuts []byte, align uint8) {
		key, iv := fuzzing.Bytes(keyData, fuzzing.Pick(keySizes, size)), fuzzing.Block(ivData)
		text := fuzzing.Bytes(textData, fuzzing.Len(length))
		want := plainCTR(key, iv, text)
		skipped := make([]byte, place%16) // the text begins within a block
		wantAt := plainCTR(key, advanced(iv, place/16), append(skipped, text...))[len(skipped):]
		for _, im := range arch.Impls() {
			k := newKey(t, im, key)
			fuzzing.CheckCrypt(t, im.String()+": XORKeyStream", text, want, align, func(dst, src []byte) {
				s := NewCTR(k, iv[:])
				for from, to := range fuzzing.Pieces(len(src), cuts) {
					s.XORKeyStream(dst[from:to], src[from:to])
				}
			})
			fuzzing.CheckCrypt(t, im.String()+": XORKeyStreamAt", text, wantAt, align, func(dst, src []byte) {
				s := NewCTR(k, iv[:])
				if place > -uint64(len(src)) {
					s.XORKeyStreamAt(dst, src, place) // offsets of pieces would wrap
					return
				}
				for from, to := range fuzzing.Pieces(len(src), cuts) {
					s.XORKeyStreamAt(dst[from:to], src[from:to], place+uint64(from))
				}
				first := make([]byte, min(16, len(text)))
				if s.XORKeyStream(first, text[:len(first)]); !bytes.Equal(first, want[:len(first)]) {
					t.Fatalf("%v: XORKeyStream is not at its beginning after XORKeyStreamAt", im)
				}
			})
		}
	})
}

func blocksIn(n int) uint64 { return uint64(n+15) / 16 }

// advanced is the counter block n blocks after ctr.
func advanced(ctr [16]byte, n uint64) (out [16]byte) {
	sum := new(big.Int).Add(new(big.Int).SetBytes(ctr[:]), new(big.Int).SetUint64(n))
	return [16]byte(sum.FillBytes(make([]byte, 17))[1:])
}
