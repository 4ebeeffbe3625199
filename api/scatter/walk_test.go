package scatter

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
)

// steps walks over n bytes, from dst to src, adds 1 to each byte, and returns the sizes of the steps.
func steps(w *Walk, dst, src List, n, unit, tail int) (sizes []int) {
	w.Start(dst.Start(), src.Start(), n, unit, tail)
	for {
		out, in := w.Next()
		if len(in) == 0 {
			return sizes
		}
		if len(out) != len(in) {
			panic("output and input have different lengths")
		}
		sizes = append(sizes, len(in))
		for i, b := range in {
			out[i] = b + 1
		}
	}
}

// checkWalk walks over n bytes, in place and not, and holds that each byte is done once and none behind them.
func checkWalk(t *testing.T, w *Walk, n, unit, tail int, srcSizes, dstSizes []int) {
	t.Helper()
	const behind = 11
	data := counting(n + behind)
	want := make([]byte, n)
	for i := range want {
		want[i] = data[i] + 1
	}
	for _, inPlace := range []bool{false, true} {
		srcMemory := bytes.Clone(data)
		src := cut(srcMemory, srcSizes...)
		dstMemory, dst := srcMemory, src
		untouched := data[n:]
		if !inPlace {
			dstMemory = make([]byte, n+behind)
			dst = cut(dstMemory, dstSizes...)
			untouched = make([]byte, behind)
		}
		sizes := steps(w, dst, src, n, unit, tail)
		what := fmt.Sprintf("%d bytes, unit %d, tail %d, from %v to %v, in place %v: steps %v", n, unit, tail, srcSizes, dstSizes,
			inPlace, sizes)
		if !bytes.Equal(dstMemory[:n], want) {
			t.Fatalf("%s: a byte is wrong", what)
		}
		if !bytes.Equal(dstMemory[n:], untouched) || !inPlace && !bytes.Equal(srcMemory, data) {
			t.Fatalf("%s: something else was written", what)
		}
		for i, size := range sizes {
			if last := i == len(sizes)-1; !last && size%unit != 0 || last && size < min(n, tail) {
				t.Fatalf("%s: step %d is not as it must be", what, i)
			}
		}
	}
}

var units = []struct{ unit, tail int }{{1, 1}, {16, 1}, {16, 17}, {16, 16}, {512, 1}, {16, BounceSize - 16}}

// TestWalk has the boundaries: of blocks, of direct steps, of the buffer.
func TestWalk(t *testing.T) {
	var w Walk
	lengths := []int{0, 1, 15, 16, 17, 31, 32, 33, directMin - 1, directMin, directMin + 1, directMin + 16, directMin + 17,
		BounceSize - 1, BounceSize, BounceSize + 1, BounceSize + 17, 3*BounceSize + 5}
	patterns := [][]int{{}, {1}, {3}, {0, 1, 0, 16, 17}, {100}, {directMin - 1}, {directMin}, {directMin + 1}, {directMin + 16},
		{directMin + 17, 3}, {directMin + 33, 5, 2}, {1, 2000}, {7, BounceSize, 1}, {BounceSize + 1, 1}, {5000, 0, 3, 20}}
	for _, u := range units {
		for _, n := range lengths {
			for i, from := range patterns {
				checkWalk(t, &w, n, u.unit, u.tail, repeated(n, from), repeated(n, patterns[(i*7+n)%len(patterns)]))
			}
		}
	}
}

// repeated repeats a pattern of sizes until it has n bytes.
func repeated(n int, pattern []int) (sizes []int) {
	for i := 0; n > 0 && len(pattern) > 0; i++ {
		size := pattern[i%len(pattern)]
		sizes = append(sizes, size)
		n -= size
	}
	return sizes
}

func TestWalkRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	var w Walk
	sizes := func(n int) []int {
		pattern := []int{1 + random.IntN(2000)}
		for range random.IntN(8) {
			pattern = append(pattern, random.IntN([]int{3, 40, 700, 5000}[random.IntN(4)]))
		}
		return repeated(n, pattern)
	}
	for range 3000 {
		n := random.IntN([]int{100, 1000, 15000}[random.IntN(3)])
		u := units[random.IntN(len(units))]
		checkWalk(t, &w, n, u.unit, u.tail, sizes(n), sizes(n))
	}
}

