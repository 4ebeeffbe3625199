package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// AES-XTS (IEEE 1619, NIST SP 800-38E).
//
// A tweak is a polynomial over GF(2), a little-endian number of 128 bits, modulo x^128 + x^7 + x^2 + x + 1.
// That of block j is the first one times x^j. It is added to the block before and after encryption.
//
// The text goes through in batches of eight vectors, then four, two and one vector, then what is less than a
// vector as shorter ones. Eight vectors hide the latency of a round, and tweaks are multiplied between the
// rounds of the same batch.
//
// Multiplication. In a batch of eight vectors of L lanes, each vector's tweaks go on by x^(8L), which moves
// them by L bytes. The L bytes that leave at the top, h, come back as h*(x^7 + x^2 + x + 1). A rotation by
// bytes does the move, and adds h already; so a carry-less multiplication by x^7 + x^2 + x, which is 0x86,
// gives the rest:
//
//	t*x^(8L) = rotate(t, L bytes) + h*0x86, where h is in the lowest bytes of the rotation
//
// That is four instructions, and none of them needs a port of AES where multiplication has a port of its own.
//
// The tweaks of the first batch come from the first tweak t by shifts of less than 64 bits, in each half of
// each lane by as many as its block's index i says. What leaves a half, c, goes into the other, and that of the
// upper half is multiplied too:
//
//	t*x^i = (t << i) + swap(c) + upper(c)*0x86, where c = t >> (64-i)
//
// Stealing. A message of m blocks and a partial one of r bytes ends as two blocks, done one after the other:
// first block m-1 of the input, under the tweak of block m-1 in encryption and of block m in decryption. The
// result's first r bytes are the partial block of the output; the others complete the partial block of the
// input, which then goes through under the other tweak, to block m-1. Both moves are 16 bytes that end where
// the message ends, for no byte outside may be touched: what the first store has too much in front is
// overwritten by the second.
//
// Tried and rejected, with what it costs AES-256 on a Sapphire Rapids:
//
//   - shifts by 1, 2 and 7 instead of the multiplication, seven instructions of which three need a port of AES:
//     20 % at 16384 bytes, 81 % of the port limit instead of 97
//   - masks made before the rounds and not between them: 2 % at 16384 bytes
//   - slots on the stack that are not aligned to vectors: 12 % at 16384 bytes of VAESAVX2
//   - with 16 registers, slots for 64 blocks whose tweaks go on by x^64, which saves one instruction a vector:
//     3 % better at 16384 bytes, 5 % worse at 4096 and 25 % at 512, for the slots have to be filled and wiped

// xtsConsts are the constants of the XTS functions.
type xtsConsts struct {
	poly   Mem // x^7 + x^2 + x in each half
	low    Mem // ones in the lowest 1, 2 and 4 bytes of each lane, for as many lanes
	left   Mem // i in each half, for i from 0 to 31
	right  Mem // 64-i in each half
	window Mem // 16 control bytes that give zero, 16 that give what was there, 16 that give zero
	upper  Mem // 16 zeros, 16 ones
}

func newXTSConsts() xtsConsts {
	c := xtsConsts{poly: constant("xtsPoly", 0x86, 0x86)}
	c.low = GLOBL("xtsLowBytes", readOnly)
	for i, mask := range []uint64{0xff, 0xffff, 0xffffffff} {
		for j := range 4 {
			DATA(64*i+16*j, U64(mask))
			DATA(64*i+16*j+8, U64(0))
		}
	}
	c.left = shiftCounts("xtsLeft", func(i int) int { return i })
	c.right = shiftCounts("xtsRight", func(i int) int { return 64 - i })
	c.window = GLOBL("xtsWindow", readOnly)
	for i, control := range []uint64{0x8080808080808080, 0x8080808080808080, 0x0706050403020100, 0x0f0e0d0c0b0a0908,
		0x8080808080808080, 0x8080808080808080} {
		DATA(8*i, U64(control))
	}
	c.upper = GLOBL("xtsUpper", readOnly)
	for i, mask := range []uint64{0, 0, ^uint64(0), ^uint64(0)} {
		DATA(8*i, U64(mask))
	}
	return c
}

