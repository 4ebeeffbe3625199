package main

import (
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// gcmRecord generates the function that seals or opens a whole record.
func gcmRecord(v variant, consts gcmConsts, dir operation) {
	name, verb, hashed := "GCMSeal", "encrypts", "dst"
	if dir == open {
		name, verb, hashed = "GCMOpen", "decrypts", "src"
	}
	function(name+v.suffix,
		"func(k *GCM, tag *[16]byte, dst, src *byte, n int, nonce *[12]byte, ad *byte, adLen int)",
		name+v.suffix+" "+verb+" n bytes of src to dst and writes the tag over ad and "+hashed+".")

	g := newGCMFunc(v, consts, dir, true)
	g.y = g.alloc()
	g.hashAssociatedData()
	g.loadText()
	g.loadNonce()

	g.batches("short")
	r := g.newRest()
	if dir == seal {
		r.stepIfThere(r.hashLastBatch(), "end")
		JMP(LabelRef("end"))
		Label("short")
		g.countingMasks()
		r.stepIfThere(nil, "end")
		Label("step")
		r.stepIfThere(r.hashStepInLanes(r.lastStep()), "end")
	} else {
		Label("short")
		g.countingMasks()
		Label("step")
		r.stepIfThere(r.hashStep(Mem{Base: g.src}), "end")
	}
	JMP(LabelRef("step"))
	Label("end")
	g.recordEnd(r)
	g.ret()
}

// end processes the end of a record: less than a step of text, and J0.
//
// They are one to five vectors. The vectors stand at the end of states, so that the last is always states[4]:
// J0 is in its top lane, and its other lanes have text, or nothing where the text ends with the vector before
// it. That one may end with a partial block. All others are whole.
type end struct {
	*rest
	before, last vec           // text of the last two vectors, zeros behind it
	j0           vec           // E(J0) in its lowest lane
	offset       reg.GPVirtual // bytes before the last vector
	length       reg.GPVirtual // bytes of text in the last vector; if negative, by so much the one before is short
}

const (
	lastSlot   = endVectors - 1
	beforeSlot = endVectors - 2
)

// Masks of the end of a record.
const (
	lastMask   = 1 // bytes of text in the last vector
	beforeMask = 2 // and in the one before
	laneMask   = 3 // a lane
)

// recordEnd processes less than a step of text, and the tag.
func (g *gcmFunc) recordEnd(r *rest) {
	e := &end{rest: r, before: g.alloc(), last: g.alloc()}
	e.j0 = e.last
	e.measure()
	e.loadEnds()
	if g.dir == open {
		e.startEnd()
		e.encryptEnd(func(states []vec) []func() { return e.hashSlots(endVectors - len(states)) })
		e.storeEnds()
		e.finish()
	} else {
		e.encryptEnd(func([]vec) []func() { return nil })
		e.storeEnds()
		e.hashPending()
		e.hashEnd()
	}
	e.writeTag()
}

// hashPending hashes what was encrypted last before the end: a step, or a batch that no step came after.
func (e *end) hashPending() {
	n := param("n")
	CMPQ(n, U32(e.stepBytes()))
	JB(LabelRef("nothingPending"))
	CMPQ(n, U32(e.batchesFrom()))
	JB(LabelRef("stepPending"))
	TESTL(U32(e.stepBytes()), n.As32())
	JNZ(LabelRef("stepPending"))
	emit(e.hashStepInLanes(e.lastBatch()))
	Label("stepPending")
	emit(e.hashStep(e.lastStep()))
	Label("nothingPending")
}

// measure finds where the last vector begins.
func (e *end) measure() {
	e.offset, e.length = GP64(), e.n
	LEAQ(Mem{Base: e.n, Disp: 15}, e.offset)
	ANDQ(I32(-e.width), e.offset)
	SUBQ(e.offset, e.length)
}

// at is the address of a slot, in src, dst or the powers.
func (e *end) at(base reg.GPVirtual, slot int) Mem {
	return Mem{Base: base, Index: e.offset, Scale: 1, Disp: (slot - lastSlot) * e.width}
}

// maskReg spells a mask register.
func maskReg(k int) reg.Register {
	return []reg.Register{nil, reg.K1, reg.K2, reg.K3, reg.K4, reg.K5}[k]
}

// loadEnds loads the text of the last two vectors.
func (e *end) loadEnds() {
	noneLast, noneBefore := "noLastText", "noTextBefore"
	e.zero(e.last)
	if e.enc != evex {
		e.loadEndsPiecewise()
		return
	}
	bytes, short := GP64(), GP64()
	LEAQ(Mem{Base: e.length, Disp: e.width}, short)
	keepFirst(maskReg(beforeMask), short)
	XORL(bytes.As32(), bytes.As32())
	TESTQ(e.length, e.length)
	CMOVQGT(e.length, bytes)
	keepFirst(maskReg(lastMask), bytes)
	TESTQ(bytes, bytes)
	JZ(LabelRef(noneLast))
	VMOVDQU8_Z(e.at(e.src, lastSlot), maskReg(lastMask), e.r(e.last))
	Label(noneLast)
	TESTQ(e.offset, e.offset)
	JZ(LabelRef(noneBefore))
	VMOVDQU8_Z(e.at(e.src, beforeSlot), maskReg(beforeMask), e.r(e.before))
	Label(noneBefore)
}

// loadEndsPiecewise is loadEnds without masks.
func (e *end) loadEndsPiecewise() {
	wholeBefore, noneBefore, done := "loadWholeBefore", "noTextBefore", "endsLoaded"
	TESTQ(e.length, e.length)
	JGE(LabelRef(wholeBefore))
	p, bytes := e.partBefore(e.src)
	e.loadPartial(e.labels, e.before, p, bytes, e.t)
	JMP(LabelRef(done))

	Label(wholeBefore)
	TESTQ(e.offset, e.offset)
	JZ(LabelRef(noneBefore))
	e.load(e.before, e.at(e.src, beforeSlot))
	Label(noneBefore)
	if e.lanes() > 1 {
		p := GP64()
		LEAQ(e.at(e.src, lastSlot), p)
		e.loadPartial(e.labels, e.last, p, e.length, e.t)
	}
	Label(done)
}

// partBefore returns where the vector before the last begins and how many bytes of text it has.
func (e *end) partBefore(end reg.GPVirtual) (p, bytes reg.GPVirtual) {
	p, bytes = GP64(), GP64()
	LEAQ(e.at(end, beforeSlot), p)
	LEAQ(Mem{Base: e.length, Disp: e.width}, bytes)
	return p, bytes
}

// encryptEnd runs all vectors through AES, with other steps between the rounds, and stores the text of all
// but the last two.
func (e *end) encryptEnd(between func(states []vec) []func()) {
	e.forVectors("encrypt", func(states []vec) {
		first := endVectors - len(states)
		e.countFromBase(states, stepVectors*e.lanes(), false, [2]vec{e.t, e.key})
		e.insertJ0(e.states[lastSlot])
		e.rounds(states, between(states))
		for slot := first; slot < beforeSlot; slot++ {
			e.textOut(e.states[slot], e.at(e.src, slot), e.at(e.dst, slot))
		}
		if first <= beforeSlot {
			e.xor(e.before, e.before, e.key)
			e.aesenclast(e.states[beforeSlot], e.before)
		}
		e.xor(e.last, e.last, e.key)
		e.aesenclast(e.states[lastSlot], e.last)
	})
}

// forVectors emits f for each number of vectors there can be, and the branches that choose one.
func (e *end) forVectors(name string, f func(states []vec)) {
	label := func(n int) string { return name + strconv.Itoa(n) }
	for n := 1; n < endVectors; n++ {
		CMPQ(e.offset, U32((n-1)*e.width))
		JE(LabelRef(label(n)))
	}
	for n := endVectors; n >= 1; n-- {
		Label(label(n))
		f(e.states[endVectors-n:])
		if n > 1 {
			JMP(LabelRef(name + "Done"))
		}
	}
	Label(name + "Done")
}

// storeEnds stores the text of the last two vectors, and clears in the states what is not ciphertext.
func (e *end) storeEnds() {
	e.topLane()
	if e.enc != evex {
		e.storeEndsPiecewise()
		return
	}
	before, last := e.r(e.states[beforeSlot]), e.r(e.states[lastSlot])
	noneLast, noneBefore := "noLastOutput", "noOutputBefore"
	TESTQ(e.offset, e.offset)
	JZ(LabelRef(noneBefore))
	VMOVDQU8(before, maskReg(beforeMask), e.at(e.dst, beforeSlot))
	VMOVDQU8_Z(before, maskReg(beforeMask), before)
	Label(noneBefore)
	TESTQ(e.length, e.length)
	JLE(LabelRef(noneLast))
	VMOVDQU8(last, maskReg(lastMask), e.at(e.dst, lastSlot))
	Label(noneLast)
	VMOVDQU8_Z(last, maskReg(lastMask), last)
}

// storeEndsPiecewise is storeEnds without masks.
func (e *end) storeEndsPiecewise() {
	wholeBefore, noneBefore, done := "storeWholeBefore", "noOutputBefore", "endsStored"
	before, last := e.states[beforeSlot], e.states[lastSlot]
	TESTQ(e.length, e.length)
	JGE(LabelRef(wholeBefore))
	p, bytes := e.partBefore(e.dst)
	e.move(e.t, before)
	e.storePartial(e.labels, p, bytes, e.t)
	e.keepBytes(before, bytes)
	e.zero(last)
	JMP(LabelRef(done))

	Label(wholeBefore)
	TESTQ(e.offset, e.offset)
	JZ(LabelRef(noneBefore))
	e.store(e.at(e.dst, beforeSlot), before)
	Label(noneBefore)
	if e.lanes() > 1 {
		e.move(e.t, last)
		p := GP64()
		LEAQ(e.at(e.dst, lastSlot), p)
		e.storePartial(e.labels, p, e.length, e.t)
		e.keepBytes(last, e.length)
	} else {
		e.zero(last)
	}
	Label(done)
}

// keepBytes clears all but the first n bytes of v, which has at most 32.
func (e *end) keepBytes(v vec, n reg.GPVirtual) {
	if e.dir == open {
		return
	}
	window := GP64()
	LEAQ(e.keep, window)
	SUBQ(n, window)
	e.load(e.t, Mem{Base: window, Disp: 32})
	e.and(v, v, e.r(e.t))
}

// startEnd prepares for hashing the vectors of the end.
func (e *end) startEnd() {
	n := GP64()
	LEAQ(Mem{Base: e.length, Index: e.offset, Scale: 1}, n)
	e.start(n, 1)
}

// hashEnd hashes all vectors of ciphertext and the block of lengths, and sets y to the hash.
func (e *end) hashEnd() {
	e.startEnd()
	label := func(slot int) string { return "hash" + strconv.Itoa(slot) }
	for slot := lastSlot; slot > 0; slot-- {
		CMPQ(e.offset, U32((lastSlot-slot)*e.width))
		JE(LabelRef(label(slot)))
	}
	for slot := range endVectors {
		Label(label(slot))
		emit(e.hashSlot(slot))
	}
	e.finish()
}

// hashSlots returns the instructions that hash the slots from first on.
func (e *end) hashSlots(first int) []func() {
	var steps []func()
	for slot := first; slot < endVectors; slot++ {
		steps = append(steps, e.hashSlot(slot)...)
	}
	return steps
}

// hashSlot returns the instructions that hash a slot.
func (e *end) hashSlot(slot int) []func() {
	steps := []func(){func() {
		switch {
		case e.dir == seal:
			e.shuffleBytes(e.x, e.states[slot], e.reverse)
		case slot == lastSlot:
			e.shuffleBytes(e.x, e.last, e.reverse)
		case slot == beforeSlot:
			e.shuffleBytes(e.x, e.before, e.reverse)
		default:
			e.load(e.x, e.at(e.src, slot))
			e.shuffleBytes(e.x, e.x, e.reverse)
		}
		if slot == lastSlot {
			e.addLengths()
		}
		e.xor(e.x, e.x, e.y)
		e.zero(e.y)
	}}
	return append(steps, e.multiplySteps(e.sums, e.x, e.at(e.p, slot), e.folded, e.t, e.u)...)
}

// addLengths puts the block of lengths into the lane behind the text of x.
func (e *end) addLengths() {
	e.lengths(e.t)
	switch {
	case e.lanes() == 1:
		e.move(e.x, e.t)
	case e.enc == evex:
		e.spread(e.t, e.t)
		e.laneAfterText(maskReg(laneMask))
		VPXORQ(e.r(e.t), e.r(e.x), maskReg(laneMask), e.r(e.x))
	default:
		upper, placed := e.labels.new("upperLane"), e.labels.new("lengthsPlaced")
		TESTQ(e.length, e.length)
		JG(LabelRef(upper))
		e.move(e.x, e.t)
		JMP(LabelRef(placed))
		Label(upper)
		VINSERTI128(Imm(1), e.narrow().r(e.t), e.r(e.x), e.r(e.x))
		Label(placed)
	}
}

// lengths sets v to the block of lengths in bits, in the order of an element: text, then associated data.
func (e *end) lengths(v vec) {
	n := e.narrow()
	text, data := param("n"), param("adLen")
	SHLQ(Imm(3), text)
	SHLQ(Imm(3), data)
	n.setLow(v, text)
	n.setHigh(v, data)
}

// laneAfterText sets k to the lane behind the last block of text, in 64-bit words.
func (e *end) laneAfterText(k reg.Register) {
	words, lane := GP64(), GP64()
	LEAQ(Mem{Base: e.length, Disp: 15}, words)
	SHRQ(Imm(4), words)
	ADDQ(words, words)
	MOVL(U32(3), lane.As32())
	SHLXQ(words, lane, lane)
	KMOVW(lane.As32(), k)
}

// topLane sets j0 to the top lane of the last state.
func (e *end) topLane() {
	state, n := e.states[lastSlot], e.narrow()
	switch {
	case e.width == 64:
		VEXTRACTI32X4(Imm(3), e.r(state), n.r(e.j0))
	case e.width == 32:
		e.upperBlock(e.j0, state)
	default:
		e.move(e.j0, state)
	}
}

// writeTag writes the tag: the hash, in the byte order of the text, plus E(J0).
func (e *end) writeTag() {
	n := e.narrow()
	n.shuffleBytes(e.y, e.y, e.reverse)
	n.xor(e.y, e.y, e.j0)
	n.store(Mem{Base: param("tag")}, e.y)
}
