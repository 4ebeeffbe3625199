// Package alias tells whether slices share memory, for the rule that holds all over lib/: an output and its
// input are the same memory from the same start, or do not overlap.
package alias

import "unsafe"

// Any reports whether a and b have a byte in common. Only their lengths count, not their capacities.
func Any(a, b []byte) bool {
	// Where two ranges overlap, the start of one lies in the other. An unsigned difference answers that in one
	// comparison, and is never below the length of an empty slice.
	distance := address(a) - address(b)
	return len(a) > 0 && distance < uintptr(len(b)) || len(b) > 0 && -distance < uintptr(len(a))
}

// Inexact reports whether a and b have a byte in common without starting at the same byte.
func Inexact(a, b []byte) bool {
	distance := address(a) - address(b)
	return distance != 0 && len(a) > 0 && len(b) > 0 &&
		(distance < uintptr(len(b)) || -distance < uintptr(len(a)))
}

func address(s []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(s))) }
