package main

import (
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"lamina/arch/keys"
)

// AES-GCM (NIST SP 800-38D).
//
// The text is cut into batches of eight vectors, so that eight AES computations are in flight and hide each other's
// latency. While a batch runs through its rounds, eight vectors of ciphertext are hashed between the rounds: the batch itself
// when opening, the batch before when sealing. What is left after the last batch, the tail, takes one step of
// four vectors, if it has that many, and then goes vector by vector in a small loop, whose iterations the CPU overlaps by
// itself. The last vector of a record also carries J0 in its top lane, so that E(J0), which masks the tag, costs nothing.
//
// Hashing in lanes. The blocks of a vector need different powers of H, but only 16 powers are stored and a vector of
// powers fits one distance to the end of the record. So inside the loop each 128-bit lane keeps a hash of its own, as if
// the message were dealt out to the lanes: lane l hashes blocks l, l+L, l+2L, ..., and every lane of vector j of a group of N
// is multiplied by the same power H^(L(N-j)). The accumulators are reduced in place, not folded into one. Only the last
// group before the tail is multiplied by consecutive powers, and then the sum of all lanes is the hash. Both kinds of
// group run the same code: the vectors of equal powers are laid out on the stack once a record, and a pointer chooses.
//
// Counters. With a 12-byte nonce the counters of a batch are 8L consecutive numbers that start at 2 modulo 8L. So they
// differ from the batch's base, a multiple of 8L, in their low bits only, and base XOR a constant XOR round key 0 is one
// instruction where add, byte swap and XOR are three. The last counters of a batch belong to the next base.
//
// Whole-block updates start at any counter and count the ordinary way, 32 bits wide.

// batchVectors is the number of vectors in a batch.
const batchVectors = 8

// stepVectors is the number of vectors in the step before the tail's loop.
const stepVectors = 4

// operation says whether the text is encrypted or decrypted.
type operation int

const (
	seal operation = iota
	open
)

// gcmConsts are the constants of the GCM functions, as memory operands.
type gcmConsts struct {
	hashConsts
	counts        map[int]Mem // numbers to add to the counters of every lane
	laneCounters  Mem         // 0, 1, 2, 3: the counters of a vector's lanes
	firstCounters Mem         // 2, 3, 4, 5: the same for the first data blocks of a record
	index         Mem         // 0, 1, ..., 31, 0, 1 as the last byte of a block
	keep          Mem         // 32 bytes of ones, 32 bytes of zeros: a sliding window keeps the first bytes of a vector
}

func newGCMConsts() gcmConsts {
	c := gcmConsts{hashConsts: newHashConsts(), counts: map[int]Mem{}}
	for _, n := range []int{1, 2, 4, 8, 16, 32} {
		c.counts[n] = constant("countBy"+strconv.Itoa(n), uint64(n), 0)
	}
	c.laneCounters = laneCounters("laneCounters", 0)
	c.firstCounters = laneCounters("firstCounters", 2)
	c.index = GLOBL("blockIndex", readOnly)
	for i := range 34 {
		DATA(16*i, U64(0))
		DATA(16*i+8, U64(uint64(i%32)<<56))
	}
	c.keep = GLOBL("keepBytes", readOnly)
	for i := range 8 {
		ones := uint64(0)
		if i < 4 {
			ones = ^ones
		}
		DATA(8*i, U64(ones))
	}
	return c
}

// laneCounters places the little-endian numbers from, from+1, ... in the lanes of a constant.
func laneCounters(name string, from int) Mem {
	m := GLOBL(name, readOnly)
	for i := range 4 {
		DATA(16*i, U64(uint64(from+i)))
		DATA(16*i+8, U64(0))
	}
	return m
}

// gcm generates the GCM functions of all variants.
func gcm() {
	consts := newGCMConsts()
	for _, v := range variants {
		for _, dir := range []operation{seal, open} {
			gcmRecord(v, consts, dir)
			gcmUpdate(v, consts, dir)
		}
	}
}

