package fence

import (
	"syscall"
	"testing"
)

// NewGuarded returns at least size bytes of memory, until the test ends. Where it cannot be had, the test is
// skipped.
func NewGuarded(t testing.TB, size int) Guarded {
	t.Helper()
	page := syscall.Getpagesize()
	inner := max(1, (size+page-1)/page) * page
	const protection, kind = syscall.PROT_READ | syscall.PROT_WRITE, syscall.MAP_ANON | syscall.MAP_PRIVATE
	all, err := syscall.Mmap(-1, 0, inner+2*page, protection, kind)
	if err != nil {
		t.Fatalf("mmap: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(all); err != nil {
			t.Errorf("munmap: %v", err)
		}
	})
	for _, outside := range [][]byte{all[:page], all[page+inner:]} {
		if err := syscall.Mprotect(outside, syscall.PROT_NONE); err != nil {
			t.Fatalf("mprotect: %v", err)
		}
	}
	return all[page:][:inner:inner]
}
