package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// CTR (NIST SP 800-38A, section 6.5) and XCTR.
//
// Both modes XOR the text with E(B + counter): B is a block that stays, and the counter, a 64-bit number in
// one of its halves, grows by one a block. In CTR it is the last eight bytes, big-endian, and B has zeros
// there; in XCTR it is the first eight, little-endian, and B is the IV. So one byte shuffle, which also
// clears the other half, makes either mode of a counter, and one function does both. Whoever calls sees to it
// that the 64 bits do not wrap within a text, which takes the carry out of all assembly.
//
// The text goes through in passes of eight vectors, which hide the latency of AES, and what is left at the
// end goes through in one pass as well, because fewer vectors take nearly as long one by one as together.
//
// The last pass knows its vectors from the last one backwards: the last is the only one that can be partial,
// and so is always the same register, at the same address; and a pass of any length is one of eight, left
// early. The counters of a pass are a row of constants, one block for one block of text, so that they are
// found at the offset of the text, plus the counter at its start.
//
// Tried and rejected: whole passes by the code of the last one, whose comparisons take ports from AES. It
// saves 350 bytes of text a function, and at 16384 bytes of AES-256 costs 25 % with vectors of 128 and 256
// bits and 2 % with 512, on a Sapphire Rapids.
//
// Groups of counters aligned so that an XOR makes blocks of them, as GCM has, have nothing to gain here,
// where nothing but AES wants its ports: whole passes take within 3 % of what the rounds of AES alone take.

// passVectors is the number of vectors in a whole pass.
const passVectors = 8

// ctrRounds lists, for a vector width, the numbers of vectors that have rounds of their own. Others take
// those of the next number. A round of a single vector takes three cycles, in which two vectors of 128 or 256
// bits can start each, and one of 512 bits.
func ctrRounds(v variant) []int {
	if v.width == 64 {
		return []int{1, 2, 3, 4, 5, 6, 7, 8}
	}
	return []int{1, 2, 4, 6, 8}
}

// ctr generates the functions of all variants.
func ctr() {
	counters := GLOBL("counters", readOnly)
	for i := range passVectors * 4 {
		DATA(16*i, U64(uint64(i)))
		DATA(16*i+8, U64(0))
	}
	for _, v := range variants {
		newCTRFunc(v, counters).generate()
	}
}

// ctrFunc is a function in the making.
//
//	dst, src, n    what is left of the text
//	counter        that of the next block
//	offset         of the last vector from the first one of its pass
//	rest           bytes in the last vector
//	row            address of the counters
//	lastKey, first address of the last round key, and offset of the second from it
//	state          the vectors of a pass, the last one first
//	base           what the counter is added to, with round key 0
//	order          where the bytes of the counter go
//	key, last      a round key and the last one
//	count          the counter, in every lane
type ctrFunc struct {
	emitter
	labels                            *labels
	counters                          Mem
	dst, src, n, counter              reg.GPVirtual
	offset, rest, row, lastKey, first reg.GPVirtual
	state                             []vec
	base, order, key, last, count     vec
}

func newCTRFunc(v variant, counters Mem) *ctrFunc {
	c := &ctrFunc{emitter: newEmitter(v), labels: &labels{}, counters: counters}
	c.state = c.allocs(passVectors)
	c.base, c.order, c.key, c.last, c.count = c.alloc(), c.alloc(), c.alloc(), c.alloc(), c.alloc()
	return c
}

func (c *ctrFunc) generate() {
	function("Count"+c.suffix,
		"func(k *Enc, order *[16]byte, base0, base1, counter uint64, dst, src *byte, n int)",
		fmt.Sprintf("Count%s adds n bytes of key stream to src and writes them to dst. The block of counter i is base0 and", c.suffix),
		"base1, little-endian, XOR those bytes of i that order picks. The counter does not wrap in n bytes.")
	c.n = param("n")
	TESTQ(c.n, c.n)
	JZ(LabelRef("done"))
	c.start()
	c.passes()
	c.measure()
	c.blocks()
	c.rounds()
	c.text()
	c.ret()
}

// passes does whole passes, while there are any.
func (c *ctrFunc) passes() {
	CMPQ(c.n, U32(c.passBytes()))
	JB(LabelRef("end"))
	Label("pass")
	c.spreadCounter()
	for i, s := range c.state {
		c.add64(s, c.count, c.counters.Offset(i*c.width))
		c.shuffleBytes(s, s, c.r(c.order))
		c.xor(s, s, c.base)
	}
	c.roundsOf("pass", passVectors)
	for i, s := range c.state {
		c.xorLoad(c.key, c.last, Mem{Base: c.src, Disp: i * c.width})
		c.aesenclast(s, c.key)
		c.store(Mem{Base: c.dst, Disp: i * c.width}, s)
	}
	ADDQ(U32(c.passBytes()), c.src)
	ADDQ(U32(c.passBytes()), c.dst)
	ADDQ(Imm(uint64(passVectors*c.lanes())), c.counter)
	SUBQ(U32(c.passBytes()), c.n)
	JZ(LabelRef("done"))
	CMPQ(c.n, U32(c.passBytes()))
	JAE(LabelRef("pass"))
	Label("end")
}

func (c *ctrFunc) passBytes() int { return passVectors * c.width }

