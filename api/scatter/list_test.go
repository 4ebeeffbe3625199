package scatter

import (
	"bytes"
	"math"
	"math/rand/v2"
	"net"
	"slices"
	"testing"
)

// cut divides b into segments of these sizes; what is left is the last.
func cut(b []byte, sizes ...int) (l List) {
	for _, n := range sizes {
		n = min(n, len(b))
		l, b = append(l, b[:n]), b[n:]
	}
	return append(l, b)
}

// counting returns the bytes 1, 2 and so on: none is 0, and none is like its neighbours.
func counting(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(1 + i%251)
	}
	return b
}

var divisions = [][]int{
	{}, {0}, {10}, {0, 0, 3, 0, 1, 1, 0, 16, 0}, {1, 1, 1, 1, 1, 1, 1}, {39, 1, 0}, {40, 0, 0}, {5, 5, 5, 5, 5, 5, 5, 5},
}

// TestList has what is asked of lists, and copies to and from every place.
func TestList(t *testing.T) {
	for _, sizes := range divisions {
		data := counting(40)
		l := cut(data, sizes...)
		if l.Len() != 40 {
			t.Errorf("%v: length %d, want 40", sizes, l.Len())
		}
		for n, want := range map[int]bool{math.MinInt: true, -1: true, 0: true, 1: true, 39: true, 40: true, 41: false,
			math.MaxInt: false} {
			if l.Holds(n) != want {
				t.Errorf("%v: Holds(%d) is not %v", sizes, n, want)
			}
		}
		for from := range 42 {
			for n := range 42 {
				want := data[min(from, 40):min(from+n, 40)]
				got := make([]byte, n)
				if k := l.Gather(got, from); k != len(want) || !bytes.Equal(got[:k], want) || !bytes.Equal(got[k:], make([]byte, n-k)) {
					t.Fatalf("%v: Gather of %d from %d: %d, %v", sizes, n, from, k, got)
				}
				memory := make([]byte, 40)
				k := cut(memory, sizes...).Scatter(bytes.Repeat([]byte{9}, n), from)
				wanted := make([]byte, 40)
				copy(wanted[min(from, 40):], bytes.Repeat([]byte{9}, n))
				if k != len(want) || !bytes.Equal(memory, wanted) {
					t.Fatalf("%v: Scatter of %d to %d: %d, %v", sizes, n, from, k, memory)
				}
			}
		}
	}
	var empty List
	if empty.Len() != 0 || !empty.Holds(0) || !empty.Holds(-1) || empty.Holds(1) {
		t.Error("the empty list")
	}
}

// TestPiece compares pieces with the segments they must lie in.
func TestPiece(t *testing.T) {
	for _, sizes := range divisions {
		data := counting(40)
		l := cut(data, sizes...)
		for from := range 42 {
			for n := range 42 {
				at, inOne := 0, n == 0
				for _, segment := range l {
					inOne = inOne || at <= from && from+n <= at+len(segment)
					at += len(segment)
				}
				piece, ok := l.Piece(from, n)
				if ok != inOne || ok && n > 0 && (&piece[0] != &data[from] || len(piece) != n || cap(piece) != n) {
					t.Fatalf("%v: Piece(%d, %d): %d bytes, %v, want %v", sizes, from, n, len(piece), ok, inOne)
				}
			}
		}
	}
}

// TestConversions holds that lists and buffers of package net are one in memory.
func TestConversions(t *testing.T) {
	buffers := net.Buffers{{1, 2}, {}, {3}}
	list := List(buffers)
	list[0][1] = 9
	if back := net.Buffers(list); &back[0] != &buffers[0] || buffers[0][1] != 9 || list.Len() != 3 {
		t.Error("a copy was made")
	}
}

func TestSame(t *testing.T) {
	data := counting(10)
	l := cut(data, 4)
	for _, test := range []struct {
		a, b List
		want bool
	}{
		{l, l, true}, {l, slices.Clone(l), false}, {l, l[:1], false}, {l[:1], l[:1], true}, {l[1:], l[:1], false},
		{nil, nil, true}, {nil, List{}, true}, {nil, l, false}, {l, nil, false},
	} {
		if got := test.a.Same(test.b); got != test.want {
			t.Errorf("%v and %v: %v", test.a, test.b, got)
		}
	}
}

