package scatter

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// overlapsByBytes is Overlap from its definition: each byte of both messages is looked up by its address.
func overlapsByBytes(dst List, dstLen int, src List, srcLen int) bool {
	places := make(map[*byte][]int)
	at := 0
	for _, segment := range dst {
		for i := range segment {
			if at < dstLen {
				places[&segment[i]] = append(places[&segment[i]], at)
			}
			at++
		}
	}
	at = 0
	for _, segment := range src {
		for i := range segment {
			if at < srcLen && slices.ContainsFunc(places[&segment[i]], func(p int) bool { return p != at }) {
				return true
			}
			at++
		}
	}
	return false
}

func TestOverlap(t *testing.T) {
	m, other := make([]byte, 100), make([]byte, 100)
	for _, test := range []struct {
		name     string
		dst, src List
		n        int
		want     bool
	}{
		{"nothing", nil, nil, 10, false},
		{"one is empty", List{m}, nil, 10, false},
		{"apart", List{m}, List{other}, 100, false},
		{"the same", List{m}, List{m}, 100, false},
		{"the same, cut otherwise", List{m[:7], m[7:]}, List{m[:50], nil, m[50:]}, 100, false},
		{"behind each other", List{m[:50]}, List{m[50:]}, 50, false},
		{"one byte later", List{m[1:]}, List{m}, 99, true},
		{"only behind the end", List{m[50:]}, List{m}, 50, false},
		{"a byte before the end", List{m[50:]}, List{m}, 51, true},
		{"between", List{m[:10], m[60:70]}, List{other[:20], m[10:60]}, 70, false},
		{"exchanged", List{m[:10], m[10:20]}, List{m[10:20], m[:10]}, 20, true},
		{"the beginning in place", List{m[:10], other}, List{m[:10], m[10:]}, 100, false},
		{"a later segment shifted", List{other[:20], m[20:30]}, List{m[:21], m[21:]}, 30, false},
		{"a later segment shifted by one", List{other[:20], m[19:30]}, List{m[:21], m[21:]}, 30, true},
	} {
		if got := Overlap(test.dst, test.n, test.src, test.n); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
		if got := overlapsByBytes(test.dst, test.n, test.src, test.n); got != test.want {
			t.Errorf("%s: by bytes %v, want %v", test.name, got, test.want)
		}
	}
}

// TestOverlapInPlace has lists that name memory twice: where both are equal that is in place all the same.
func TestOverlapInPlace(t *testing.T) {
	m := make([]byte, 20)
	twice := List{m, m}
	for name, other := range map[string]List{"one list": twice, "equal segments": {m, m}} {
		if Overlap(other, 40, twice, 40) {
			t.Errorf("%s: an overlap", name)
		}
	}
	if !Overlap(List{m, m[:19]}, 39, twice, 40) {
		t.Error("other segments: no overlap")
	}
}

// TestOverlapRandom compares with the definition. Each list has its memory once, as messages do.
func TestOverlapRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	memory := make([]byte, 60)
	list := func() (l List) {
		at := 0
		for range random.IntN(5) {
			from := at + random.IntN(4)
			at = from + random.IntN(14)
			if at > len(memory) {
				break
			}
			l = append(l, memory[from:at])
		}
		if random.IntN(3) == 0 {
			random.Shuffle(len(l), func(i, j int) { l[i], l[j] = l[j], l[i] })
		}
		return l
	}
	count := map[bool]int{}
	for range 20000 {
		dst, src := list(), list()
		if random.IntN(3) == 0 { // the same bytes, cut otherwise
			dst = nil
			for _, segment := range src {
				n := random.IntN(len(segment) + 1)
				dst = append(dst, segment[:n], segment[n:])
			}
		}
		dstLen, srcLen := random.IntN(60), random.IntN(60)
		want := overlapsByBytes(dst, dstLen, src, srcLen)
		count[want]++
		if got := Overlap(dst, dstLen, src, srcLen); got != want {
			t.Fatalf("%d of %v and %d of %v: %v, want %v", dstLen, dst, srcLen, src, got, want)
		}
	}
	if count[true] < 1000 || count[false] < 1000 {
		t.Errorf("the lists are not mixed: %v", count)
	}
}

func TestShared(t *testing.T) {
	m := make([]byte, 20)
	for a := range 5 {
		for b := a; b < 8; b++ {
			for c := range 7 {
				for d := c; d < 9; d++ {
					want := max(a, c) < min(b, d)
					if got := Shared(m[a:b], m[c:d]); got != want {
						t.Errorf("%d to %d and %d to %d: %v, want %v", a, b, c, d, got, want)
					}
				}
			}
		}
	}
	if Shared(nil, nil) || Shared(m, nil) || Shared(nil, m) {
		t.Error("nothing is shared with nil")
	}
}
