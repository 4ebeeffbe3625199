package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// cbc generates CBC, CBC-MAC and CCM. Decryption works on many blocks at once and comes in all forms. In the
// other modes every block waits for the one before it, so that wider vectors have nothing to do.
func cbc() {
	for _, v := range variants {
		cbcDecrypt(newEmitter(v))
	}
	for _, v := range variants {
		if v.width == 16 {
			cbcEncrypt(newEmitter(v))
			cbcMAC(newEmitter(v))
			ccm(newEmitter(v))
		}
	}
}

// cbcLoop holds the registers of CBC decryption.
//
//	dst, src   the next bytes
//	n          bytes that are left
//	lastKey    address of the last round key
//	first      offset of the second round key from it
//	outer      the first and the last round key, in every lane
//	key        any other round key, and the last one with a vector of ciphertext added
//	chain      the block of ciphertext before the next bytes, in every lane
//	head       what the last round of the first vector adds
//	state      eight vectors of blocks
type cbcLoop struct {
	emitter
	dst, src, n, lastKey, first reg.GPVirtual
	outer                       [2]vec
	key, chain, head            vec
	state                       []vec
}

// cbcDecrypt generates CBC decryption, with the loops of direction.blocks.
//
// What is added after the last round, the ciphertext one block earlier, is added to the last round key
// instead, outside of the chain of rounds. It is read again from src, one block before the vector's place. In
// place the vectors before it would be overwritten by then; so vectors are finished from the last to the
// first, and the first, whose block before lies in the batch before, gets that from a register.
func cbcDecrypt(e emitter) {
	name := "CBCDecrypt" + e.suffix
	function(name, "func(d *Dec, iv *[16]byte, dst, src *byte, n int)",
		name+" decrypts n bytes of src, whole blocks, to dst, which are the same or do not overlap, and advances iv.")
	ks := scheduleOf(Dereference(Param("d")))
	iv := param("iv")
	b := cbcLoop{
		emitter: e,
		dst:     param("dst"), src: param("src"), n: param("n"), lastKey: GP64(), first: GP64(),
		outer: [2]vec{e.alloc(), e.alloc()}, key: e.alloc(), chain: e.alloc(), head: e.alloc(), state: e.allocs(8),
	}
	MOVL(ks.rounds, b.first.As32())
	SHLQ(Imm(4), b.first)
	LEAQ(ks.keys.Idx(b.first, 1), b.lastKey)
	NEGQ(b.first)
	ADDQ(Imm(16), b.first)
	e.broadcast(b.outer[0], ks.keys)
	e.broadcast(b.outer[1], Mem{Base: b.lastKey})
	e.broadcast(b.chain, Mem{Base: iv})

	Label("eights")
	CMPQ(b.n, U32(uint32(8*b.width)))
	JLT(LabelRef("fewer"))
	b.step(8)
	JMP(LabelRef("eights"))
	Label("fewer")
	for _, count := range []int{4, 2, 1} {
		b.once(count)
	}
	for width := e.width / 2; width >= 16; width /= 2 {
		part := b
		part.emitter = e.at(width)
		part.once(1)
	}
	e.narrow().store(Mem{Base: iv}, b.chain)
	e.ret()
}

// once does count vectors, if there are as many.
func (b cbcLoop) once(count int) {
	done := fmt.Sprintf("bytes%ddone", count*b.width)
	CMPQ(b.n, U32(uint32(count*b.width)))
	JLT(LabelRef(done))
	b.step(count)
	Label(done)
}

// step does count vectors.
func (b cbcLoop) step(count int) {
	s, size := b.state[:count], count*b.width
	for i := range s {
		b.xorLoad(s[i], b.outer[0], Mem{Base: b.src}.Offset(i*b.width))
	}
	b.behindChain(b.head, Mem{Base: b.src})
	b.xor(b.head, b.head, b.outer[1])
	b.wide().broadcast(b.chain, Mem{Base: b.src}.Offset(size-16))

	i, round := GP64(), fmt.Sprintf("bytes%dround", size)
	MOVQ(b.first, i)
	Label(round)
	b.broadcast(b.key, Mem{Base: b.lastKey}.Idx(i, 1))
	for _, v := range s {
		b.aesdec(v, b.key)
	}
	ADDQ(Imm(16), i)
	// Not "until zero": the rounds of a key that was never set, of which there are none, must end as well.
	JLT(LabelRef(round))
	for i := count - 1; i >= 0; i-- {
		key := b.head
		if i > 0 {
			key = b.key
			b.xorLoad(key, b.outer[1], Mem{Base: b.src}.Offset(i*b.width-16))
		}
		b.aesdeclast(s[i], key)
		b.store(Mem{Base: b.dst}.Offset(i*b.width), s[i])
	}
	ADDQ(U32(uint32(size)), b.src)
	ADDQ(U32(uint32(size)), b.dst)
	SUBQ(U32(uint32(size)), b.n)
}

// wide is the emitter of the widest vectors of the function.
func (b cbcLoop) wide() emitter { return b.at(b.variant.width) }

// behindChain sets dst to the vector at m moved up by a lane, and chain in the lane that becomes free.
func (b cbcLoop) behindChain(dst vec, m Mem) {
	switch {
	case b.width == 16:
		b.move(dst, b.chain)
	case b.enc == vex:
		VINSERTI128(Imm(1), m, b.r(b.chain), b.r(dst))
	default:
		b.load(dst, m)
		VALIGNQ(Imm(uint64(2*b.lanes()-2)), b.r(b.chain), b.r(dst), b.r(dst))
	}
}

