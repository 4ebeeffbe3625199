package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"lamina/arch/keys"
)

// The key schedule (FIPS 197, section 5.2).
//
// SubWord is taken from AESENCLAST: when all four columns of a state are equal, ShiftRows does nothing, and what is left is
// SubBytes and the addition of the round key, for which the round constant stands. A byte shuffle beforehand
// copies the word to all columns and rotates it. This takes 4 cycles where AESKEYGENASSIST takes about 12, and no
// time depends on the key.
//
// The words of a new round key are then the running sums of those of an older one, each plus the substituted word. The
// running sums are done while the word is substituted.

// scheduler expands keys.
type scheduler struct {
	emitter
	// each is called with every round key in its order and emits what is to be done with it. It must not change the
	// register.
	each func(i int, last bool, key vec)

	rotateWord Mem // copies the last word, rotated, to all columns
	rotateHigh Mem // the same for the second word
	copyWord   Mem // the same for the last word as it is
	constants  Mem // round constants, one in each column
}

// roundConstants is how many the longest schedule needs, that of AES-128.
const roundConstants = 10

func newScheduler() scheduler {
	s := scheduler{
		rotateWord: constant("rotateWord", 0x0c0f0e0d0c0f0e0d, 0x0c0f0e0d0c0f0e0d),
		rotateHigh: constant("rotateHigh", 0x0407060504070605, 0x0407060504070605),
		copyWord:   constant("copyWord", 0x0f0e0d0c0f0e0d0c, 0x0f0e0d0c0f0e0d0c),
		constants:  GLOBL("roundConstants", readOnly),
	}
	c := uint32(1)
	for i := range roundConstants * 4 {
		DATA(4*i, U32(c))
		if i%4 == 3 {
			c = c<<1 ^ c>>7*0x11b
		}
	}
	return s
}

// expand expands the key at key, of n bytes, into k. It clobbers the register n.
func (s scheduler) expand(k schedule, key, n reg.GPVirtual) {
	k192, k256, done := s.suffix+"_192", s.suffix+"_256", s.suffix+"_expanded"
	CMPQ(n, Imm(24))
	JEQ(LabelRef(k192))
	JA(LabelRef(k256))
	for _, size := range []struct {
		label  string
		bytes  int
		expand func(key Mem)
	}{{"", 16, s.expand128}, {k192, 24, s.expand192}, {k256, 32, s.expand256}} {
		if size.label != "" {
			Label(size.label)
		}
		rounds := size.bytes/4 + 6
		s.clearEnd(k, rounds)
		MOVL(U32(uint32(rounds)), k.rounds)
		size.expand(Mem{Base: key})
		if size.bytes != 32 {
			JMP(LabelRef(done))
		}
	}
	Label(done)
}

// clearEnd zeroes what a schedule of so many rounds does not use.
func (s scheduler) clearEnd(k schedule, rounds int) {
	if rounds == keys.MaxRounds {
		return
	}
	z := s.alloc()
	s.zero(z)
	for i := rounds + 1; i <= keys.MaxRounds; i++ {
		s.store(k.roundKey(i), z)
	}
	s.free(z)
}

// substitute sets dst to the words of src picked by control, substituted, plus round constant i; or without one if i is
// negative, when zero holds zero.
func (s scheduler) substitute(dst, src vec, control Mem, i int, zero vec) {
	s.shuffleBytes(dst, src, control)
	if i < 0 {
		s.aesenclast(dst, zero)
		return
	}
	s.aesenclastMem(dst, s.constants.Offset(16*i))
}

// runningSums adds to each word of a those below it. It clobbers t.
func (s scheduler) runningSums(a, t vec) {
	s.shlBytes(t, a, 4)
	s.xor(a, a, t)
	s.shlBytes(t, a, 8)
	s.xor(a, a, t)
}

func (s scheduler) expand128(key Mem) {
	a, t, w := s.alloc(), s.alloc(), s.alloc()
	s.load(a, key)
	s.each(0, false, a)
	for i := range 10 {
		s.substitute(w, a, s.rotateWord, i, 0)
		s.runningSums(a, t)
		s.xor(a, a, w)
		s.each(i+1, i+1 == 10, a)
	}
	s.free(a, t, w)
}

