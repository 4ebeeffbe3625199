package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"lamina/arch/keys"
)

// GHASH and POLYVAL.
//
// Elements are 128-bit integers whose bit i is the coefficient of x^i, and the product of the field is
// Montgomery's, a*b*x^-128 modulo P = x^128 + x^127 + x^126 + x^121 + 1 (type keys.Hash says how GHASH
// becomes that). To multiply by x^-64 modulo P is one step of reduction: write v = v1*x^64 + v0. Since P's
// lowest word is 1, adding v0*P clears v0, and
//
//	v * x^-64 = v1 + v0 * (x^64 + x^63 + x^62 + x^57)
//
// which is an exchange of halves (v1 stays, v0 moves up) and one carry-less multiplication of v0 by the constant
// x^63 + x^62 + x^57. A factor b is stored twice, as b and as f = b*x^-64. With a = a1*x^64 + a0,
//
//	a*b*x^-128 = (a0*f + a1*b) * x^-64
//
// The bracket needs four 64-bit products, summed in pairs at x^0 (lo) and x^64 (hi), and one step of
// reduction brings it home. Many products are summed before they are reduced.
//
// Tried and rejected: Karatsuba's three products, with the sums of the halves stored. Where carry-less
// multiplication shares its ports with AES (Zen 4) it gains up to 3 % in the main loop, but it costs a
// shuffle and two XORs a vector more, which is a loss where multiplication has a port of its own (Intel since
// Ice Lake); its reduction takes two steps.

// hashConsts are the constants that hashing needs, as memory operands.
type hashConsts struct {
	reverse Mem // PSHUFB control that reverses the bytes of each lane
	poly    Mem // x^63 + x^62 + x^57 in each half
}

func newHashConsts() hashConsts {
	return hashConsts{
		reverse: constant("reverseBytes", 0x08090a0b0c0d0e0f, 0x0001020304050607),
		poly:    constant("reductionPoly", 0xc200000000000000, 0xc200000000000000),
	}
}

// sums holds unreduced sums of products: lo at x^0, hi at x^64.
type sums struct {
	lo, hi vec
	empty  bool // nothing was added yet, and lo and hi hold nothing
}

func (e emitter) newSums() *sums { return &sums{lo: e.alloc(), hi: e.alloc(), empty: true} }

// multiply adds x times the vector of powers at m, whose folded form stands folded bytes behind it. It
// clobbers t and u.
func (e emitter) multiply(s *sums, x vec, m Mem, folded int, t, u vec) {
	for _, step := range e.multiplySteps(s, x, m, folded, t, u) {
		step()
	}
}

// multiplySteps is multiply in steps, to be emitted in order.
func (e emitter) multiplySteps(s *sums, x vec, m Mem, folded int, t, u vec) []func() {
	f := m.Offset(folded)
	half := func(sum vec, fHalf int) func() {
		return func() {
			first := t
			if s.empty {
				first = sum
			}
			e.clmulLoad(first, x, 0, f, fHalf)
			e.clmulLoad(u, x, 1, m, fHalf)
			if s.empty {
				e.xor(sum, sum, u)
			} else {
				e.xor3(sum, t, u)
			}
		}
	}
	return []func(){half(s.lo, 0), half(s.hi, 1), func() { s.empty = false }}
}

// multiplyLanesSteps returns the instructions that add x times the power at m in every lane. They clobber
// temps, of which there are two, or four with 32 registers.
func (e emitter) multiplyLanesSteps(s *sums, x vec, m Mem, folded int, temps []vec) []func() {
	if e.width == 16 {
		return e.multiplySteps(s, x, m, folded, temps[0], temps[1])
	}
	if e.enc == evex {
		return e.multiplyTogetherSteps(s, x, m, folded, temps)
	}
	t, u := temps[0], temps[1]
	half := func(xHalf int, factor Mem) func() {
		return func() {
			lo, hi := t, u
			if s.empty {
				lo, hi = s.lo, s.hi
			}
			e.broadcast(u, factor)
			e.clmul(lo, x, xHalf, e.r(u), 0)
			e.clmul(hi, x, xHalf, e.r(u), 1)
			if !s.empty {
				e.xor(s.lo, s.lo, t)
				e.xor(s.hi, s.hi, u)
			}
			s.empty = false
		}
	}
	return []func(){half(0, m.Offset(folded)), half(1, m)}
}

// multiplyTogetherSteps is multiplyLanesSteps where three-way logic adds two products at a time.
func (e emitter) multiplyTogetherSteps(s *sums, x vec, m Mem, folded int, temps []vec) []func() {
	t, u, power, fold := temps[0], temps[1], temps[2], temps[3]
	half := func(sum vec, pHalf int) func() {
		return func() {
			first := t
			if s.empty {
				first = sum
			}
			e.clmul(first, x, 0, e.r(fold), pHalf)
			e.clmul(u, x, 1, e.r(power), pHalf)
			if s.empty {
				e.xor(sum, sum, u)
			} else {
				e.xor3(sum, t, u)
			}
		}
	}
	return []func(){
		func() {
			e.broadcast(fold, m.Offset(folded))
			e.broadcast(power, m)
		},
		half(s.lo, 0), half(s.hi, 1), func() { s.empty = false },
	}
}

// foldPower sets dst to the folded form of the power v, v*x^-64. It clobbers t.
func (e emitter) foldPower(dst, v, t vec, poly Op) {
	e.clmul(t, v, 0, poly, 0)
	e.swapHalves(dst, v)
	e.xor(dst, dst, t)
}

// reduce sets dst to the reduced sums, lane by lane. dst may be s.lo or s.hi; it clobbers both and t.
func (e emitter) reduce(dst vec, s *sums, t vec, poly Op) {
	e.clmul(t, s.lo, 0, poly, 0)
	e.swapHalves(s.lo, s.lo)
	e.xor3(s.hi, s.lo, t)
	e.move(dst, s.hi)
	s.empty = true
}

// foldLanes adds all lanes of v into its lowest lane and clears the others. It clobbers t.
func (e emitter) foldLanes(v, t vec) {
	n := e.narrow()
	if e.width == 64 {
		VEXTRACTI64X4(Imm(1), e.r(v), e.at(32).r(t))
		e.at(32).xor(v, v, t)
	}
	if e.width >= 32 {
		e.upperBlock(t, v)
		n.xor(v, v, t)
	}
}

// powersFor sets p to the address of the power that the first of count blocks is multiplied by when the last
// one meets the first power: consecutive blocks then meet consecutive powers. first is the address of the
// highest power, and count is at most keys.NumPowers.
func powersFor(p, count reg.GPVirtual, first Mem) {
	NEGQ(count)
	SHLQ(Imm(4), count)
	LEAQ(first.Idx(count, 1).Offset(16*keys.NumPowers), p)
}
