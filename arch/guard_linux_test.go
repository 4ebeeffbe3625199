package arch

import (
	"bytes"
	"fmt"
	"runtime/debug"
	"syscall"
	"testing"
	"unsafe"

	"lamina/arch/keys"
)

// Go's own checks do not see what assembly reads. Here every buffer lies against a page that may not be
// touched, once at its start and once at its end, and a read of one byte too many faults.

// guarded is memory with an inaccessible page on either side.
type guarded []byte

func newGuarded(t *testing.T, size int) guarded {
	t.Helper()
	page := syscall.Getpagesize()
	inner := (size + page - 1) / page * page
	all, err := syscall.Mmap(-1, 0, inner+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatalf("mmap: %v", err)
	}
	t.Cleanup(func() { syscall.Munmap(all) })
	for _, fence := range [][]byte{all[:page], all[page+inner:]} {
		if err := syscall.Mprotect(fence, syscall.PROT_NONE); err != nil {
			t.Fatalf("mprotect: %v", err)
		}
	}
	return all[page:][:inner:inner]
}

// bytes returns n bytes that end where the memory ends, or begin where it begins.
func (g guarded) bytes(n int, atEnd bool) []byte {
	if atEnd {
		return g[len(g)-n:]
	}
	return g[:n:n]
}

// object returns memory for a key in the same manner.
func object[T any](g guarded, atEnd bool) *T {
	var zero T
	return (*T)(unsafe.Pointer(&g.bytes(int(unsafe.Sizeof(zero)), atEnd)[0]))
}

// caught runs f and reports a fault as what it was doing.
func caught(t *testing.T, doing string, f func()) {
	t.Helper()
	defer func() {
		if e := recover(); e != nil {
			t.Fatalf("%s: touched memory outside its buffers: %v", doing, e)
		}
	}()
	f()
}

// TestGuardWorks holds that a byte too many is noticed at all.
func TestGuardWorks(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	g := newGuarded(t, 1)
	for _, at := range []unsafe.Pointer{unsafe.Add(unsafe.Pointer(&g[0]), -1), unsafe.Add(unsafe.Pointer(&g[0]), len(g))} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("reading outside the buffer did not fault")
				}
			}()
			guardSink = *(*byte)(at)
		}()
	}
}

var guardSink byte

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
				defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
				test(t, im, atEnd)
			})
		})
	}
}

func TestGuardedKeys(t *testing.T) {
	forGuardedImpls(t, func(t *testing.T, im Impl, atEnd bool) {
		key, h := newGuarded(t, 32), [16]byte(bytesFor(70, 16))
		both := object[keys.Key](newGuarded(t, 1), atEnd)
		dec := object[keys.Dec](newGuarded(t, 1), atEnd)
		hash := object[keys.Hash](newGuarded(t, 1), atEnd)
		gcm := object[keys.GCM](newGuarded(t, 1), atEnd)
		enc := object[keys.Enc](newGuarded(t, 1), atEnd)
		for _, size := range keySizes {
			caught(t, fmt.Sprintf("preparing a key of %d bytes", size), func() {
				key := key.bytes(size, atEnd)
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
		dst, src := newGuarded(t, guardMax), newGuarded(t, guardMax)
		enc := object[keys.Enc](newGuarded(t, 1), atEnd)
		both := object[keys.Key](newGuarded(t, 1), atEnd)
		hash := object[keys.Hash](newGuarded(t, 1), atEnd)
		PrepareHash(im, hash, keys.Element{Lo: 5, Hi: 7})
		for _, size := range keySizes {
			*both = *expand(im, bytesFor(71, size))
			*enc = both.Enc
			for n := 0; n <= guardMax; n += 16 {
				caught(t, fmt.Sprintf("%d bytes", n), func() {
					dst, src := dst.bytes(n, atEnd), src.bytes(n, atEnd)
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
		dst, src, ad := newGuarded(t, guardMax), newGuarded(t, guardMax), newGuarded(t, guardMax)
		nonce := (*[12]byte)(newGuarded(t, 12).bytes(12, atEnd))
		tag := (*[16]byte)(newGuarded(t, 16).bytes(16, atEnd))
		ctr := (*[16]byte)(newGuarded(t, 16).bytes(16, atEnd))
		acc := object[keys.Element](newGuarded(t, 16), atEnd)
		k := object[keys.GCM](newGuarded(t, 1), atEnd)
		for _, size := range keySizes {
			PrepareGCM(im, k, bytesFor(72, size))
			std := stdGCM(t, bytesFor(72, size))
			var want []byte
			check := func(n, adLen int) {
				caught(t, fmt.Sprintf("%d bytes, %d of ad", n, adLen), func() {
					dst, src, ad := dst.bytes(n, atEnd), src.bytes(n, atEnd), ad.bytes(adLen, atEnd)
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
