package arch

import (
	"bytes"
	"fmt"
	"testing"

	"lamina/arch/keys"
)

func TestGuardedXTS(t *testing.T) {
	forGuardedImpls(t, func(t *testing.T, im Impl, atEnd bool) {
		dst, src := newGuarded(t, guardMax), newGuarded(t, guardMax)
		copy(src, bytesFor(90, len(src)))
		enc := object[keys.Enc](newGuarded(t, 1), atEnd)
		dec := object[keys.Dec](newGuarded(t, 1), atEnd)
		tweak := (*[16]byte)(newGuarded(t, 16).bytes(16, atEnd))
		for _, size := range keySizes {
			both := expand(im, bytesFor(91, size))
			*enc, *dec = both.Enc, both.Dec
			for _, n := range guardLengths() {
				if n < 16 {
					continue
				}
				caught(t, fmt.Sprintf("%d bytes", n), func() {
					dst, src := dst.bytes(n, atEnd), src.bytes(n, atEnd)
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
