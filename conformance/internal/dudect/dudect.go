// Package dudect finds out whether the time that code takes depends on what it works on, by the method of
// Reparaz, Balasch and Verbauwhede, "Dude, is my code constant time?" (DATE 2017): measure it on inputs of two
// classes, one fixed and one random, in random order, and compare the two distributions of times by Welch's
// t-test.
//
// It can show that code leaks, and how small a leak it would have seen. It cannot show that there is none: a
// leak that needs other inputs, another CPU, or an attacker who shares the cache, is not in these times.
package dudect

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"time"
)

// Threshold is the |t| from which on the two classes differ. For a sample this large t is normally distributed
// where they do not, and even at 4.5 one attempt in 100000 would be wrong; the rest is for a machine whose noise
// is not independent from run to run.
const Threshold = 10

// Subject is code to be measured, and its input.
type Subject struct {
	// Input is what Run works on: always the same memory, so that its place in the caches tells nothing.
	Input []byte
	// Fill writes an input of the first and of the second class.
	Fill [2]func(input []byte)
	// Run is the code. It must not allocate, and must do the same with equal inputs, also the second time.
	Run func()
}

// Result is what measuring a subject gave.
type Result struct {
	T          float64 // Welch's t of the crop where it is farthest from 0
	Crop       float64 // the fraction of fastest samples in that crop; 0 if there were not enough samples
	Difference float64 // of the means of the two classes in that crop, in nanoseconds
	Median     float64 // of all samples, in nanoseconds
	Resolution float64 // the smallest difference that some crop would have found, in nanoseconds
}

// Differs reports whether the classes took different times.
func (r Result) Differs() bool { return math.Abs(r.T) > Threshold }

func (r Result) String() string {
	return fmt.Sprintf("|t| = %.1f for the fastest %.4g %%, %.2f ns apart; median %.0f ns, resolution %.2f ns",
		math.Abs(r.T), 100*r.Crop, math.Abs(r.Difference), r.Median, r.Resolution)
}

// group is how many inputs are made ready at a time. Making them takes its own time and cache, so it is not done
// between one measurement and the next.
const group = 256

// warmUp is how often a group's first input runs without being measured, which brings the code into the caches.
const warmUp = 8

// Measure runs s on n inputs, each of a class drawn by r.
func Measure(s *Subject, r *rand.Rand, n int) Result {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))

	inputs := make([]byte, group*len(s.Input))
	samples := make([]sample, (n+group-1)/group*group)
	for i := 0; i < len(samples); i += group {
		s.measureGroup(r, inputs, samples[i:i+group])
	}
	return evaluate(samples)
}

func (s *Subject) measureGroup(r *rand.Rand, inputs []byte, samples []sample) {
	for i := range samples {
		samples[i].class = class(r.IntN(2))
		s.Fill[samples[i].class](inputs[i*len(s.Input):][:len(s.Input)])
	}
	copy(s.Input, inputs)
	for range warmUp {
		s.Run()
	}
	for i := range samples {
		copy(s.Input, inputs[i*len(s.Input):])
		start := time.Now()
		s.Run()
		samples[i].time = float64(time.Since(start))
	}
}

// attempts is how often a difference must be found, each time by new samples, to be believed.
const attempts = 3

// Check measures the subjects that setup makes, until one shows no difference or as many as there are attempts
// show one. It returns the last result. A leak is there every time; what another program on the machine causes
// is not.
func Check(setup func(*rand.Rand) *Subject, r *rand.Rand, n int) (result Result) {
	for range attempts {
		result = Measure(setup(r), r, n)
		if !result.Differs() {
			break
		}
	}
	return result
}
