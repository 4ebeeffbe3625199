package arch

import (
	"bytes"
	"crypto/cipher"
	"fmt"
	"testing"

	"lamina/arch/keys"
	"lamina/internal/fence"
)

func TestGuardedChained(t *testing.T) {
	forGuardedImpls(t, func(t *testing.T, im Impl, atEnd bool) {
		dst, src := fence.NewGuarded(t, guardMax), fence.NewGuarded(t, guardMax)
		iv := (*[16]byte)(fence.NewGuarded(t, 16).Bytes(16, atEnd))
		ctr := (*[16]byte)(fence.NewGuarded(t, 16).Bytes(16, atEnd))
		enc := fence.Object[keys.Enc](fence.NewGuarded(t, 1), atEnd)
		dec := fence.Object[keys.Dec](fence.NewGuarded(t, 1), atEnd)
		plain := bytesFor(117, guardMax)
		for _, size := range keySizes {
			key := bytesFor(118, size)
			ExpandKey(im, enc, key)
			InvertKey(im, dec, enc)
			want := make([]byte, guardMax)
			cipher.NewCBCEncrypter(stdBlock(t, key), make([]byte, 16)).CryptBlocks(want, plain)
			for n := 0; n <= guardMax; n += 16 {
				fence.Caught(t, func() string { return fmt.Sprintf("%d bytes", n) }, func() {
					dst, src := dst.Bytes(n, atEnd), src.Bytes(n, atEnd)
					copy(src, plain)
					*iv, *ctr = [16]byte{}, [16]byte{}
					CBCEncrypt(im, enc, iv, dst, src)
					if !bytes.Equal(dst, want[:n]) {
						t.Fatalf("CBCEncrypt of %d bytes is wrong", n)
					}
					*iv = [16]byte{}
					CBCDecrypt(im, dec, iv, src, dst)
					if !bytes.Equal(src, plain[:n]) {
						t.Fatalf("CBCDecrypt of %d bytes is wrong", n)
					}
					CBCMAC(im, enc, iv, src)
					CCMEncrypt(im, enc, iv, ctr, dst, src)
					CCMDecrypt(im, enc, iv, ctr, dst, src)
				})
			}
		}
	})
}