// start loads what stays the same in all passes.
func (c *ctrFunc) start() {
	ks := scheduleOf(Dereference(Param("k")))
	c.broadcast(c.order, Mem{Base: param("order")})
	c.narrow().loadLow(c.base, address(Param("base0")))
	c.narrow().loadLow(c.key, address(Param("base1")))
	c.narrow().lowHalves(c.base, c.base, c.key)
	c.narrow().load(c.key, ks.keys)
	c.narrow().xor(c.base, c.base, c.key)
	c.spread(c.base, c.base)

	c.first, c.lastKey = GP64(), GP64()
	MOVL(ks.rounds, c.first.As32())
	SHLQ(Imm(4), c.first)
	LEAQ(ks.keys.Idx(c.first, 1), c.lastKey)
	NEGQ(c.first)
	ADDQ(Imm(16), c.first)
	c.broadcast(c.last, Mem{Base: c.lastKey})
	c.counter, c.src, c.dst = param("counter"), param("src"), param("dst")
}

// measure finds the last vector.
func (c *ctrFunc) measure() {
	c.offset, c.rest, c.row = GP64(), GP64(), GP64()
	LEAQ(Mem{Base: c.n, Disp: -1}, c.offset)
	ANDQ(I32(-c.width), c.offset)
	MOVQ(c.n, c.rest)
	SUBQ(c.offset, c.rest)
	LEAQ(c.counters, c.row)
}

// at is the address of vector i, counted from the last one.
func (c *ctrFunc) at(base reg.GPVirtual, i int) Mem {
	return Mem{Base: base, Index: c.offset, Scale: 1, Disp: -i * c.width}
}

// blocks makes the counter blocks of the last pass, with round key 0 added, and goes to the rounds for their
// number.
func (c *ctrFunc) blocks() {
	c.spreadCounter()
	for i, s := range c.state {
		c.add64(s, c.count, c.at(c.row, i))
		c.shuffleBytes(s, s, c.r(c.order))
		c.xor(s, s, c.base)
		if i < passVectors-1 {
			CMPQ(c.n, U32((i+1)*c.width))
			JBE(LabelRef(c.roundsLabel(i + 1)))
		}
	}
}

// spreadCounter sets count to the counter in the lower half of every lane.
func (c *ctrFunc) spreadCounter() {
	if c.enc == evex {
		VPBROADCASTQ(c.counter, c.r(c.count))
		return
	}
	c.narrow().setLow(c.count, c.counter)
	c.spread(c.count, c.count)
}

// roundsLabel is the label of the rounds that n vectors take.
func (c *ctrFunc) roundsLabel(n int) string {
	for _, m := range ctrRounds(c.variant) {
		if m >= n {
			return fmt.Sprintf("rounds%d", m)
		}
	}
	panic("more vectors than a pass has")
}

// rounds does all rounds but the last, for each number of vectors.
func (c *ctrFunc) rounds() {
	counts := ctrRounds(c.variant)
	for i := len(counts) - 1; i >= 0; i-- {
		label := c.roundsLabel(counts[i])
		Label(label)
		c.roundsOf(label, counts[i])
		if i > 0 {
			JMP(LabelRef("text"))
		}
	}
}

// roundsOf does all rounds but the last, for n vectors. They are 9, 11 or 13. Two at a time saves a few
// vectors, which AES does not keep busy, a nanosecond.
func (c *ctrFunc) roundsOf(label string, n int) {
	key, step := GP64(), 1
	MOVQ(c.first, key)
	if n <= 2 {
		c.round(key, 0, n)
		ADDQ(Imm(16), key)
		step = 2
	}
	Label(label + "loop")
	for i := range step {
		c.round(key, i, n)
	}
	ADDQ(Imm(uint64(16*step)), key)
	// Not "until zero": the rounds of a key that was never set, of which there are none, must end as well.
	JLT(LabelRef(label + "loop"))
}

// round does the round i after that of key, for n vectors.
func (c *ctrFunc) round(key reg.GPVirtual, i, n int) {
	c.broadcast(c.key, Mem{Base: c.lastKey, Disp: 16 * i}.Idx(key, 1))
	for _, s := range c.state[:n] {
		c.aesenc(s, c.key)
	}
}

// text does the last round and adds the text.
func (c *ctrFunc) text() {
	Label("text")
	c.lastText()
	for i := 1; i < passVectors; i++ {
		CMPQ(c.n, U32(i*c.width))
		JBE(LabelRef("done"))
		s := c.state[i]
		c.xorLoad(c.key, c.last, c.at(c.src, i))
		c.aesenclast(s, c.key)
		c.store(c.at(c.dst, i), s)
	}
	Label("done")
}

// lastText does the last vector of the text, which may be partial. A whole one is stored without a mask,
// because what was stored under one is slow to be read back.
func (c *ctrFunc) lastText() {
	whole, done := "whole", "lastDone"
	s := c.state[0]
	CMPQ(c.rest, Imm(uint64(c.width)))
	JEQ(LabelRef(whole))
	if c.enc == evex {
		keepFirst(maskReg(lastMask), c.rest)
		VMOVDQU8_Z(c.at(c.src, 0), maskReg(lastMask), c.r(c.key))
		c.xor(c.key, c.key, c.last)
		c.aesenclast(s, c.key)
		VMOVDQU8(c.r(s), maskReg(lastMask), c.at(c.dst, 0))
	} else {
		c.partialText()
	}
	JMP(LabelRef(done))
	Label(whole)
	c.xorLoad(c.key, c.last, c.at(c.src, 0))
	c.aesenclast(s, c.key)
	c.store(c.at(c.dst, 0), s)
	Label(done)
}

// partialText is what lastText does where there are no masks.
func (c *ctrFunc) partialText() {
	p, t := GP64(), c.count
	LEAQ(c.at(c.src, 0), p)
	c.loadPartial(c.labels, c.key, p, c.rest, t)
	c.xor(c.key, c.key, c.last)
	c.aesenclast(c.state[0], c.key)
	LEAQ(c.at(c.dst, 0), p)
	c.storePartial(c.labels, p, c.rest, c.state[0])
}
