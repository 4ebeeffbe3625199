package scatter

const (
	// BounceSize is how many bytes of short segments a Walk joins to one step.
	BounceSize = 4096
	// directMin is how many bytes both lists must have in one piece for a step in place. Copying fewer to the
	// buffer and back costs less than a call of the library for them.
	directMin = 512
)

// Walk steps through a source and a destination at once, for functions that want their input and output in one
// piece each. It hands out the longest run of bytes that lies in one segment of both. Where segments are short,
// or a block of the cipher crosses from one to the next, it joins them in a buffer of its own, for the function
// to work on in place, and copies the result to where it belongs.
//
//	walk.Start(dst, src, n, 16, 1)
//	for {
//		out, in := walk.Next()
//		if len(in) == 0 {
//			break
//		}
//		encrypt(out, in)
//	}
//
// Every step but the last has a multiple of the unit. A Walk takes a little over 4 KiB; keep it, and start it
// again for the next message.
type Walk struct {
	src, dst Cursor
	bounced  Cursor // where in the destination the step in the buffer belongs
	pending  int    // bytes of the step in the buffer, 0 if the last step was none
	left     int
	unit     int
	tail     int
	buffer   [BounceSize + 16]byte // with room for a tag behind a message
}

// Start begins a walk over n bytes from src to dst, both of which have so many. Every step but the last will
// have a multiple of unit bytes, which is a power of two and at most 512, and the last at least tail, unless n is less;
// tail is at least 1 and at most BounceSize - unit. Cipher modes that treat the end of a message specially need
// a tail: those with ciphertext stealing have a unit of 16 and a tail of 17.
func (w *Walk) Start(dst, src Cursor, n, unit, tail int) {
	w.src, w.dst, w.left = src, dst, n
	w.unit, w.tail = unit, tail
	w.pending = 0
}

// Next ends the step before, if there was one, and returns the next: memory for the output, and the input.
// Both have the same length, and are the same memory or do not overlap, if that holds of what they lie in.
// After the last step it returns nothing.
func (w *Walk) Next() (dst, src []byte) {
	w.flush()
	if w.left == 0 {
		return nil, nil
	}
	to, from := w.dst.Run(), w.src.Run()
	if n := w.cut(min(len(to), len(from))); n >= directMin || n == w.left {
		w.dst.Advance(n)
		w.src.Advance(n)
		w.left -= n
		return to[:n], from[:n]
	}
	return w.join()
}

// Wipe overwrites what the walk has kept of the message.
func (w *Walk) Wipe() { clear(w.buffer[:]) }

// Buffer returns the memory that the walk joins segments in, for other use while no step is in it.
func (w *Walk) Buffer() []byte { return w.buffer[:] }

// cut returns how many of the next run bytes make a step: all if that is the rest of the message, and otherwise
// whole units that leave a tail.
func (w *Walk) cut(run int) int {
	if run >= w.left {
		return w.left
	}
	n := min(run, max(w.left-w.tail, 0))
	return n - n%w.unit
}

// join collects a step in the buffer: until that is full, or the message ends, or a run long enough for a step
// of its own begins at a multiple of the unit.
func (w *Walk) join() (dst, src []byte) {
	w.bounced = w.dst
	limit := w.cut(BounceSize)
	n := 0
	for n < limit {
		from := w.src.Run()
		run := min(len(w.dst.Run()), len(from), w.left-n)
		if run == 0 { // a list is shorter than was said: the message ends here
			w.left = n
			break
		}
		if ahead := -n & (w.unit - 1); run >= directMin+w.tail+ahead {
			limit = n + ahead
		}
		run = min(run, limit-n)
		copy(w.buffer[n:], from[:run])
		w.dst.Advance(run)
		w.src.Advance(run)
		n += run
	}
	w.left -= n
	w.pending = n
	return w.buffer[:n], w.buffer[:n]
}

// flush copies the step in the buffer to where it belongs.
func (w *Walk) flush() {
	if w.pending > 0 {
		w.bounced.Scatter(w.buffer[:w.pending])
		w.pending = 0
	}
}
