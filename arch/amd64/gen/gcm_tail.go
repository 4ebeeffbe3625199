package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"lamina/arch/keys"
)

// absorber hashes vectors one after the other, with consecutive powers, into sums that are reduced at the end.
type absorber struct {
	*gcmFunc
	sums    *sums
	x, t, u vec
	p       reg.GPVirtual // where the next vector's powers are
}

// newAbsorber takes registers for hashing.
func (g *gcmFunc) newAbsorber() *absorber {
	return &absorber{gcmFunc: g, sums: g.newSums(), x: g.alloc(), t: g.alloc(), u: g.alloc(), p: GP64()}
}

// release gives the registers back.
func (a *absorber) release() { a.free(a.sums.lo, a.sums.hi, a.x, a.t, a.u) }

// start clears the sums and sets p for the blocks of n bytes and more blocks after them.
func (a *absorber) start(n reg.GPVirtual, more int) {
	count := GP64()
	LEAQ(Mem{Base: n, Disp: 15}, count)
	SHRQ(Imm(4), count)
	if more != 0 {
		ADDQ(Imm(uint64(more)), count)
	}
	powersFor(a.p, count, a.powers)
	a.zero(a.sums.lo)
	a.zero(a.sums.hi)
	a.sums.empty = false
}

// absorb hashes the vector x, in the byte order of the text. The hash so far joins the first vector and is gone then.
func (a *absorber) absorb() {
	a.shuffleBytes(a.x, a.x, a.reverse)
	a.multiplyNext()
}

// multiplyNext is absorb for a vector in the byte order of elements.
func (a *absorber) multiplyNext() {
	a.xor(a.x, a.x, a.y)
	a.zero(a.y)
	a.multiply(a.sums, a.x, Mem{Base: a.p}, a.folded, a.t, a.u)
	ADDQ(Imm(uint64(a.width)), a.p)
}

// finish reduces the sums to the hash.
func (a *absorber) finish() {
	a.reduce(a.y, a.sums, a.t, a.poly)
	a.foldLanes(a.y, a.t)
}

// keepFirst sets a mask to the first n bytes of a vector, all of them if n is larger.
func keepFirst(k reg.Register, n reg.GPVirtual) {
	ones := GP64()
	MOVQ(I32(-1), ones)
	BZHIQ(n, ones, ones)
	KMOVQ(ones, k)
}

// hashAssociatedData sets y to the hash of the associated data.
func (g *gcmFunc) hashAssociatedData() {
	ad, n := param("ad"), param("adLen")
	group := g.groupVectors() * g.width
	a := g.newAbsorber()
	g.zero(g.y)
	TESTQ(n, n)
	JZ(LabelRef("dataHashed"))
	CMPQ(n, U32(group))
	JB(LabelRef("restOfData"))

	Label("groupOfData")
	a.sums.empty = true
	for j := range g.groupVectors() {
		g.load(a.x, Mem{Base: ad, Disp: j * g.width})
		g.shuffleBytes(a.x, a.x, g.reverse)
		if j == 0 {
			g.xor(a.x, a.x, g.y)
		}
		g.multiply(a.sums, a.x, g.groupPowers().Offset(j*g.width), g.folded, a.t, a.u)
	}
	a.finish()
	ADDQ(U32(group), ad)
	SUBQ(U32(group), n)
	CMPQ(n, U32(group))
	JAE(LabelRef("groupOfData"))
	TESTQ(n, n)
	JZ(LabelRef("dataHashed"))

	Label("restOfData")
	a.start(n, 0)
	if g.enc == evex {
		Label("vectorOfData")
		keepFirst(reg.K1, n)
		VMOVDQU8_Z(Mem{Base: ad}, reg.K1, g.r(a.x))
		a.absorb()
		ADDQ(Imm(uint64(g.width)), ad)
		SUBQ(Imm(uint64(g.width)), n)
		JA(LabelRef("vectorOfData"))
	} else {
		CMPQ(n, Imm(uint64(g.width)))
		JB(LabelRef("lastOfData"))
		Label("vectorOfData")
		g.load(a.x, Mem{Base: ad})
		a.absorb()
		ADDQ(Imm(uint64(g.width)), ad)
		SUBQ(Imm(uint64(g.width)), n)
		CMPQ(n, Imm(uint64(g.width)))
		JAE(LabelRef("vectorOfData"))
		TESTQ(n, n)
		JZ(LabelRef("reduceData"))
		Label("lastOfData")
		g.loadPartial(g.labels, a.x, ad, n, a.t)
		a.absorb()
		Label("reduceData")
	}
	a.finish()
	Label("dataHashed")
	a.release()
}

