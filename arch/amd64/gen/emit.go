package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// vec is a vector register by number. The emitter spells it as an XMM, YMM or ZMM register.
type vec int

// emitter emits the instructions of a variant. Its methods name what an instruction does and take the
// destination first; they hide that SSE overwrites an operand and that AVX-512 has other mnemonics. Vector
// registers are handed out by hand, from a pool, because the main loops need to know that what they hold
// fits.
type emitter struct {
	variant
	pool *pool
}

// pool knows which vector registers are taken.
type pool struct{ taken []bool }

func newEmitter(v variant) emitter {
	n := 16
	if v.enc == evex {
		n = 32
	}
	return emitter{variant: v, pool: &pool{taken: make([]bool, n)}}
}

// narrow returns an emitter of 128-bit instructions that shares the registers of e.
func (e emitter) narrow() emitter { return e.at(16) }

// at returns an emitter of instructions of another width that shares the registers of e.
func (e emitter) at(width int) emitter {
	e.width = width
	return e
}

// alloc takes a free register.
func (e emitter) alloc() vec {
	for i, taken := range e.pool.taken {
		if !taken {
			e.pool.taken[i] = true
			return vec(i)
		}
	}
	panic(e.suffix + ": out of vector registers")
}

// allocs takes n free registers.
func (e emitter) allocs(n int) []vec {
	s := make([]vec, n)
	for i := range s {
		s[i] = e.alloc()
	}
	return s
}

// free gives registers back.
func (e emitter) free(rs ...vec) {
	for _, r := range rs {
		if !e.pool.taken[r] {
			panic(e.suffix + ": register freed twice")
		}
		e.pool.taken[r] = false
	}
}

var xmms = []reg.VecPhysical{
	reg.X0, reg.X1, reg.X2, reg.X3, reg.X4, reg.X5, reg.X6, reg.X7,
	reg.X8, reg.X9, reg.X10, reg.X11, reg.X12, reg.X13, reg.X14, reg.X15,
	reg.X16, reg.X17, reg.X18, reg.X19, reg.X20, reg.X21, reg.X22, reg.X23,
	reg.X24, reg.X25, reg.X26, reg.X27, reg.X28, reg.X29, reg.X30, reg.X31,
}

// r spells a register at the width of e.
func (e emitter) r(v vec) Op {
	switch e.width {
	case 16:
		return xmms[v]
	case 32:
		return xmms[v].AsY()
	}
	return xmms[v].AsZ()
}

// load reads a whole vector from memory of any alignment.
func (e emitter) load(dst vec, m Mem) {
	switch e.enc {
	case sse:
		MOVOU(m, e.r(dst))
	case vex:
		VMOVDQU(m, e.r(dst))
	case evex:
		VMOVDQU64(m, e.r(dst))
	}
}

// store writes a whole vector to memory of any alignment.
func (e emitter) store(m Mem, src vec) {
	switch e.enc {
	case sse:
		MOVOU(e.r(src), m)
	case vex:
		VMOVDQU(e.r(src), m)
	case evex:
		VMOVDQU64(e.r(src), m)
	}
}

// move copies a register. At a width below the register's it clears the rest, except in SSE, where there is
// no rest.
func (e emitter) move(dst, src vec) {
	if dst == src {
		return
	}
	switch e.enc {
	case sse:
		MOVO(e.r(src), e.r(dst))
	case vex:
		VMOVDQA(e.r(src), e.r(dst))
	case evex:
		VMOVDQA64(e.r(src), e.r(dst))
	}
}

// zero clears a register.
func (e emitter) zero(dst vec) {
	n := e.narrow()
	switch e.enc {
	case sse:
		PXOR(n.r(dst), n.r(dst))
	case vex:
		VPXOR(n.r(dst), n.r(dst), n.r(dst))
	case evex:
		VPXORQ(n.r(dst), n.r(dst), n.r(dst))
	}
}

// broadcast reads 16 bytes into every lane.
func (e emitter) broadcast(dst vec, m Mem) {
	switch {
	case e.width == 16:
		e.load(dst, m)
	case e.enc == vex:
		VBROADCASTI128(m, e.r(dst))
	default:
		VBROADCASTI32X4(m, e.r(dst))
	}
}

// spread copies the lowest lane of src to every lane of dst.
func (e emitter) spread(dst, src vec) {
	switch {
	case e.width == 16:
		e.move(dst, src)
	case e.enc == vex:
		VINSERTI128(Imm(1), e.narrow().r(src), e.r(src), e.r(dst))
	case e.width == 32:
		VSHUFI64X2(Imm(0), e.r(src), e.r(src), e.r(dst))
	default:
		VSHUFI64X2(Imm(0), e.r(src), e.r(src), e.r(dst))
	}
}

// upperBlock sets dst to the upper of the two blocks in a 256-bit register.
func (e emitter) upperBlock(dst, src vec) {
	e = e.at(32)
	if e.enc == evex {
		VEXTRACTI32X4(Imm(1), e.r(src), e.narrow().r(dst))
		return
	}
	VEXTRACTI128(Imm(1), e.r(src), e.narrow().r(dst))
}

