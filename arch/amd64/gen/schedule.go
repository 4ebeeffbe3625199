package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"lamina/arch/keys"
)

// The key schedule (FIPS 197, section 5.2).
//
// SubWord is taken from AESENCLAST: when all four columns of a state are equal, ShiftRows does nothing, and
// what is left is SubBytes and the addition of the round key, for which the round constant stands. A byte
// shuffle beforehand copies the word to all columns and rotates it. This takes 4 cycles where AESKEYGENASSIST
// takes about 12, and no time depends on the key.
//
// The words of a new round key are then the running sums of those of an older one, each plus the substituted
// word. The running sums are done while the word is substituted. Rounds are loops: the words wait for each
// other, so their control is free.

// position says which round key of its schedule a round key is.
type position int

const (
	firstKey position = iota
	innerKey
	lastKey
)

// scheduler expands keys.
type scheduler struct {
	emitter
	// each is called with every round key in its order and where it belongs, and emits what is to be done
	// with it. It must not change the register.
	each func(at Mem, p position, key vec)

	rotateWord Mem // copies the last word, rotated, to all columns
	rotateHigh Mem // the same for the second word
	copyWord   Mem // the same for the last word as it is
	constants  Mem // round constants, one in each column

	to, constant reg.GPVirtual // where the next round key belongs, and the next round constant
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

// expand expands the key at key, of n bytes, into k.
func (s scheduler) expand(k schedule, key, n reg.GPVirtual) {
	s.to, s.constant = GP64(), GP64()
	LEAQ(k.roundKey(1), s.to)
	LEAQ(s.constants, s.constant)
	a, b, t, w := s.alloc(), s.alloc(), s.alloc(), s.alloc()
	s.zero(t)
	for i := 11; i <= keys.MaxRounds; i++ {
		s.store(k.roundKey(i), t)
	}
	s.load(a, Mem{Base: key})
	s.each(k.roundKey(0), firstKey, a)

	// Six more rounds than words of the key.
	SHRL(Imm(2), n.As32())
	ADDL(Imm(6), n.As32())
	MOVL(n.As32(), k.rounds)
	CMPL(n.As32(), Imm(12))
	JEQ(LabelRef("schedule192"))
	JA(LabelRef("schedule256"))
	s.expand128(a, t, w)
	JMP(LabelRef("scheduled"))
	Label("schedule192")
	s.loadLow(b, Mem{Base: key}.Offset(16))
	s.expand192(a, b, t, w)
	JMP(LabelRef("scheduled"))
	Label("schedule256")
	s.load(b, Mem{Base: key}.Offset(16))
	s.expand256(a, b, t, w)
	Label("scheduled")
	s.free(a, b, t, w)
}

// loop repeats body, which makes so many round keys of so many constants.
func (s scheduler) loop(label string, times, roundKeys, constants int, body func()) {
	n := GP32()
	MOVL(U32(uint32(times)), n)
	Label(label)
	body()
	ADDQ(Imm(uint64(16*roundKeys)), s.to)
	ADDQ(Imm(uint64(16*constants)), s.constant)
	DECL(n)
	JNE(LabelRef(label))
}

// next adds the substituted word to the running sums of a, which makes the next four words. The word is that
// of src which control picks, with round constant i added. It clobbers t and w.
func (s scheduler) next(a, src vec, control Mem, i int, t, w vec) {
	s.shuffleBytes(w, src, control)
	s.aesenclastMem(w, Mem{Base: s.constant}.Offset(16*i))
	s.runningSums(a, t)
	s.xor(a, a, w)
}

// runningSums adds to each word of a those below it. It clobbers t.
func (s scheduler) runningSums(a, t vec) {
	s.shlBytes(t, a, 4)
	s.xor(a, a, t)
	s.shlBytes(t, a, 8)
	s.xor(a, a, t)
}

func (s scheduler) expand128(a, t, w vec) {
	round := func(p position) {
		s.next(a, a, s.rotateWord, 0, t, w)
		s.each(Mem{Base: s.to}, p, a)
	}
	s.loop("rounds128", 9, 1, 1, func() { round(innerKey) })
	round(lastKey)
}

// expand192 has six words, four in a and two in b. Making twelve more gives three round keys:
//
//	b0 b1 a0 a1 | a2 a3 b0 b1 | a0 a1 a2 a3
func (s scheduler) expand192(a, b, t, w vec) {
	nextTwo := func() {
		s.shlBytes(t, b, 4)
		s.xor(b, b, t)
		s.shuffle32(t, a, 0xff)
		s.xor(b, b, t)
	}
	rounds := func(p position) {
		to := Mem{Base: s.to}
		s.next(a, b, s.rotateHigh, 0, t, w)
		s.lowHalves(w, b, a)
		s.each(to, innerKey, w)
		nextTwo()
		s.middleHalves(w, a, b)
		s.each(to.Offset(16), innerKey, w)
		s.next(a, b, s.rotateHigh, 1, t, w)
		s.each(to.Offset(32), p, a)
	}
	s.loop("rounds192", 3, 3, 2, func() {
		rounds(innerKey)
		nextTwo()
	})
	rounds(lastKey)
}

// expand256 substitutes every other word without rotation and constant.
func (s scheduler) expand256(a, b, t, w vec) {
	zero := s.alloc()
	s.zero(zero)
	to := Mem{Base: s.to}
	s.each(to, innerKey, b)
	even := func(p position) {
		s.next(a, b, s.rotateWord, 0, t, w)
		s.each(to.Offset(16), p, a)
	}
	s.loop("rounds256", 6, 2, 1, func() {
		even(innerKey)
		s.shuffleBytes(w, a, s.copyWord)
		s.aesenclast(w, zero)
		s.runningSums(b, t)
		s.xor(b, b, w)
		s.each(to.Offset(32), innerKey, b)
	})
	even(lastKey)
	s.free(zero)
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
		s.each = func(at Mem, _ position, key vec) { s.store(at, key) }
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
