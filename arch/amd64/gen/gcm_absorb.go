package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
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

// absorb hashes the vector x, in the byte order of the text. The hash so far joins the first vector and is
// gone then.
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
	groupVectors := min(16/g.lanes(), batchVectors)
	group := groupVectors * g.width
	a := g.newAbsorber()
	g.zero(g.y)
	TESTQ(n, n)
	JZ(LabelRef("dataHashed"))
	CMPQ(n, Imm(16))
	JBE(LabelRef("blockOfData"))
	CMPQ(n, U32(group))
	JB(LabelRef("restOfData"))

	Label("groupOfData")
	a.sums.empty = true
	for j := range groupVectors {
		g.load(a.x, Mem{Base: ad, Disp: j * g.width})
		g.shuffleBytes(a.x, a.x, g.reverse)
		if j == 0 {
			g.xor(a.x, a.x, g.y)
		}
		g.multiply(a.sums, a.x, g.power(groupVectors*g.lanes()).Offset(j*g.width), g.folded, a.t, a.u)
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
	JMP(LabelRef("dataHashed"))

	// The header of a record is short, and its neighbours in memory, such as the nonce, have often just been
	// written. A vector load that overlaps such a store would wait for it, even where a mask hides the bytes.
	Label("blockOfData")
	block := g.narrow()
	block.loadPartialBlock(g.labels, a.x, ad, n)
	block.shuffleBytes(a.x, a.x, g.reverse)
	a.sums.empty = true
	block.multiply(a.sums, a.x, g.power(1), g.folded, a.t, a.u)
	block.reduce(g.y, a.sums, a.t, g.poly)
	Label("dataHashed")
	a.release()
}
