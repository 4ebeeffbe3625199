package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// batch holds the registers of the main loop.
//
//	          16 registers                     32 registers
//	states    8 AES states                     8
//	key       the current round key            0; 11 round keys stay in registers: the first and the last ten
//	lo, hi    sums of products; hi is also y   2
//	x, temps  ciphertext; powers and products  5
//
// and in records ctr and base, which with 16 registers makes 16.
type batch struct {
	*gcmFunc
	states   []vec
	key      vec
	resident []vec // round key 0 and the shared ones 1 to 10
	sums     *sums // takes over y: hi holds the hash between batches
	x        vec
	temps    []vec
}

// batches runs the main loop over whole batches of the text, if there are enough. What it has hashed is
// hashed in lanes. When opening, it leaves at least a step, whose hash ends that. When sealing, each batch
// hashes the one before it, so it leaves the last to be hashed.
func (g *gcmFunc) batches(otherwise string) {
	CMPQ(g.n, U32(g.batchesFrom()))
	JB(LabelRef(otherwise))
	b := g.newBatch()
	b.makeHighPowers()
	b.start()
	if g.dir == seal {
		b.run(nil)
		Label("batch")
		b.run(b.hashSteps(Mem{Base: b.dst, Disp: -b.batchBytes()}))
		CMPQ(g.n, U32(g.batchBytes()))
	} else {
		Label("batch")
		b.run(b.hashSteps(Mem{Base: b.src}))
		CMPQ(g.n, U32(g.batchBytes()+g.stepBytes()))
	}
	JAE(LabelRef("batch"))
	b.wipeHighPowers()
	b.release()
}

// newBatch takes the registers of the main loop.
func (g *gcmFunc) newBatch() *batch {
	b := &batch{
		gcmFunc: g,
		states:  g.allocs(batchVectors),
		sums:    &sums{lo: g.alloc(), hi: g.y, empty: true},
		x:       g.alloc(),
	}
	if g.enc == evex {
		b.temps = g.allocs(4)
		b.resident = g.allocs(11)
	} else {
		b.temps = g.allocs(2)
		b.key = g.alloc()
	}
	return b
}

// release gives the registers back.
func (b *batch) release() {
	b.free(b.states...)
	b.free(b.sums.lo, b.x)
	b.free(b.temps...)
	if b.enc == evex {
		b.free(b.resident...)
	} else {
		b.free(b.key)
	}
}

// start fills the registers that last through the loop.
func (b *batch) start() {
	if b.enc == evex {
		b.broadcast(b.resident[0], b.key0)
		for i := 1; i <= 10; i++ {
			b.broadcast(b.resident[i], b.sharedKey(i))
		}
	}
	if b.record {
		b.countingMasks()
	}
}

// run encrypts or decrypts one batch, with the steps of hashing spread over its rounds.
func (b *batch) run(hash []func()) {
	switch {
	case b.record:
		b.countFromBase(b.states, batchVectors*b.lanes(), true, [2]vec{b.x, b.temps[0]})
	case b.enc == evex:
		b.count(b.states, b.resident[0], true)
	default:
		b.count(b.states, b.temps[0], false)
	}
	b.extraRounds(b.states, b.temps[0])
	interleave(b.sharedRounds(), hash)
	b.lastRound()
	b.advance(b.batchBytes())
}

// sharedRounds returns the instructions of the nine rounds that all key sizes have, before the last.
func (b *batch) sharedRounds() []func() {
	var steps []func()
	for i := 1; i <= 9; i++ {
		key := b.key
		if b.enc == evex {
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
	if b.enc == evex {
		key = b.resident[10]
	} else {
		b.broadcast(key, b.sharedKey(10))
	}
	temps := []vec{b.temps[0], b.temps[1]}
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
