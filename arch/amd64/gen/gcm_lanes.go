package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"

	"lamina/arch/keys"
)

// Hashing in lanes needs one power for each vector of a batch, H^(8L), H^(7L), ..., H^L. With vectors of 512
// bits the first four are above those that the key holds. They are made once a record, on the stack.

// lanePower returns the address of the power that vector j of a batch is multiplied by, and how many bytes
// behind it its folded form stands.
func (g *gcmFunc) lanePower(j int) (m Mem, folded int) {
	i := g.lanes() * (batchVectors - j)
	if i >= keys.NumPowers {
		return g.highPowers.Offset(16 * j), g.width
	}
	return g.power(i), g.folded
}

// hasHighPowers reports whether batches need powers that the key does not hold.
func (g *gcmFunc) hasHighPowers() bool { return g.lanes()*batchVectors >= keys.NumPowers }

// makeHighPowers writes H^32, H^28, H^24 and H^20 to the stack, and behind them their folded forms: one
// vector of H^16, H^12, H^8 and H^4, times H^16.
func (b *batch) makeHighPowers() {
	if !b.hasHighPowers() {
		return
	}
	base, upper, fold, power := b.states[0], b.states[1], b.states[2], b.states[3]
	b.load(base, b.power(16))
	VSHUFI64X2(Imm(0), b.power(12), b.r(base), b.r(base))
	b.load(upper, b.power(8))
	VSHUFI64X2(Imm(0), b.power(4), b.r(upper), b.r(upper))
	VSHUFI64X2(Imm(0x88), b.r(upper), b.r(base), b.r(base))

	product := &sums{lo: b.states[4], hi: b.states[5], empty: true}
	emit(b.multiplyTogetherSteps(product, base, b.power(16), b.folded, []vec{b.temps[0], b.temps[1], power, fold}))
	b.reduce(base, product, b.temps[0], b.poly)
	b.store(b.highPowers, base)
	b.foldPower(upper, base, b.temps[0], b.poly)
	b.store(b.highPowers.Offset(b.width), upper)
}

// wipeHighPowers clears what makeHighPowers wrote.
func (b *batch) wipeHighPowers() {
	if !b.hasHighPowers() {
		return
	}
	b.zero(b.temps[0])
	b.store(b.highPowers, b.temps[0])
	b.store(b.highPowers.Offset(b.width), b.temps[0])
}

// hashSteps returns the instructions that hash the batch of ciphertext at m in lanes.
func (b *batch) hashSteps(m Mem) []func() {
	var steps []func()
	for j := range batchVectors {
		steps = append(steps, func() {
			b.load(b.x, m.Offset(j*b.width))
			b.shuffleBytes(b.x, b.x, b.reverse)
			if j == 0 {
				b.xor(b.x, b.x, b.y)
				b.sums.empty = true
			}
		})
		power, folded := b.lanePower(j)
		steps = append(steps, b.multiplyLanesSteps(b.sums, b.x, power, folded, b.temps)...)
	}
	return append(steps, func() { b.reduce(b.y, b.sums, b.temps[0], b.poly) })
}
