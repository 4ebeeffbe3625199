package arch

import (
	"bytes"
	"crypto/cipher"
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"lamina/arch/keys"
	"lamina/internal/fence"
)

// ctrCounters are counter blocks that wrap within a few blocks: every word of 32 and of 64 bits, and all, up
// to 17 blocks before it carries, which is more than a vector holds, and past the middle of a pass of the
// widest loop.
func ctrCounters() (list [][16]byte) {
	words := [][2]int{{0, 4}, {4, 8}, {8, 12}, {12, 16}, {0, 8}, {8, 16}, {4, 16}, {0, 16}}
	for _, word := range words {
		for _, before := range []byte{1, 2, 3, 4, 5, 8, 16, 17, 33} {
			ctr := [16]byte(bytesFor(uint64(word[0]*100+word[1]), 16))
			ctr[15] = 0
			for i := word[0]; i < word[1]; i++ {
				ctr[i] = 0xff
			}
			// In the last word so many blocks remain; the others are full, and what is below them may still
			// carry in.
			for i := word[1]; i < 16; i++ {
				ctr[i] = 0xff
			}
			ctr[15] = -before
			list = append(list, ctr)
		}
	}
	return append(list, [16]byte{}, [16]byte(bytesFor(1, 16)))
}

// addCounter returns ctr + n as a 128-bit big-endian integer, byte by byte.
func addCounter(ctr [16]byte, n int) [16]byte {
	for i := 15; i >= 0 && n > 0; i-- {
		n += int(ctr[i])
		ctr[i] = byte(n)
		n >>= 8
	}
	return ctr
}

// plainXCTR is XCTR a block at a time.
func plainXCTR(block cipher.Block, counter uint64, iv [16]byte, src []byte) []byte {
	dst := make([]byte, len(src))
	var stream [16]byte
	for i := range src {
		if i%16 == 0 {
			stream = iv
			for j := range 8 {
				stream[j] ^= byte((counter + uint64(i/16)) >> (8 * j))
			}
			block.Encrypt(stream[:], stream[:])
		}
		dst[i] = src[i] ^ stream[i%16]
	}
	return dst
}

// ctrHooks are the hooks of counter modes under one counterMode.
type ctrHooks struct {
	name string
	ctr  func(im Impl, k *keys.Enc, ctr *[16]byte, dst, src []byte)
	xctr func(im Impl, k *keys.Enc, counter *uint64, iv *[16]byte, dst, src []byte)
}

var directCTR = ctrHooks{"hooks", CTR, XCTR}

// composedCTR is the direct hooks' carry with counterMode made of block hooks, for texts that the counter
// wraps in or not.
var composedCTR = ctrHooks{
	"composed",
	func(im Impl, k *keys.Enc, ctr *[16]byte, dst, src []byte) {
		for len(src) > 0 {
			n := min(len(src), 16*37)
			hi, lo := binary.LittleEndian.Uint64(ctr[:8]), binary.BigEndian.Uint64(ctr[8:])
			if lo > math.MaxUint64-37 {
				n = min(n, 16)
			}
			composeCounterMode(im, k, true, hi, 0, lo, &dst[0], &src[0], n)
			*ctr = addCounter(*ctr, (n+15)/16)
			dst, src = dst[n:], src[n:]
		}
	},
	func(im Impl, k *keys.Enc, counter *uint64, iv *[16]byte, dst, src []byte) {
		for len(src) > 0 {
			n := min(len(src), 16*37)
			if *counter > math.MaxUint64-37 {
				n = min(n, 16)
			}
			composeCounterMode(im, k, false, binary.LittleEndian.Uint64(iv[:8]), binary.LittleEndian.Uint64(iv[8:]),
				*counter, &dst[0], &src[0], n)
			*counter += uint64(n+15) / 16
			dst, src = dst[n:], src[n:]
		}
	},
}

// checkCTR runs CTR over src, out of place and in place, and compares with want.
func checkCTR(t *testing.T, h ctrHooks, im Impl, k *keys.Enc, ctr [16]byte, src, want []byte, align int) {
	t.Helper()
	name := fmt.Sprintf("%s: CTR from %x, %d bytes, %d rounds", h.name, ctr, len(src), k.Rounds)
	wantCounter := addCounter(ctr, (len(src)+15)/16)
	checkStream(t, name, src, want, align, func(dst, src []byte) {
		got := ctr
		h.ctr(im, k, &got, dst, src)
		if got != wantCounter {
			t.Fatalf("%s: the counter became %x, want %x", name, got, wantCounter)
		}
	})
}

