package aescmac

import (
	"hash"

	"lamina/arch"
)

// Hash authenticates a message that arrives in pieces of any length. A *Hash is a hash.Hash. It serves one
// goroutine.
type Hash struct {
	key  *Key
	acc  [BlockSize]byte // CBC-MAC of all blocks but those in last
	last [BlockSize]byte // the bytes behind them, which may be the last of the message
	n    int             // how many, 0 to 16, and 0 only as long as the message is empty
}

var _ hash.Hash = (*Hash)(nil)

// NewHash begins a message under k, which stays in use. It panics if k was not set.
//
// Unlike with Init, a key that is a local variable stays on the stack, as long as the Hash does.
func NewHash(k *Key) Hash {
	k.check()
	return Hash{key: k}
}

// Init begins a message under k, as NewHash does, and forgets any other. It is for a Hash inside another type.
func (h *Hash) Init(k *Key) { *h = NewHash(k) }

// Write appends p to the message. It never returns an error. It panics if the Hash was not begun or was wiped.
func (h *Hash) Write(p []byte) (int, error) {
	h.check("Write")
	total := len(p)
	if total == 0 {
		return 0, nil
	}
	// The last block waits, even if it is whole, until there are bytes behind it.
	if h.n > 0 {
		m := copy(h.last[h.n:], p)
		h.n += m
		if p = p[m:]; len(p) == 0 {
			return total, nil
		}
		h.blocks(h.last[:])
	}
	whole := beforeLast(len(p))
	h.blocks(p[:whole])
	h.n = copy(h.last[:], p[whole:])
	return total, nil
}

func (h *Hash) blocks(data []byte) { arch.CBCMAC(h.key.im, &h.key.enc, &h.acc, data) }

// Sum appends the tag of what was written to b, as long as the key's tags are, and returns the result. It
// does not change the state: more can be written.
func (h *Hash) Sum(b []byte) []byte {
	h.check("Sum")
	tag := h.tag()
	return append(b, tag[:h.key.tagSize]...)
}

// Verify returns nil if tag is the tag of what was written, and otherwise ErrVerify. It does not change the
// state. tag must be as long as the key's tags are, or Verify panics.
func (h *Hash) Verify(tag []byte) error {
	h.check("Verify")
	h.key.checkTag("Verify", tag)
	want := h.tag()
	return compare(&want, tag)
}

func (h *Hash) tag() [Size]byte {
	acc := h.acc
	h.key.finish(&acc, h.last[:h.n])
	return acc
}

// Reset begins another message under the same key. It panics if the Hash was not begun or was wiped.
func (h *Hash) Reset() {
	h.check("Reset")
	*h = Hash{key: h.key}
}

// Size returns the size of the key's tags in bytes, which is what Sum appends.
func (h *Hash) Size() int {
	h.check("Size")
	return int(h.key.tagSize)
}

// BlockSize returns 16.
func (h *Hash) BlockSize() int { return BlockSize }

// Wipe overwrites the state with zeros and lets go of the key. Any later use but Init, BlockSize and Wipe panics.
func (h *Hash) Wipe() { *h = Hash{} }

func (h *Hash) check(name string) {
	if h.key == nil {
		panic("aescmac: " + name + ": no message was begun, or the Hash was wiped")
	}
	h.key.check()
}