// two emits an operation with two sources, dst = a op b. Where b is memory it must be aligned to 16 bytes in SSE.
func (e emitter) two(dst, a vec, b Op, sseOp func(mx, x Op), avxOp func(b, a, dst Op)) {
	if e.enc != sse {
		avxOp(b, e.r(a), e.r(dst))
		return
	}
	if dst != a && b == e.r(dst) {
		panic("the second source is overwritten")
	}
	e.move(dst, a)
	sseOp(b, e.r(dst))
}

func variadic(f func(...Op)) func(b, a, dst Op) { return func(b, a, dst Op) { f(b, a, dst) } }

// xor sets dst = a ^ b.
func (e emitter) xor(dst, a, b vec) {
	if e.enc == sse && dst == b {
		a, b = b, a
	}
	e.xorOp(dst, a, e.r(b))
}

// xorOp is xor with a register or with memory, which must be aligned in SSE.
func (e emitter) xorOp(dst, a vec, b Op) {
	op := VPXOR
	if e.enc == evex {
		e.two(dst, a, b, PXOR, variadic(VPXORQ))
		return
	}
	e.two(dst, a, b, PXOR, op)
}

// xorLoad sets dst = a ^ m with memory of any alignment. dst and a differ.
func (e emitter) xorLoad(dst, a vec, m Mem) {
	if e.enc == sse {
		e.load(dst, m)
		e.xor(dst, dst, a)
		return
	}
	e.xorOp(dst, a, m)
}

// xor3 sets dst ^= a ^ b.
func (e emitter) xor3(dst, a, b vec) {
	if e.enc == evex {
		VPTERNLOGQ(Imm(0x96), e.r(a), e.r(b), e.r(dst))
		return
	}
	e.xor(dst, dst, a)
	e.xor(dst, dst, b)
}

// and sets dst = a & b, with memory aligned in SSE.
func (e emitter) and(dst, a vec, b Op) {
	if e.enc == evex {
		e.two(dst, a, b, PAND, variadic(VPANDQ))
		return
	}
	e.two(dst, a, b, PAND, VPAND)
}

// add32 sets dst = a + b in 32-bit words, with memory aligned in SSE.
func (e emitter) add32(dst, a vec, b Op) { e.two(dst, a, b, PADDD, variadic(VPADDD)) }

// shuffleBytes sets dst to the bytes of src picked by control, in each lane; memory aligned in SSE.
func (e emitter) shuffleBytes(dst, src vec, control Op) {
	e.two(dst, src, control, PSHUFB, variadic(VPSHUFB))
}

// swapHalves exchanges the 64-bit halves of each lane.
func (e emitter) swapHalves(dst, src vec) {
	if e.enc == sse {
		PSHUFD(Imm(0x4e), e.r(src), e.r(dst))
		return
	}
	VPSHUFD(Imm(0x4e), e.r(src), e.r(dst))
}

// clmul sets dst to the carry-less product of a 64-bit half of a and one of b, in each lane. A half is 0
// (low) or 1.
func (e emitter) clmul(dst, a vec, aHalf int, b Op, bHalf int) {
	imm := Imm(uint64(aHalf | bHalf<<4))
	e.two(dst, a, b, func(mx, x Op) { PCLMULQDQ(imm, mx, x) },
		func(b, a, dst Op) { VPCLMULQDQ(imm, b, a, dst) })
}

// clmulLoad is clmul with b in memory of any alignment. dst and a differ.
func (e emitter) clmulLoad(dst, a vec, aHalf int, b Mem, bHalf int) {
	if e.enc == sse {
		e.load(dst, b)
		PCLMULQDQ(Imm(uint64(bHalf|aHalf<<4)), e.r(a), e.r(dst))
		return
	}
	e.clmul(dst, a, aHalf, b, bHalf)
}

// aesenc does one round of encryption on state.
func (e emitter) aesenc(state, key vec) {
	if e.enc == sse {
		AESENC(e.r(key), e.r(state))
		return
	}
	VAESENC(e.r(key), e.r(state), e.r(state))
}

// aesenclast does the last round of encryption on state.
func (e emitter) aesenclast(state, key vec) {
	if e.enc == sse {
		AESENCLAST(e.r(key), e.r(state))
		return
	}
	VAESENCLAST(e.r(key), e.r(state), e.r(state))
}

// aesdec does one round of the equivalent inverse cipher on state.
func (e emitter) aesdec(state, key vec) {
	if e.enc == sse {
		AESDEC(e.r(key), e.r(state))
		return
	}
	VAESDEC(e.r(key), e.r(state), e.r(state))
}

// aesdeclast does the last round of the equivalent inverse cipher on state.
func (e emitter) aesdeclast(state, key vec) {
	if e.enc == sse {
		AESDECLAST(e.r(key), e.r(state))
		return
	}
	VAESDECLAST(e.r(key), e.r(state), e.r(state))
}

// ret leaves the function. Go code uses SSE, which runs slowly while the upper halves of vectors are dirty.
func (e emitter) ret() {
	if e.variant.width > 16 || e.enc == evex {
		VZEROUPPER()
	}
	RET()
}

// constant places a 16-byte constant, repeated over 64 bytes, in read-only data and returns its address.
func constant(name string, lo, hi uint64) Mem {
	m := GLOBL(name, readOnly)
	for i := 0; i < 64; i += 16 {
		DATA(i, U64(lo))
		DATA(i+8, U64(hi))
	}
	return m
}