// shiftCounts places count(i) in both halves of block i of a constant of 32 blocks, which is as many as a batch
// has.
func shiftCounts(name string, count func(i int) int) Mem {
	m := GLOBL(name, readOnly)
	for i := range 32 {
		DATA(16*i, U64(uint64(count(i))))
		DATA(16*i+8, U64(uint64(count(i))))
	}
	return m
}

// xts generates the XTS functions of all variants.
func xts() {
	for _, v := range variants[:2] {
		xtsTweak(v)
	}
	consts := newXTSConsts()
	for _, c := range directions {
		for _, v := range variants {
			xtsFunction(v, consts, c)
		}
	}
}

// xtsTweak generates the function that encrypts a first tweak. It takes two numbers and not 16 bytes: callers
// have just written these as two numbers, and a load that spans two stores waits until both have left the core,
// and all that came before them, which is the text of the call before. At 512 bytes that takes half as much
// time again.
func xtsTweak(v variant) {
	function("XTSTweak"+v.suffix, "func(k *Enc, tweak *[16]byte, lo, hi uint64)",
		"XTSTweak"+v.suffix+" sets tweak to the encryption of the little-endian number hi:lo.")
	x := &xtsFunc{emitter: newEmitter(v), direction: directions[0], labels: &labels{}}
	x.loadRounds(scheduleOf(Dereference(Param("k"))))
	state := x.alloc()
	x.key, x.t = x.alloc(), x.alloc()
	x.setLow(state, address(Param("lo")))
	x.setHigh(state, address(Param("hi")))
	x.load(x.key, x.key0)
	x.xor(state, state, x.key)
	x.rounds(x.emitter, []vec{state}, nil)
	x.load(x.key, x.sharedKey(10))
	x.last(x.emitter, state, x.key)
	x.store(Mem{Base: param("tweak")}, state)
	x.ret()
}

// xtsFunc holds the registers of an XTS function.
//
//	         16 registers                     32 registers
//	states   8 AES states                     8
//	tweaks   on the stack                     8, of the next blocks
//	masks    on the stack                     8, tweaks plus the last round key
//	outer    the first and the last round key in every lane
//	key      any other round key
//	poly, low, t, u
//
// With 16 registers, a step of four vectors has its tweaks in the states that it does not use.
type xtsFunc struct {
	emitter
	xtsConsts
	direction
	key0        Mem
	lastKeys    reg.GPVirtual // address of the tenth round key before the last
	extra       reg.GPVirtual // 16 times the number of rounds before those: 0, 32 or 64
	dst, src, n reg.GPVirtual // what is left of the text but for stealing
	rest        reg.GPVirtual // bytes of the partial block

	states, tweaks, masks []vec
	outer                 [2]vec
	key, polyReg, lowReg  vec
	t, u                  vec

	// With 16 registers.
	slots reg.GPVirtual // address of the batch's tweaks, and behind them of its masks
	next  reg.GPVirtual // address of the next vector's tweaks

	labels *labels
}

const (
	xtsBatch = 8 // vectors in a batch
	xtsStep  = 4 // vectors in the largest step after the batches
)

// xtsFunction generates one function.
func xtsFunction(v variant, consts xtsConsts, c direction) {
	name, verb, schedule, kind := "XTSEncrypt", "encrypts", "k", "*Enc"
	if c.schedule == "d" {
		name, verb, schedule, kind = "XTSDecrypt", "decrypts", "d", "*Dec"
	}
	function(name+v.suffix, "func("+schedule+" "+kind+", tweak *[16]byte, dst, src *byte, n int)",
		name+v.suffix+" "+verb+" n bytes of src to dst, at least 16.",
		"tweak is the tweak of the first block, and becomes that of the next.")
	x := &xtsFunc{emitter: newEmitter(v), xtsConsts: consts, direction: c, labels: &labels{}}
	x.loadKey(scheduleOf(Dereference(Param(schedule))))
	x.loadTweaks()
	x.batches()
	for count := xtsStep; count > 0; count /= 2 {
		x.step(x.emitter, count)
	}
	for width := x.width / 2; width >= 16; width /= 2 {
		x.step(x.at(width), 1)
	}
	x.steal()
	x.finish()
	x.ret()
}

// loadRounds prepares for the rounds.
func (x *xtsFunc) loadRounds(ks schedule) {
	x.key0 = ks.keys
	x.extra, x.lastKeys = GP64(), GP64()
	MOVL(ks.rounds, x.extra.As32())
	SUBL(Imm(10), x.extra.As32())
	SHLL(Imm(4), x.extra.As32())
	LEAQ(x.key0.Idx(x.extra, 1), x.lastKeys)
}

