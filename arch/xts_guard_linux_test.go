package arch

import (
	"bytes"
	"fmt"
	"testing"

	"lamina/arch/keys"
	"lamina/internal/fence"
)

func TestGuardedXTS(t *testing.T) {
	forGuardedImpls(t, func(t *testing.T, im Impl, atEnd bool) {
		dst, src := fence.NewGuarded(t, guardMax), fence.NewGuarded(t, guardMax)
		copy(src, bytesFor(90, len(src)))
		enc := fence.Object[keys.Enc](fence.NewGuarded(t, 1), atEnd)
		dec := fence.Object[keys.Dec](fence.NewGuarded(t, 1), atEnd)
		tweak := (*[16]byte)(fence.NewGuarded(t, 16).Bytes(16, atEnd))
		for _, size := range keySizes {
			both := expand(im, bytesFor(91, size))
			*enc, *dec = both.Enc, both.Dec
			for _, n := range guardLengths() {
				if n < 16 {
					continue
				}
				fence.Caught(t, func() string { return fmt.Sprintf("%d bytes", n) }, func() {
					dst, src := dst.Bytes(n, atEnd), src.Bytes(n, atEnd)
					before := bytes.Clone(src)
					EncryptTweak(im, enc, tweak, uint64(n), 7)
					XTSEncrypt(im, enc, tweak, dst, src)
					EncryptTweak(im, enc, tweak, uint64(n), 7)
					XTSDecrypt(im, dec, tweak, dst, dst)
					DecryptTweak(im, dec, tweak)
					if !bytes.Equal(dst, before) {
						t.Fatalf("%d bytes: wrong after both ways", n)
					}
				})
			}
		}
	})
}
