package skcipher

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"lamina/api/scatter"
)

// layouts are sizes of segments, over and over.
var layouts = []struct {
	name     string
	src, dst []int
	upTo     int // the longest text: of others there would be too many segments
}{
	{"one segment", []int{long}, []int{long}, long},
	{"empty segments around one", []int{0, 0, long}, []int{0, long}, long},
	{"of 0 and 1", []int{0, 1, 0, 0, 1}, []int{0, 1, 0, 0, 1}, 300},
	{"of 1 to one", []int{1}, []int{long}, 300},
	{"one to those of 1", []int{long}, []int{1}, 300},
	{"five a block", []int{3, 3, 3, 3, 4}, []int{3, 3, 3, 3, 4}, 5000},
	{"five a block, shifted", []int{7, 3, 3, 3, 3, 4}, []int{3, 3, 4, 3, 3}, 5000},
	{"of 16", []int{16}, []int{16}, 5000},
	{"of 17 and 15", []int{17}, []int{15}, 5000},
	{"long and short", []int{1000, 1, 600, 0, 17}, []int{1000, 1, 600, 0, 17}, long},
	{"long, divided differently", []int{5, 1000, 2}, []int{700, 3, 4096}, long},
	{"just long enough for a step", []int{512, 3, 529, 544, 16}, []int{512, 3, 529, 544, 16}, long},
	{"longer than a bounce", []int{513, scatter.BounceSize + 1, 15, 2000}, []int{9000, 1}, long},
	{"all but the last block in one", []int{scatter.BounceSize - 16, 8}, []int{scatter.BounceSize - 17, 9}, long},
}

const long = 1 << 30

// sizes are around the block, around what implementations do at once, and around steps of a walk.
var sizes = []int{
	0, 1, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 127, 128, 129, 255, 256, 257, 300, 511, 512, 513, 528,
	529, 545, 1040, joinMax - 1, joinMax, joinMax + 1, joinMax + 15, joinMax + 16, joinMax + 17,
	scatter.BounceSize - 16, scatter.BounceSize - 1, scatter.BounceSize, scatter.BounceSize + 1,
	scatter.BounceSize + 15, scatter.BounceSize + 16, scatter.BounceSize + 17, scatter.BounceSize + 33,
	2*scatter.BounceSize + 31, 9000, 70000, 70001,
}

// TestLayouts compares requests, in every layout and three ways in place and not, with direct calls.
func TestLayouts(t *testing.T) {
	forEachDriver(t, func(t *testing.T, d *driver) {
		for i, keySize := range d.mode.keySizes {
			if i > 0 && testing.Short() {
				break
			}
			key := bytesFor(byte(keySize), keySize)
			tfm := alloc(t, d.algorithm.Driver)
			if err := tfm.SetKey(key); err != nil {
				t.Fatal(err)
			}
			r := tfm.NewRequest() // one for all, so that nothing may stay in it
			for _, n := range sizes {
				if !d.mode.fits(n) || n > 10000 && i > 0 {
					continue
				}
				testLayouts(t, d, r, key, bytesFor(2, n))
			}
		}
	})
}

func testLayouts(t *testing.T, d *driver, r *Request, key, text []byte) {
	iv := bytesFor(3, d.mode.ivSize)
	for _, direction := range directions {
		want, next := direct(t, d, direction, key, iv, text)
		for _, l := range layouts {
			if len(text) > l.upTo {
				continue
			}
			for _, way := range []string{"apart", "same list", "equal segments"} {
				src, dst := place(text, l.src), place(make([]byte, len(text)), l.dst)
				to := dst.list
				switch way {
				case "same list":
					dst, to = src, src.list
				case "equal segments":
					dst, to = src, slices.Clone(src.list)
				}
				handed := place(iv, []int{maxIVSize})
				how := fmt.Sprintf("%s of %d bytes, %s, %s", direction, len(text), l.name, way)
				r.SetCrypt(src.list, to, len(text), handed.list[0][:len(iv)])
				if err := r.run(bool(direction)); err != nil {
					t.Fatalf("%s: %v", how, err)
				}
				if !bytes.Equal(dst.text(), want) {
					t.Errorf("%s: not as a direct call", how)
				}
				if !bytes.Equal(handed.text(), next) {
					t.Errorf("%s: IV %x, want %x", how, handed.text(), next)
				}
				if way == "apart" && !bytes.Equal(src.text(), text) {
					t.Errorf("%s: the source was changed", how)
				}
				if !src.intact() || !dst.intact() || !handed.intact() {
					t.Errorf("%s: written outside of the text", how)
				}
			}
		}
	}
}