// loadKey takes registers and loads those that hold what never changes.
func (x *xtsFunc) loadKey(ks schedule) {
	x.loadRounds(ks)
	x.states = x.allocs(xtsBatch)
	x.outer = [2]vec{x.alloc(), x.alloc()}
	x.key, x.polyReg, x.lowReg, x.t, x.u = x.alloc(), x.alloc(), x.alloc(), x.alloc(), x.alloc()
	if x.enc == evex {
		x.tweaks = x.allocs(xtsBatch)
	} else {
		x.slots, x.next = GP64(), GP64()
		// Aligned: across lines of the cache, vectors take twice as long.
		LEAQ(AllocLocal((2*xtsBatch+1)*x.width), x.slots)
		ADDQ(Imm(uint64(x.width-1)), x.slots)
		ANDQ(I32(-x.width), x.slots)
		MOVQ(x.slots, x.next)
	}
	x.broadcast(x.outer[0], x.key0)
	x.broadcast(x.outer[1], x.sharedKey(10))
	x.load(x.polyReg, x.poly)
	logLanes := map[int]int{1: 0, 2: 1, 4: 2}[x.lanes()]
	x.load(x.lowReg, x.low.Offset(64*logLanes))
}

// sharedKey is the address of round key i of the last ten; key 0 of them precedes the shared rounds.
func (x *xtsFunc) sharedKey(i int) Mem { return Mem{Base: x.lastKeys, Disp: 16 * i} }

// loadTweaks loads the arguments that are left and makes the tweaks of the first batch, or of the first step if
// the text is shorter.
func (x *xtsFunc) loadTweaks() {
	base := x.key
	x.broadcast(base, Mem{Base: param("tweak")})
	x.dst, x.src, x.n = param("dst"), param("src"), param("n")
	x.rest = GP64()
	MOVQ(x.n, x.rest)
	ANDQ(Imm(15), x.rest)
	JZ(LabelRef("whole"))
	SUBQ(Imm(16), x.n)
	ANDQ(I32(-16), x.n)
	Label("whole")
	for i := range xtsBatch {
		if i == xtsStep {
			CMPQ(x.n, U32(xtsStep*x.width))
			JB(LabelRef("fewTweaks"))
		}
		x.firstTweak(i, base)
	}
	Label("fewTweaks")
}

// firstTweak makes the tweaks of vector i.
func (x *xtsFunc) firstTweak(i int, base vec) {
	dst := x.t
	if x.enc == evex {
		dst = x.tweaks[i]
	}
	switch {
	case x.width == 16:
		x.timesPower(x.emitter, dst, base, i)
	default:
		at := 16 * i * x.lanes()
		VPSLLVQ(x.left.Offset(at), x.r(base), x.r(dst))
		VPSRLVQ(x.right.Offset(at), x.r(base), x.r(x.u))
		x.carry(x.emitter, dst)
	}
	if x.enc != evex {
		x.store(x.slot(i), dst)
	}
}

// timesPower sets dst to a times x^i, 0 <= i < 32. dst and a differ.
func (x *xtsFunc) timesPower(e emitter, dst, a vec, i int) {
	if i == 0 {
		e.move(dst, a)
		return
	}
	e.shl64(dst, a, uint64(i))
	e.shr64(x.u, a, uint64(64-i))
	x.carry(e, dst)
}

// carry adds to dst what left it in a shift, which is in u.
func (x *xtsFunc) carry(e emitter, dst vec) {
	product := x.states[0]
	e.clmul(product, x.u, 1, e.r(x.polyReg), 0)
	e.swapHalves(x.u, x.u)
	e.xor3(dst, x.u, product)
}

