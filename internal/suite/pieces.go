package suite

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"lamina/arch"
)

// cut returns the ends of pieces of n bytes that have the given lengths, the last of which repeats.
func cut(n int, lengths []int) (ends []int) {
	for at, i := 0, 0; at < n || i < len(lengths)-1; i++ {
		at = min(n, at+lengths[min(i, len(lengths)-1)])
		ends = append(ends, at)
	}
	return ends
}

// can reports whether a text can come in pieces with these ends.
func (s *state[K]) can(ends []int) bool {
	from := 0
	for i, to := range ends {
		if to-from < s.mode.MinText || i < len(ends)-1 && (to-from)%s.mode.Piece != 0 {
			return false
		}
		from = to
	}
	return true
}

// pieces gives messages in two and three pieces with cuts at every place, in pieces of one length, and in random
// ones. A piece may be empty.
func (s *state[K]) pieces() {
	if s.mode.Piece == 0 {
		s.t.Skip("the mode takes no messages in pieces")
	}
	for _, im := range arch.Impls() {
		for n := range 101 {
			if testing.Short() && n%9 != 0 && n%16 != 1 {
				continue
			}
			s.split(im, n, n, n*3%51, func(yield func([]int)) {
				for at := range n + 1 {
					yield([]int{at, n})
				}
			})
		}
		for _, n := range []int{33, 48, 64, 333, 1100} {
			s.split(im, n, n, min(n, 100), func(yield func([]int)) {
				step := 1 + n/64*16 // short texts are cut everywhere
				for first := 0; first <= n && !testing.Short(); first += step {
					for second := 0; first+second <= n; second += step {
						yield([]int{first, second, n})
					}
				}
				for _, size := range []int{1, 9, 15, 16, 17, 31, 32, 33, 48, 63, 64, 144, 256} {
					yield([]int{size})
					yield([]int{0, size, 0, size})
				}
			})
		}
		random := rand.New(rand.NewPCG(1, 2))
		for i := range 20 {
			s.split(im, i, random.IntN(10000), random.IntN(2000), func(yield func([]int)) {
				for range 4 {
					var list []int
					for most := 1 + random.IntN(600); len(list) < 40; {
						list = append(list, random.IntN(1+most/s.mode.Piece)*s.mode.Piece)
					}
					yield(append(list, 48))
				}
			})
			if testing.Short() && i == 3 {
				break
			}
		}
	}
}

// split makes a message of the given lengths and gives it in pieces of all the lengths that lists yields.
func (s *state[K]) split(im arch.Impl, n, textLen, adLen int, lists func(yield func(lengths []int))) {
	s.t.Helper()
	if s.mode.Unit == 0 {
		adLen = textLen // of a MAC, what there is counts
	}
	m, ok := s.random(n, s.mode.Fits(textLen), adLen)
	if !ok {
		return
	}
	k := s.set(&s.key, im, m)
	inPlace := false
	lists(func(lengths []int) {
		ends := cut(len(m.text), lengths)
		if !s.can(ends) {
			return
		}
		inPlace = !inPlace
		adEnds := cut(len(m.ad), lengths)
		s.encryptPieces(k, im, m, adEnds, ends, inPlace)
		if s.mode.Decrypt != nil {
			s.decryptPieces(k, im, m, adEnds, ends, inPlace)
		}
	})
}

func (s *state[K]) encryptPieces(k *K, im arch.Impl, m *message, adEnds, ends []int, inPlace bool) {
	s.t.Helper()
	c := s.call(fmt.Sprintf("in pieces that end at %v and %v, encryption of", adEnds, ends), im, m, m.text, inPlace)
	p := s.begin(k, c, adEnds)
	from := 0
	for _, to := range ends {
		s.guard(c.String, func() { p.EncryptUpdate(c.dst[from:to], c.src[from:to]) })
		from = to
	}
	tag := s.mem.take(tagRole, len(m.tag))
	s.guard(c.String, func() { p.EncryptFinal(tag) })
	c.compare(s.t, "tag", tag, m.tag)
	c.finish(s.t, m.sealed, s.after(m, ends))
}

func (s *state[K]) decryptPieces(k *K, im arch.Impl, m *message, adEnds, ends []int, inPlace bool) {
	s.t.Helper()
	c := s.call(fmt.Sprintf("in pieces that end at %v and %v, decryption of", adEnds, ends), im, m, m.sealed, inPlace)
	p := s.begin(k, c, adEnds)
	from := 0
	for _, to := range ends {
		s.guard(c.String, func() { p.DecryptUpdate(c.dst[from:to], c.src[from:to]) })
		from = to
	}
	tag := put(s.mem, tagRole, m.tag)
	s.guard(c.String, func() {
		if err := p.DecryptFinal(tag); err != nil {
			s.t.Fatal(c, err)
		}
	})
	c.finish(s.t, m.text, s.after(m, ends))
}

// begin begins the message of a call and gives its associated data.
func (s *state[K]) begin(k *K, c *call, adEnds []int) (p Pieces) {
	s.t.Helper()
	p = &continued[K]{mode: &s.mode, key: k, iv: c.iv}
	if s.mode.Begin != nil {
		p = s.mode.Begin(k, c.iv, len(c.ad), len(c.src))
	}
	from := 0
	for _, to := range adEnds {
		s.guard(c.String, func() { p.AuthUpdate(c.ad[from:to]) })
		from = to
	}
	return p
}

// after is what the IV is after a message in pieces with the given ends: what continues it, if that is how the
// pieces were made. Where the end of a message leaves the IV, that is the one of the last piece.
func (s *state[K]) after(m *message, ends []int) []byte {
	if s.mode.Begin != nil {
		return m.iv
	}
	last := 0
	if len(ends) > 1 {
		last = ends[len(ends)-2]
	}
	_, _, iv := s.mode.Mode.Encrypt(m.key, m.iv, m.text[:last], nil, 0)
	_, _, next := s.mode.Mode.Encrypt(m.key, iv, m.text[last:], nil, 0)
	return next
}

// continued is a message in pieces by calls each of which continues the one before.
type continued[K comparable] struct {
	mode *Mode[K]
	key  *K
	iv   []byte
}

func (*continued[K]) AuthUpdate([]byte) {}

func (c *continued[K]) EncryptUpdate(dst, src []byte) {
	c.mode.Encrypt(c.key, dst, nil, c.iv, src, nil)
}

func (c *continued[K]) DecryptUpdate(dst, src []byte) {
	if err := c.mode.Decrypt(c.key, dst, c.iv, src, nil, nil); err != nil {
		panic(err)
	}
}

func (*continued[K]) EncryptFinal([]byte) {}

func (*continued[K]) DecryptFinal([]byte) error { return nil }
