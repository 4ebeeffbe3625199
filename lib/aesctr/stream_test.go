package aesctr

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"lamina/arch"
)

// TestLeavesRestAlone holds that a longer dst keeps what is behind the text.
func TestLeavesRestAlone(t *testing.T) {
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		k := newKey(t, im, make([]byte, 16))
		for n := range 200 {
			for offset := range uint64(17) {
				dst := bytes.Repeat([]byte{0xa5}, n+100)
				NewCTR(k, make([]byte, 16)).XORKeyStreamAt(dst, make([]byte, n), offset)
				if !bytes.Equal(dst[n:], bytes.Repeat([]byte{0xa5}, 100)) {
					t.Fatalf("%d bytes at offset %d: written past the end of the text", n, offset)
				}
			}
		}
	})
}

// TestAt reads the stream at all offsets, in place and not, and holds that it does not move on.
func TestAt(t *testing.T) {
	zeros := make([]byte, 900)
	key := bytesFor(6, 24)
	for _, start := range startBlocks() {
		stream := plainCTR(key, start, zeros)
		forEachImpl(t, func(t *testing.T, im arch.Impl) {
			s := NewCTR(newKey(t, im, key), start[:])
			for offset := 0; offset < 600; offset += 1 + offset/50 {
				for n := 0; n <= 300; n += 1 + n/9 {
					got := make([]byte, n)
					s.XORKeyStreamAt(got, zeros[:n], uint64(offset))
					if !bytes.Equal(got, stream[offset:][:n]) {
						t.Fatalf("from %x, %d bytes at offset %d: wrong", start, n, offset)
					}
					if s.XORKeyStreamAt(got, got, uint64(offset)); !bytes.Equal(got, zeros[:n]) {
						t.Fatalf("from %x, %d bytes at offset %d, in place: wrong", start, n, offset)
					}
				}
			}
			got := make([]byte, 40)
			if s.XORKeyStream(got, got); !bytes.Equal(got, stream[:40]) {
				t.Error("XORKeyStreamAt moved the stream on")
			}
		})
	}
}

// TestFarOffsets has offsets whose block number carries into the upper half of the counter, and texts that
// pass the greatest offset.
func TestFarOffsets(t *testing.T) {
	key := bytesFor(7, 16)
	zeros := make([]byte, 100)
	for _, offset := range []uint64{1 << 32, 1<<36 - 5, 1 << 36, 1 << 63, math.MaxUint64 - 99, math.MaxUint64} {
		for _, lo := range []uint64{0, math.MaxUint64, math.MaxUint64 - offset/16 - 1, math.MaxUint64 - offset/16 + 1} {
			var start, at [16]byte
			binary.BigEndian.PutUint64(start[:8], 41)
			binary.BigEndian.PutUint64(start[8:], lo)
			hi := uint64(41)
			if lo+offset/16 < lo {
				hi++
			}
			binary.BigEndian.PutUint64(at[:8], hi)
			binary.BigEndian.PutUint64(at[8:], lo+offset/16)
			before := int(offset % 16)
			want := plainCTR(key, at, make([]byte, 16+len(zeros)))[before:][:len(zeros)]
			forEachImpl(t, func(t *testing.T, im arch.Impl) {
				got := make([]byte, len(zeros))
				NewCTR(newKey(t, im, key), start[:]).XORKeyStreamAt(got, zeros, offset)
				if !bytes.Equal(got, want) {
					t.Errorf("offset %#x, start %x: got %x, want %x", offset, start, got, want)
				}
			})
		}
	}
}

// TestConcurrent has many goroutines read one stream at random places, while one goes through it.
func TestConcurrent(t *testing.T) {
	const n = 5000
	text, key := bytesFor(8, n), bytesFor(9, 32)
	start := [16]byte(bytesFor(10, 16))
	want := plainCTR(key, start, text)
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		s := NewCTR(newKey(t, im, key), start[:])
		var wg sync.WaitGroup
		for seed := range uint64(8) {
			wg.Go(func() {
				random := rand.New(rand.NewPCG(seed, 0))
				for range 50 {
					offset := random.IntN(n)
					m := random.IntN(n - offset)
					got := make([]byte, m)
					s.XORKeyStreamAt(got, text[offset:][:m], uint64(offset))
					if !bytes.Equal(got, want[offset:][:m]) {
						t.Errorf("%d bytes at offset %d: wrong under concurrent use", m, offset)
						return
					}
				}
			})
		}
		wg.Go(func() {
			got := make([]byte, n)
			for at := 0; at < n; at += 100 {
				s.XORKeyStream(got[at:], text[at:][:100])
			}
			if !bytes.Equal(got, want) {
				t.Error("XORKeyStream beside XORKeyStreamAt: wrong")
			}
		})
		wg.Wait()
	})
}