// TestContinued does a text in several requests, each with the IV that the one before handed back.
func TestContinued(t *testing.T) {
	for _, d := range drivers() {
		switch d.mode.name {
		case "ecb(aes)", "cbc(aes)", "ctr(aes)", "xts(aes)":
		default:
			continue
		}
		t.Run(d.algorithm.Driver, func(t *testing.T) {
			key, n := bytesFor(1, d.algorithm.MaxKeySize), 3001
			if !d.mode.fits(n) {
				n = 3008
			}
			// A counter that carries through all of its bytes is part of what goes on.
			iv := bytes.Repeat([]byte{0xff}, d.mode.ivSize)
			r := alloc(t, d.algorithm.Driver).NewRequest()
			text := bytesFor(4, n)
			for _, direction := range directions {
				want, next := direct(t, d, direction, key, iv, text)
				for _, pieces := range [][]int{{16}, {32, 16, 0, 2048}, {1024, 528}, {2976}} {
					got, handed := bytes.Clone(text), bytes.Clone(iv)
					for at, i := 0, 0; at < n; i++ {
						size := pieces[i%len(pieces)]
						if size == 0 && d.mode.lengths == stealing {
							continue
						}
						if n-at-size < 16 {
							size = n - at
						}
						piece := got[at : at+size]
						split := scatter.List{piece[:size/3], piece[size/3:]}
						r.SetCrypt(split, split, size, handed)
						if err := r.run(bool(direction)); err != nil {
							t.Fatal(err)
						}
						at += size
					}
					if !bytes.Equal(got, want) {
						t.Errorf("%s in pieces of %v: not as in one", direction, pieces)
					}
					// After stealing there is nothing to go on with, and the IV is that of the piece before.
					if n%16 == 0 || d.mode.lengths != stealing {
						if !bytes.Equal(handed, next) {
							t.Errorf("%s in pieces of %v: IV %x, want %x", direction, pieces, handed, next)
						}
					}
				}
			}
		})
	}
}

// TestIVInText has the IV in the memory of the text, where it is read before and written after it.
func TestIVInText(t *testing.T) {
	forEachDriver(t, func(t *testing.T, d *driver) {
		key := bytesFor(1, d.algorithm.MaxKeySize)
		r := alloc(t, d.algorithm.Driver).NewRequest()
		for _, cuts := range [][]int{{1 << 30}, {100, 1}} {
			for _, direction := range directions {
				text := bytesFor(5, 160)
				iv := bytes.Clone(text[32 : 32+d.mode.ivSize])
				want, next := direct(t, d, direction, key, iv, text)
				if !bytes.Equal(next, iv) { // otherwise the mode hands nothing back, and writes nothing
					copy(want[32:], next)
				}
				list := cut(text, cuts)
				r.SetCrypt(list, list, len(text), text[32:32+d.mode.ivSize])
				if err := r.run(bool(direction)); err != nil || !bytes.Equal(text, want) {
					t.Errorf("%s in segments of %v: %v, or not a direct call with the next IV over it", direction, cuts, err)
				}
			}
		}
	})
}

// TestMemoryTwiceInList has lists that name memory twice. The result makes no sense in place, but there must be
// one, with no panic; a source may do so, since it is only read.
func TestMemoryTwiceInList(t *testing.T) {
	forEachDriver(t, func(t *testing.T, d *driver) {
		key := bytesFor(1, d.algorithm.MaxKeySize)
		r := alloc(t, d.algorithm.Driver).NewRequest()
		iv := bytesFor(6, d.mode.ivSize)
		m := bytesFor(7, 2000)
		for _, list := range []scatter.List{
			{m[:80], m[:80]},
			{m[:80], m[40:120]},
			{m[1:600], m[:600], m[30:1999]},
			{m[:640], m[16:656], m[8:648]},
		} {
			n := list.Len() - list.Len()%16
			for _, direction := range directions {
				text := make([]byte, n)
				list.Gather(text, 0)
				want, _ := direct(t, d, direction, key, iv, text)
				out := make([]byte, n)
				r.SetCrypt(list, scatter.List{out}, n, bytes.Clone(iv))
				if err := r.run(bool(direction)); err != nil || !bytes.Equal(out, want) {
					t.Errorf("%s from a list with memory twice: %v, or not as a direct call", direction, err)
				}
				r.SetCrypt(list, list, n, bytes.Clone(iv))
				if err := r.run(bool(direction)); err != nil {
					t.Errorf("%s in place: %v", direction, err)
				}
				r.SetCrypt(list, slices.Clone(list), n, bytes.Clone(iv))
				if err := r.run(bool(direction)); err != nil {
					t.Errorf("%s in equal segments: %v", direction, err)
				}
			}
		}
	})
}

