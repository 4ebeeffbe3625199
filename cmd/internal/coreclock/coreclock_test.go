package coreclock

import (
	"testing"
	"time"
)

// fastest returns how long one turn takes in nanoseconds, in the fastest of many runs.
func fastest(run func(turns int), turns int) float64 {
	best := time.Duration(1<<63 - 1)
	for range 300 {
		start := time.Now()
		run(turns)
		best = min(best, time.Since(start))
	}
	return float64(best.Nanoseconds()) / float64(turns)
}

// The chain makes no CPU faster or slower than CPUs are, and twice the turns take twice as long.
func TestChain(t *testing.T) {
	run, ok := Chain()
	if !ok {
		t.Skip("this build has no chain")
	}
	run(0) // comes back
	const turns = 1000
	once, twice := fastest(run, turns), fastest(run, 2*turns)
	if ghz := CyclesPerTurn / once; ghz < 0.5 || ghz > 8 {
		t.Errorf("a clock of %.2f GHz", ghz)
	}
	t.Logf("%.2f GHz", CyclesPerTurn/once)
	if ratio := twice / once; ratio < 0.8 || ratio > 1.25 {
		t.Errorf("a turn of %d takes %.2f times as long as one of %d", 2*turns, ratio, turns)
	}
}