// serial holds the registers of the modes in which blocks wait for each other.
//
// Their time is the latency of a block's rounds, and these templates have nothing else in the chain from
// block to block. The addition of the next text and of the first round key is drawn into the last round: with
// what this round makes of the state before it adds its key written L, the next state is
//
//	L + lastKey + text + firstKey = AESENCLAST(state, text + both),  both = firstKey + lastKey
//
// and the ciphertext, which the chain does not need, is that + text + both + lastKey. Loads, of the later
// round keys too, are ready long before the chain comes to them.
type serial struct {
	emitter
	ks         schedule
	rounds     reg.GPVirtual
	inner      []vec // round keys 1 to 9; the others are loaded where they are used
	both, last vec   // the first and the last round key added, and the last one
	state, t   vec   // the chain's block; and what is added to it
	src, n     reg.GPVirtual
	label      *labels
}

// fixedRounds is how many rounds keys of every size have before the last.
const fixedRounds = 9

func newSerial(e emitter, ks schedule) serial {
	s := serial{
		emitter: e, ks: ks, rounds: GP64(), src: param("src"), n: param("n"), label: new(labels),
		inner: e.allocs(fixedRounds), both: e.alloc(), last: e.alloc(), state: e.alloc(), t: e.alloc(),
	}
	MOVL(ks.rounds, s.rounds.As32())
	offset := GP64()
	MOVQ(s.rounds, offset)
	SHLQ(Imm(4), offset)
	e.load(s.last, ks.keys.Idx(offset, 1))
	e.load(s.both, ks.keys)
	for i, key := range s.inner {
		e.load(key, ks.roundKey(i+1))
	}
	return s
}

// begin sets state to the block at chain, the first text and the first round key, which is in both, and
// completes both.
func (s serial) begin(chain reg.GPVirtual, text vec) {
	s.load(s.state, Mem{Base: chain})
	s.xor(s.state, s.state, s.both)
	s.xor(s.state, s.state, text)
	s.xor(s.both, s.both, s.last)
}

// encryptRounds does all rounds but the last on the given blocks. It clobbers t.
func (s serial) encryptRounds(blocks ...vec) {
	each := func(key vec) {
		for _, b := range blocks {
			s.aesenc(b, key)
		}
	}
	for _, key := range s.inner {
		each(key)
	}
	done := s.label.new("rounds")
	for i := fixedRounds + 1; i <= 13; i++ {
		if i%2 == 0 {
			CMPL(s.rounds.As32(), Imm(uint64(i)))
			JLE(LabelRef(done))
		}
		s.load(s.t, s.ks.roundKey(i))
		each(s.t)
	}
	Label(done)
}

// chainNext does the last round, with the text in t drawn in. What it leaves in t is the same as in both.
func (s serial) chainNext() {
	s.xor(s.t, s.t, s.both)
	s.aesenclast(s.state, s.t)
}

// cbcEncrypt generates CBC encryption.
func cbcEncrypt(e emitter) {
	name := "CBCEncrypt" + e.suffix
	function(name, "func(k *Enc, iv *[16]byte, dst, src *byte, n int)",
		name+" encrypts n bytes of src, whole blocks, to dst, which are the same or do not overlap, and advances iv.")
	ks := scheduleOf(Dereference(Param("k")))
	iv, dst := param("iv"), param("dst")
	s := newSerial(e, ks)
	SUBQ(Imm(16), s.n)
	JLT(LabelRef("done"))
	s.load(s.t, Mem{Base: s.src})
	s.begin(iv, s.t)
	JMP(LabelRef("enter"))

	Label("block")
	s.load(s.t, Mem{Base: s.src}.Offset(16))
	s.chainNext()
	s.xor(s.t, s.t, s.last)
	s.xor(s.t, s.t, s.state)
	s.store(Mem{Base: dst}, s.t)
	ADDQ(Imm(16), s.src)
	ADDQ(Imm(16), dst)
	Label("enter")
	s.encryptRounds(s.state)
	SUBQ(Imm(16), s.n)
	JGE(LabelRef("block"))

	s.aesenclast(s.state, s.last)
	s.store(Mem{Base: dst}, s.state)
	s.store(Mem{Base: iv}, s.state)
	Label("done")
	s.ret()
}

// cbcMAC generates CBC-MAC without its padding.
func cbcMAC(e emitter) {
	name := "CBCMAC" + e.suffix
	function(name, "func(k *Enc, acc *[16]byte, src *byte, n int)",
		name+" adds each of the blocks in n bytes of src to acc and encrypts it.")
	ks := scheduleOf(Dereference(Param("k")))
	acc := param("acc")
	s := newSerial(e, ks)
	SUBQ(Imm(16), s.n)
	JLT(LabelRef("done"))
	s.load(s.t, Mem{Base: s.src})
	s.begin(acc, s.t)
	JMP(LabelRef("enter"))

	Label("block")
	ADDQ(Imm(16), s.src)
	s.load(s.t, Mem{Base: s.src})
	s.chainNext()
	Label("enter")
	s.encryptRounds(s.state)
	SUBQ(Imm(16), s.n)
	JGE(LabelRef("block"))

	s.aesenclast(s.state, s.last)
	s.store(Mem{Base: acc}, s.state)
	Label("done")
	s.ret()
}
