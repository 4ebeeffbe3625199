package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// gcmUpdate generates the function that encrypts or decrypts whole blocks in the middle of a message.
func gcmUpdate(v variant, consts gcmConsts, dir operation) {
	name, verb, hashed := "GCMEncrypt", "encrypts", "dst"
	if dir == open {
		name, verb, hashed = "GCMDecrypt", "decrypts", "src"
	}
	function(name+v.suffix, "func(k *GCM, acc *Element, ctr *[16]byte, dst, src *byte, n int)",
		name+v.suffix+" "+verb+" n bytes of src to dst, whole blocks, and hashes "+hashed+" into acc.")

	g := newGCMFunc(v, consts, dir, false)
	g.y = g.alloc()
	g.narrow().load(g.y, Mem{Base: param("acc")})
	g.ctr = g.alloc()
	g.narrow().load(g.ctr, Mem{Base: param("ctr")})
	g.narrow().shuffleBytes(g.ctr, g.ctr, g.reverse)
	g.spread(g.ctr, g.ctr)
	g.add32(g.ctr, g.ctr, g.laneCounters)
	g.loadText()

	g.batches("step")
	g.updateRest()
	g.narrow().store(Mem{Base: param("acc")}, g.y)
	g.ret()
}

// updateRest processes the blocks that are left after the batches, if any.
func (g *gcmFunc) updateRest() {
	r := g.newRest()
	if g.dir == seal {
		emit(r.hashStepInLanes(r.lastBatch()))
		JMP(LabelRef("hashStep"))
		Label("step")
		r.stepIfThere(nil, "vectors")
		Label("hashStep")
		emit(r.hashStep(r.lastStep()))
	} else {
		Label("step")
		r.stepIfThere(r.hashStep(Mem{Base: g.src}), "vectors")
	}
	JMP(LabelRef("step"))

	Label("vectors")
	TESTQ(g.n, g.n)
	JZ(LabelRef("done"))
	r.start(g.n, 0)
	if g.enc == evex {
		r.maskedVectors()
	} else {
		r.wholeVectors()
	}
	r.finish()
	Label("done")
}

// maskedVectors processes all that is left, vector by vector.
func (r *rest) maskedVectors() {
	text := r.states[1]
	Label("vector")
	keepFirst(reg.K1, r.n)
	VMOVDQU8_Z(Mem{Base: r.src}, reg.K1, r.r(text))
	r.vector(text)
	VMOVDQU8(r.r(r.states[0]), reg.K1, Mem{Base: r.dst})
	VMOVDQU8_Z(r.r(r.x), reg.K1, r.r(r.x))
	r.absorb()
	r.advance(r.width)
	JA(LabelRef("vector"))
}

// wholeVectors processes all that is left vector by vector, and at two lanes a single block at the end.
func (r *rest) wholeVectors() {
	text := r.states[1]
	if r.lanes() > 1 {
		CMPQ(r.n, Imm(uint64(r.width)))
		JB(LabelRef("block"))
	}
	Label("vector")
	r.load(text, Mem{Base: r.src})
	r.vector(text)
	r.store(Mem{Base: r.dst}, r.states[0])
	r.absorb()
	r.advance(r.width)
	CMPQ(r.n, Imm(uint64(r.width)))
	JAE(LabelRef("vector"))
	if r.lanes() == 1 {
		return
	}
	TESTQ(r.n, r.n)
	JZ(LabelRef("reduce"))
	Label("block")
	n := r.narrow()
	n.load(text, Mem{Base: r.src})
	r.vector(text)
	n.store(Mem{Base: r.dst}, r.states[0])
	if r.dir == seal {
		n.move(r.x, r.states[0]) // clears the other lane
	}
	r.absorb()
	Label("reduce")
}

// vector runs one vector of text through AES, from text to states[0], and sets x to the ciphertext.
func (r *rest) vector(text vec) {
	state := r.states[0]
	r.count(r.states[:1], r.key, false)
	r.rounds(r.states[:1], nil)
	if r.dir == open {
		r.move(r.x, text)
	}
	r.xor(text, text, r.key)
	r.aesenclast(state, text)
	if r.dir == seal {
		r.move(r.x, state)
	}
}
