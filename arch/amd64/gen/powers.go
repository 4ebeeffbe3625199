package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	. "github.com/mmcloughlin/avo/operand"

	"lamina/arch/keys"
)

// The powers of the hash key.
//
// Consecutive blocks meet falling powers, so a vector of powers has its highest in the lowest lane. A run of
// vectors that holds H^m to H^1 becomes one of H^(2m) to H^1 when all of it is multiplied by H^m: four such
// steps make sixteen powers. While the run is less than a vector, the product is joined with it to one of
// twice the width.

// hashKey is where a hash key lies in memory.
type hashKey struct {
	powers Mem // the highest one
	folded int // how far behind a power its folded form stands
}

func hashKeyOf(c gotypes.Component) hashKey {
	powers, folded := address(c.Field("Powers").Index(0).Field("Lo")), address(c.Field("Folded").Index(0).Field("Lo"))
	return hashKey{powers: powers, folded: folded.Disp - powers.Disp}
}

// power is the address of H^i.
func (k hashKey) power(i int) Mem { return k.powers.Offset(16 * (keys.NumPowers - i)) }

// fold sets dst to a times x^-64, one step of reduction. dst and a differ.
func (e emitter) fold(dst, a vec, poly Op) {
	t := e.alloc()
	e.clmul(t, a, 0, poly, 0)
	e.swapHalves(dst, a)
	e.xor(dst, dst, t)
	e.free(t)
}

// dot sets dst to a times b, whose folded form is f. dst may be a.
func (e emitter) dot(dst, a, b, f vec, poly Op) {
	s, t := e.newSums(), e.alloc()
	e.clmul(s.lo, a, 0, e.r(f), 0)
	e.clmul(t, a, 1, e.r(b), 0)
	e.xor(s.lo, s.lo, t)
	e.clmul(s.hi, a, 0, e.r(f), 1)
	e.clmul(t, a, 1, e.r(b), 1)
	e.xor(s.hi, s.hi, t)
	e.reduce(dst, s, t, poly)
	e.free(s.lo, s.hi, t)
}

// join puts the lower half of b into the upper half of dst. The halves are those of a vector of e.
func (e emitter) join(dst, b vec) {
	switch {
	case e.width == 64:
		VINSERTI64X4(Imm(1), e.at(32).r(b), e.r(dst), e.r(dst))
	case e.enc == evex:
		VINSERTI32X4(Imm(1), e.narrow().r(b), e.r(dst), e.r(dst))
	default:
		VINSERTI128(Imm(1), e.narrow().r(b), e.r(dst), e.r(dst))
	}
}

// preparer computes the powers of a hash key.
type preparer struct {
	emitter
	hashKey
	poly Mem
}

// storePowers stores the powers v to m, and their folded forms f.
func (p preparer) storePowers(e emitter, m Mem, v, f vec) {
	e.store(m, v)
	e.store(m.Offset(p.folded), f)
}

// run is the powers so far.
type run struct {
	vectors     []vec // H^m to H^1; none in the 128-bit forms, which have no room for eight and read them from memory
	top, folded vec   // H^m in the lowest lane, and the same folded
}

// prepare fills the hash key from H^1 in h, which it frees.
func (p preparer) prepare(h vec) {
	n := p.narrow()
	r := run{top: n.alloc(), folded: n.alloc()}
	n.move(r.top, h)
	n.fold(r.folded, h, p.poly)
	p.storePowers(n, p.power(1), r.top, r.folded)
	if p.width > 16 {
		r.vectors = []vec{h}
	} else {
		p.free(h)
	}
	for m := 1; m < keys.NumPowers-1; m *= 2 {
		if p.width > 16 {
			r = p.double(m, r)
		} else {
			p.doubleInMemory(m, r)
		}
	}
	p.free(r.vectors...)

	// One more than a power of two.
	b, bf := n.alloc(), n.alloc()
	n.load(b, p.power(1))
	n.load(bf, p.power(1).Offset(p.folded))
	n.dot(r.top, r.top, b, bf, p.poly)
	n.fold(r.folded, r.top, p.poly)
	p.storePowers(n, p.power(keys.NumPowers), r.top, r.folded)
	n.free(r.top, r.folded, b, bf)
}

// double makes the run twice as long.
func (p preparer) double(m int, r run) run {
	w := p.at(min(16*m, p.width))
	w.spread(r.top, r.top)
	w.spread(r.folded, r.folded)
	next := run{top: w.alloc()}
	for i, v := range r.vectors {
		product, f := w.alloc(), w.alloc()
		w.dot(product, v, r.top, r.folded, p.poly)
		w.fold(f, product, p.poly)
		p.storePowers(w, p.power(2*m-i*w.lanes()), product, f)
		if i == 0 {
			w.narrow().move(next.top, product)
			next.folded = f
		} else {
			w.free(f)
		}
		next.vectors = append(next.vectors, product)
	}
	w.free(r.top, r.folded)
	if 16*m < p.width {
		p.at(32*m).join(next.vectors[0], r.vectors[0])
		w.free(r.vectors...)
		return next
	}
	next.vectors = append(next.vectors, r.vectors...)
	return next
}

// doubleInMemory makes the run twice as long, for vectors of 128 bits. The highest product, for which the
// next step waits, comes first; a loop makes the others.
func (p preparer) doubleInMemory(m int, r run) {
	b, bf, v, f := p.alloc(), p.alloc(), p.alloc(), p.alloc()
	p.move(b, r.top)
	p.move(bf, r.folded)
	p.dot(r.top, b, b, bf, p.poly)
	p.fold(r.folded, r.top, p.poly)
	p.storePowers(p.emitter, p.power(2*m), r.top, r.folded)
	if m > 1 {
		from, n, label := GP64(), GP32(), fmt.Sprintf("powers%d", m)
		LEAQ(p.power(m-1), from)
		MOVL(U32(uint32(m-1)), n)
		Label(label)
		p.load(v, Mem{Base: from})
		p.dot(v, v, b, bf, p.poly)
		p.fold(f, v, p.poly)
		p.storePowers(p.emitter, Mem{Base: from}.Offset(-16*m), v, f)
		ADDQ(Imm(16), from)
		DECL(n)
		JNE(LabelRef(label))
	}
	p.free(b, bf, v, f)
}