// tail holds the registers of what follows the batches.
type tail struct {
	*absorber
	states []vec
	key    vec
	text   vec
}

// tail processes the text that is left, less than a batch, and in a record the lengths and the tag.
func (g *gcmFunc) tail() {
	t := &tail{absorber: g.newAbsorber(), states: g.allocs(stepVectors), key: g.alloc()}
	t.text = t.states[1] // a single vector leaves the other states unused

	more := 0
	if g.record {
		more = 1
	}
	if batchVectors*g.lanes()+1 > keys.NumPowers {
		// There are not powers enough for the step and what follows it: the step is a group of its own.
		CMPQ(g.n, U32(stepVectors*g.width))
		JB(LabelRef("vectors"))
		LEAQ(g.power(stepVectors*g.lanes()), t.p)
		t.sums.empty = true
		t.step()
		t.finish()
		Label("vectors")
		t.startRest(more)
	} else {
		t.startRest(more)
		CMPQ(g.n, U32(stepVectors*g.width))
		JB(LabelRef("vectors"))
		t.step()
		Label("vectors")
	}
	if g.enc == evex {
		t.maskedVectors()
	} else {
		t.wholeVectors()
	}
	if g.record {
		t.lastVector()
		t.writeTag()
	} else {
		t.finish()
		Label("done")
	}
}

// startRest prepares for hashing all that is left. An update of nothing is done.
func (t *tail) startRest(more int) {
	if !t.record {
		TESTQ(t.n, t.n)
		JZ(LabelRef("done"))
	}
	t.start(t.n, more)
}

// step processes four whole vectors.
func (t *tail) step() {
	t.counters(t.states)
	if t.dir == open {
		t.hashStep()
	}
	t.rounds(t.states)
	for i, state := range t.states {
		t.xorLoad(t.t, t.key, Mem{Base: t.src, Disp: i * t.width})
		t.aesenclast(state, t.t)
		t.store(Mem{Base: t.dst, Disp: i * t.width}, state)
	}
	if t.dir == seal {
		t.hashStep()
	}
	t.advance(t.n, stepVectors*t.width)
}

// hashStep hashes the ciphertext of a step: the states when sealing, the source when opening.
func (t *tail) hashStep() {
	for i, state := range t.states {
		if t.dir == seal {
			t.shuffleBytes(t.x, state, t.reverse)
		} else {
			t.load(t.x, Mem{Base: t.src, Disp: i * t.width})
			t.shuffleBytes(t.x, t.x, t.reverse)
		}
		if i == 0 {
			t.xor(t.x, t.x, t.y)
			t.zero(t.y)
		}
		t.multiply(t.sums, t.x, Mem{Base: t.p, Disp: i * t.width}, t.folded, t.t, t.u)
	}
	ADDQ(U32(stepVectors*t.width), t.p)
}

// advance moves on by some bytes of text.
func (t *tail) advance(n reg.GPVirtual, bytes int) {
	ADDQ(U32(bytes), t.src)
	ADDQ(U32(bytes), t.dst)
	SUBQ(U32(bytes), n)
}

// counters makes counter blocks with round key 0 added, and moves on.
func (t *tail) counters(states []vec) {
	t.broadcast(t.key, t.key0)
	for _, state := range states {
		t.shuffleBytes(state, t.ctr, t.reverse)
		t.add32(t.ctr, t.ctr, t.gcmConsts.count[t.lanes()])
		t.xor(state, state, t.key)
	}
}

