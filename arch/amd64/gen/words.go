package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// This file has the operations on words that key setup needs, in the form of those of emit.go.

// shift emits dst = a shifted by n.
func (e emitter) shift(dst, a vec, n uint64, sseOp func(n, x Op), avxOp func(...Op)) {
	if e.enc == sse {
		e.move(dst, a)
		sseOp(Imm(n), e.r(dst))
		return
	}
	avxOp(Imm(n), e.r(a), e.r(dst))
}

// shlBytes shifts each lane left by n bytes.
func (e emitter) shlBytes(dst, a vec, n uint64) { e.shift(dst, a, n, PSLLDQ, plain(VPSLLDQ)) }

// shl64 shifts each 64-bit word left by n bits.
func (e emitter) shl64(dst, a vec, n uint64) { e.shift(dst, a, n, PSLLQ, VPSLLQ) }

// shr64 shifts each 64-bit word right by n bits.
func (e emitter) shr64(dst, a vec, n uint64) { e.shift(dst, a, n, PSRLQ, VPSRLQ) }

// sign32 fills each 32-bit word with its highest bit.
func (e emitter) sign32(dst, a vec) { e.shift(dst, a, 31, PSRAL, VPSRAD) }

// plain gives an operation of three operands the type of one with masks.
func plain(f func(n, a, dst Op)) func(...Op) { return func(ops ...Op) { f(ops[0], ops[1], ops[2]) } }

// shuffle32 sets the 32-bit words of each lane to those of a picked by control.
func (e emitter) shuffle32(dst, a vec, control uint64) {
	if e.enc == sse {
		PSHUFD(Imm(control), e.r(a), e.r(dst))
		return
	}
	VPSHUFD(Imm(control), e.r(a), e.r(dst))
}

// add64 sets dst = a + b in 64-bit words, with memory aligned in SSE.
func (e emitter) add64(dst, a vec, b Op) { e.two(dst, a, b, PADDQ, variadic(VPADDQ)) }

// lowHalves sets dst to the low half of a and above it the low half of b.
func (e emitter) lowHalves(dst, a, b vec) {
	e.two(dst, a, e.r(b), PUNPCKLQDQ, variadic(VPUNPCKLQDQ))
}

// middleHalves sets dst to the high half of a and above it the low half of b.
func (e emitter) middleHalves(dst, a, b vec) {
	e.two(dst, a, e.r(b), func(mx, x Op) { SHUFPD(Imm(1), mx, x) }, func(b, a, dst Op) { VSHUFPD(Imm(1), b, a, dst) })
}

// loadLow reads 8 bytes and clears the rest.
func (e emitter) loadLow(dst vec, m Mem) {
	if e.enc == sse {
		MOVQ(m, e.r(dst))
		return
	}
	VMOVQ(m, e.r(dst))
}

// aesenclastMem is aesenclast with the round key in memory, aligned in SSE.
func (e emitter) aesenclastMem(state vec, key Mem) {
	if e.enc == sse {
		AESENCLAST(key, e.r(state))
		return
	}
	VAESENCLAST(key, e.r(state), e.r(state))
}

// aesimc sets dst to InvMixColumns of src.
func (e emitter) aesimc(dst, src vec) {
	if e.enc == sse {
		AESIMC(e.r(src), e.r(dst))
		return
	}
	VAESIMC(e.r(src), e.r(dst))
}
