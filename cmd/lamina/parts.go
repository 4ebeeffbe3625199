package main

import (
	"crypto/aes"
	"math"
	"runtime"
	"slices"

	"lamina/arch"
	laminaaes "lamina/lib/aes"
	"lamina/lib/aesgcm"
)

// gcmRow is one cell of the table of AES-GCM.
type gcmRow struct {
	Impl string `json:"impl"`
	shape
	NS         float64 `json:"ns"`
	StandardNS float64 `json:"standard_ns"` // crypto/cipher
	Ratio      float64 `json:"ratio"`       // above 1 where Lamina is faster
}

// gcmOps are those of the operations asked for that GCM has.
func (o speedOptions) gcmOps() []string {
	return slices.DeleteFunc(slices.Clone(o.ops), func(op string) bool { return op != "seal" && op != "open" })
}

func (rep *report) measureGCM(s *session, o speedOptions, im arch.Impl) {
	for _, align := range o.aligns {
		for _, ad := range o.ads {
			for _, bits := range o.keySizes {
				for _, op := range o.gcmOps() {
					for _, n := range o.lengths {
						sh := shape{bits, op, ad, n, align}
						s.add(o.cell, func(t []timing) {
							rep.GCM = append(rep.GCM, gcmRow{im.String(), sh, t[0].best(), t[1].best(), t[1].over(t[0])})
						}, laminaSide(im, sh), standardSide(sh))
					}
				}
			}
		}
	}
}

// alignRow is what a misaligned text costs.
type alignRow struct {
	Impl string `json:"impl"`
	shape
	NS        float64 `json:"ns"`
	AlignedNS float64 `json:"aligned_ns"`
	Cost      float64 `json:"cost"` // 0.03 is 3 % slower
}

func (rep *report) measureAlign(s *session, o speedOptions, im arch.Impl) {
	for _, op := range o.gcmOps() {
		for _, n := range []int{1420, 4096, 16384} {
			sh := shape{KeyBits: 256, Op: op, AD: 13, Bytes: n}
			sides := []func(int){laminaSide(im, sh)}
			offsets := []int{1, 16, 31, 48}
			for _, offset := range offsets {
				sh.Align = offset
				sides = append(sides, laminaSide(im, sh))
			}
			s.add(2*o.cell, func(t []timing) {
				for i, offset := range offsets {
					sh.Align = offset
					rep.Align = append(rep.Align, alignRow{
						im.String(), sh, t[i+1].best(), t[0].best(), t[i+1].over(t[0]) - 1,
					})
				}
			}, sides...)
		}
	}
}

// partialRow is what a length that is not a multiple of 16 costs over the next one that is.
type partialRow struct {
	Impl string `json:"impl"`
	shape
	NS     float64 `json:"ns"`
	NextNS float64 `json:"next_ns"` // at the next multiple of 16
	Cost   float64 `json:"cost_ns"`
}

func (rep *report) measurePartial(s *session, o speedOptions, im arch.Impl) {
	for _, op := range o.gcmOps() {
		for _, next := range []int{16, 64, 256, 512, 1424, 4096} {
			sh := shape{KeyBits: 256, Op: op, AD: 13, Bytes: next}
			sides := []func(int){laminaSide(im, sh)}
			lengths := []int{next - 15, next - 4, next - 1}
			for _, n := range lengths {
				sh.Bytes = n
				sides = append(sides, laminaSide(im, sh))
			}
			s.add(2*o.cell, func(t []timing) {
				for i, n := range lengths {
					sh.Bytes = n
					ns, nextNS := t[i+1].best(), t[0].best()
					rep.Partial = append(rep.Partial, partialRow{im.String(), sh, ns, nextNS, ns - nextNS})
				}
			}, sides...)
		}
	}
}

// setupRow is the cost of a key.
type setupRow struct {
	Impl           string  `json:"impl"`
	KeyBits        int     `json:"key_bits"`
	NS             float64 `json:"ns"`
	Allocs         float64 `json:"allocs"`
	StandardNS     float64 `json:"standard_ns"`
	StandardAllocs float64 `json:"standard_allocs"`
	Ratio          float64 `json:"ratio"`
}

func (rep *report) measureSetup(s *session, o speedOptions, im arch.Impl) {
	for _, bits := range o.keySizes {
		key := patterned(bits / 8)
		k := new(aesgcm.Key)
		ours := func(n int) {
			for range n {
				must(k.InitImpl(im, key, tagSize))
			}
		}
		standard := func(n int) {
			for range n {
				runtime.KeepAlive(newStandard(key))
			}
		}
		s.add(2*o.cell, func(t []timing) {
			rep.Setup = append(rep.Setup, setupRow{
				im.String(), bits, t[0].best(), allocsPerOp(ours), t[1].best(), allocsPerOp(standard), t[1].over(t[0]),
			})
		}, ours, standard)
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// allocsPerOp counts the allocations of one operation, to the hundredth: the runtime has a few of its own.
func allocsPerOp(side func(n int)) float64 {
	const ops = 10000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	side(ops)
	runtime.ReadMemStats(&after)
	return math.Round(float64(after.Mallocs-before.Mallocs)/ops*100) / 100
}

// blocksRow is the cost of AES alone.
type blocksRow struct {
	Impl       string  `json:"impl"`
	KeyBits    int     `json:"key_bits"`
	Op         string  `json:"op"` // "encrypt" or "decrypt"
	Blocks     int     `json:"blocks"`
	NS         float64 `json:"ns"`
	StandardNS float64 `json:"standard_ns"` // crypto/aes, block by block
	Ratio      float64 `json:"ratio"`
}

func (rep *report) measureBlocks(s *session, o speedOptions, im arch.Impl) {
	for _, bits := range o.keySizes {
		for _, op := range []string{"encrypt", "decrypt"} {
			for _, blocks := range []int{1, 4, 16, 64, 256} {
				ours, standard := blocksSides(im, bits, op, blocks)
				s.add(o.cell, func(t []timing) {
					rep.Blocks = append(rep.Blocks, blocksRow{
						im.String(), bits, op, blocks, t[0].best(), t[1].best(), t[1].over(t[0]),
					})
				}, ours, standard)
			}
		}
	}
}

// blocksSides returns functions that do n calls over so many blocks, with Lamina and with crypto/aes.
func blocksSides(im arch.Impl, bits int, op string, blocks int) (ours, standard func(n int)) {
	key := patterned(bits / 8)
	buf := alignedBytes(blocks*aes.BlockSize, 0)
	var k laminaaes.Key
	must(k.InitImpl(im, key))
	block, err := aes.NewCipher(key)
	must(err)
	one := block.Encrypt
	if op == "decrypt" {
		one = block.Decrypt
	}
	standard = func(n int) {
		for range n {
			for i := 0; i < len(buf); i += aes.BlockSize {
				one(buf[i:i+aes.BlockSize], buf[i:i+aes.BlockSize])
			}
		}
	}
	ours = func(n int) {
		for range n {
			k.EncryptBlocks(buf, buf)
		}
	}
	if op == "decrypt" {
		ours = func(n int) {
			for range n {
				k.DecryptBlocks(buf, buf)
			}
		}
	}
	return ours, standard
}
