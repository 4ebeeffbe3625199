package aesgcm

import (
	"strconv"
	"syscall"
	"testing"

	"lamina/arch"
)

// TestTooLong hands over messages of more than 2^36 - 32 bytes, of memory that exists as addresses only: it
// must be refused before a byte is touched.
func TestTooLong(t *testing.T) {
	if strconv.IntSize < 64 {
		t.Skip("no slice can be as long")
	}
	size := uint64(MaxText + 17)
	all, err := syscall.Mmap(-1, 0, int(size), syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		t.Skipf("no room for %d bytes of addresses: %v", size, err)
	}
	defer syscall.Munmap(all)
	k := newKey(t, arch.Best(), make([]byte, 16), 16)
	nonce, tag := make([]byte, 12), make([]byte, 16)
	long := all[:size-16] // one byte more than a message can have
	mustPanic(t, "Seal: more than 2^36 - 32 bytes of text", func() { k.Seal(long[:0], nonce, long, nil) })
	mustPanic(t, "Encrypt: more than 2^36 - 32 bytes of text", func() { k.Encrypt(long, tag, nonce, long, nil) })
	mustPanic(t, "Encrypt: more than 2^36 - 32 bytes of text", func() { k.Encrypt(long, tag, tag[:1], long, nil) })
	c := NewCtx(k, nonce)
	mustPanic(t, "EncryptUpdate: more than 2^36 - 32 bytes of text", func() { c.EncryptUpdate(long, long) })
	if out, err := k.Open(nil, nonce, all, nil); out != nil || err != ErrOpen {
		t.Errorf("Open: %v, %v; want nil, ErrOpen", out, err)
	}
}
