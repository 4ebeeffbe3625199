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
//	x, temps  ciphertext; powers and products  5
//
// and ctr, which with 16 registers makes 16.
type batch struct {
	*gcmFunc
	states   []vec
	base     vec
	key      vec
	resident []vec // round key 0 and the shared ones 1 to 10
	sums     *sums // takes over y: hi holds the hash between batches
	x        vec
	temps    []vec

	counter reg.GPVirtual // the number of the next batch's base, with 32 registers
}

// batches runs the main loop over whole batches of the text, if there are enough. What it has hashed is hashed in lanes. When
// opening, it leaves at least a step, whose hash ends that. When sealing, each batch hashes the one before it, so it
// leaves the last to be hashed.
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
	b.leave()
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
	if g.record {
		b.base = g.alloc()
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
	if b.record {
		b.free(b.base)
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
		b.shuffleBytes(b.base, b.ctr, b.reverse)
		b.addKey0(b.base)
		b.startCounter()
	}
}

// run encrypts or decrypts one batch, with the steps of hashing spread over its rounds.
func (b *batch) run(hash []func()) {
	if b.record {
		b.countFromBase()
	} else {
		b.count()
	}
	b.extraRounds(b.states, b.temps[0])
	interleave(b.sharedRounds(), hash)
	b.lastRound()
	b.advance(b.batchBytes())
}

// addKey0 adds round key 0 to state.
func (b *batch) addKey0(state vec) {
	if b.enc == evex {
		b.xor(state, state, b.resident[0])
		return
	}
	b.broadcast(b.temps[0], b.key0)
	b.xor(state, state, b.temps[0])
}

// span is the number of counters in a batch.
func (b *batch) span() int { return batchVectors * b.lanes() }

// Masks of the main loop.
const (
	counterMask = 1 // the word with the counter, in every lane
	upperMask   = 2 // the upper half of a vector, in 64-bit words
)

// startCounter prepares for nextBase. Where there are masks, the base is made outside the vector units, which are busy: a
// counter goes through general registers to its word of every lane.
func (b *batch) startCounter() {
	if b.enc != evex {
		return
	}
	b.counter = GP64()
	XORL(b.counter.As32(), b.counter.As32())
	mask := GP32()
	MOVL(U32(0x8888), mask)
	KMOVW(mask, maskReg(counterMask))
	MOVL(U32(0xf0), mask)
	KMOVW(mask, maskReg(upperMask))
}

// nextBase sets next to the base of the next batch.
func (b *batch) nextBase(next vec) {
	if b.enc != evex {
		b.add32(b.ctr, b.ctr, b.counts[b.span()])
		b.shuffleBytes(next, b.ctr, b.reverse)
		b.addKey0(next)
		return
	}
	word := GP32()
	ADDL(Imm(uint64(b.span())), b.counter.As32())
	MOVL(b.counter.As32(), word)
	BSWAPL(word)
	XORL(b.key0.Offset(12), word)
	b.move(next, b.base)
	VPBROADCASTD(word, maskReg(counterMask), b.r(next))
}

// leave sets ctr to the base of what follows.
func (b *batch) leave() {
	if b.record && b.enc == evex {
		mask := GP32()
		MOVL(U32(0x1111), mask)
		KMOVW(mask, maskReg(counterMask))
		VPBROADCASTD(b.counter.As32(), maskReg(counterMask), b.r(b.ctr))
	}
}

// countFromBase makes the counter blocks of a batch from its base and the next one, and moves on to that.
func (b *batch) countFromBase() {
	next := b.x
	b.nextBase(next)
	for i, state := range b.states {
		first := 2 + i*b.lanes()
		switch {
		case first+b.lanes() <= b.span():
			b.xorOp(state, b.base, b.index.Offset(16*first))
		case first >= b.span():
			b.xorOp(state, next, b.index.Offset(16*(first-b.span())))
		default: // half of the lanes each
			VPBLENDMQ(b.r(next), b.r(b.base), maskReg(upperMask), b.r(state))
			b.xorOp(state, state, b.index.Offset(16*first))
		}
	}
	b.move(b.base, next)
}

// count makes the counter blocks of a batch from any counter, and moves on.
func (b *batch) count() {
	if b.enc != evex {
		b.broadcast(b.temps[0], b.key0)
	}
	for _, state := range b.states {
		b.shuffleBytes(state, b.ctr, b.reverse)
		b.add32(b.ctr, b.ctr, b.counts[b.lanes()])
		if b.enc == evex {
			b.xor(state, state, b.resident[0])
		} else {
			b.xor(state, state, b.temps[0])
		}
	}
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