// gcmFunc is a GCM function in the making: its emitter, its constants, and the general registers that all parts share.
type gcmFunc struct {
	emitter
	gcmConsts
	dir    operation
	record bool // a whole record with J0, lengths and tag, not an update

	key0     Mem           // the first round key
	lastKeys reg.GPVirtual // address of the tenth round key before the last: the rounds that all key sizes share
	extra    reg.GPVirtual // 16 times the number of further rounds before those: 0, 32 or 64
	powers   Mem           // the highest stored power
	folded   int           // bytes from a power to its folded form

	highPowers  Mem           // powers above the stored ones
	dst, src, n reg.GPVirtual // what is left of the text

	ctr vec // little-endian counter blocks; in batches of a record the base of the next batch, else the next lanes
	y   vec // hash so far

	labels *labels
}

// labels makes names for labels that are unique in a function.
type labels struct{ used int }

func (l *labels) new(name string) string {
	l.used++
	return name + strconv.Itoa(l.used)
}

// newGCMFunc starts a function whose first argument is the key.
func newGCMFunc(v variant, consts gcmConsts, dir operation, record bool) *gcmFunc {
	g := &gcmFunc{emitter: newEmitter(v), gcmConsts: consts, dir: dir, record: record, labels: &labels{}}
	k := Dereference(Param("k"))
	g.key0 = address(k.Field("Enc").Field("RoundKeys").Index(0))
	g.powers = address(k.Field("Hash").Field("Powers").Index(0).Field("Lo"))
	g.folded = address(k.Field("Hash").Field("Folded").Index(0).Field("Lo")).Disp - g.powers.Disp
	g.extra = GP64()
	MOVL(address(k.Field("Enc").Field("Rounds")), g.extra.As32())
	SUBL(Imm(10), g.extra.As32())
	SHLL(Imm(4), g.extra.As32())
	g.lastKeys = GP64()
	LEAQ(g.key0.Idx(g.extra, 1), g.lastKeys)
	if g.hasHighPowers() {
		g.highPowers = AllocLocal(2 * g.width)
	}
	return g
}

func (g *gcmFunc) loadText() {
	g.dst, g.src, g.n = param("dst"), param("src"), param("n")
}

// power is the address of the stored power i.
func (g *gcmFunc) power(i int) Mem { return g.powers.Offset(16 * (keys.NumPowers - i)) }

// sharedKey is the address of round key i of the last ten; key 0 of them precedes the shared rounds.
func (g *gcmFunc) sharedKey(i int) Mem { return Mem{Base: g.lastKeys, Disp: 16 * i} }

func (g *gcmFunc) batchBytes() int { return batchVectors * g.width }

func (g *gcmFunc) stepBytes() int { return stepVectors * g.width }

// batchesFrom is from how many bytes of text on it goes by batches. When sealing, the first batch is encrypted while nothing
// is hashed; with few batches, steps that hash the step before them are better. When opening, a step must follow.
func (g *gcmFunc) batchesFrom() int {
	if g.dir == seal {
		return 3 * g.batchBytes()
	}
	return g.batchBytes() + g.stepBytes()
}

// extraRounds does the rounds that AES-192 and AES-256 have more than AES-128. They come first, so that the rounds after
// them are the same code for all key sizes.
func (g *gcmFunc) extraRounds(states []vec, key vec) {
	done := g.labels.new("extraRoundsDone")
	round := func(i int) {
		g.broadcast(key, g.key0.Offset(16*i))
		for _, state := range states {
			g.aesenc(state, key)
		}
	}
	TESTQ(g.extra, g.extra)
	JZ(LabelRef(done))
	round(1)
	round(2)
	CMPQ(g.extra, Imm(32))
	JE(LabelRef(done))
	round(3)
	round(4)
	Label(done)
}
