package aead

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"lamina/api/scatter"
	"lamina/arch"
)

// layouts divide a message into segments.
var layouts = []struct {
	name string
	cut  func(ad, text, tag int) []int
}{
	{"one segment", func(ad, text, tag int) []int { return []int{ad + text + tag + 7} }},
	{"one exact segment", func(ad, text, tag int) []int { return []int{ad + text + tag} }},
	{"part by part", func(ad, text, tag int) []int { return []int{ad, text, tag} }},
	{"part by part, with empty ones", func(ad, text, tag int) []int { return []int{0, ad, 0, 0, text, 0, tag, 0, 9} }},
	{"associated data and the first of the text", func(ad, text, tag int) []int {
		return cycle(ad+text+tag, ad+min(text, 5), 1<<20)
	}},
	{"text and tag", func(ad, text, tag int) []int { return []int{ad, text + tag} }},
	{"tag in pieces", func(ad, text, tag int) []int { return []int{ad + text, 1, 0, 2, tag - 3, 4} }},
	{"single bytes", func(ad, text, tag int) []int { return cycle(ad+text+tag, 1) }},
	{"a block over six segments", func(ad, text, tag int) []int { return cycle(ad+text+tag, 3) }},
	{"short ones", func(ad, text, tag int) []int { return cycle(ad+text+tag, 0, 1, 15, 16, 0, 17, 33) }},
	{"about the shortest direct step", func(ad, text, tag int) []int {
		return cycle(ad+text+tag, 511, 512, 513, 528, 529, 3, 1024)
	}},
	{"long and short", func(ad, text, tag int) []int {
		return cycle(ad+text+tag, 5000, 1, 0, 600, 2, 16, 9000, scatter.BounceSize, 7)
	}},
}

// TestLayouts compares requests over every layout with the direct call of the library.
func TestLayouts(t *testing.T) {
	const bounce = scatter.BounceSize
	sizes := []struct{ ad, text int }{
		{0, 0}, {1, 0}, {0, 1}, {13, 15}, {16, 16}, {32, 17}, {20, 100}, {5, 511}, {0, 512}, {3, 513}, {17, 1420},
		{16, bounce - 17}, {16, bounce - 16}, {20, bounce - 20}, {16, bounce - 15}, {20, bounce - 19}, {0, bounce + 1},
		{5000, 0}, {5000, 3}, {700, 3 * bounce}, {21, 70000},
	}
	keySizes := []int{16, 24, 32}
	forEachDriver(t, func(t *testing.T, m *mode, im arch.Impl) {
		tfm := alloc(t, m.prefix+im.String())
		r := tfm.NewRequest()
		for i, size := range sizes {
			s := newMessage(m, im, uint64(i), keySizes[i%3], m.authSizes[i%len(m.authSizes)], size.ad, size.text)
			s.use(t, tfm)
			ad, text, tag := len(s.ad), len(s.text), s.authSize
			for j, from := range layouts {
				srcSizes := from.cut(ad, text, tag)
				for _, w := range []way{sameList, sameBytes} {
					s.named(t, r, w, from.name, srcSizes, "itself", srcSizes)
				}
				for k, to := range layouts {
					if text > 2000 && k != (i+j)%len(layouts) || testing.Short() && (i+j+k)%4 != 0 {
						continue
					}
					s.named(t, r, apart, from.name, srcSizes, to.name, to.cut(ad, text, tag))
				}
			}
		}
	})
}

// named is check, with what it was in the error.
func (s *message) named(t *testing.T, r *Request, w way, from string, srcSizes []int, to string, dstSizes []int) {
	t.Helper()
	s.check(described{t, fmt.Sprintf("%d bytes of associated data, %d of text, tag of %d; from %s to %s (%d): ",
		len(s.ad), len(s.text), s.authSize, from, to, w)}, r, w, srcSizes, dstSizes)
}

// described is a test that says more in its errors.
type described struct {
	testing.TB
	text string
}

