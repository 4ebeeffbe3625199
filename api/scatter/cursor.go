package scatter

// Cursor is a place in a List. The zero value is at the end of an empty one. A copy of a cursor stays where it
// is when the other moves on.
type Cursor struct {
	list    List
	segment int // its index in list, which may be one past the last
	offset  int // in the segment, which may be at its end
}

// Run returns the bytes from here to the end of the segment, and skips segments that have none left. It
// returns nothing at the end of the list only.
func (c *Cursor) Run() []byte {
	for c.segment < len(c.list) {
		if run := c.list[c.segment][c.offset:]; len(run) > 0 {
			return run
		}
		c.segment++
		c.offset = 0
	}
	return nil
}

// Advance moves on by n bytes of what Run returned last.
func (c *Cursor) Advance(n int) { c.offset += n }

// Skip moves on by n bytes, or to the end of the list.
func (c *Cursor) Skip(n int) {
	for n > 0 {
		run := c.Run()
		if len(run) == 0 {
			return
		}
		step := min(n, len(run))
		c.Advance(step)
		n -= step
	}
}

// Gather copies the next bytes to p, moves on past them and returns how many there were: len(p), or fewer at
// the end of the list.
func (c *Cursor) Gather(p []byte) int {
	// Through Run and Advance this would take half as long again.
	done, offset := 0, c.offset
	for i := c.segment; i < len(c.list); i++ {
		n := copy(p[done:], c.list[i][offset:])
		if done += n; done == len(p) {
			c.segment, c.offset = i, offset+n
			return done
		}
		offset = 0
	}
	c.segment, c.offset = len(c.list), 0
	return done
}

// Scatter copies p to the next bytes, moves on past them and returns how many there were: len(p), or fewer at
// the end of the list.
func (c *Cursor) Scatter(p []byte) int {
	done, offset := 0, c.offset
	for i := c.segment; i < len(c.list); i++ {
		n := copy(c.list[i][offset:], p[done:])
		if done += n; done == len(p) {
			c.segment, c.offset = i, offset+n
			return done
		}
		offset = 0
	}
	c.segment, c.offset = len(c.list), 0
	return done
}

// Clear overwrites the next n bytes with zeros, or those up to the end of the list, and moves on past them.
func (c *Cursor) Clear(n int) {
	for n > 0 {
		run := c.Run()
		if len(run) == 0 {
			return
		}
		run = run[:min(n, len(run))]
		clear(run)
		c.Advance(len(run))
		n -= len(run)
	}
}

// Copy copies the next n bytes of src to the next of dst, and moves both on past them. It stops at the end of
// either list. Where both are the same memory, nothing is written.
func Copy(dst, src *Cursor, n int) {
	for n > 0 {
		to, from := dst.Run(), src.Run()
		step := min(n, len(to), len(from))
		if step == 0 {
			return
		}
		if &to[0] != &from[0] {
			copy(to[:step], from)
		}
		dst.Advance(step)
		src.Advance(step)
		n -= step
	}
}
