package timing

import (
	"math/rand/v2"

	"lamina/arch"
	"lamina/conformance/internal/dudect"
	"lamina/conformance/internal/leaky"
)

// compareRuns is how often a comparison runs in one measurement, so that it is long beside the clock.
const compareRuns = 16

// sink keeps the compiler from leaving out what nobody uses.
var sink uint64

// leaks lists operations that must be found to leak.
var leaks = []operation{
	{name: "comparison that stops early", setup: func(_ arch.Impl, _ *rand.Rand) *dudect.Subject {
		tag := randomBytes(16)
		want := append([]byte(nil), tag...)
		return forgeries(tag, 0, 0, func(tag []byte) {
			for range compareRuns {
				if leaky.EqualUntil(tag, want) {
					sink++
				}
			}
		})
	}},
	{name: "multiplication bit by bit", setup: func(_ arch.Impl, _ *rand.Rand) *dudect.Subject {
		in := make([]byte, 8)
		return zeroOrRandom(in, func() {
			b := uint64(0)
			for _, x := range in {
				b = b<<8 | uint64(x)
			}
			sink += leaky.MultiplyBits(0x123456789abcdef1, b)
		})
	}},
	{name: "look-ups in a large table", setup: func(_ arch.Impl, _ *rand.Rand) *dudect.Subject {
		in := randomBytes(32)
		return fixedOrRandom(in, func() { sink += uint64(leaky.Substitute(in)) })
	}},
}
