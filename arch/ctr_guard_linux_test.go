package arch

import (
	"bytes"
	"fmt"
	"testing"

	"lamina/arch/keys"
	"lamina/internal/fence"
)

// TestGuardedCTR has everything lie against a page that may not be touched.
func TestGuardedCTR(t *testing.T) {
	forGuardedImpls(t, func(t *testing.T, im Impl, atEnd bool) {
		dst, src := fence.NewGuarded(t, guardMax), fence.NewGuarded(t, guardMax)
		copy(src, bytesFor(74, len(src)))
		ctr := (*[16]byte)(fence.NewGuarded(t, 16).Bytes(16, atEnd))
		counter := fence.Object[uint64](fence.NewGuarded(t, 8), atEnd)
		k := fence.Object[keys.Enc](fence.NewGuarded(t, 1), atEnd)
		for _, size := range keySizes {
			key := bytesFor(73, size)
			*k = expand(im, key).Enc
			block := stdBlock(t, key)
			for _, n := range guardLengths() {
				// Near the end of the counter, so that some texts are cut in two.
				*ctr = [16]byte{0, 0, 0, 0, 0, 0, 0, 9, 255, 255, 255, 255, 255, 255, 255, byte(-n)}
				*counter = 1
				dst, src := dst.Bytes(n, atEnd), src.Bytes(n, atEnd)
				want := stdCTR(block, *ctr, src)
				wantX := plainXCTR(block, 1, addCounter(*ctr, (n+15)/16), src)
				fence.Caught(t, func() string { return fmt.Sprintf("%d bytes", n) }, func() {
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