// rounds does all rounds but the last, and leaves that one's key in key.
func (t *tail) rounds(states []vec) {
	t.extraRounds(states, t.key)
	for i := 1; i <= 9; i++ {
		t.broadcast(t.key, t.sharedKey(i))
		for _, state := range states {
			t.aesenc(state, t.key)
		}
	}
	t.broadcast(t.key, t.sharedKey(10))
}

// maskedVectors processes vectors until those blocks are left that share a vector with J0 in a record, or nothing in an
// update.
func (t *tail) maskedVectors() {
	zero := GP64()
	Label("vector")
	if t.record {
		CMPQ(t.n, Imm(uint64(t.width-16)))
		JBE(LabelRef("last"))
	}
	keepFirst(reg.K1, t.n)
	t.counters(t.states[:1])
	t.maskedText()
	ADDQ(Imm(uint64(t.width)), t.src)
	ADDQ(Imm(uint64(t.width)), t.dst)
	t.absorb()
	if t.record {
		// A partial block can make this vector end before its last byte.
		XORL(zero.As32(), zero.As32())
		SUBQ(Imm(uint64(t.width)), t.n)
		CMOVQCS(zero, t.n)
		JMP(LabelRef("vector"))
	} else {
		SUBQ(Imm(uint64(t.width)), t.n)
		JA(LabelRef("vector"))
	}
}

// maskedText runs states[0] through the rounds, and the bytes of text in K1 from src to dst, and sets x to the ciphertext.
func (t *tail) maskedText() {
	state := t.states[0]
	VMOVDQU8_Z(Mem{Base: t.src}, reg.K1, t.r(t.text))
	t.rounds(t.states[:1])
	if t.dir == open {
		t.move(t.x, t.text)
	}
	t.xor(t.text, t.text, t.key)
	t.aesenclast(state, t.text)
	VMOVDQU8(t.r(state), reg.K1, Mem{Base: t.dst})
	if t.dir == seal {
		VMOVDQU8_Z(t.r(state), reg.K1, t.r(t.x))
	}
}

// wholeVectors processes whole vectors, and what text follows them if it shares no vector with J0.
func (t *tail) wholeVectors() {
	CMPQ(t.n, Imm(uint64(t.width)))
	JB(LabelRef("partial"))
	Label("vector")
	t.counters(t.states[:1])
	t.load(t.text, Mem{Base: t.src})
	t.textVector()
	t.store(Mem{Base: t.dst}, t.states[0])
	t.absorb()
	t.advance(t.n, t.width)
	CMPQ(t.n, Imm(uint64(t.width)))
	JAE(LabelRef("vector"))

	Label("partial")
	if t.record {
		CMPQ(t.n, Imm(uint64(t.width-16)))
		JBE(LabelRef("last"))
	} else {
		TESTQ(t.n, t.n)
		JZ(LabelRef("reduce"))
	}
	if t.record || t.lanes() > 1 {
		t.counters(t.states[:1])
		t.partialText()
		t.absorb()
		XORL(t.n.As32(), t.n.As32())
	}
	if !t.record {
		Label("reduce")
	}
}

// textVector runs states[0] through the rounds with the text, and sets x to the ciphertext.
func (t *tail) textVector() {
	t.rounds(t.states[:1])
	if t.dir == open {
		t.move(t.x, t.text)
	}
	t.xor(t.text, t.text, t.key)
	t.aesenclast(t.states[0], t.text)
	if t.dir == seal {
		t.move(t.x, t.states[0])
	}
}

// partialText is textVector for the last n bytes, less than a vector, from src to dst.
func (t *tail) partialText() {
	t.loadPartial(t.labels, t.text, t.src, t.n, t.t)
	t.textVector()
	if t.dir == seal {
		window, start := GP64(), GP64()
		LEAQ(t.keep, start)
		MOVQ(start, window)
		SUBQ(t.n, window)
		t.load(t.t, Mem{Base: window, Disp: 32})
		t.and(t.x, t.x, t.r(t.t))
	}
	t.move(t.t, t.states[0])
	t.storePartial(t.labels, t.dst, t.n, t.t)
}

