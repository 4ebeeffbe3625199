// Package keys fixes how key material lies in memory.
//
// There is one layout for each GOARCH, shared by portable Go and by assembly, and large enough for the widest
// implementation. Every implementation fills all of it. So a key that was prepared under one implementation works
// under any other, and nothing has to be prepared again when the choice of implementation changes. Assembly takes
// the offsets of fields by name from these types, through its generator.
//
// The package is a leaf: it imports nothing and does nothing.
package keys

// BlockSize is the size of an AES block in bytes.
const BlockSize = 16

// MaxRounds is the number of rounds of AES-256.
const MaxRounds = 14

// ScheduleSize is the size of the longest key schedule in bytes: one round key before the first round and one for
// each round.
const ScheduleSize = (MaxRounds + 1) * BlockSize

// Enc is the forward key schedule of AES (FIPS 197, section 5.2), round keys in their order of use and bytes in
// the order of the specification. Shorter schedules leave the end of RoundKeys zero.
type Enc struct {
	_         [0]uint64 // so that round keys rarely straddle a cache line
	RoundKeys [ScheduleSize]byte
	Rounds    uint32 // 10, 12 or 14; 0 in a key that was never set or was wiped
}

// Dec is the schedule of the equivalent inverse cipher (FIPS 197, section 5.3.5), in its order of use: the last
// forward round key first, InvMixColumns applied to all but the first and the last.
type Dec struct {
	_         [0]uint64
	RoundKeys [ScheduleSize]byte // with zeros at the end if the schedule is shorter
	Rounds    uint32             // as in Enc
}

// Key is a key for both directions: a forward schedule, and Dec, the inverse one.
type Key struct {
	Enc
	Dec Dec
}

// Element is an element of GF(2^128) in the representation of POLYVAL (RFC 8452, section 3): bit i of the
// 128-bit integer Hi:Lo is the coefficient of x^i, modulo x^128 + x^127 + x^126 + x^121 + 1. GHASH works in
// the same field with bits and bytes reversed; see Hash.
type Element struct {
	Lo, Hi uint64
}

// Hash is the key of GHASH or POLYVAL.
//
// Products are Montgomery products, dot(a, b) = a*b*x^-128, and powers are powers under dot. For POLYVAL the
// first power is the hash key as it stands. For GHASH it is mulX_POLYVAL(ByteReverse(H)), by which GHASH
// becomes POLYVAL over byte-reversed blocks (RFC 8452, appendix A).
//
// Next to each power stands that power folded once, F = P*x^-64. Split a block into halves, a = a1*x^64 + a0.
// Then
//
//	dot(a, P) = (a0*F + a1*P) * x^-64
//
// has two 128-bit sums instead of the three or four of a plain 128 by 128 product, at the same four 64-bit
// multiplications, and is reduced by one multiplication instead of two.
type Hash struct {
	// Powers holds powers NumPowers down to 1, so that consecutive blocks meet consecutive elements.
	Powers [NumPowers]Element
	// Folded holds, for each element of Powers, that element times x^-64.
	Folded [NumFolded]Element
	// Wide loads of the last powers read on into this, and multiply what they read by zero.
	_ [hashPadding]Element
}

// GCM is all that one AES-GCM key needs.
type GCM struct {
	Enc
	Hash
}
