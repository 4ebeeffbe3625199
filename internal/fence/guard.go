package fence

import (
	"runtime/debug"
	"testing"
	"unsafe"
)

// Guarded is memory with a page on either side that may not be touched.
type Guarded []byte

// Bytes returns n bytes that end where the memory ends, or begin where it begins.
func (g Guarded) Bytes(n int, atEnd bool) []byte {
	if atEnd {
		return g[len(g)-n:]
	}
	return g[:n:n]
}

// Object returns memory for a T, which must have no pointers, in the same manner.
func Object[T any](g Guarded, atEnd bool) *T {
	var zero T
	return (*T)(unsafe.Pointer(&g.Bytes(int(unsafe.Sizeof(zero)), atEnd)[0]))
}

// Caught runs f, and fails the test if it touches what it may not. doing says what f does.
func Caught(t testing.TB, doing func() string, f func()) {
	t.Helper()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		t.Helper()
		if e := recover(); e != nil {
			t.Fatalf("%s: touched memory outside of its buffers: %v", doing(), e)
		}
	}()
	f()
}
