package arch

import (
	"bytes"
	"fmt"
	"testing"

	"lamina/arch/keys"
)

// TestGuardedCTR has everything lie against a page that may not be touched.
func TestGuardedCTR(t *testing.T) {
	forGuardedImpls(t, func(t *testing.T, im Impl, atEnd bool) {
		dst, src := newGuarded(t, guardMax), newGuarded(t, guardMax)
		copy(src, bytesFor(74, len(src)))
		ctr := (*[16]byte)(newGuarded(t, 16).bytes(16, atEnd))
		counter := object[uint64](newGuarded(t, 8), atEnd)
		k := object[keys.Enc](newGuarded(t, 1), atEnd)
		for _, size := range keySizes {
			key := bytesFor(73, size)
			*k = expand(im, key).Enc
			block := stdBlock(t, key)
			for _, n := range guardLengths() {
				// Near the end of the counter, so that some texts are cut in two.
				*ctr = [16]byte{0, 0, 0, 0, 0, 0, 0, 9, 255, 255, 255, 255, 255, 255, 255, byte(-n)}
				*counter = 1
				dst, src := dst.bytes(n, atEnd), src.bytes(n, atEnd)
				want := stdCTR(block, *ctr, src)
				wantX := plainXCTR(block, 1, addCounter(*ctr, (n+15)/16), src)
				caught(t, fmt.Sprintf("%d bytes", n), func() {
					CTR(im, k, ctr, dst, src)
					if !bytes.Equal(dst, want) {
						t.Fatalf("CTR of %d bytes is wrong", n)
					}
					XCTR(im, k, counter, ctr, dst, src)
					if !bytes.Equal(dst, wantX) {
						t.Fatalf("XCTR of %d bytes is wrong", n)
					}
				})
			}
		}
	})
}
