package aesgcm

// GMAC writes to tag the tag over data, which is not encrypted (SP 800-38D, section 3).
//
// tag must be as long as the key's tags are. nonce must have at least 1 byte, and must never have been used
// with another message under this key, encrypted or not: as with Seal, one repetition allows forgeries. tag
// must not overlap nonce or data. GMAC panics, before it writes a byte, if any of this does not hold.
func (k *Key) GMAC(tag, nonce, data []byte) { k.Encrypt(nil, tag, nonce, nil, data) }

// VerifyGMAC returns nil if tag is what GMAC writes for nonce and data, and otherwise ErrOpen. tag must be as
// long as the key's tags are, and nonce must have at least 1 byte, or VerifyGMAC panics.
func (k *Key) VerifyGMAC(nonce, data, tag []byte) error { return k.Decrypt(nil, nonce, nil, tag, data) }

// GMAC authenticates one message that arrives in pieces: NewGMAC or Init; Update, any number; then Final or
// Verify. Any other order panics. A GMAC serves one goroutine, and wipes itself in Final and Verify.
type GMAC struct{ ctx Ctx }

// NewGMAC begins a message under k with a nonce, which has the rules of Key.GMAC. k stays in use until Final or
// Verify. NewGMAC panics if k was not set, or if the nonce is empty.
//
// Unlike with Init, a key that is a local variable stays on the stack, as long as the GMAC does.
func NewGMAC(k *Key, nonce []byte) GMAC {
	s := k.start(nonce) // as in NewCtx
	return GMAC{Ctx{key: k, start: s}}
}

// Init begins a message under k, as NewGMAC does, and forgets any other. It is for a GMAC inside another type.
func (m *GMAC) Init(k *Key, nonce []byte) { m.ctx.Init(k, nonce) }

// Update appends data, of any length, to the message.
func (m *GMAC) Update(data []byte) { m.ctx.AuthUpdate(data) }

// Final writes the tag of the message to tag, which must be as long as the key's tags are.
func (m *GMAC) Final(tag []byte) { m.ctx.EncryptFinal(tag) }

// Verify returns nil if tag is the tag of the message, and otherwise ErrOpen. tag must be as long as the
// key's tags are.
func (m *GMAC) Verify(tag []byte) error { return m.ctx.DecryptFinal(tag) }

// Wipe ends a message without a tag, and overwrites the state with zeros. Any later use but Init panics.
func (m *GMAC) Wipe() { m.ctx.Wipe() }
