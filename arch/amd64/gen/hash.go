package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"lamina/arch/keys"
)

// hash generates the preparation of hash keys, of GCM keys, and GHASH and POLYVAL of many blocks.
func hash() {
	c := newHashConsts()
	s := newScheduler()
	x := constant("mulXCarry", 1, 0xc200000000000000)
	// Preparation is short, so forms that gain nothing over another are left out.
	for _, v := range variants {
		if v.suffix == "VAESAVX512Y" {
			continue
		}
		prepareHash(v, c)
		prepareGCM(v, c, s, x)
	}
	for _, v := range variants {
		hashBlocks(v, c)
	}
}

func prepareHash(v variant, c hashConsts) {
	name := "PrepareHash" + v.suffix
	function(name, "func(h *Hash, base *Element)", name+" fills h from base, its first power.")
	p := preparer{emitter: newEmitter(v), hashKey: hashKeyOf(Dereference(Param("h"))), poly: c.poly}
	h := p.alloc()
	p.narrow().load(h, Mem{Base: param("base")})
	p.prepare(h)
	p.ret()
}

// prepareGCM expands the key and encrypts the zero block with each round key as it comes. What hashing takes
// as the first power follows from that.
func prepareGCM(v variant, c hashConsts, s scheduler, mulXCarry Mem) {
	name := "PrepareGCM" + v.suffix
	function(name, "func(k *GCM, key *byte, n int)", name+" fills k from the AES key of n bytes: 16, 24 or 32.")
	k := Dereference(Param("k"))
	enc := scheduleOf(k.Field("Enc"))
	p := preparer{emitter: newEmitter(v), hashKey: hashKeyOf(k.Field("Hash")), poly: c.poly}
	n := p.narrow()
	h := n.alloc()
	s.emitter = n
	s.each = func(at Mem, p position, key vec) {
		n.store(at, key)
		switch p {
		case firstKey:
			n.move(h, key)
		case innerKey:
			n.aesenc(h, key)
		case lastKey:
			n.aesenclast(h, key)
		}
	}
	s.expand(enc, param("key"), param("n"))
	n.shuffleBytes(h, h, c.reverse)
	n.mulX(h, mulXCarry)
	p.prepare(h)
	p.ret()
}

// mulX multiplies v by x. What leaves at x^128 returns as x^127 + x^126 + x^121 + 1, which carry holds; a
// mask decides, for v is secret.
func (e emitter) mulX(v vec, carry Mem) {
	mask, t := e.alloc(), e.alloc()
	e.shuffle32(mask, v, 0xff)
	e.sign32(mask, mask)
	e.and(mask, mask, carry)
	e.shr64(t, v, 63)
	e.shlBytes(t, t, 8)
	e.shl64(v, v, 1)
	e.xor3(v, mask, t)
	e.free(mask, t)
}

// hasher holds the registers of hashBlocks.
//
//	data, n   the next bytes, and how many blocks are left
//	acc       the hash in the lowest lane; the others are clear
//	control   the order of bytes, in every lane
//	poly      the constant of reduction, in every lane
//	x, t, u   a vector of blocks, and temporaries
//	sums      of products
type hasher struct {
	emitter
	hashKey
	data, n               reg.GPVirtual
	acc, control, x, t, u vec
	poly                  vec
	sums                  *sums
}

