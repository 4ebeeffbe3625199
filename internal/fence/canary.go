// Package fence makes buffers for tests that show when code touches what is beside them: by canaries, which show
// what was written, and by pages that may not be touched, which show what was read too. Go's own checks do not see
// what assembly does.
package fence

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// margin is how many bytes are watched on either side of a buffer.
const margin = 64

var canary = func() []byte {
	b := make([]byte, 3*margin)
	rand.NewChaCha8([32]byte{0xca}).Read(b)
	return b
}()

// Buffer is a buffer with canaries around it. The zero value has no bytes; Make gives it some, and may be called
// again.
type Buffer struct {
	memory     []byte
	start, end int
}

// New returns a buffer of n bytes at a distance of align bytes from a multiple of 64.
func New(n, align int) *Buffer {
	b := new(Buffer)
	b.Make(n, align)
	return b
}

// Make makes the buffer one of n bytes at a distance of align bytes from a multiple of 64, and returns Bytes. What
// is in it is left from before.
func (b *Buffer) Make(n, align int) []byte {
	if len(b.memory) < n+3*margin {
		b.memory = make([]byte, n+3*margin)
	}
	address := int(uintptr(unsafe.Pointer(unsafe.SliceData(b.memory))) % margin)
	b.start = margin + (2*margin-address+align%margin)%margin
	b.end = b.start + n
	copy(b.memory[:b.start], canary)
	copy(b.memory[b.end:b.end+margin], canary)
	return b.Bytes()
}

// Bytes is the buffer. Its capacity reaches over the canaries behind it.
func (b *Buffer) Bytes() []byte { return b.memory[b.start : b.end : b.end+margin] }

// Damage returns where a canary has changed, relative to the start of the buffer, and whether one has.
func (b *Buffer) Damage() (at int, damaged bool) {
	if b.memory == nil {
		return 0, false
	}
	for _, part := range [][2]int{{0, b.start}, {b.end, b.end + margin}} {
		got, want := b.memory[part[0]:part[1]], canary[:part[1]-part[0]]
		if bytes.Equal(got, want) {
			continue
		}
		for i := range got {
			if got[i] != want[i] {
				return part[0] + i - b.start, true
			}
		}
	}
	return 0, false
}

// Check fails the test if a canary has changed.
func (b *Buffer) Check(t testing.TB, name string) {
	t.Helper()
	if at, damaged := b.Damage(); damaged {
		t.Fatalf("%s: wrote to byte %d of a buffer of %d bytes", name, at, b.end-b.start)
	}
}
