package portlimit

import (
	"testing"

	"lamina/arch"
)

// Every assembly implementation has a loop of its width, and the loop comes back.
func TestEveryImpl(t *testing.T) {
	for _, im := range arch.Impls() {
		for _, bits := range []int{128, 256} {
			loop, ok := For(im, bits)
			if im == arch.Generic {
				if ok {
					t.Errorf("generic has a port limit of AES-%d", bits)
				}
				continue
			}
			if !ok {
				t.Errorf("%v has no port limit of AES-%d", im, bits)
				continue
			}
			loop.Run(3)
			if got := loop.BytesPerPass(); got%128 != 0 {
				t.Errorf("%v: %d bytes in a pass", im, got)
			}
		}
	}
}

func TestUnknownKeySize(t *testing.T) {
	for _, im := range arch.Impls() {
		if _, ok := For(im, 192); ok {
			t.Errorf("%v has a loop for AES-192", im)
		}
	}
}
