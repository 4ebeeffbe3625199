package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// batch holds the registers of the main loop.
//
//	          16 registers                     32 registers
//	states    8 AES states                     8
//	base      counter base XOR round key 0     1, records only
//	key       the current round key            0; 11 round keys stay in registers: the first and the last ten
//	lo, hi    sums of products; hi is also y   2
//	x, t, u   ciphertext and products          3
//
// and ctr, which with 16 registers makes 16.
type batch struct {
	*absorber // its sums take over y
	states    []vec
	base      vec
	key       vec
	resident  []vec // with 32 registers: round key 0 and the shared ones 1 to 10

	choice reg.GPVirtual // address of the powers for the last group of the batch
}

// batches runs the main loop over all whole batches of the text. There is at least one. When sealing, the last is
// not hashed yet.
func (g *gcmFunc) batches() *batch {
	b := &batch{
		absorber: &absorber{
			gcmFunc: g,
			sums:    &sums{lo: g.alloc(), hi: g.y, empty: true},
			x:       g.alloc(), t: g.alloc(), u: g.alloc(),
		},
		states: g.allocs(batchVectors),
	}
	b.layOutPowers()
	if g.enc == evex {
		b.resident = g.allocs(11)
		g.broadcast(b.resident[0], g.key0)
		for i := 1; i <= 10; i++ {
			g.broadcast(b.resident[i], g.sharedKey(i))
		}
	}
	if g.record {
		b.base = g.alloc()
		g.shuffleBytes(b.base, g.ctr, g.reverse)
		b.addKey0(b.base)
	}
	if b.resident == nil {
		b.key = g.alloc()
	}

	if g.dir == seal {
		b.run(nil)
		g.advance(g.batchBytes())
		CMPQ(g.n, U32(g.batchBytes()))
		JB(LabelRef("lastBatch"))
		Label("batch")
		b.run(b.hashBatch(b.hashed(), b.table))
		g.advance(g.batchBytes())
		CMPQ(g.n, U32(g.batchBytes()))
		JAE(LabelRef("batch"))
		Label("lastBatch")
		return b
	}
	b.choice = GP64()
	Label("batch")
	b.choosePowers()
	b.run(b.hashBatch(b.hashed(), Mem{Base: b.choice}))
	g.advance(g.batchBytes())
	CMPQ(g.n, U32(g.batchBytes()))
	JAE(LabelRef("batch"))
	b.leaveLanes()
	return b
}

// release gives the registers back.
func (b *batch) release() {
	b.free(b.states...)
	b.free(b.sums.lo, b.x, b.t, b.u)
	b.free(b.resident...)
	if b.record {
		b.free(b.base)
	}
	if b.resident == nil {
		b.free(b.key)
	}
}

// choosePowers points choice at the powers by lane if another batch follows, else at consecutive powers.
func (b *batch) choosePowers() {
	if b.lanes() == 1 {
		LEAQ(b.groupPowers(), b.choice)
		return
	}
	table := GP64()
	LEAQ(b.groupPowers(), b.choice)
	LEAQ(b.table, table)
	CMPQ(b.n, U32(2*b.batchBytes()))
	CMOVQCC(table, b.choice)
}

// run encrypts or decrypts one batch, with the steps of hashing spread over its rounds.
func (b *batch) run(hash []func()) {
	if b.record {
		b.countFromBase()
	} else {
		b.count()
	}
	b.extraRounds(b.states, b.t)
	interleave(b.sharedRounds(), hash)
	b.lastRound()
}

// addKey0 adds round key 0 to state.
func (b *batch) addKey0(state vec) {
	if b.resident != nil {
		b.xor(state, state, b.resident[0])
		return
	}
	b.broadcast(b.t, b.key0)
	b.xor(state, state, b.t)
}

// countFromBase makes the counter blocks of a batch from its base and the next one, and moves on to that.
func (b *batch) countFromBase() {
	span := batchVectors * b.lanes()
	next := b.x
	b.add32(b.ctr, b.ctr, b.counts[span])
	b.shuffleBytes(next, b.ctr, b.reverse)
	b.addKey0(next)
	for i, state := range b.states {
		first := 2 + i*b.lanes()
		switch {
		case first+b.lanes() <= span:
			b.xorOp(state, b.base, b.index.Offset(16*first))
		case first >= span:
			b.xorOp(state, next, b.index.Offset(16*(first-span)))
		default: // half of the lanes each
			VSHUFI64X2(Imm(0), b.r(next), b.r(b.base), b.r(state))
			b.xorOp(state, state, b.index.Offset(16*first))
		}
	}
	b.move(b.base, next)
}

// count makes the counter blocks of a batch from any counter, and moves on.
func (b *batch) count() {
	if b.resident == nil {
		b.broadcast(b.t, b.key0)
	}
	for _, state := range b.states {
		b.shuffleBytes(state, b.ctr, b.reverse)
		b.add32(b.ctr, b.ctr, b.counts[b.lanes()])
		if b.resident != nil {
			b.xor(state, state, b.resident[0])
		} else {
			b.xor(state, state, b.t)
		}
	}
}

// sharedRounds returns the instructions of the nine rounds that all key sizes have, before the last.
func (b *batch) sharedRounds() []func() {
	var steps []func()
	for i := 1; i <= 9; i++ {
		key := b.key
		if b.resident != nil {
			key = b.resident[i]
		} else {
			steps = append(steps, func() { b.broadcast(key, b.sharedKey(i)) })
		}
		for _, state := range b.states {
			steps = append(steps, func() { b.aesenc(state, key) })
		}
	}
	return steps
}

// lastRound does the last round, with the text added to the round key beforehand, and stores the result.
func (b *batch) lastRound() {
	key := b.key
	if b.resident != nil {
		key = b.resident[10]
	} else {
		b.broadcast(key, b.sharedKey(10))
	}
	temps := []vec{b.t, b.x}
	for i, state := range b.states {
		t := temps[i%2]
		b.xorLoad(t, key, Mem{Base: b.src, Disp: i * b.width})
		b.aesenclast(state, t)
		b.store(Mem{Base: b.dst, Disp: i * b.width}, state)
	}
}

// interleave emits both lists in order, evenly mixed.
func interleave(a, b []func()) {
	done := 0
	for i, f := range a {
		f()
		for done*len(a) < (i+1)*len(b) {
			b[done]()
			done++
		}
	}
}