// advance returns the instructions that make the mask of vector i, its tweaks plus the last round key, and
// multiply the tweaks by x^(8*lanes), for the next batch.
func (x *xtsFunc) advance(i int) []func() {
	tweak, mask := x.t, x.u
	var steps []func()
	if x.enc == evex {
		tweak, mask = x.tweaks[i], x.masks[i]
	} else {
		steps = append(steps, func() { x.load(tweak, x.slot(i)) })
	}
	steps = append(steps, func() { x.xor(mask, tweak, x.outer[1]) })
	if x.enc != evex {
		steps = append(steps, func() { x.store(x.slot(xtsBatch+i), mask) })
	}
	steps = append(steps,
		func() { x.rotateBytes(tweak, x.lanes()) },
		func() { x.and(x.u, tweak, x.r(x.lowReg)) },
		func() { x.clmul(x.u, x.u, 0, x.r(x.polyReg), 0) },
		func() { x.xor(tweak, tweak, x.u) },
	)
	if x.enc != evex {
		steps = append(steps, func() { x.store(x.slot(i), tweak) })
	}
	return steps
}

// rotateBytes rotates each lane left by n bytes.
func (e emitter) rotateBytes(v vec, n int) {
	imm := Imm(uint64(16 - n))
	if e.enc == sse {
		PALIGNR(imm, e.r(v), e.r(v))
		return
	}
	VPALIGNR(imm, e.r(v), e.r(v), e.r(v))
}

// batches does eight vectors at a time, while there are as many.
func (x *xtsFunc) batches() {
	size := U32(uint32(xtsBatch * x.width))
	CMPQ(x.n, size)
	JB(LabelRef("fewer"))
	if x.enc == evex {
		x.masks = x.allocs(xtsBatch)
		defer x.free(x.masks...)
	}
	Label("batch")
	for i, state := range x.states {
		from := Mem{Base: x.src, Disp: i * x.width}
		if x.enc == evex {
			x.whiten(x.emitter, state, x.tweaks[i], from)
		} else {
			x.xorLoad(state, x.outer[0], from)
			x.xorOp(state, state, x.slot(i))
		}
	}
	var steps []func()
	for i := range x.states {
		steps = append(steps, x.advance(i)...)
	}
	x.rounds(x.emitter, x.states, steps)
	for i, state := range x.states {
		mask := x.t
		if x.enc == evex {
			mask = x.masks[i]
		} else {
			x.load(mask, x.slot(xtsBatch+i))
		}
		x.last(x.emitter, state, mask)
		x.store(Mem{Base: x.dst, Disp: i * x.width}, state)
	}
	x.skipText(xtsBatch * x.width)
	CMPQ(x.n, size)
	JAE(LabelRef("batch"))
	x.wipe(xtsBatch)
	Label("fewer")
}

// skipText goes on by some bytes of text.
func (x *xtsFunc) skipText(bytes int) {
	ADDQ(U32(bytes), x.src)
	ADDQ(U32(bytes), x.dst)
	SUBQ(U32(bytes), x.n)
}

// whiten sets state to the text at m plus its tweaks and the first round key.
func (x *xtsFunc) whiten(e emitter, state, tweak vec, m Mem) {
	if e.enc == evex {
		e.move(state, tweak)
		VPTERNLOGQ(Imm(0x96), m, e.r(x.outer[0]), e.r(state))
		return
	}
	e.xorLoad(state, x.outer[0], m)
	e.xor(state, state, tweak)
}

// rounds does all rounds but the last, with other steps between them. The rounds that AES-192 and AES-256 have
// more than AES-128 come first, so that the others are the same code for all key sizes.
func (x *xtsFunc) rounds(e emitter, states []vec, between []func()) {
	done := x.labels.new("extraRoundsDone")
	round := func(m Mem) []func() {
		steps := []func(){func() { e.broadcast(x.key, m) }}
		for _, state := range states {
			steps = append(steps, func() { x.round(e, state, x.key) })
		}
		return steps
	}
	TESTQ(x.extra, x.extra)
	JZ(LabelRef(done))
	emit(round(x.key0.Offset(16)))
	emit(round(x.key0.Offset(32)))
	CMPQ(x.extra, Imm(32))
	JE(LabelRef(done))
	emit(round(x.key0.Offset(48)))
	emit(round(x.key0.Offset(64)))
	Label(done)
	var steps []func()
	for i := 1; i <= 9; i++ {
		steps = append(steps, round(x.sharedKey(i))...)
	}
	interleave(steps, between)
}

// nextTweaks returns registers with the tweaks of the next count vectors.
func (x *xtsFunc) nextTweaks(e emitter, count int) []vec {
	if x.enc == evex {
		return x.tweaks[:count]
	}
	tweaks := x.states[xtsBatch-count:]
	for i, tweak := range tweaks {
		e.load(tweak, Mem{Base: x.next, Disp: i * e.width})
	}
	return tweaks
}