// TestCursor has steps of all sizes through lists.
func TestCursor(t *testing.T) {
	for _, sizes := range divisions {
		for step := 1; step < 42; step++ {
			data := counting(40)
			l := cut(data, sizes...)
			c := l.Start()
			var got []byte
			for {
				before := c
				run := c.Run()
				if len(run) == 0 {
					break
				}
				n := min(step, len(run))
				got = append(got, run[:n]...)
				c.Advance(n)
				// The copy is where it was, and Skip goes the same way.
				before.Skip(n)
				if a, b := before.Run(), c.Run(); len(a) != len(b) || len(a) > 0 && &a[0] != &b[0] {
					t.Fatalf("%v: Skip and Advance of %d end at different places", sizes, n)
				}
			}
			if !bytes.Equal(got, data) {
				t.Fatalf("%v, steps of %d: %v", sizes, step, got)
			}
			c.Skip(3) // at the end nothing is left to skip
			if c.Gather(make([]byte, 1)) != 0 || c.Scatter([]byte{1}) != 0 {
				t.Fatal("a cursor went past the end")
			}
		}
	}
	var zero Cursor
	zero.Skip(1)
	zero.Clear(1)
	if len(zero.Run()) != 0 || zero.Gather(make([]byte, 2)) != 0 {
		t.Error("the zero cursor is not at the end of an empty list")
	}
}

// TestCursorRandom mixes all that cursors can do, beside a plain slice and a place in it.
func TestCursorRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		data, want := counting(60), counting(60)
		var sizes []int
		for range random.IntN(12) {
			sizes = append(sizes, random.IntN(12))
		}
		l := cut(data, sizes...)
		c, at := l.Start(), 0
		for at < 60 {
			n := random.IntN(14)
			end := min(at+n, 60)
			switch random.IntN(4) {
			case 0:
				c.Skip(n)
			case 1:
				p := make([]byte, n)
				if k := c.Gather(p); k != end-at || !bytes.Equal(p[:k], want[at:end]) {
					t.Fatalf("%v: Gather of %d at %d: %v", sizes, n, at, p[:k])
				}
			case 2:
				p := bytes.Repeat([]byte{0xee}, n)
				copy(want[at:end], p)
				if k := c.Scatter(p); k != end-at {
					t.Fatalf("%v: Scatter of %d at %d: %d", sizes, n, at, k)
				}
			case 3:
				clear(want[at:end])
				c.Clear(n)
			}
			at = end
		}
		if !bytes.Equal(data, want) {
			t.Fatalf("%v: %v, want %v", sizes, data, want)
		}
	}
}

// TestCopy copies between divisions, at most to the end of the shorter list.
func TestCopy(t *testing.T) {
	for _, from := range divisions {
		for _, to := range divisions {
			for _, n := range []int{0, 1, 17, 40, 100} {
				src, memory := counting(40), make([]byte, 40)
				a, b := cut(memory, to...).Start(), cut(src, from...).Start()
				Copy(&a, &b, n)
				want := make([]byte, 40)
				copy(want, src[:min(n, 40)])
				if !bytes.Equal(memory, want) {
					t.Fatalf("%v to %v, %d bytes: %v", from, to, n, memory)
				}
				if rest := make([]byte, 50); a.Gather(rest) != 40-min(n, 40) || b.Gather(rest) != 40-min(n, 40) {
					t.Fatalf("%v to %v, %d bytes: the cursors are not behind what was copied", from, to, n)
				}
			}
		}
	}
}

// TestNoAllocations holds that lists, cursors and walks allocate nothing.
func TestNoAllocations(t *testing.T) {
	var w Walk
	a, b := cut(counting(9000), 3, 700, 0, 5000), cut(counting(9000), 1, 4000)
	p := make([]byte, 100)
	if n := testing.AllocsPerRun(20, func() {
		c, d := a.Start(), b.Start()
		c.Gather(p)
		d.Scatter(p)
		Copy(&d, &c, 50)
		w.Start(d, c, 5000, 16, 17)
		for {
			if out, _ := w.Next(); len(out) == 0 {
				break
			}
		}
		Overlap(a, 9000, b, 9000)
	}); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}
