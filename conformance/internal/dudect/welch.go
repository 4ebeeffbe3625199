package dudect

import (
	"math"
	"slices"
)

// class is one of the two classes of inputs.
type class uint8

// sample is one measured run.
type sample struct {
	class class
	time  float64 // nanoseconds
}

// moments are the number, the mean and the variance of the samples of one class.
type moments struct{ n, mean, variance float64 }

// momentsOf returns the moments of the samples of class c that took at most limit.
func momentsOf(samples []sample, c class, limit float64) (m moments) {
	for _, s := range samples {
		if s.class == c && s.time <= limit {
			m.n++
			m.mean += s.time
		}
	}
	m.mean /= m.n
	for _, s := range samples {
		if s.class == c && s.time <= limit {
			m.variance += (s.time - m.mean) * (s.time - m.mean)
		}
	}
	m.variance /= m.n - 1
	return m
}

// standardError is the standard deviation of the difference of the two means.
func standardError(a, b moments) float64 { return math.Sqrt(a.variance/a.n + b.variance/b.n) }

// welch is Welch's t: the difference of the two means in units of its own standard deviation. Without any
// variance it is 0 for equal means and infinite for others.
func welch(a, b moments) float64 {
	if a.mean == b.mean {
		return 0
	}
	return (a.mean - b.mean) / standardError(a, b)
}

// quantile returns the smallest time that at least the fraction p of the samples does not exceed.
func quantile(sorted []float64, p float64) float64 {
	i := int(math.Ceil(p*float64(len(sorted)))) - 1
	return sorted[max(i, 0)]
}

// crops are the fractions of the samples that are looked at, the fastest ones. Interrupts and other programs
// make a few runs much slower, and these hide a small difference in all of them; on the other hand a
// difference may be in the slow ones alone.
var crops = []float64{1, 0.999, 0.99, 0.95, 0.9, 0.75, 0.5, 0.25}

// minCropped is how many samples of each class a crop must leave. A class with fewer is too rare among the fast
// ones for a mean; the crops that leave more show that.
const minCropped = 100

// evaluate returns the result of the crop with the greatest |t|. The limit of a crop is the same for both
// classes, so that it makes no difference where there is none.
func evaluate(samples []sample) (worst Result) {
	sorted := make([]float64, len(samples))
	for i, s := range samples {
		sorted[i] = s.time
	}
	slices.Sort(sorted)
	worst.Median = quantile(sorted, 0.5)
	worst.Resolution = math.Inf(1)
	for _, p := range crops {
		limit := quantile(sorted, p)
		a, b := momentsOf(samples, 0, limit), momentsOf(samples, 1, limit)
		if a.n < minCropped || b.n < minCropped {
			continue
		}
		worst.Resolution = min(worst.Resolution, Threshold*standardError(a, b))
		if t := welch(a, b); worst.Crop == 0 || math.Abs(t) > math.Abs(worst.T) {
			worst.T, worst.Crop, worst.Difference = t, p, a.mean-b.mean
		}
	}
	return worst
}