func (d described) Fatalf(format string, values ...any) {
	d.Helper()
	d.TB.Fatalf("%s"+format, append([]any{d.text}, values...)...)
}

// TestSizes has every size of keys with every size of tags, and of nonces.
func TestSizes(t *testing.T) {
	forEachDriver(t, func(t *testing.T, m *mode, im arch.Impl) {
		tfm := alloc(t, m.prefix+im.String())
		r := tfm.NewRequest()
		for seed := range uint64(7) { // of which CCM's sizes of nonces are made
			for _, keySize := range []int{16, 24, 32} {
				for _, authSize := range m.authSizes {
					s := newMessage(m, im, seed, keySize, authSize, int(seed), 50)
					s.use(t, tfm)
					s.check(t, r, sameList, cycle(100, 1000), nil)
					s.check(t, r, apart, cycle(100, 20), cycle(100, 33))
				}
			}
		}
	})
}

// TestRandomLayouts divides messages of any length in any way.
func TestRandomLayouts(t *testing.T) {
	count := 300
	if testing.Short() {
		count = 60
	}
	forEachDriver(t, func(t *testing.T, m *mode, im arch.Impl) {
		random := rand.New(rand.NewPCG(1, 2))
		tfm := alloc(t, m.prefix+im.String())
		r := tfm.NewRequest()
		for i := range count {
			s := newMessage(m, im, uint64(i), 16+8*(i%3), m.authSizes[i%len(m.authSizes)], random.IntN(100), random.IntN(6000))
			s.use(t, tfm)
			total := len(s.ad) + len(s.text) + s.authSize
			s.check(t, r, way(i)%ways, randomSizes(random, total), randomSizes(random, total))
		}
	})
}

// randomSizes returns sizes of segments for total bytes or a little more.
func randomSizes(random *rand.Rand, total int) []int {
	pattern := make([]int, 1+random.IntN(10))
	for i := range pattern {
		pattern[i] = random.IntN([]int{2, 20, 700, 6000}[random.IntN(4)])
	}
	return cycle(total, append(pattern, 1)...)
}

// TestCryptdLayouts has a few layouts under the drivers that run requests on workers.
func TestCryptdLayouts(t *testing.T) {
	forEachDriver(t, func(t *testing.T, m *mode, im arch.Impl) {
		tfm := alloc(t, cryptdOf(m, im), Workers(1), QueueLength(1))
		r := tfm.NewRequest()
		for i, size := range []int{0, 17, 1000, 10000} {
			s := newMessage(m, im, uint64(i), 16, 16, 20, size)
			s.use(t, tfm)
			for w := range ways {
				s.check(t, r, w, cycle(len(s.ad)+size+16, 700, 3), cycle(len(s.ad)+size+16, 5, 900))
			}
		}
	})
}

// TestPart has lists in place of which one goes on elsewhere: a place in both is the same memory, or is not shared.
func TestPart(t *testing.T) {
	forEachDriver(t, func(t *testing.T, m *mode, im arch.Impl) {
		tfm := alloc(t, m.prefix+im.String())
		r := tfm.NewRequest()
		for i, size := range []int{100, 1000, 9000} {
			s := newMessage(m, im, uint64(i), 16, 16, 16, size)
			s.use(t, tfm)
			shared, own, other := make([]byte, 60), make([]byte, size+16), make([]byte, size+16)
			src, dst := scatter.List{shared, own}, scatter.List{shared, other}
			src.Scatter(s.ad, 0)
			src.Scatter(s.text, len(s.ad))
			r.SetAD(len(s.ad))
			r.SetCrypt(src, dst, size, s.iv)
			if err := r.Encrypt(); err != nil {
				t.Fatal(err)
			}
			got := make([]byte, len(s.sealed))
			dst.Gather(got, len(s.ad))
			if string(got) != string(s.sealed) {
				t.Errorf("%d bytes: wrong ciphertext or tag", size)
			}
		}
	})
}
