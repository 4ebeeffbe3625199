package fence

import (
	"runtime/debug"
	"testing"
	"unsafe"
)

func TestBuffer(t *testing.T) {
	var b Buffer
	for n := range 130 {
		for _, align := range []int{0, 1, 31, 63} {
			s := b.Make(n, align)
			if len(s) != n || n > 0 && uintptr(unsafe.Pointer(&s[0]))%64 != uintptr(align) {
				t.Fatalf("%d bytes at %d: got %d at %p", n, align, len(s), unsafe.SliceData(s))
			}
			for i := range s {
				s[i]++
			}
			b.Check(t, "writing inside")
			for _, at := range []int{-margin, -1, n, n + margin - 1} {
				b.memory[b.start+at] ^= 1
				if got, damaged := b.Damage(); !damaged || got != at {
					t.Fatalf("writing to byte %d of %d: reported at %d, %v", at, n, got, damaged)
				}
				b.memory[b.start+at] ^= 1
			}
			if s = s[:cap(s)]; len(s) != n+margin {
				t.Fatalf("capacity %d, want %d", len(s), n+margin)
			}
		}
	}
}

// TestGuarded holds that a byte too many is noticed at all.
func TestGuarded(t *testing.T) {
	g := NewGuarded(t, 5)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	ends := map[string]unsafe.Pointer{
		"before": unsafe.Add(unsafe.Pointer(&g.Bytes(5, false)[0]), -1),
		"behind": unsafe.Add(unsafe.Pointer(&g.Bytes(5, true)[0]), 5),
	}
	for where, at := range ends {
		faulted := func() (faulted bool) {
			defer func() { faulted = recover() != nil }()
			sink = *(*byte)(at)
			return
		}()
		if !faulted {
			t.Errorf("reading the byte %s a buffer did not fault", where)
		}
	}
	Object[[5]uint64](g, true)[4] = 1
	Object[[5]uint64](g, false)[0] = 1
	if g[len(g)-40+32] != 1 && g[len(g)-1] != 1 || g[0] != 1 && g[7] != 1 {
		t.Error("objects do not lie at the ends")
	}
}

var sink byte
