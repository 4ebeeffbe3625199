package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Blocks that the text does not fill, where there are no masks. They are moved in two pieces of 8 or of 4
// bytes that overlap, or in up to 3 single bytes, so that no byte outside the text is touched, and put
// together in general registers: a vector load just after narrower stores would wait for them.

// loadPartialBlock sets dst to the n bytes at p, 0 <= n <= 16, and zeros behind them. It keeps p and n.
func (e emitter) loadPartialBlock(l *labels, dst vec, p, n reg.GPVirtual) {
	e = e.narrow()
	under4, under8, low, done := l.new("under4"), l.new("under8"), l.new("low"), l.new("loaded")
	lo, hi := GP64(), GP64()
	end := p2(p, n)

	e.zero(dst)
	CMPQ(n, Imm(8))
	JB(LabelRef(under8))
	MOVQ(Mem{Base: p}, lo)
	MOVQ(end.Offset(-8), hi)
	bitsBelow(n, 16) // 0 to 64, in two halves because a shift by 64 does nothing
	SHRQ(Imm(1), reg.RCX)
	SHRQ(reg.CL, hi)
	SHRQ(reg.CL, hi)
	e.setLow(dst, lo)
	e.setHigh(dst, hi)
	JMP(LabelRef(done))

	Label(under8)
	CMPQ(n, Imm(4))
	JB(LabelRef(under4))
	MOVL(Mem{Base: p}, lo.As32())
	MOVL(end.Offset(-4), hi.As32())
	bitsAbove(n, 4)
	SHLQ(reg.CL, hi)
	ORQ(hi, lo)
	JMP(LabelRef(low))

	Label(under4)
	TESTQ(n, n)
	JZ(LabelRef(done))
	MOVBQZX(Mem{Base: p}, lo)
	half := GP64()
	MOVQ(n, half)
	SHRQ(Imm(1), half)
	MOVBQZX(p2(p, half), hi)
	bitsAbove(half, 0)
	SHLQ(reg.CL, hi)
	ORQ(hi, lo)
	MOVBQZX(end.Offset(-1), hi)
	bitsAbove(n, 1)
	SHLQ(reg.CL, hi)
	ORQ(hi, lo)
	Label(low)
	e.setLow(dst, lo)
	Label(done)
}

// storePartialBlock writes the first n bytes of src to p, 0 <= n < 16. It keeps p and n.
func (e emitter) storePartialBlock(l *labels, p, n reg.GPVirtual, src vec) {
	e = e.narrow()
	under4, under8, done := l.new("under4"), l.new("under8"), l.new("stored")
	lo, hi := GP64(), GP64()
	end := p2(p, n)

	e.getLow(lo, src)
	CMPQ(n, Imm(8))
	JB(LabelRef(under8))
	MOVQ(lo, Mem{Base: p})
	e.getHigh(hi, src)
	bitsAbove(n, 8)
	SHRQ(reg.CL, hi, lo)
	MOVQ(lo, end.Offset(-8))
	JMP(LabelRef(done))

	Label(under8)
	CMPQ(n, Imm(4))
	JB(LabelRef(under4))
	MOVL(lo.As32(), Mem{Base: p})
	bitsAbove(n, 4)
	SHRQ(reg.CL, lo)
	MOVL(lo.As32(), end.Offset(-4))
	JMP(LabelRef(done))

	Label(under4)
	TESTQ(n, n)
	JZ(LabelRef(done))
	MOVB(lo.As8(), Mem{Base: p})
	half := GP64()
	MOVQ(n, half)
	SHRQ(Imm(1), half)
	MOVQ(lo, hi)
	bitsAbove(half, 0)
	SHRQ(reg.CL, hi)
	MOVB(hi.As8(), p2(p, half))
	bitsAbove(n, 1)
	SHRQ(reg.CL, lo)
	MOVB(lo.As8(), end.Offset(-1))
	Label(done)
}

// loadPartial sets dst to the n bytes at p, 0 <= n < width, and zeros behind them. It clobbers t, and p and n
// move on.
func (e emitter) loadPartial(l *labels, dst vec, p, n reg.GPVirtual, t vec) {
	if e.width == 16 {
		e.loadPartialBlock(l, dst, p, n)
		return
	}
	one, done := l.new("oneBlock"), l.new("loadedVector")
	rest, q := GP64(), GP64()
	blockAndRest(p, n, q, rest)
	e.loadPartialBlock(l, t, q, rest)
	CMPQ(n, Imm(16))
	JB(LabelRef(one))
	e.narrow().load(dst, Mem{Base: p})
	VINSERTI128(Imm(1), e.narrow().r(t), e.r(dst), e.r(dst))
	JMP(LabelRef(done))
	Label(one)
	e.narrow().move(dst, t)
	Label(done)
}

// storePartial writes the first n bytes of src to p, 0 <= n < width. It clobbers src.
func (e emitter) storePartial(l *labels, p, n reg.GPVirtual, src vec) {
	if e.width == 16 {
		e.storePartialBlock(l, p, n, src)
		return
	}
	one := l.new("oneBlock")
	rest, q := GP64(), GP64()
	blockAndRest(p, n, q, rest)
	CMPQ(n, Imm(16))
	JB(LabelRef(one))
	e.narrow().store(Mem{Base: p}, src)
	e.upperBlock(src, src)
	Label(one)
	e.storePartialBlock(l, q, rest, src)
}

// blockAndRest sets q to p, or to p+16 if n is 16 or more, and rest to n modulo 16.
func blockAndRest(p, n, q, rest reg.GPVirtual) {
	MOVQ(n, q)
	ANDQ(Imm(16), q)
	ADDQ(p, q)
	MOVQ(n, rest)
	ANDQ(Imm(15), rest)
}

// p2 is the address p+n.
func p2(p, n reg.GPVirtual) Mem { return Mem{Base: p, Index: n, Scale: 1} }

// bitsAbove sets CL to 8*(n-k).
func bitsAbove(n reg.GPVirtual, k int) {
	LEAQ(Mem{Base: n, Disp: -k}, reg.RCX)
	SHLQ(Imm(3), reg.RCX)
}

// bitsBelow sets CL to 8*(k-n).
func bitsBelow(n reg.GPVirtual, k int) {
	bitsAbove(n, k)
	NEGQ(reg.RCX)
}

// setLow sets v to x, and clears its upper half.
func (e emitter) setLow(v vec, x Op) {
	if e.enc == sse {
		MOVQ(x, e.r(v))
		return
	}
	VMOVQ(x, e.r(v))
}

// setHigh sets the upper half of v to x.
func (e emitter) setHigh(v vec, x Op) {
	if e.enc == sse {
		PINSRQ(Imm(1), x, e.r(v))
		return
	}
	VPINSRQ(Imm(1), x, e.r(v), e.r(v))
}

// getLow sets x to the lower half of v.
func (e emitter) getLow(x Op, v vec) {
	if e.enc == sse {
		MOVQ(e.r(v), x)
		return
	}
	VMOVQ(e.r(v), x)
}

// getHigh sets x to the upper half of v.
func (e emitter) getHigh(x Op, v vec) {
	if e.enc == sse {
		PEXTRQ(Imm(1), e.r(v), x)
		return
	}
	VPEXTRQ(Imm(1), e.r(v), x)
}