// TestPlaintextWiped looks at the buffer in the request after decryption.
func TestPlaintextWiped(t *testing.T) {
	forEachDriver(t, func(t *testing.T, d *driver) {
		r := alloc(t, d.algorithm.Driver).NewRequest()
		for _, n := range []int{64, joinMax, joinMax + 16, 2*scatter.BounceSize + 32} {
			text := place(bytesFor(8, n), []int{5, 100})
			r.SetCrypt(text.list, text.list, n, make([]byte, d.mode.ivSize))
			if err := r.Decrypt(); err != nil {
				t.Fatal(err)
			}
			if buffer := r.walk.Buffer(); !bytes.Equal(buffer, make([]byte, len(buffer))) {
				t.Errorf("%d bytes: there is something left in the walk's buffer", n)
			}
		}
	})
}

// TestNoAllocations counts those of a request that is used again.
func TestNoAllocations(t *testing.T) {
	forEachDriver(t, func(t *testing.T, d *driver) {
		r := alloc(t, d.algorithm.Driver).NewRequest()
		text, iv := make([]byte, 3008), make([]byte, d.mode.ivSize)
		one := scatter.List{text}
		many := place(text, []int{100, 3, 700}).list
		if n := testing.AllocsPerRun(20, func() {
			for _, lists := range [][2]scatter.List{{one, one}, {many, many}, {one, many}} {
				r.SetCrypt(lists[0], lists[1], len(text), iv)
				if r.Encrypt() != nil || r.Decrypt() != nil {
					t.Fatal("request failed")
				}
			}
		}); n != 0 {
			t.Errorf("%v allocations, want 0", n)
		}
	})
}

// FuzzLayouts compares requests in any segments with direct calls.
func FuzzLayouts(f *testing.F) {
	f.Add(uint8(0), false, uint16(100), []byte{1, 2, 3}, []byte{0, 200}, uint64(1))
	f.Add(uint8(2), true, uint16(4129), []byte{255, 7}, []byte{3, 3, 3, 3, 4}, uint64(2))
	f.Add(uint8(6), true, uint16(9009), []byte{64}, []byte{65, 1, 0}, uint64(3))
	all := drivers()
	requests := make([]*Request, len(all))
	for i, d := range all {
		tfm, err := newTransform(d, nil)
		if err != nil {
			f.Fatal(err)
		}
		requests[i] = tfm.NewRequest()
	}
	f.Fuzz(func(t *testing.T, which uint8, decrypt bool, size uint16, src, dst []byte, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 0))
		i := int(which) % len(all)
		d, r := all[i], requests[i]
		n := d.mode.nearest(int(size) % 20000)
		key := bytesFor(byte(seed), d.mode.keySizes[random.IntN(3)])
		text, iv := bytesFor(byte(seed>>8), n), bytesFor(byte(seed>>16), d.mode.ivSize)
		if err := r.tfm.SetKey(key); err != nil {
			t.Fatal(err)
		}
		want, next := direct(t, d, Direction(decrypt), key, iv, text)
		from, to := place(text, segmentSizes(src)), place(make([]byte, n), segmentSizes(dst))
		if seed%3 == 0 {
			to = from
		}
		r.SetCrypt(from.list, to.list, n, iv)
		if err := r.run(decrypt); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(to.text(), want) || !bytes.Equal(iv, next) {
			t.Errorf("%s, %d bytes: not as a direct call", d.algorithm.Driver, n)
		}
		if !from.intact() || !to.intact() {
			t.Errorf("%s, %d bytes: written outside of the text", d.algorithm.Driver, n)
		}
	})
}

// segmentSizes makes sizes of segments of b: small ones, and from 200 on long ones. The last is never 0, so that
// segments come to an end.
func segmentSizes(b []byte) []int {
	var list []int
	for _, c := range b {
		n := int(c)
		if n >= 200 {
			n = (n - 199) * 97
		}
		list = append(list, n)
	}
	return append(list, 61)
}
