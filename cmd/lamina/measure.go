package main

import (
	"slices"
	"time"
)

// rounds is how often each side of a comparison is timed. It is odd, so that there is a middle one.
const rounds = 11

// timing is what one side of a comparison took, in nanoseconds for one operation.
type timing [rounds]float64

// interleave times several ways of doing the same thing. Each side is a function that does n operations. The sides
// take turns in short rounds, so that whatever disturbs the machine, and its clock's ups and downs, meet all of
// them alike; ratios are taken within a round.
func interleave(budget time.Duration, sides ...func(n int)) []timing {
	slice := budget / time.Duration(rounds*len(sides))
	counts := make([]int, len(sides))
	for i, side := range sides {
		counts[i] = calibrate(side, slice)
	}
	timings := make([]timing, len(sides))
	for r := range rounds {
		for i, side := range sides {
			start := time.Now()
			side(counts[i])
			timings[i][r] = float64(time.Since(start).Nanoseconds()) / float64(counts[i])
		}
	}
	return timings
}

// calibrate returns how many operations of side take about slice.
func calibrate(side func(n int), slice time.Duration) int {
	for n := 1; ; n *= 2 {
		start := time.Now()
		side(n)
		took := time.Since(start)
		if took >= slice/4 {
			return max(1, int(float64(n)*float64(slice)/float64(max(took, 1))))
		}
	}
}

// best is the fastest round: noise only ever adds.
func (t timing) best() float64 { return slices.Min(t[:]) }

// over is the median of the rounds' ratios of t to u.
func (t timing) over(u timing) float64 {
	for r := range t {
		t[r] /= u[r]
	}
	slices.Sort(t[:])
	return t[rounds/2]
}