// checkXCTR is checkCTR for XCTR.
func checkXCTR(t *testing.T, h ctrHooks, im Impl, k *keys.Enc, counter uint64, iv [16]byte, src, want []byte, align int) {
	t.Helper()
	name := fmt.Sprintf("%s: XCTR from %#x, %d bytes, %d rounds", h.name, counter, len(src), k.Rounds)
	checkStream(t, name, src, want, align, func(dst, src []byte) {
		got, gotIV := counter, iv
		h.xctr(im, k, &got, &gotIV, dst, src)
		if want := counter + uint64(len(src)+15)/16; got != want || gotIV != iv {
			t.Fatalf("%s: the counter became %#x, want %#x, and the IV %x, want %x", name, got, want, gotIV, iv)
		}
	})
}

func checkStream(t *testing.T, name string, src, want []byte, align int, run func(dst, src []byte)) {
	t.Helper()
	out, in := fence.New(len(src), align), fence.New(len(src), align*7)
	copy(in.Bytes(), src)
	run(out.Bytes(), in.Bytes())
	if !bytes.Equal(out.Bytes(), want) {
		t.Fatalf("%s: wrong from byte %d on", name, differsAt(out.Bytes(), want))
	}
	if !bytes.Equal(in.Bytes(), src) {
		t.Fatalf("%s: src changed", name)
	}
	run(in.Bytes(), in.Bytes())
	if !bytes.Equal(in.Bytes(), want) {
		t.Fatalf("%s: wrong in place from byte %d on", name, differsAt(in.Bytes(), want))
	}
	out.Check(t, name)
	in.Check(t, name)
}

// ctrLengths are all lengths up to two passes of the widest loop, or with -short some of those, and some beyond.
func ctrLengths() (ns []int) {
	for n := range 2*512 + 80 {
		if !testing.Short() || n < 150 || n%7 == 0 {
			ns = append(ns, n)
		}
	}
	return append(ns, 1420, 1535, 1536, 1537, 4095, 4096, 4097, 16384, 20001)
}

func stdCTR(block cipher.Block, ctr [16]byte, src []byte) []byte {
	dst := make([]byte, len(src))
	cipher.NewCTR(block, ctr[:]).XORKeyStream(dst, src)
	return dst
}

// TestCTR compares every length with crypto/cipher, with counters that do not wrap and that do.
func TestCTR(t *testing.T) {
	text := bytesFor(2, 20001)
	counters := ctrCounters()
	for _, size := range keySizes {
		key := bytesFor(uint64(size), size)
		block := stdBlock(t, key)
		k := &expand(Generic, key).Enc
		var wants, wantsX [][]byte
		pick := func(n int) [16]byte { return counters[n%len(counters)] }
		for _, n := range ctrLengths() {
			wants = append(wants, stdCTR(block, pick(n), text[:n]))
			wantsX = append(wantsX, plainXCTR(block, uint64(n), pick(n), text[:n]))
		}
		forEachImpl(t, func(t *testing.T, im Impl) {
			for _, h := range []ctrHooks{directCTR, composedCTR} {
				for i, n := range ctrLengths() {
					checkCTR(t, h, im, k, pick(n), text[:n], wants[i], n%64)
					checkXCTR(t, h, im, k, uint64(n), pick(n), text[:n], wantsX[i], n%61)
				}
			}
		})
	}
}

