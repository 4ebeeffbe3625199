package main

import . "github.com/mmcloughlin/avo/operand"

// groupVectors is how many vectors are hashed before a reduction.
func (g *gcmFunc) groupVectors() int { return min(16/g.lanes(), batchVectors) }

// groupPowers is the address of the consecutive powers of a whole group.
func (g *gcmFunc) groupPowers() Mem { return g.power(g.groupVectors() * g.lanes()) }

// hashed is where the batch of ciphertext lies that is hashed next.
func (g *gcmFunc) hashed() Mem {
	if g.dir == open {
		return Mem{Base: g.src}
	}
	return Mem{Base: g.dst, Disp: -g.batchBytes()}
}

// hashBatch returns the instructions that add a batch of ciphertext at m to the hash. The last group meets the powers at last;
// a group before it is hashed in lanes.
func (a *absorber) hashBatch(m, last Mem) []func() {
	var steps []func()
	n := a.groupVectors()
	for first := 0; first < batchVectors; first += n {
		powers := a.table
		if first+n == batchVectors {
			powers = last
		}
		for j := range n {
			steps = append(steps, func() {
				a.load(a.x, m.Offset((first+j)*a.width))
				a.shuffleBytes(a.x, a.x, a.reverse)
				if j == 0 {
					a.xor(a.x, a.x, a.y)
					a.sums.empty = true
				}
			})
			steps = append(steps, a.multiplySteps(a.sums, a.x, powers.Offset(j*a.width), a.folded, a.t, a.u)...)
		}
		steps = append(steps, func() { a.reduce(a.y, a.sums, a.t, a.poly) })
	}
	return steps
}

// hashLastBatch returns the instructions that add the last batch when sealing.
func (a *absorber) hashLastBatch() []func() {
	return append(a.hashBatch(a.hashed(), a.groupPowers()), a.leaveLanes)
}

// leaveLanes ends hashing in lanes, when the last group has met consecutive powers.
func (a *absorber) leaveLanes() {
	a.foldLanes(a.y, a.t)
	a.wipePowers()
}

// layOutPowers writes the powers for hashing in lanes to the stack: for each vector of a group, one power in all lanes,
// and its folded form as far behind it as in the key. With one lane the key has them as they are needed.
func (a *absorber) layOutPowers() {
	if a.lanes() == 1 {
		return
	}
	for j := range a.groupVectors() {
		p := a.power(a.lanes() * (a.groupVectors() - j))
		for _, offset := range []int{0, a.folded} {
			a.broadcast(a.t, p.Offset(offset))
			a.store(a.table.Offset(offset+j*a.width), a.t)
		}
	}
}

// wipePowers clears what layOutPowers wrote.
func (a *absorber) wipePowers() {
	if a.lanes() == 1 {
		return
	}
	a.zero(a.t)
	for j := range a.groupVectors() {
		for _, offset := range []int{0, a.folded} {
			a.store(a.table.Offset(offset+j*a.width), a.t)
		}
	}
}
