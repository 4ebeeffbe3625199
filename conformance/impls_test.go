package conformance

import (
	"testing"

	"lamina/arch"
)

// forEachImpl runs f as a subtest for every implementation this CPU has.
func forEachImpl(t *testing.T, f func(t *testing.T, im arch.Impl)) {
	t.Helper()
	for _, im := range arch.Impls() {
		t.Run(im.String(), func(t *testing.T) { f(t, im) })
	}
}
