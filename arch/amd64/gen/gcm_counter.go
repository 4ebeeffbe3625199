package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// Masks that counting needs, where there are masks.
const (
	counterMask = 4 // the word with the counter, in every lane
	upperMask   = 5 // the upper half of a vector, in 64-bit words
)

// loadNonce prepares for counting from a 12-byte nonce: base becomes the first base, that of counter 0, with
// round key 0 added.
//
// Callers write their record number into the last eight bytes of the nonce just before the call. Those eight
// bytes must be read as one, for a load that spans an earlier store and other bytes waits until the store has
// left the core.
func (g *gcmFunc) loadNonce() {
	g.base, g.ctr = g.alloc(), g.alloc()
	nonce := Mem{Base: param("nonce")}
	n := g.narrow()
	x := n.r(g.base)
	if g.enc == sse {
		MOVQ(nonce.Offset(4), x)
		PSLLDQ(Imm(4), x)
		PINSRD(Imm(0), nonce, x)
	} else {
		VMOVQ(nonce.Offset(4), x)
		VPSLLDQ(Imm(4), x, x)
		VPINSRD(Imm(0), nonce, x, x)
	}
	if g.enc == evex {
		// The first base stays in ctr.
		g.spread(g.base, g.base)
		g.broadcast(g.ctr, g.key0)
		g.xor(g.ctr, g.ctr, g.base)
		g.move(g.base, g.ctr)
		g.number = GP64()
		XORL(g.number.As32(), g.number.As32())
		return
	}
	// The base stays in ctr too, as a little-endian number to count with.
	key := g.alloc()
	n.shuffleBytes(g.ctr, g.base, g.reverse)
	g.spread(g.ctr, g.ctr)
	g.spread(g.base, g.base)
	g.broadcast(key, g.key0)
	g.xor(g.base, g.base, key)
	g.free(key)
}

// countingMasks sets the masks that counting needs.
func (g *gcmFunc) countingMasks() {
	if g.enc != evex {
		return
	}
	mask := GP32()
	MOVL(U32(0x8888), mask)
	KMOVW(mask, maskReg(counterMask))
	if g.lanes() == 4 {
		MOVL(U32(0xf0), mask)
		KMOVW(mask, maskReg(upperMask))
	}
}

// nextBase sets next to the base that is span counters on, and clobbers temp. Where there are masks it is
// made outside the vector units, which are busy: a counter goes through general registers to its word of
// every lane.
func (g *gcmFunc) nextBase(span int, next, temp vec) {
	if g.enc != evex {
		g.add32(g.ctr, g.ctr, g.counts[span])
		g.shuffleBytes(next, g.ctr, g.reverse)
		g.broadcast(temp, g.key0)
		g.xor(next, next, temp)
		return
	}
	word := GP32()
	ADDL(Imm(uint64(span)), g.number.As32())
	MOVL(g.number.As32(), word)
	BSWAPL(word)
	XORL(g.key0.Offset(12), word)
	g.move(next, g.base)
	VPBROADCASTD(word, maskReg(counterMask), g.r(next))
}

// countFromBase sets states to the counter blocks that follow, with round key 0 added, in a group of span
// counters, and clobbers temps. If it advances, base moves on to the next group.
func (g *gcmFunc) countFromBase(states []vec, span int, advance bool, temps [2]vec) {
	next := temps[0]
	if advance || 2+len(states)*g.lanes() > span {
		g.nextBase(span, next, temps[1])
	}
	for i, state := range states {
		first := 2 + i*g.lanes()
		switch {
		case first+g.lanes() <= span:
			g.xorOp(state, g.base, g.index.Offset(16*first))
		case first >= span:
			g.xorOp(state, next, g.index.Offset(16*(first-span)))
		default: // half of the lanes each
			VPBLENDMQ(g.r(next), g.r(g.base), maskReg(upperMask), g.r(state))
			g.xorOp(state, state, g.halves(first, span))
		}
	}
	if advance {
		g.move(g.base, next)
	}
}

// halves is where index has the numbers of four lanes from first on of which the last two start again at 0.
func (g *gcmFunc) halves(first, span int) Mem {
	if span == maxSpan {
		return g.index.Offset(16 * first)
	}
	return g.stepIndex
}

// insertJ0 sets the top lane of state to J0 with round key 0 added.
func (e *end) insertJ0(state vec) {
	one := e.counts[1]
	if e.enc == evex {
		e.xorOp(e.t, e.ctr, e.index.Offset(16*(maxSpan+2-e.lanes())))
	} else {
		e.move(e.t, e.ctr)
		switch {
		case e.width == 32:
			VPBLENDD(Imm(1<<4), one, e.r(e.t), e.r(e.t))
		case e.enc == vex:
			VPINSRD(Imm(0), one, e.r(e.t), e.r(e.t))
		default:
			PINSRD(Imm(0), one, e.r(e.t))
		}
		e.shuffleBytes(e.t, e.t, e.reverse)
		e.broadcast(e.key, e.key0)
		e.xor(e.t, e.t, e.key)
	}
	switch e.lanes() {
	case 1:
		e.move(state, e.t)
	case 2:
		VPBLENDD(Imm(0xf0), e.r(e.t), e.r(state), e.r(state))
	default:
		mask := GP32()
		MOVL(U32(0xc0), mask)
		KMOVW(mask, maskReg(laneMask))
		VMOVDQA64(e.r(e.t), maskReg(laneMask), e.r(state))
	}
}

// count sets states to the counter blocks that follow in an update, with round key 0 added, and moves on. It
// takes key, unless round key 0 is there already.
func (g *gcmFunc) count(states []vec, key vec, loaded bool) {
	if !loaded {
		g.broadcast(key, g.key0)
	}
	for _, state := range states {
		g.shuffleBytes(state, g.ctr, g.reverse)
		g.add32(g.ctr, g.ctr, g.counts[g.lanes()])
		g.xor(state, state, key)
	}
}
