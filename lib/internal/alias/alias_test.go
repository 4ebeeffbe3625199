package alias

import "testing"

func TestOverlap(t *testing.T) {
	buf := make([]byte, 8)
	// All pairs of ranges of a small buffer, against the definition.
	for a0 := range len(buf) + 1 {
		for a1 := a0; a1 <= len(buf); a1++ {
			for b0 := range len(buf) + 1 {
				for b1 := b0; b1 <= len(buf); b1++ {
					common := max(a0, b0) < min(a1, b1)
					a, b := buf[a0:a1], buf[b0:b1]
					if got := Any(a, b); got != common {
						t.Errorf("Any([%d:%d], [%d:%d]) = %v, want %v", a0, a1, b0, b1, got, common)
					}
					if got, want := Inexact(a, b), common && a0 != b0; got != want {
						t.Errorf("Inexact([%d:%d], [%d:%d]) = %v, want %v", a0, a1, b0, b1, got, want)
					}
				}
			}
		}
	}
	if Any(nil, buf) || Any(buf, nil) || Any(nil, nil) || Inexact(nil, buf) || Inexact(buf, nil) {
		t.Error("a nil slice overlaps something")
	}
}

// TestCapacity holds that memory between length and capacity does not count.
func TestCapacity(t *testing.T) {
	buf := make([]byte, 8)
	if Any(buf[:4], buf[4:]) || Inexact(buf[:4], buf[4:]) {
		t.Error("neighbours overlap by their capacities")
	}
}
