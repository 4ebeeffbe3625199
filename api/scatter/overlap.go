package scatter

import "unsafe"

// Overlap reports whether writing the first dstLen bytes of dst could change a byte of the first srcLen of src
// that belongs elsewhere: whether a byte of memory is in both, at different places of the two messages. The
// same byte at the same place is what happens in place, and is no overlap.
//
// It costs a look at every segment where the lists are one and the same, have equal segments, or lie in
// different regions of memory, and a look at every pair of segments otherwise.
func Overlap(dst List, dstLen int, src List, srcLen int) bool {
	if dst.Same(src) || equalSegments(dst, src) || apart(dst, src) {
		return false
	}
	for at, i := 0, 0; i < len(src) && at < srcLen; i++ {
		from := src[i][:min(len(src[i]), srcLen-at)]
		if overlapsShifted(dst, dstLen, from, at) {
			return true
		}
		at += len(from)
	}
	return false
}

// overlapsShifted reports whether a byte of from, which is at place at of its message, is at another place of
// dst.
func overlapsShifted(dst List, dstLen int, from []byte, at int) bool {
	for place, i := 0, 0; i < len(dst) && place < dstLen; i++ {
		to := dst[i][:min(len(dst[i]), dstLen-place)]
		// Both start at the same byte of memory once each is moved to the start of its message, or else they must
		// not meet.
		if Shared(to, from) && address(to)-uintptr(place) != address(from)-uintptr(at) {
			return true
		}
		place += len(to)
	}
	return false
}

// equalSegments reports whether a and b have the same segments, though perhaps in two lists.
func equalSegments(a, b List) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if len(a[i]) != len(b[i]) || address(a[i]) != address(b[i]) {
			return false
		}
	}
	return true
}

// apart reports whether all segments of a are on one side of all of b.
func apart(a, b List) bool {
	aLow, aHigh := bounds(a)
	bLow, bHigh := bounds(b)
	return aHigh <= bLow || bHigh <= aLow
}

// bounds returns the range of addresses that l lies in. An empty list is behind everything.
func bounds(l List) (low, high uintptr) {
	low = ^uintptr(0)
	for _, segment := range l {
		if len(segment) > 0 {
			low = min(low, address(segment))
			high = max(high, address(segment)+uintptr(len(segment)))
		}
	}
	return low, high
}

// Shared reports whether a and b have a byte of memory in common.
func Shared(a, b []byte) bool {
	distance := address(a) - address(b)
	return len(a) > 0 && distance < uintptr(len(b)) || len(b) > 0 && -distance < uintptr(len(a))
}

func address(s []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(s))) }
