package fuzzing

import (
	"bytes"
	"slices"
	"testing"
)

func TestBytes(t *testing.T) {
	a, b := Bytes([]byte("abc"), 40), Bytes([]byte("abd"), 40)
	if !bytes.Equal(a[:3], []byte("abc")) || !bytes.Equal(a, Bytes([]byte("abc"), 40)) {
		t.Errorf("%x does not begin with its data, or changes", a)
	}
	if bytes.Equal(a[3:], b[3:]) {
		t.Error("other data is filled up with the same bytes")
	}
	if got := Bytes([]byte("abc"), 2); string(got) != "ab" {
		t.Errorf("cut to %q", got)
	}
}

func TestLen(t *testing.T) {
	for _, n := range Boundaries {
		if Len(n) != int(n) {
			t.Errorf("length %d became %d", n, Len(n))
		}
	}
	if got := Len(65535); got >= MaxText {
		t.Errorf("length 65535 became %d", got)
	}
}

func TestPieces(t *testing.T) {
	for _, test := range []struct {
		n    int
		cuts []byte
		want []int
	}{
		{0, nil, []int{0, 0}},
		{5, nil, []int{0, 5}},
		{5, []byte{2, 0, 1}, []int{0, 2, 2, 2, 2, 3, 3, 5}},
		{5, []byte{9, 3}, []int{0, 5, 5, 5, 5, 5}},
	} {
		var got []int
		for from, to := range Pieces(test.n, test.cuts) {
			got = append(got, from, to)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%d bytes cut by %v: %v, want %v", test.n, test.cuts, got, test.want)
		}
	}
}

func TestRoom(t *testing.T) {
	for _, n := range []int{0, 1, 100} {
		r := NewRoom(n, 70)
		if len(r.Bytes) != n || cap(r.Bytes) != n {
			t.Fatalf("room of %d bytes with capacity %d, want %d", len(r.Bytes), cap(r.Bytes), n)
		}
		for i := range r.whole {
			inside := i >= 70 && i < 70+n
			r.whole[i]++
			if r.Intact() != inside {
				t.Fatalf("byte %d of the whole changed, room at 70 of %d bytes: Intact() = %v", i, n, r.Intact())
			}
			r.whole[i]--
		}
	}
	if r := Holding([]byte("text"), 3); string(r.Bytes) != "text" || !r.Intact() {
		t.Errorf("room holds %q", r.Bytes)
	}
}
