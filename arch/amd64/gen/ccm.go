package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// ccmLoop holds the registers of CCM: those of CBC-MAC, and those of counter mode, whose rounds fill the
// pauses that the chain leaves.
//
//	counter   the next counter block, as two little-endian words, the one that counts above the other
//	stream    a block of key stream in the making
//	first     the first round key
type ccmLoop struct {
	serial
	dst, mac, ctr          reg.GPVirtual
	counter, stream, first vec
	swap, one              Mem
}

// ccm generates CCM, both ways.
func ccm(e emitter) {
	swap := constant("swapWords"+e.suffix, 0x0001020304050607, 0x08090a0b0c0d0e0f)
	one := constant("oneAbove"+e.suffix, 0, 1)
	for _, c := range []struct {
		name, verb string
		generate   func(c ccmLoop)
	}{
		{"CCMEncrypt", "encrypts", ccmLoop.encrypt},
		{"CCMDecrypt", "decrypts", ccmLoop.decrypt},
	} {
		name := c.name + e.suffix
		function(name, "func(k *Enc, mac, ctr *[16]byte, dst, src *byte, n int)",
			name+" "+c.verb+" n bytes of src, whole blocks, to dst, by counter mode, and adds the plaintext to the CBC-MAC.")
		f := newEmitter(e.variant)
		ks := scheduleOf(Dereference(Param("k")))
		l := ccmLoop{
			dst: param("dst"), mac: param("mac"), ctr: param("ctr"),
			serial:  newSerial(f, ks),
			counter: f.alloc(), stream: f.alloc(), first: f.alloc(),
			swap: swap, one: one,
		}
		SUBQ(Imm(16), l.n)
		JLT(LabelRef("done"))
		l.load(l.t, Mem{Base: l.ctr})
		l.shuffleBytes(l.counter, l.t, l.swap)
		l.move(l.first, l.both)
		c.generate(l)

		l.aesenclast(l.state, l.last)
		l.store(Mem{Base: l.mac}, l.state)
		l.shuffleBytes(l.counter, l.counter, l.swap)
		l.store(Mem{Base: l.ctr}, l.counter)
		Label("done")
		l.ret()
	}
}

// encrypt does the rounds of a block's key stream beside those of its MAC. It leaves the MAC's last round.
func (l ccmLoop) encrypt() {
	l.load(l.t, Mem{Base: l.src})
	l.begin(l.mac, l.t)
	JMP(LabelRef("enter"))

	Label("block")
	l.load(l.t, Mem{Base: l.src})
	l.chainNext()
	Label("enter")
	l.nextCounter()
	l.encryptRounds(l.state, l.stream)
	l.finishStream()
	SUBQ(Imm(16), l.n)
	JGE(LabelRef("block"))
}

// decrypt does the rounds of a block's MAC beside those of the next block's key stream. It leaves the MAC's
// last round.
func (l ccmLoop) decrypt() {
	l.nextCounter()
	l.encryptRounds(l.stream)
	l.finishStream()
	l.begin(l.mac, l.stream)
	SUBQ(Imm(16), l.n)
	JLT(LabelRef("last"))

	Label("block")
	l.nextCounter()
	l.encryptRounds(l.state, l.stream)
	l.finishStream()
	l.move(l.t, l.stream)
	l.chainNext()
	SUBQ(Imm(16), l.n)
	JGE(LabelRef("block"))

	Label("last")
	l.encryptRounds(l.state)
}

// nextCounter sets stream to the next counter block with the first round key added.
func (l ccmLoop) nextCounter() {
	l.shuffleBytes(l.stream, l.counter, l.swap)
	l.xor(l.stream, l.stream, l.first)
	l.add64(l.counter, l.counter, l.one)
}

// finishStream does the last round of key stream, with the text drawn in, and writes the result.
func (l ccmLoop) finishStream() {
	l.load(l.t, Mem{Base: l.src})
	l.xor(l.t, l.t, l.last)
	l.aesenclast(l.stream, l.t)
	l.store(Mem{Base: l.dst}, l.stream)
	ADDQ(Imm(16), l.src)
	ADDQ(Imm(16), l.dst)
}
