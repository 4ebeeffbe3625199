package portlimit

import (
	"testing"

	"lamina/arch"
)

var loops = map[string]func(arch.Impl, int) (Loop, bool){"GCM": GCM, "Rounds": Rounds, "Chain": Chain}

// Loops come back, and portable code has none. Which implementations must have some depends on the architecture.
func TestLoops(t *testing.T) {
	for name, find := range loops {
		for _, im := range arch.Impls() {
			for _, bits := range []int{128, 256} {
				loop, ok := find(im, bits)
				if !ok {
					continue
				}
				if im == arch.Generic {
					t.Errorf("generic has a limit of %s, AES-%d", name, bits)
				}
				loop.Run(3)
				if got := loop.BytesPerPass(); got%16 != 0 || 16384%got != 0 {
					t.Errorf("%v: %s: %d bytes in a pass", im, name, got)
				}
			}
		}
	}
}

func TestUnknownKeySize(t *testing.T) {
	for name, find := range loops {
		for _, im := range arch.Impls() {
			if _, ok := find(im, 64); ok {
				t.Errorf("%v has a loop of %s for AES-64", im, name)
			}
		}
	}
}
