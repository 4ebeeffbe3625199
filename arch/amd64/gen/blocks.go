package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// direction is a direction of the block cipher.
type direction struct {
	name      string // of the assembly functions, without suffix
	signature string
	schedule  string // the parameter that holds the schedule
	doc       string
	round     func(e emitter, state, key vec)
	last      func(e emitter, state, key vec)
}

var directions = []direction{
	{
		name: "EncryptBlocks", signature: "func(k *Enc, dst, src *byte, blocks int)", schedule: "k",
		doc:   "encrypts blocks of 16 bytes from src to dst, which are the same or do not overlap.",
		round: emitter.aesenc, last: emitter.aesenclast,
	},
	{
		name: "DecryptBlocks", signature: "func(d *Dec, dst, src *byte, blocks int)", schedule: "d",
		doc:   "decrypts blocks of 16 bytes from src to dst, which are the same or do not overlap.",
		round: emitter.aesdec, last: emitter.aesdeclast,
	},
}

// blockLoop holds the registers of direction.blocks.
//
//	dst, src   the next bytes
//	n          bytes that are left
//	lastKey    address of the last round key
//	first      offset of the second round key from it
//	outer      the first and the last round key, in every lane
//	key        any other round key
//	state      eight vectors of blocks
type blockLoop struct {
	direction
	emitter
	dst, src, n, lastKey, first reg.GPVirtual
	outer                       [2]vec
	key                         vec
	state                       []vec
}

// blocks generates a function that does any number of blocks: eight vectors at a time, which is what it takes to
// hide the latency of a round, then four, two and one, then what is less than a vector. The last is done with
// shorter vectors and not under a mask, because a masked store is slow to be read back, and callers soon read.
//
// The rounds are a loop too. A round of eight vectors takes at least four cycles, in which its control is free.
// A single block has a straight path of its own, where everything waits for the state.
func (c direction) blocks(e emitter) {
	function(c.name+e.suffix, c.signature, c.name+e.suffix+" "+c.doc)
	ks := scheduleOf(Dereference(Param(c.schedule)))
	b := blockLoop{
		direction: c, emitter: e,
		dst: param("dst"), src: param("src"), n: param("blocks"), lastKey: GP64(), first: GP64(),
		outer: [2]vec{e.alloc(), e.alloc()}, key: e.alloc(), state: e.allocs(8),
	}
	MOVL(ks.rounds, b.first.As32())
	CMPQ(b.n, Imm(1))
	JEQ(LabelRef("single"))

	SHLQ(Imm(4), b.first)
	LEAQ(ks.keys.Idx(b.first, 1), b.lastKey)
	NEGQ(b.first)
	ADDQ(Imm(16), b.first)
	SHLQ(Imm(4), b.n)
	e.broadcast(b.outer[0], ks.keys)
	e.broadcast(b.outer[1], Mem{Base: b.lastKey})

	b.eights()
	for _, count := range []int{4, 2, 1} {
		b.once(count)
	}
	if e.width == 64 {
		half := b
		half.emitter = e.at(32)
		half.once(1)
	}
	if e.width > 16 {
		TESTQ(b.n, b.n)
		JEQ(LabelRef("done"))
		MOVL(ks.rounds, b.first.As32())
		b.single(ks, "single")
		Label("done")
		e.ret()
		return
	}
	e.ret()
	b.single(ks, "single")
	e.ret()
}

// eights does eight vectors at a time, while there are as many.
func (b blockLoop) eights() {
	Label("eights")
	CMPQ(b.n, U32(uint32(8*b.width)))
	JLT(LabelRef("fewer"))
	b.step(8, "eightsround")
	JMP(LabelRef("eights"))
	Label("fewer")
}

// once does count vectors, if there are as many.
func (b blockLoop) once(count int) {
	name := fmt.Sprintf("bytes%d", count*b.width)
	CMPQ(b.n, U32(uint32(count*b.width)))
	JLT(LabelRef(name + "done"))
	b.step(count, name+"round")
	Label(name + "done")
}

// step does count vectors. The rounds are a loop at label.
func (b blockLoop) step(count int, label string) {
	s, size := b.state[:count], U32(uint32(count*b.width))
	for i := range s {
		b.xorLoad(s[i], b.outer[0], Mem{Base: b.src}.Offset(i*b.width))
	}
	i := GP64()
	MOVQ(b.first, i)
	Label(label)
	b.broadcast(b.key, Mem{Base: b.lastKey}.Idx(i, 1))
	for _, v := range s {
		b.round(b.emitter, v, b.key)
	}
	ADDQ(Imm(16), i)
	// Not "until zero": the rounds of a key that was never set, of which there are none, must end as well.
	JLT(LabelRef(label))
	for i, v := range s {
		b.last(b.emitter, v, b.outer[1])
		b.store(Mem{Base: b.dst}.Offset(i*b.width), v)
	}
	ADDQ(size, b.src)
	ADDQ(size, b.dst)
	SUBQ(size, b.n)
}

// single does one block. Its number of rounds is in b.first.
func (b blockLoop) single(ks schedule, label string) {
	e := b.narrow()
	s := b.state[0]
	Label(label)
	e.load(s, ks.keys)
	e.load(b.key, Mem{Base: b.src})
	e.xor(s, s, b.key)
	for i := 1; i <= 14; i++ {
		if i == 10 || i == 12 {
			CMPL(b.first.As32(), Imm(uint64(i)))
			JLE(LabelRef(fmt.Sprintf("last%d", i)))
		}
		if i < 14 {
			e.load(b.key, ks.roundKey(i))
			b.round(e, s, b.key)
		}
	}
	for _, i := range []int{14, 12, 10} {
		if i != 14 {
			Label(fmt.Sprintf("last%d", i))
		}
		e.load(b.key, ks.roundKey(i))
		b.last(e, s, b.key)
		e.store(Mem{Base: b.dst}, s)
		if i != 10 {
			b.ret()
		}
	}
}
