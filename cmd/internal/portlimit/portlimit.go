// Package portlimit measures how fast this CPU can possibly do AES and GCM.
//
// AES rounds and carry-less multiplications can only start as fast as their execution ports take them. The
// loops here do nothing but the instructions that the mode cannot do without, in registers, in enough
// independent chains that no latency shows: for each vector the rounds of AES (14 for AES-256, 12 for
// AES-192, 10 for AES-128) and, for GCM, the four multiplications of GHASH. What they take is the limit that
// a real loop, with its loads, counters and stores, is held against.
//
// A mode in which each block waits for the one before has another limit, the time from the start of a round
// to its result: one chain, block after block.
//
// The results of the instructions mean nothing, and the loops touch no memory.
package portlimit

// Loop runs a number of passes. Each pass stands for Vectors vectors of VectorBytes.
type Loop struct {
	VectorBytes int
	Vectors     int
	Run         func(passes int)
}

// BytesPerPass is how many bytes of text one pass stands for.
func (l Loop) BytesPerPass() int { return l.VectorBytes * l.Vectors }
