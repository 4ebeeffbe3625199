package timing

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"lamina/arch"
	"lamina/conformance/internal/dudect"
)

// mode says how thoroughly to measure.
type mode struct {
	samples int // runs of each operation
	impls   []arch.Impl
}

// modeOf returns what LAMINA_CHECK_TIMING asks for, and skips the test if that is nothing.
func modeOf(t *testing.T) mode {
	t.Helper()
	switch name := os.Getenv("LAMINA_CHECK_TIMING"); name {
	case "1":
		return mode{500_000, arch.Impls()}
	case "short":
		return mode{50_000, slices.Compact([]arch.Impl{arch.Best(), arch.Generic})}
	case "":
		t.Skip("durations are not measured; make check-timing does, or LAMINA_CHECK_TIMING=1 or =short")
	default:
		t.Fatalf("LAMINA_CHECK_TIMING=%s; it must be 1 or short", name)
	}
	return mode{}
}

// measure measures each operation of the lists, and fails where leaking is not as it should be.
func measure(t *testing.T, im arch.Impl, n int, leaking bool, lists ...[]operation) {
	r := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	for _, o := range slices.Concat(lists...) {
		if o.serial && im == arch.Generic {
			continue
		}
		t.Run(o.name, func(t *testing.T) {
			result := dudect.Check(func(r *rand.Rand) *dudect.Subject { return o.setup(im, r) }, r, n)
			t.Log(result)
			if result.Differs() != leaking {
				t.Errorf("time depends on the input: %v, want %v", result.Differs(), leaking)
			}
		})
	}
}

func TestConstantTime(t *testing.T) {
	m := modeOf(t)
	t.Run("leaks", func(t *testing.T) { measure(t, arch.Generic, m.samples, true, leaks) })
	for _, im := range m.impls {
		t.Run(im.String(), func(t *testing.T) { measure(t, im, m.samples, false, operations, verdicts) })
	}
}
