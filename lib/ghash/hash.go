package ghash

import "lamina/arch/keys"

// Hash is the hash of a message that arrives in pieces. Begin with New or Init.
type Hash struct {
	key  *Key
	acc  keys.Element
	part [BlockSize]byte // the beginning of the block in progress
	n    int             // bytes of it
}

// New begins a message under k, which stays in use until the last call of the Hash. The key must have been
// set, or New panics.
//
// Unlike with Init, a key that is a local variable stays on the stack, as long as the Hash does.
func New(k *Key) Hash {
	k.check()
	return Hash{key: k}
}

// Init begins a message under k, as New does, and forgets any other. It is for a Hash inside another type.
func (h *Hash) Init(k *Key) { *h = New(k) }

// Update appends data, of any length, to the message. It panics if the Hash was not begun, or its key was wiped.
func (h *Hash) Update(data []byte) {
	k := h.mustKey()
	if h.n > 0 {
		m := copy(h.part[h.n:], data)
		data = data[m:]
		if h.n += m; h.n < BlockSize {
			return
		}
		k.update(&h.acc, h.part[:])
		h.n = 0
	}
	whole := len(data) &^ (BlockSize - 1)
	k.update(&h.acc, data[:whole])
	h.n = copy(h.part[:], data[whole:])
}

// Sum writes to sum the hash of what came so far, with the last block filled up with zeros. The Hash stays as
// it is, so more can be appended. It panics if the Hash was not begun, or its key was wiped.
func (h *Hash) Sum(sum *[16]byte) {
	k := h.mustKey()
	acc := h.acc
	if h.n > 0 {
		var last [BlockSize]byte
		copy(last[:], h.part[:h.n])
		k.update(&acc, last[:])
	}
	k.sum(sum, &acc)
}

// Reset begins another message under the same key. It panics if the Hash was not begun, or its key was wiped.
func (h *Hash) Reset() { *h = New(h.mustKey()) }

// Wipe overwrites the state with zeros. Any later use but Init panics.
func (h *Hash) Wipe() { *h = Hash{} }

func (h *Hash) mustKey() *Key {
	if h.key == nil {
		panic("ghash: Hash used before Init or after Wipe")
	}
	h.key.check()
	return h.key
}