// lastVector processes the vector that has J0 in its top lane and at most lanes-1 blocks of text below, and hashes it with
// the block of lengths. It leaves E(J0) in the lowest lane of states[0].
func (t *tail) lastVector() {
	Label("last")
	t.insertJ0()
	t.counters(t.states[:1])
	switch {
	case t.lanes() == 1:
		t.rounds(t.states[:1])
		t.aesenclast(t.states[0], t.key)
		t.lengths(t.x)
	case t.enc == evex:
		keepFirst(reg.K1, t.n)
		// With no text left the pointers may lead anywhere, and masked accesses to nowhere are slow.
		TESTQ(t.n, t.n)
		CMOVQEQ(t.p, t.src)
		CMOVQEQ(t.p, t.dst)
		t.maskedText()
		t.shuffleBytes(t.x, t.x, t.reverse)
		t.lengths(t.t)
		t.spread(t.t, t.t)
		t.laneAfterText()
		VPXORQ(t.r(t.t), t.r(t.x), reg.K2, t.r(t.x))
	default:
		t.lastTwoLanes()
	}
	t.multiplyNext()
	t.finish()
	t.topLane()
}

// insertJ0 sets the counter in the top lane of ctr to that of J0.
func (t *tail) insertJ0() {
	one := t.gcmConsts.count[1]
	switch {
	case t.width == 64:
		mask := GP32()
		MOVL(U32(1<<12), mask)
		KMOVW(mask, reg.K2)
		VMOVDQU32(one, reg.K2, t.r(t.ctr))
	case t.width == 32:
		VPBLENDD(Imm(1<<4), one, t.r(t.ctr), t.r(t.ctr))
	case t.enc == vex:
		VPINSRD(Imm(0), one, t.r(t.ctr), t.r(t.ctr))
	default:
		PINSRD(Imm(0), one, t.r(t.ctr))
	}
}

// topLane moves the top lane of states[0], E(J0), to its lowest.
func (t *tail) topLane() {
	state := t.states[0]
	n := t.narrow()
	switch {
	case t.width == 64:
		VEXTRACTI32X4(Imm(3), t.r(state), n.r(state))
	case t.width == 32:
		VEXTRACTI128(Imm(1), t.r(state), n.r(state))
	}
}

// lengths sets v to the block of lengths in bits, in the order of an element: text, then associated data.
func (t *tail) lengths(v vec) {
	n := t.narrow()
	text, data := param("n"), param("adLen")
	SHLQ(Imm(3), text)
	SHLQ(Imm(3), data)
	n.setLow(v, text)
	n.setHigh(v, data)
}

// laneAfterText sets K2 to the lane behind the last block of text, in 64-bit words.
func (t *tail) laneAfterText() {
	words := GP64()
	lane := GP64()
	LEAQ(Mem{Base: t.n, Disp: 15}, words)
	SHRQ(Imm(4), words)
	ADDQ(words, words)
	MOVL(U32(3), lane.As32())
	SHLXQ(words, lane, lane)
	KMOVW(lane.As32(), reg.K2)
}

// lastTwoLanes is the last vector of two lanes without masks.
func (t *tail) lastTwoLanes() {
	t.partialText()
	t.shuffleBytes(t.x, t.x, t.reverse)
	t.lengths(t.t)
	TESTQ(t.n, t.n)
	JNZ(LabelRef("upperLane"))
	t.move(t.x, t.t)
	JMP(LabelRef("lengthsPlaced"))
	Label("upperLane")
	VINSERTI128(Imm(1), t.narrow().r(t.t), t.r(t.x), t.r(t.x))
	Label("lengthsPlaced")
}

// writeTag writes the tag: the hash, in the byte order of the text, plus E(J0).
func (t *tail) writeTag() {
	n := t.narrow()
	n.shuffleBytes(t.y, t.y, t.reverse)
	n.xor(t.y, t.y, t.states[0])
	tag := param("tag")
	n.store(Mem{Base: tag}, t.y)
}
