package main

import (
	"slices"
	"time"
)

// comparison is one cell of a table: several ways of doing the same thing, its sides. A side is a function
// that does n operations.
type comparison struct {
	sides  []func(n int)
	counts []int    // operations of each side in one round
	times  []timing // of each side
	done   func(times []timing)
}

// timing is what one side took: for each round, the nanoseconds for one operation.
type timing []float64

// best is the fastest round: noise only ever adds.
func (t timing) best() float64 { return slices.Min(t) }

// over is how many times as long t took as u, in the fastest round of each. On a machine with other work to
// do this is far steadier than the middle one of the rounds' ratios: those other programs spoil more than
// half of the rounds for one side or the other.
func (t timing) over(u timing) float64 { return t.best() / u.best() }

// session measures many comparisons together. All take turns in each round, and all sides of one comparison
// follow each other, so that whatever disturbs the machine for some seconds spoils a few rounds of every
// comparison instead of all rounds of one.
type session struct {
	rounds int
	cells  []*comparison
	round  func() // if it is set, called after each round
}

// defaultRounds makes a round of a cell shorter than the time for which an operating system gives a processor
// to one program, so that some are undisturbed.
const defaultRounds = 101

// add has sides compared in about the time budget, and then done called.
func (s *session) add(budget time.Duration, done func(times []timing), sides ...func(n int)) {
	c := &comparison{sides: sides, times: make([]timing, len(sides)), done: done}
	slice := budget / time.Duration(s.rounds*len(sides))
	for _, side := range sides {
		c.counts = append(c.counts, calibrate(side, slice))
	}
	s.cells = append(s.cells, c)
}

// run measures everything that was added, and calls done for each in its order.
func (s *session) run() {
	for range s.rounds {
		for _, c := range s.cells {
			c.round()
		}
		if s.round != nil {
			s.round()
		}
	}
	for _, c := range s.cells {
		c.done(c.times)
	}
}

func (c *comparison) round() {
	for i, side := range c.sides {
		n := c.counts[i]
		if n > 1 {
			side((n + 15) / 16) // brings code and data back into the first caches, which the other cells have filled
		}
		c.times[i] = append(c.times[i], float64(elapsed(side, n).Nanoseconds())/float64(n))
	}
}

// calibrate returns how many operations of side take about slice. One disturbed measurement must not settle
// it: a round of too few operations would time the clock itself.
func calibrate(side func(n int), slice time.Duration) int {
	for n := 1; ; n *= 2 {
		took := elapsed(side, n)
		for range 3 {
			if took < slice/4 {
				break
			}
			took = min(took, elapsed(side, n))
		}
		if took >= slice/4 {
			return max(1, int(float64(n)*float64(slice)/float64(max(took, 1))))
		}
	}
}

func elapsed(side func(n int), n int) time.Duration {
	start := time.Now()
	side(n)
	return time.Since(start)
}
