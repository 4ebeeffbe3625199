package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// endVectors is the largest number of vectors that the text of less than a step and J0 take together.
const endVectors = stepVectors + 1

// rest holds the registers of what follows the batches.
type rest struct {
	*absorber
	states []vec // AES states, of the step the first four
	key    vec   // the current round key
	spare  []vec // two more, with 32 registers
}

func (g *gcmFunc) newRest() *rest {
	r := &rest{absorber: g.newAbsorber(), states: g.allocs(endVectors), key: g.alloc()}
	if g.enc == evex {
		r.spare = g.allocs(2)
	}
	return r
}

// rounds does all rounds but the last, with other steps between them, and leaves the last round's key in key.
func (r *rest) rounds(states []vec, between []func()) {
	r.extraRounds(states, r.key)
	var steps []func()
	for i := 1; i <= 9; i++ {
		steps = append(steps, func() { r.broadcast(r.key, r.sharedKey(i)) })
		for _, state := range states {
			steps = append(steps, func() { r.aesenc(state, r.key) })
		}
	}
	interleave(steps, between)
	r.broadcast(r.key, r.sharedKey(10))
}

// textOut does the last round on a state, with the text at m added to the round key beforehand.
func (r *rest) textOut(state vec, from, to Mem) {
	r.xorLoad(r.t, r.key, from)
	r.aesenclast(state, r.t)
	r.store(to, state)
}

// step encrypts or decrypts four vectors, with other steps between the rounds.
func (r *rest) step(between []func()) {
	states := r.states[:stepVectors]
	if r.record {
		r.countFromBase(states, stepVectors*r.lanes(), true, [2]vec{r.t, r.key})
	} else {
		r.count(states, r.key, false)
	}
	r.rounds(states, between)
	for i, state := range states {
		r.textOut(state, Mem{Base: r.src, Disp: i * r.width}, Mem{Base: r.dst, Disp: i * r.width})
	}
	r.advance(r.stepBytes())
}

// stepIfThere takes a step if there is enough text, with other steps between its rounds, or else goes to label.
func (r *rest) stepIfThere(between []func(), label string) {
	CMPQ(r.n, U32(r.stepBytes()))
	JB(LabelRef(label))
	r.step(between)
}

// lastStep is where the step of ciphertext lies that was encrypted last.
func (r *rest) lastStep() Mem { return Mem{Base: r.dst, Disp: -r.stepBytes()} }

// lastBatch is where the batch of ciphertext lies that was encrypted last.
func (r *rest) lastBatch() Mem { return Mem{Base: r.dst, Disp: -r.batchBytes()} }

// hashLastBatch returns the instructions that add the batch that was encrypted last to the hash, in lanes.
func (r *rest) hashLastBatch() []func() {
	return append(r.hashStepInLanes(r.lastBatch()), r.hashStepInLanes(r.lastStep())...)
}

// hashStep returns the instructions that add the four vectors of ciphertext at m to the hash, and leave the
// lanes.
func (r *rest) hashStep(m Mem) []func() {
	steps := r.hashVectors(m, func(i int) []func() {
		p := r.power(r.lanes() * stepVectors).Offset(i * r.width)
		return r.multiplySteps(r.sums, r.x, p, r.folded, r.t, r.u)
	})
	return append(steps, r.finish)
}

// hashStepInLanes returns the instructions that add the four vectors of ciphertext at m to the hash in lanes.
func (r *rest) hashStepInLanes(m Mem) []func() {
	temps := []vec{r.t, r.u}
	if r.enc == evex {
		temps = append(temps, r.spare...)
	}
	steps := r.hashVectors(m, func(i int) []func() {
		return r.multiplyLanesSteps(r.sums, r.x, r.power(r.lanes()*(stepVectors-i)), r.folded, temps)
	})
	return append(steps, func() { r.reduce(r.y, r.sums, r.t, r.poly) })
}

// hashVectors returns the instructions that load the four vectors of ciphertext at m, add the hash so far to
// the first, and multiply each.
func (r *rest) hashVectors(m Mem, multiply func(i int) []func()) []func() {
	var steps []func()
	for i := range stepVectors {
		steps = append(steps, func() {
			r.load(r.x, m.Offset(i*r.width))
			r.shuffleBytes(r.x, r.x, r.reverse)
			if i == 0 {
				r.sums.empty = true
				r.xor(r.x, r.x, r.y)
			}
		})
		steps = append(steps, multiply(i)...)
	}
	return steps
}

// emit emits steps.
func emit(steps []func()) {
	for _, step := range steps {
		step()
	}
}

// advance moves on by some bytes of text, and sets the flags of what is left.
func (g *gcmFunc) advance(bytes int) {
	ADDQ(U32(bytes), g.src)
	ADDQ(U32(bytes), g.dst)
	SUBQ(U32(bytes), g.n)
}
