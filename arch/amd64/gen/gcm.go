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
// The text goes through in batches, steps and an end, whatever there is of each:
//
//	batch  eight vectors, the main loop (gcm_batch.go)
//	step   four vectors (gcm_step.go)
//	end    one to five vectors, with less than a step of text, J0, the lengths and the tag (gcm_record.go)
//
// Eight AES computations in flight hide each other's latency, four nearly do. While AES keeps its ports busy,
// ciphertext is hashed between the rounds: when opening, that of the batch or step itself; when sealing, that
// of the one before it.
//
// The last vector of the end has J0 in its top lane, so E(J0), which masks the tag, rides along with the
// text. The block of lengths joins the last vector of ciphertext in the lane behind the text.
//
// Hashing in lanes. Consecutive blocks are multiplied by consecutive powers of H, which count down to the
// last block. For more blocks than there are powers, the sum so far has to be folded into one block, to join
// the first of the next group; and that is a chain of shuffles at each group. So in the main loop every
// 128-bit lane keeps a hash of its own, as if the blocks were dealt out to the lanes: of L lanes, lane l
// hashes blocks l, l+L, l+2L and so on, and in every batch all lanes of vector j are multiplied by the same
// power H^(L(8-j)). The sums of a batch are reduced where they are, once, and added to the first vector of
// the next. To leave the lanes takes nothing but a next group that meets consecutive powers again: lane l of
// its first vector is multiplied by H^(m-l), which is what the hash of lane l wants. So a step of at least L
// blocks follows the last batch.
//
// Counters. With a 12-byte nonce the counters of a group of S blocks, a batch or a step, are S consecutive
// numbers that start at 2 modulo S. So they differ from the group's base, a multiple of S, in their low bits
// only, and base XOR a constant XOR round key 0 is one instruction where add, byte swap and XOR are three.
// The last two counters of a group belong to the next base. Updates of whole blocks start at any counter and
// count the ordinary way, 32 bits wide.
//
// Tried and rejected, with the cost of each at 16384 bytes with vectors of 512 bits on a Sapphire Rapids,
// where AES and all else have two ports:
//
//   - a reduction for every 16 blocks, and bases made in the vector units: AES-128 13 %, AES-256 3 %
//   - leaving the lanes at every group: about 4 %
//   - the end as a loop over single vectors: nothing here, but at 64 bytes half as much time again

// batchVectors is the number of vectors in a batch.
const batchVectors = 8

// stepVectors is the number of vectors in a step.
const stepVectors = 4

// maxSpan is the largest number of counters in a batch.
const maxSpan = batchVectors * 4

// operation says whether the text is encrypted or decrypted.
type operation int

const (
	seal operation = iota
	open
)

// gcmConsts are the constants of the GCM functions, as memory operands.
type gcmConsts struct {
	hashConsts
	counts       map[int]Mem // numbers to add to the counters of every lane
	laneCounters Mem         // 0, 1, 2, 3: the counters of a vector's lanes
	index        Mem         // 0, 1, ..., 31, 0, 1 as the last byte of a block
	stepIndex    Mem         // 14, 15, 0, 1 likewise: where a step of four lanes passes a base
	keep         Mem         // 32 bytes of ones, 32 bytes of zeros: a sliding window keeps the first bytes of a vector
}

func newGCMConsts() gcmConsts {
	c := gcmConsts{hashConsts: newHashConsts(), counts: map[int]Mem{}}
	for _, n := range []int{1, 2, 4, 8, 16} {
		c.counts[n] = constant("countBy"+strconv.Itoa(n), uint64(n), 0)
	}
	c.laneCounters = laneCounters("laneCounters")
	var indices []int
	for i := range maxSpan + 2 {
		indices = append(indices, i%maxSpan)
	}
	c.index = blockIndices("blockIndex", indices)
	c.stepIndex = blockIndices("stepIndex", []int{14, 15, 0, 1})
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

// laneCounters places the little-endian numbers 0, 1, ... in the lanes of a constant.
func laneCounters(name string) Mem {
	m := GLOBL(name, readOnly)
	for i := range 4 {
		DATA(16*i, U64(uint64(i)))
		DATA(16*i+8, U64(0))
	}
	return m
}

// blockIndices places numbers in blocks of their own, as the last byte, where a counter block has its low bits.
func blockIndices(name string, numbers []int) Mem {
	m := GLOBL(name, readOnly)
	for i, number := range numbers {
		DATA(16*i, U64(0))
		DATA(16*i+8, U64(uint64(number)<<56))
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

// gcmFunc is a GCM function in the making: its emitter, its constants, and the general registers that all
// parts share.
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

	y    vec // hash so far
	ctr  vec // in an update the next counters, little-endian; in a record see loadNonce
	base vec // in a record: the counter block that the next counters are relative to, with round key 0 added

	number reg.GPVirtual // in a record, where there are masks: the number in base

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

// batchesFrom is from how many bytes of text on it goes by batches. When sealing, the first batch is
// encrypted while nothing is hashed; with few batches, steps that hash the step before them are better,
// longer so with vectors of 512 bits, of which four keep AES as busy as eight. When opening, a step must
// follow.
func (g *gcmFunc) batchesFrom() int {
	switch {
	case g.dir == open:
		return g.batchBytes() + g.stepBytes()
	case g.width == 64:
		return 5 * g.batchBytes()
	}
	return 3 * g.batchBytes()
}

// extraRounds does the rounds that AES-192 and AES-256 have more than AES-128. They come first, so that the
// rounds after them are the same code for all key sizes.
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