// skipTweaks goes on by count vectors.
func (x *xtsFunc) skipTweaks(e emitter, count int) {
	switch {
	case x.enc != evex:
		ADDQ(Imm(uint64(count*e.width)), x.next)
	case e.width == x.width:
		for i := range min(count, xtsBatch-count) {
			x.move(x.tweaks[i], x.tweaks[i+count])
		}
	case e.width == 32:
		VEXTRACTI64X4(Imm(1), x.r(x.tweaks[0]), e.r(x.tweaks[0]))
	default:
		VEXTRACTI32X4(Imm(1), e.at(32).r(x.tweaks[0]), e.r(x.tweaks[0]))
	}
}

// step does count vectors of the width of e, if there are as many.
func (x *xtsFunc) step(e emitter, count int) {
	size, done := count*e.width, x.labels.new("step")
	CMPQ(x.n, U32(size))
	JB(LabelRef(done))
	states, tweaks := x.states[:count], x.nextTweaks(e, count)
	for i, state := range states {
		x.whiten(e, state, tweaks[i], Mem{Base: x.src, Disp: i * e.width})
	}
	x.rounds(e, states, nil)
	for i, state := range states {
		e.xor(x.t, tweaks[i], x.outer[1])
		x.last(e, state, x.t)
		e.store(Mem{Base: x.dst, Disp: i * e.width}, state)
	}
	x.skipTweaks(e, count)
	x.skipText(size)
	Label(done)
}

// steal does the last whole block and a partial one, if there is one. The tweak that is next afterwards is in
// the lowest lane of what nextTweaks returns.
func (x *xtsFunc) steal() {
	e := x.narrow()
	TESTQ(x.rest, x.rest)
	JZ(LabelRef("noRest"))
	tweak := x.nextTweaks(e, 1)[0]
	second, block, part, control := x.states[1], x.states[2], x.states[3], x.states[4]
	x.timesPower(e, second, tweak, 1)
	order := [2]vec{tweak, second}
	if x.schedule == "d" {
		order = [2]vec{second, tweak}
	}
	window := GP64()
	MOVQ(x.rest, window)
	NEGQ(window)

	e.load(block, Mem{Base: x.src})
	e.load(part, Mem{Base: x.src, Index: x.rest, Scale: 1})
	x.one(block, order[0])
	table := GP64()
	LEAQ(x.window, table)
	e.load(control, Mem{Base: table, Index: x.rest, Scale: 1})
	e.shuffleBytes(x.t, block, e.r(control))
	e.store(Mem{Base: x.dst, Index: x.rest, Scale: 1}, x.t)

	e.load(control, Mem{Base: table, Index: window, Scale: 1, Disp: 32})
	e.shuffleBytes(part, part, e.r(control))
	LEAQ(x.upper, table)
	e.load(control, Mem{Base: table, Index: window, Scale: 1, Disp: 16})
	e.and(block, block, e.r(control))
	e.xor(block, block, part)
	x.one(block, order[1])
	e.store(Mem{Base: x.dst}, block)

	next := x.t
	x.timesPower(e, next, tweak, 2)
	if x.enc == evex {
		e.move(x.tweaks[0], next)
	} else {
		e.store(Mem{Base: x.next}, next)
	}
	Label("noRest")
}

// one encrypts or decrypts a single block.
func (x *xtsFunc) one(block, tweak vec) {
	e := x.narrow()
	e.xor(x.t, x.outer[0], tweak)
	e.xor(block, block, x.t)
	x.rounds(e, []vec{block}, nil)
	e.xor(x.t, tweak, x.outer[1])
	x.last(e, block, x.t)
}

// finish stores the next tweak, and clears the others.
func (x *xtsFunc) finish() {
	e := x.narrow()
	tweak := x.nextTweaks(e, 1)[0]
	e.store(Mem{Base: param("tweak")}, tweak)
	x.wipe(0)
}

// slot is a place for a vector on the stack.
func (x *xtsFunc) slot(i int) Mem { return Mem{Base: x.slots, Disp: i * x.width} }

// wipe clears the slots of a batch from the first given one on.
func (x *xtsFunc) wipe(first int) {
	if x.enc == evex {
		return
	}
	x.zero(x.t)
	for i := range xtsBatch {
		x.store(x.slot(first+i), x.t)
	}
}