// hashBlocks generates a function that hashes any number of blocks: groups of as many as there are powers, or
// of 8 in the 128-bit forms, and then the rest with the powers that it takes. Each group is reduced once.
func hashBlocks(v variant, c hashConsts) {
	name := "HashBlocks" + v.suffix
	function(name, "func(h *Hash, acc *Element, data *byte, blocks int, control *[16]byte)",
		name+" hashes blocks of 16 bytes into acc. control gives the order of bytes: PSHUFB takes a block by it",
		"into the representation of POLYVAL.")
	e := newEmitter(v)
	h := hasher{
		emitter: e, hashKey: hashKeyOf(Dereference(Param("h"))),
		data: param("data"), n: param("blocks"),
		acc: e.alloc(), control: e.alloc(), x: e.alloc(), t: e.alloc(), u: e.alloc(), poly: e.alloc(),
		sums: e.newSums(),
	}
	acc := Mem{Base: param("acc")}
	e.broadcast(h.control, Mem{Base: param("control")})
	e.load(h.poly, c.poly)
	e.narrow().load(h.acc, acc)
	h.groups()
	h.rest()
	e.narrow().store(acc, h.acc)
	e.ret()
}

func (h hasher) groups() {
	group := 8
	if h.width > 16 {
		group = keys.NumPowers - 1
	}
	Label("group")
	CMPQ(h.n, Imm(uint64(group)))
	JLT(LabelRef("rest"))
	// The first vector comes last, because it waits for the hash of the group before.
	for i := group - h.lanes(); i >= 0; i -= h.lanes() {
		h.load(h.x, Mem{Base: h.data}.Offset(16*i))
		h.shuffleBytes(h.x, h.x, h.r(h.control))
		if i == 0 {
			h.xor(h.x, h.x, h.acc)
		}
		h.multiply(h.sums, h.x, h.power(group-i), h.folded, h.t, h.u)
	}
	h.finish()
	ADDQ(U32(uint32(16*group)), h.data)
	SUBQ(Imm(uint64(group)), h.n)
	JMP(LabelRef("group"))
}

// finish reduces the sums to the hash.
func (h hasher) finish() {
	h.reduce(h.acc, h.sums, h.t, h.r(h.poly))
	h.foldLanes(h.acc, h.t)
}

// rest hashes what is less than a group.
func (h hasher) rest() {
	Label("rest")
	TESTQ(h.n, h.n)
	JEQ(LabelRef("done"))
	power, count := GP64(), GP64()
	MOVQ(h.n, count)
	powersFor(power, count, h.powers)
	h.zero(h.sums.lo)
	h.zero(h.sums.hi)
	h.sums.empty = false
	if h.lanes() > 1 {
		CMPQ(h.n, Imm(uint64(h.lanes())))
		JLT(LabelRef("lanes"))
	}
	Label("vector")
	h.load(h.x, Mem{Base: h.data})
	h.add(power)
	h.zero(h.acc)
	ADDQ(Imm(uint64(h.width)), h.data)
	ADDQ(Imm(uint64(h.width)), power)
	SUBQ(Imm(uint64(h.lanes())), h.n)
	if h.lanes() == 1 {
		JNE(LabelRef("vector"))
	} else {
		JEQ(LabelRef("finish"))
		CMPQ(h.n, Imm(uint64(h.lanes())))
		JGE(LabelRef("vector"))
		Label("lanes")
		h.loadLanes()
		h.add(power)
		Label("finish")
	}
	h.finish()
	Label("done")
}

// add multiplies x, in the order of bytes of the data, with the powers at power and adds the product to the sums.
func (h hasher) add(power reg.Register) {
	h.shuffleBytes(h.x, h.x, h.r(h.control))
	h.xor(h.x, h.x, h.acc)
	h.multiply(h.sums, h.x, Mem{Base: power}, h.folded, h.t, h.u)
}

// loadLanes loads the blocks of a last short vector to x. Lanes without a block become zero, and so do their
// products, whatever the powers are that stand after H^1 in memory.
func (h hasher) loadLanes() {
	if h.lanes() == 2 {
		h.narrow().load(h.x, Mem{Base: h.data})
		return
	}
	bits, mask := GP64(), K()
	MOVQ(I64(-1), bits)
	ADDQ(h.n, h.n)
	BZHIQ(h.n, bits, bits)
	KMOVW(bits.As32(), mask)
	VMOVDQU64_Z(Mem{Base: h.data}, mask, h.r(h.x))
}
