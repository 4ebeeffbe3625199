// Package scatter holds messages that lie in several pieces of memory, and the walk over two of them at once
// with which package aead and package skcipher encrypt from one to the other.
//
// A [List] is what Linux calls a scatterlist. It has the form of [][]byte and of net.Buffers, and converts to
// and from both without copying:
//
//	list := scatter.List(buffers)  // from net.Buffers
//	buffers = net.Buffers(list)    // and back
//
// A [Cursor] is a place in a list, and a [Walk] steps through a source and a destination side by side.
//
// Nothing here allocates, and nothing panics on the lengths of segments: 0 and 1 are as good as any. A List is
// only read, its segments are read or written as each function says. Cursors and walks serve one goroutine.
package scatter

// List is a message in segments, in order. Segments have any length, 0 included. A nil List is empty.
type List [][]byte

// Len returns how many bytes l has.
func (l List) Len() int {
	n := 0
	for _, segment := range l {
		n += len(segment)
	}
	return n
}

// Holds reports whether l has at least n bytes. It looks at no more segments than that takes.
func (l List) Holds(n int) bool {
	for _, segment := range l {
		if n <= len(segment) {
			return true
		}
		n -= len(segment)
	}
	return n <= 0
}

// Same reports whether l and other are one list: the same segments at the same place in memory. An operation
// between the two is in place.
func (l List) Same(other List) bool {
	return len(l) == len(other) && (len(l) == 0 || &l[0] == &other[0])
}

// Start returns a cursor at the beginning of l.
func (l List) Start() Cursor { return Cursor{list: l} }

// Piece returns the n bytes of l from offset on, if they lie in one segment. No bytes at all do.
func (l List) Piece(offset, n int) (piece []byte, ok bool) {
	if n == 0 {
		return nil, true
	}
	for _, segment := range l {
		if offset < len(segment) {
			if len(segment)-offset < n {
				return nil, false
			}
			return segment[offset : offset+n : offset+n], true
		}
		offset -= len(segment)
	}
	return nil, false
}

// Scatter copies p to l from offset on, and returns how many bytes there were: len(p), or fewer at the end of l.
func (l List) Scatter(p []byte, offset int) int {
	c := l.Start()
	c.Skip(offset)
	return c.Scatter(p)
}

// Gather copies the bytes of l from offset on to p, and returns how many there were: len(p), or fewer at the end
// of l.
func (l List) Gather(p []byte, offset int) int {
	c := l.Start()
	c.Skip(offset)
	return c.Gather(p)
}