// TestCounterWraps starts at every counter that carries into a word soon, with lengths around every number of
// blocks that a vector or a pass has.
func TestCounterWraps(t *testing.T) {
	text := bytesFor(3, 16*75)
	for _, size := range keySizes {
		if testing.Short() && size != 24 {
			continue
		}
		key := bytesFor(uint64(size), size)
		block := stdBlock(t, key)
		k := &expand(Generic, key).Enc
		for _, ctr := range ctrCounters() {
			// The same bytes, read the other way round, carry in XCTR.
			r := reversed(ctr)
			counter, iv := binary.LittleEndian.Uint64(r[:8]), [16]byte(bytesFor(4, 16))
			want := stdCTR(block, ctr, text)
			wantX := plainXCTR(block, counter, iv, text)
			forEachImpl(t, func(t *testing.T, im Impl) {
				for i, blocks := range []int{1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 18, 20, 31, 32, 33, 34, 40, 65, 75} {
					if testing.Short() && i%4 != 0 {
						continue
					}
					for _, n := range []int{16*blocks - 15, 16*blocks - 1, 16 * blocks} {
						for _, h := range []ctrHooks{directCTR, composedCTR} {
							checkCTR(t, h, im, k, ctr, text[:n], want[:n], 0)
							checkXCTR(t, h, im, k, counter, iv, text[:n], wantX[:n], 0)
						}
					}
				}
			})
		}
	}
}

// TestCTRWrapEverywhere has the lower 64 bits wrap after every number of blocks up to the longest pass.
func TestCTRWrapEverywhere(t *testing.T) {
	text := bytesFor(5, 16*70)
	key := bytesFor(6, 32)
	block := stdBlock(t, key)
	k := &expand(Generic, key).Enc
	for before := range uint64(70) {
		var ctr [16]byte
		binary.BigEndian.PutUint64(ctr[:8], math.MaxUint64-before%2)
		binary.BigEndian.PutUint64(ctr[8:], -before)
		iv := [16]byte(bytesFor(7, 16))
		want, wantX := stdCTR(block, ctr, text), plainXCTR(block, -before, iv, text)
		forEachImpl(t, func(t *testing.T, im Impl) {
			for _, n := range []int{16 * int(before), 16*int(before) + 1, len(text) - 5} {
				n = min(n, len(text))
				checkCTR(t, directCTR, im, k, ctr, text[:n], want[:n], 0)
				checkXCTR(t, directCTR, im, k, -before, iv, text[:n], wantX[:n], 0)
			}
		})
	}
}

// TestCTRZeroKey holds that a key that was never set, which has no rounds, makes no loop run away.
func TestCTRZeroKey(t *testing.T) {
	forEachImpl(t, func(t *testing.T, im Impl) {
		var k keys.Enc
		for n := range 1100 {
			var ctr [16]byte
			buf := fence.New(n, 0)
			CTR(im, &k, &ctr, buf.Bytes(), buf.Bytes())
			buf.Check(t, "zero key")
		}
	})
}

func TestCTRNoAllocations(t *testing.T) {
	forEachImpl(t, func(t *testing.T, im Impl) {
		for _, first := range []uint64{1, math.MaxUint64} {
			n := testing.AllocsPerRun(20, func() {
				var key [32]byte
				var ctr [16]byte
				var text [555]byte
				var k keys.Enc
				counter := first
				ExpandKey(im, &k, key[:])
				XCTR(im, &k, &counter, &ctr, text[:], text[:])
				binary.BigEndian.PutUint64(ctr[8:], first)
				CTR(im, &k, &ctr, text[:], text[:])
				composeCounterMode(im, &k, true, 0, 0, 0, &text[0], &text[0], len(text))
			})
			if n != 0 {
				t.Errorf("%v allocations, want 0", n)
			}
		}
	})
}

// FuzzCTR compares all implementations with crypto/cipher, and XCTR with a plain loop.
func FuzzCTR(f *testing.F) {
	f.Add([]byte("key"), []byte("counter"), make([]byte, 100))
	f.Add([]byte{1}, bytes.Repeat([]byte{0xff}, 16), make([]byte, 700))
	f.Fuzz(func(t *testing.T, keyData, ctrData, text []byte) {
		key := make([]byte, keySizes[len(keyData)%3])
		copy(key, keyData)
		var ctr [16]byte
		copy(ctr[:], ctrData)
		counter := binary.LittleEndian.Uint64(ctr[8:])
		block := stdBlock(t, key)
		want, wantX := stdCTR(block, ctr, text), plainXCTR(block, counter, ctr, text)
		for _, im := range Impls() {
			k := &expand(im, key).Enc
			checkCTR(t, directCTR, im, k, ctr, text, want, len(text)%64)
			checkXCTR(t, directCTR, im, k, counter, ctr, text, wantX, len(text)%64)
		}
	})
}
