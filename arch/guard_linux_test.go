package arch

import (
	"bytes"
	"fmt"
	"testing"

	"lamina/arch/keys"
	"lamina/internal/fence"
)

// Go's own checks do not see what assembly reads. Here every buffer lies against a page that may not be
// touched, once at its start and once at its end, and a read of one byte too many faults.

const guardMax = 1024

// guardLengths are the lengths of a buffer: all of them, or with -short all that are short and some of the
// others.
func guardLengths() (ns []int) {
	for n := 0; n <= guardMax; n++ {
		if !testing.Short() || n < 300 || n%5 == 0 {
			ns = append(ns, n)
		}
	}
	return ns
}

func forGuardedImpls(t *testing.T, test func(t *testing.T, im Impl, atEnd bool)) {
	for name, atEnd := range map[string]bool{"before": false, "behind": true} {
		t.Run(name, func(t *testing.T) {
			forEachImpl(t, func(t *testing.T, im Impl) {
				test(t, im, atEnd)
			})
		})
	}
}

func TestGuardedKeys(t *testing.T) {
	forGuardedImpls(t, func(t *testing.T, im Impl, atEnd bool) {
		key, h := fence.NewGuarded(t, 32), [16]byte(bytesFor(70, 16))
		both := fence.Object[keys.Key](fence.NewGuarded(t, 1), atEnd)
		dec := fence.Object[keys.Dec](fence.NewGuarded(t, 1), atEnd)
		hash := fence.Object[keys.Hash](fence.NewGuarded(t, 1), atEnd)
		gcm := fence.Object[keys.GCM](fence.NewGuarded(t, 1), atEnd)
		enc := fence.Object[keys.Enc](fence.NewGuarded(t, 1), atEnd)
		for _, size := range keySizes {
			fence.Caught(t, func() string { return fmt.Sprintf("preparing a key of %d bytes", size) }, func() {
				key := key.Bytes(size, atEnd)
				ExpandKey(im, enc, key)
				InvertKey(im, dec, enc)
				ExpandKey(im, &both.Enc, key)
				InvertKey(im, &both.Dec, &both.Enc)
				PrepareHash(im, hash, GHASHKey(&h))
				PrepareGCM(im, gcm, key)
			})
		}
	})
}

func TestGuardedBlocks(t *testing.T) {
	forGuardedImpls(t, func(t *testing.T, im Impl, atEnd bool) {
		dst, src := fence.NewGuarded(t, guardMax), fence.NewGuarded(t, guardMax)
		enc := fence.Object[keys.Enc](fence.NewGuarded(t, 1), atEnd)
		both := fence.Object[keys.Key](fence.NewGuarded(t, 1), atEnd)
		hash := fence.Object[keys.Hash](fence.NewGuarded(t, 1), atEnd)
		PrepareHash(im, hash, keys.Element{Lo: 5, Hi: 7})
		for _, size := range keySizes {
			*both = *expand(im, bytesFor(71, size))
			*enc = both.Enc
			for n := 0; n <= guardMax; n += 16 {
				fence.Caught(t, func() string { return fmt.Sprintf("%d bytes", n) }, func() {
					dst, src := dst.Bytes(n, atEnd), src.Bytes(n, atEnd)
					EncryptBlocks(im, enc, dst, src)
					DecryptBlocks(im, &both.Dec, dst, src)
					var acc keys.Element
					GHASHBlocks(im, hash, &acc, src)
					POLYVALBlocks(im, hash, &acc, src)
				})
			}
		}
	})
}

func TestGuardedGCM(t *testing.T) {
	forGuardedImpls(t, func(t *testing.T, im Impl, atEnd bool) {
		dst, src, ad := fence.NewGuarded(t, guardMax), fence.NewGuarded(t, guardMax), fence.NewGuarded(t, guardMax)
		nonce := (*[12]byte)(fence.NewGuarded(t, 12).Bytes(12, atEnd))
		tag := (*[16]byte)(fence.NewGuarded(t, 16).Bytes(16, atEnd))
		ctr := (*[16]byte)(fence.NewGuarded(t, 16).Bytes(16, atEnd))
		acc := fence.Object[keys.Element](fence.NewGuarded(t, 16), atEnd)
		k := fence.Object[keys.GCM](fence.NewGuarded(t, 1), atEnd)
		for _, size := range keySizes {
			PrepareGCM(im, k, bytesFor(72, size))
			std := stdGCM(t, bytesFor(72, size))
			var want []byte
			check := func(n, adLen int) {
				fence.Caught(t, func() string { return fmt.Sprintf("%d bytes, %d of ad", n, adLen) }, func() {
					dst, src, ad := dst.Bytes(n, atEnd), src.Bytes(n, atEnd), ad.Bytes(adLen, atEnd)
					want = std.Seal(want[:0], nonce[:], src, ad)
					GCMSeal(im, k, tag, dst, src, nonce, ad)
					if !bytes.Equal(dst, want[:n]) || !bytes.Equal(tag[:], want[n:]) {
						t.Fatalf("GCMSeal of %d bytes, %d of ad, is wrong", n, adLen)
					}
					GCMOpen(im, k, tag, src, dst, nonce, ad)
					if !bytes.Equal(tag[:], want[n:]) {
						t.Fatalf("GCMOpen of %d bytes, %d of ad, is wrong", n, adLen)
					}
					whole := n &^ 15
					GCMEncrypt(im, k, acc, ctr, dst[n-whole:], src[n-whole:])
					GCMDecrypt(im, k, acc, ctr, dst[n-whole:], src[n-whole:])
				})
			}
			for _, n := range guardLengths() {
				check(n, n%37)
				check(n%67, n)
				if size == 32 && n < 150 && !testing.Short() {
					for adLen := range 34 {
						check(n, adLen)
					}
				}
			}
		}
	})
}
