package dudect

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
)

// samplesOf interleaves the times of two classes.
func samplesOf(a, b []float64) (samples []sample) {
	for i := range max(len(a), len(b)) {
		if i < len(a) {
			samples = append(samples, sample{0, a[i]})
		}
		if i < len(b) {
			samples = append(samples, sample{1, b[i]})
		}
	}
	return samples
}

// TestWelch has answers that can be calculated by hand.
func TestWelch(t *testing.T) {
	for _, test := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{1, 2, 3}, []float64{2, 4, 6}, -2 / math.Sqrt(1./3+4./3)},
		{[]float64{2, 4, 6}, []float64{1, 2, 3}, 2 / math.Sqrt(1./3+4./3)},
		{[]float64{1, 3}, []float64{1, 2, 3}, 0},
		{[]float64{0, 10}, []float64{3, 4, 4, 5}, 1 / math.Sqrt(50./2+2./3/4)}, // sizes and variances differ
		{[]float64{7, 7}, []float64{7, 7}, 0},
		{[]float64{7, 7}, []float64{8, 8}, math.Inf(-1)},
	} {
		samples := samplesOf(test.a, test.b)
		got := welch(momentsOf(samples, 0, math.Inf(1)), momentsOf(samples, 1, math.Inf(1)))
		if got != test.want && math.Abs(got-test.want) > 1e-12 {
			t.Errorf("t of %v and %v is %v, want %v", test.a, test.b, got, test.want)
		}
	}
}

func TestMoments(t *testing.T) {
	samples := samplesOf([]float64{1, 2, 3, 100}, []float64{50})
	if got, want := momentsOf(samples, 0, 3), (moments{3, 2, 1}); got != want {
		t.Errorf("up to 3: %v, want %v", got, want)
	}
	if got := momentsOf(samples, 0, 100); got.n != 4 || got.mean != 26.5 {
		t.Errorf("up to 100: %v, want 4 samples with mean 26.5", got)
	}
}

func TestQuantile(t *testing.T) {
	times := []float64{10, 20, 30, 40}
	for p, want := range map[float64]float64{0: 10, 0.25: 10, 0.26: 20, 0.5: 20, 0.75: 30, 0.99: 40, 1: 40} {
		if got := quantile(times, p); got != want {
			t.Errorf("quantile %v is %v, want %v", p, got, want)
		}
	}
}

// normal returns n times with a mean and a standard deviation.
func normal(r *rand.Rand, n int, mean, deviation float64) []float64 {
	times := make([]float64, n)
	for i := range times {
		times[i] = mean + deviation*r.NormFloat64()
	}
	return times
}

// TestEvaluate holds what is found in distributions whose difference is known, and what is not.
func TestEvaluate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const n = 20000
	equal := evaluate(samplesOf(normal(r, n, 1000, 20), normal(r, n, 1000, 20)))
	if math.Abs(equal.T) > 5 || equal.Differs() {
		t.Errorf("equal distributions differ: %v", equal)
	}
	// 10 standard errors: 10 * sqrt(2*20^2/20000) = 2.0 ns, and somewhat less for crops, which have less variance.
	if equal.Resolution > 2.05 || equal.Resolution < 1 {
		t.Errorf("resolution %v ns", equal.Resolution)
	}
	if math.Abs(equal.Median-1000) > 2 {
		t.Errorf("median %v ns, want 1000", equal.Median)
	}

	apart := evaluate(samplesOf(normal(r, n, 1004, 20), normal(r, n, 1000, 20)))
	if !apart.Differs() || apart.T < 0 {
		t.Errorf("4 ns of difference are not found: %v", apart)
	}

	// A small difference under large noise in a few runs: only a crop shows it.
	noisy := samplesOf(normal(r, n, 1004, 20), normal(r, n, 1000, 20))
	for i := 0; i < len(noisy); i += 50 {
		noisy[i].time += 1e6 * r.ExpFloat64()
		noisy[i+1].time += 1e6 * r.ExpFloat64()
	}
	a, b := momentsOf(noisy, 0, math.Inf(1)), momentsOf(noisy, 1, math.Inf(1))
	if math.Abs(welch(a, b)) > Threshold {
		t.Errorf("the noise hides nothing: %v", welch(a, b))
	}
	if got := evaluate(noisy); !got.Differs() || got.Crop == 1 {
		t.Errorf("4 ns of difference under noise are not found: %v", got)
	}

	// A difference in the slow runs alone: only without a crop it shows.
	slow := samplesOf(normal(r, n, 1000, 20), normal(r, n, 1000, 20))
	for i := 0; i < len(slow); i += 100 {
		slow[i].time += 1000 // samples of class 0 have even indices
	}
	if got := evaluate(slow); !got.Differs() || got.Crop < 0.98 {
		t.Errorf("a difference in 2 %% of the runs is not found: %v", got)
	}
}

// TestMeasure holds that each run sees the input of its class, in an order that is random.
func TestMeasure(t *testing.T) {
	const n = 4 * group
	input := make([]byte, 8)
	var runs, same int
	var counts [2]int
	last := byte(0)
	s := &Subject{
		Input: input,
		Fill: [2]func([]byte){
			func(in []byte) { copy(in, bytes.Repeat([]byte{1}, 8)) },
			func(in []byte) { copy(in, bytes.Repeat([]byte{2}, 8)) },
		},
	}
	s.Run = func() {
		if input[0] != input[7] {
			t.Fatalf("input %v", input)
		}
		runs++
		counts[input[0]-1]++
		if input[0] == last {
			same++
		}
		last = input[0]
	}
	result := Measure(s, rand.New(rand.NewPCG(3, 4)), n)
	if result.Crop == 0 || result.Median <= 0 {
		t.Errorf("no result: %+v", result)
	}
	if want := n + n/group*warmUp; runs != want {
		t.Errorf("%d runs, want %d", runs, want)
	}
	for class, c := range counts {
		if c < runs*2/5 {
			t.Errorf("%d of %d runs are of class %d", c, runs, class)
		}
	}
	if same < runs*2/5 || same > runs*3/5 {
		t.Errorf("the class is that of the run before in %d of %d runs", same, runs)
	}
}

// TestCheck holds that a difference must come back to count, and does count then.
func TestCheck(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, test := range []struct {
		leaky, setups int // how many subjects leak at first, and how many are measured
		differs       bool
	}{{0, 1, false}, {1, 2, false}, {attempts, attempts, true}} {
		setups := 0
		result := Check(func(*rand.Rand) *Subject {
			setups++
			return spinner(setups <= test.leaky)
		}, r, 4096)
		if result.Differs() != test.differs || setups != test.setups {
			t.Errorf("%d leaky subjects: %d were measured, and the result is %v", test.leaky, setups, result)
		}
	}
}

// spinner is a subject that takes a microsecond, or twice as long for one class if it is leaky.
func spinner(leaky bool) *Subject {
	input := make([]byte, 1)
	s := &Subject{Input: input, Fill: [2]func([]byte){
		func(in []byte) { in[0] = 0 },
		func(in []byte) { in[0] = 1 },
	}}
	sink := 0
	s.Run = func() {
		n := 1000
		if leaky && input[0] == 1 {
			n *= 2
		}
		for i := range n {
			sink = sink*3 + i
		}
	}
	return s
}
