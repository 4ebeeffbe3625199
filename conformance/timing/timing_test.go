package timing

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"lamina/arch"
	"lamina/conformance/internal/dudect"
)

// samplesFor returns how many runs of each operation are measured, and skips the test unless it was asked for.
func samplesFor(t *testing.T) int {
	t.Helper()
	switch mode := os.Getenv("LAMINA_CHECK_TIMING"); mode {
	case "1":
		return 500_000
	case "short":
		return 50_000
	case "":
		t.Skip("durations are not measured; make check-timing does, or LAMINA_CHECK_TIMING=1 or =short")
	default:
		t.Fatalf("LAMINA_CHECK_TIMING=%s; it must be 1 or short", mode)
	}
	return 0
}

// claimed returns the implementations that the claims are about: the portable one, and the best of those with
// AES instructions, if this CPU has them.
func claimed() []arch.Impl {
	if best := arch.Best(); best != arch.Generic {
		return []arch.Impl{arch.Generic, best}
	}
	return []arch.Impl{arch.Generic}
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
	n := samplesFor(t)
	t.Run("leaks", func(t *testing.T) { measure(t, arch.Generic, n, true, leaks) })
	for _, im := range claimed() {
		t.Run(im.String(), func(t *testing.T) { measure(t, im, n, false, operations, verdicts) })
	}
}