func (s scheduler) expand256(key Mem) {
	a, b, t, w, zero := s.alloc(), s.alloc(), s.alloc(), s.alloc(), s.alloc()
	s.zero(zero)
	s.load(a, key)
	s.each(0, false, a)
	s.load(b, key.Offset(16))
	s.each(1, false, b)
	for i := range 13 {
		if i%2 == 0 {
			s.substitute(w, b, s.rotateWord, i/2, zero)
		} else {
			s.substitute(w, b, s.copyWord, -1, zero)
		}
		s.runningSums(a, t)
		s.xor(a, a, w)
		s.each(i+2, i+2 == 14, a)
		a, b = b, a
	}
	s.free(a, b, t, w, zero)
}

// expand192 makes six words at a time, four in a and two in b. Two such steps are three round keys:
//
//	a0 a1 a2 a3 | b0 b1 a0' a1' | a2' a3' b0' b1'
func (s scheduler) expand192(key Mem) {
	a, b, t, w := s.alloc(), s.alloc(), s.alloc(), s.alloc()
	s.load(a, key)
	s.loadLow(b, key.Offset(16))
	s.each(0, false, a)
	for i := range 8 {
		even := i%2 == 0
		s.substitute(w, b, s.rotateHigh, i, 0)
		s.runningSums(a, t)
		s.xor(a, a, w)
		if even {
			s.lowHalves(w, b, a)
			s.each(i/2*3+1, false, w)
		} else {
			s.each(i/2*3+3, i == 7, a)
		}
		if i == 7 {
			break
		}
		s.shlBytes(t, b, 4)
		s.xor(b, b, t)
		s.shuffle32(t, a, 0xff)
		s.xor(b, b, t)
		if even {
			s.middleHalves(w, a, b)
			s.each(i/2*3+2, false, w)
		}
	}
	s.free(a, b, t, w)
}

// schedule is where a key schedule lies in memory.
type schedule struct {
	keys   Mem
	rounds Mem
}

// roundKey is the address of round key i.
func (k schedule) roundKey(i int) Mem { return k.keys.Offset(16 * i) }

func expandKeys(s scheduler) {
	for _, v := range variants[:2] {
		function("ExpandKey"+v.suffix, "func(k *Enc, key *byte, n int)",
			"ExpandKey"+v.suffix+" fills k from the key of n bytes: 16, 24 or 32.")
		k := scheduleOf(Dereference(Param("k")))
		s.emitter = newEmitter(v)
		s.each = func(i int, _ bool, key vec) { s.store(k.roundKey(i), key) }
		s.expand(k, param("key"), param("n"))
		s.ret()
	}
}

// invertKeys generates the inverse schedule: InvMixColumns of all round keys but the outer two, last one first.
func invertKeys() {
	for _, v := range variants[:2] {
		function("InvertKey"+v.suffix, "func(d *Dec, k *Enc)",
			"InvertKey"+v.suffix+" fills d with the inverse of k.")
		d := scheduleOf(Dereference(Param("d")))
		k := scheduleOf(Dereference(Param("k")))
		e := newEmitter(v)
		t := e.alloc()
		e.zero(t)
		for i := 11; i <= keys.MaxRounds; i++ {
			e.store(d.roundKey(i), t)
		}
		n, from, to := GP64(), GP64(), GP64()
		MOVL(k.rounds, n.As32())
		MOVL(n.As32(), d.rounds)
		SHLQ(Imm(4), n)
		LEAQ(d.keys, to)
		LEAQ(k.keys.Idx(n, 1), from)
		e.load(t, Mem{Base: from})
		e.store(Mem{Base: to}, t)
		loop := v.suffix + "_round"
		Label(loop)
		SUBQ(Imm(16), from)
		ADDQ(Imm(16), to)
		e.load(t, Mem{Base: from})
		e.aesimc(t, t)
		e.store(Mem{Base: to}, t)
		SUBQ(Imm(16), n)
		CMPQ(n, Imm(16))
		JGT(LabelRef(loop))
		e.load(t, Mem{Base: from}.Offset(-16))
		e.store(Mem{Base: to}.Offset(16), t)
		e.ret()
	}
}
