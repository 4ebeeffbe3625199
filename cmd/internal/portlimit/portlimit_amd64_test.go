//go:build amd64 && !purego

package portlimit

import (
	"testing"

	"lamina/arch"
)

// Every assembly implementation has loops of its width.
func TestEveryImpl(t *testing.T) {
	for name, find := range loops {
		for _, im := range arch.Impls() {
			for _, bits := range []int{128, 256} {
				if _, ok := find(im, bits); !ok && im != arch.Generic {
					t.Errorf("%v has no limit of %s, AES-%d", im, name, bits)
				}
			}
		}
	}
}
