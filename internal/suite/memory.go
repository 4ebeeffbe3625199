package suite

import (
	"fmt"
	"testing"

	"lamina/internal/fence"
)

// role is what a buffer is for.
type role int

const (
	keyRole role = iota
	ivRole
	adRole
	srcRole
	dstRole
	tagRole
	roles
)

func (r role) String() string {
	return [roles]string{"key", "IV", "associated data", "src", "dst", "tag"}[r]
}

// memory is where the buffers of a call lie. What is in them is left from before.
type memory interface {
	take(r role, n int) []byte
	// damage says what was written to that is not part of a buffer, or is empty.
	damage() string
	fmt.Stringer
}

// put returns a buffer that has data in it.
func put(m memory, r role, data []byte) []byte {
	b := m.take(r, len(data))
	copy(b, data)
	return b
}

// canaried are buffers with canaries around them, at the given distances from multiples of 64.
type canaried struct {
	buffers [roles]fence.Buffer
	at      [roles]int
}

func (c *canaried) take(r role, n int) []byte { return c.buffers[r].Make(n, c.at[r]) }

func (c *canaried) damage() string {
	for r := range roles {
		if at, damaged := c.buffers[r].Damage(); damaged {
			return fmt.Sprintf("wrote to byte %d of %v, which has %d", at, r, len(c.buffers[r].Bytes()))
		}
	}
	return ""
}

func (c *canaried) String() string { return fmt.Sprintf("alignments %v", c.at) }

// guarded are buffers against a page that may not be touched, before or behind them.
type guarded struct {
	pages [roles]fence.Guarded
	atEnd bool
}

func newGuarded(t *testing.T, size int, atEnd bool) *guarded {
	t.Helper()
	g := &guarded{atEnd: atEnd}
	for r := range roles {
		g.pages[r] = fence.NewGuarded(t, size)
	}
	return g
}

func (g *guarded) take(r role, n int) []byte { return g.pages[r].Bytes(n, g.atEnd) }

// damage has nothing to say: what is outside cannot be written to.
func (g *guarded) damage() string { return "" }

func (g *guarded) String() string { return fmt.Sprintf("against a guard page, behind: %v", g.atEnd) }