// TestWalkSteps holds that a walk does what makes it fast: long runs are one step, where they lie, and short
// segments are joined.
func TestWalkSteps(t *testing.T) {
	var w Walk
	memory := make([]byte, 20000)
	for _, test := range []struct {
		sizes []int
		want  []int
	}{
		{[]int{20000}, []int{20000}},
		{[]int{10000, 10000}, []int{10000, 10000}},
		{[]int{10001, 9999}, []int{10000, 16, 9984}},
		{[]int{4, 19996}, []int{16, 19984}},
		{repeated(20000, []int{100}), []int{4096, 4096, 4096, 4096, 3616}},
		{append(repeated(1600, []int{100}), 18400), []int{1600, 18400}},
		{append(repeated(5000, []int{100}), 15000), []int{4096, 912, 14992}},
	} {
		l := cut(memory, test.sizes...)
		if got := steps(&w, l, l, 20000, 16, 1); fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("segments of %v: steps of %v, want %v", test.sizes, got, test.want)
		}
	}
	w.Start(cut(memory).Start(), cut(memory).Start(), 1000, 16, 1)
	if out, in := w.Next(); &out[0] != &memory[0] || &in[0] != &memory[0] {
		t.Error("a message in one piece was copied")
	}
}

// TestWalkShort has lists that end before the message: so does the walk.
func TestWalkShort(t *testing.T) {
	var w Walk
	for _, n := range []int{0, 1, 100, 5000} {
		long := cut(make([]byte, 10000), 10)
		short := cut(make([]byte, n), n/2)
		for _, lists := range [][2]List{{short, long}, {long, short}, {short, short}} {
			total := 0
			for _, size := range steps(&w, lists[0], lists[1], 10000, 16, 1) {
				total += size
			}
			if total != n {
				t.Errorf("%d bytes were walked over, want %d", total, n)
			}
		}
	}
}

// TestWipe holds that nothing of the message stays.
func TestWipe(t *testing.T) {
	var w Walk
	l := cut(counting(100), 10, 10, 10)
	steps(&w, l, l, 100, 16, 1)
	if bytes.Equal(w.Buffer(), make([]byte, len(w.Buffer()))) {
		t.Fatal("the walk kept nothing")
	}
	w.Wipe()
	if !bytes.Equal(w.Buffer(), make([]byte, len(w.Buffer()))) {
		t.Error("something is left")
	}
}

// FuzzWalk divides by the bytes of two strings.
func FuzzWalk(f *testing.F) {
	f.Add(uint16(100), uint8(0), []byte{1, 2, 3}, []byte{40})
	f.Add(uint16(9000), uint8(2), []byte{200, 0, 255, 1}, []byte{17, 130, 3})
	f.Fuzz(func(t *testing.T, n uint16, choice uint8, from, to []byte) {
		var w Walk
		u := units[int(choice)%len(units)]
		pattern := func(cuts []byte) []int {
			sizes := []int{}
			for _, c := range cuts {
				size := int(c)
				if c >= 128 {
					size = 40 * (size - 128)
				}
				sizes = append(sizes, size)
			}
			return repeated(int(n)%20000, append(sizes, 999))
		}
		checkWalk(t, &w, int(n)%20000, u.unit, u.tail, pattern(from), pattern(to))
	})
}

// TestWalkAgain begins a walk while a step of another is in the buffer: that step is dropped.
func TestWalkAgain(t *testing.T) {
	var w Walk
	dropped := make([]byte, 100)
	w.Start(cut(dropped, 10).Start(), cut(counting(100), 5).Start(), 100, 16, 1)
	w.Next()
	checkWalk(t, &w, 200, 16, 1, []int{3}, []int{5})
	if !bytes.Equal(dropped, make([]byte, 100)) {
		t.Error("a step was written that had not ended")
	}
}
