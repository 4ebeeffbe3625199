// Package dirty leaves rubbish in the vector and mask registers, for tests of assembly that might rely on what is
// in them by chance: zeros, most of the time.
package dirty
