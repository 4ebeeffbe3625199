package aesgcm

import (
	"crypto/subtle"
	"encoding/binary"

	"lamina/arch"
	"lamina/arch/keys"
	"lamina/lib/internal/alias"
)

// Ctx encrypts or decrypts one message that arrives in pieces of any length. The order of calls is:
//
//	NewCtx or Init; AuthUpdate, any number; EncryptUpdate, any number; EncryptFinal
//	NewCtx or Init; AuthUpdate, any number; DecryptUpdate, any number; DecryptFinal
//
// Any other order panics. A Ctx serves one goroutine, and wipes itself in the Final call. What DecryptUpdate
// writes is not authenticated: nobody may act on it, or be shown it, before DecryptFinal returned nil.
type Ctx struct {
	key    *Key
	acc    keys.Element
	ctr    [16]byte // counter block of the block in progress, or of the next if there is none
	mask   [16]byte // what the tag is covered with: the first counter block encrypted
	stream [16]byte // keystream of the block in progress
	part   [16]byte // what the block in progress gives the hash
	n      int      // bytes of the block in progress

	state   state
	tooLong bool // more was to be decrypted than a message can have
	adLen   uint64
	textLen uint64
}

type state uint8

const (
	idle state = iota
	authenticating
	encrypting
	decrypting
)

// NewCtx begins a message under k with a nonce of at least 1 byte, which must never have encrypted another
// message under this key; 12 bytes are fastest. k stays in use until Final. NewCtx panics if k was not set,
// or if the nonce is empty.
//
// Unlike with Init, a key that is a local variable stays on the stack, as long as the Ctx does.
func NewCtx(k *Key, nonce []byte) Ctx {
	c := Ctx{key: k, state: authenticating}
	c.begin(nonce)
	return c
}

// Init begins a message under k, as NewCtx does, and forgets any other. It is for a Ctx inside another type.
func (c *Ctx) Init(k *Key, nonce []byte) { *c = NewCtx(k, nonce) }

// AuthUpdate appends data to the associated data. It panics out of order, and if that makes more than MaxAD
// bytes.
func (c *Ctx) AuthUpdate(data []byte) {
	if c.state != authenticating {
		panic(c.order("AuthUpdate"))
	}
	c.key.check()
	if exceeds(c.adLen, len(data), MaxAD) {
		panic("aesgcm: AuthUpdate: more than 2^61 - 1 bytes of associated data")
	}
	c.adLen += uint64(len(data))
	c.hash(data)
}

// EncryptUpdate encrypts the next bytes of the text, src, to dst. Both must have the same length and be the
// same memory or not overlap. It panics otherwise, out of order, and if the text comes to have more than
// MaxText bytes; and then writes nothing.
func (c *Ctx) EncryptUpdate(dst, src []byte) {
	c.checkUpdate("EncryptUpdate", encrypting, dst, src)
	if exceeds(c.textLen, len(src), MaxText) {
		panic(tooMuchText("EncryptUpdate"))
	}
	c.startText(encrypting)
	c.textLen += uint64(len(src))
	if c.n > 0 {
		m := subtle.XORBytes(dst[:min(len(dst), 16-c.n)], src, c.stream[c.n:])
		copy(c.part[c.n:], dst[:m])
		dst, src = dst[m:], src[m:]
		if !c.advance(m) {
			return
		}
	}
	if whole := len(src) &^ 15; whole > 0 {
		arch.GCMEncrypt(c.key.im, &c.key.gcm, &c.acc, &c.ctr, dst[:whole], src[:whole])
		c.count(whole / 16)
		dst, src = dst[whole:], src[whole:]
	}
	if len(src) > 0 {
		c.keystream(&c.stream)
		subtle.XORBytes(dst, src, c.stream[:])
		c.n = copy(c.part[:], dst)
	}
}

// DecryptUpdate decrypts the next bytes of the text, src, to dst. Both must have the same length and be the
// same memory or not overlap. It panics otherwise, and out of order; and then writes nothing. Where the text
// comes to have more than MaxText bytes, it writes zeros, and DecryptFinal will fail.
//
// dst is not authenticated before DecryptFinal returned nil; see Ctx.
func (c *Ctx) DecryptUpdate(dst, src []byte) {
	c.checkUpdate("DecryptUpdate", decrypting, dst, src)
	c.startText(decrypting)
	if c.tooLong = c.tooLong || exceeds(c.textLen, len(src), MaxText); c.tooLong {
		clear(dst)
		return
	}
	c.textLen += uint64(len(src))
	if c.n > 0 {
		// Copied before it is decrypted, because decryption in place overwrites what is to be hashed.
		m := copy(c.part[c.n:], src)
		subtle.XORBytes(dst[:m], src, c.stream[c.n:])
		dst, src = dst[m:], src[m:]
		if !c.advance(m) {
			return
		}
	}
	if whole := len(src) &^ 15; whole > 0 {
		arch.GCMDecrypt(c.key.im, &c.key.gcm, &c.acc, &c.ctr, dst[:whole], src[:whole])
		c.count(whole / 16)
		dst, src = dst[whole:], src[whole:]
	}
	if len(src) > 0 {
		c.keystream(&c.stream)
		c.n = copy(c.part[:], src)
		subtle.XORBytes(dst, src, c.stream[:])
	}
}

// EncryptFinal ends a message that was encrypted, writes its tag to tag and wipes the Ctx. tag must be as
// long as the key's tags are, or EncryptFinal panics; as it does out of order.
func (c *Ctx) EncryptFinal(tag []byte) {
	c.checkFinal("EncryptFinal", decrypting, tag)
	full := c.finish()
	copy(tag, full[:])
}

// DecryptFinal ends a message that was decrypted, and wipes the Ctx. It returns nil if tag is the message's
// tag, and otherwise ErrOpen: then throw away all that DecryptUpdate wrote. tag must be as long as the key's
// tags are, or DecryptFinal panics; as it does out of order.
func (c *Ctx) DecryptFinal(tag []byte) error {
	c.checkFinal("DecryptFinal", encrypting, tag)
	tooLong := c.tooLong
	full := c.finish()
	if tooLong || !equalTag(&full, tag) {
		return ErrOpen
	}
	return nil
}

// Wipe ends a message without a tag, and overwrites the state with zeros. Any later use but Init panics.
func (c *Ctx) Wipe() { *c = Ctx{} }

// begin derives the first counter block from the nonce (SP 800-38D, section 7.1, step 2): nonces of 12 bytes
// are its beginning, others are hashed, with their length, to all of it.
func (c *Ctx) begin(nonce []byte) {
	c.key.check()
	switch len(nonce) {
	case 0:
		panic(noNonce("NewCtx"))
	case NonceSize:
		copy(c.ctr[:], nonce)
		c.ctr[15] = 1
	default:
		c.hash(nonce)
		c.hashLengths(0, uint64(len(nonce)))
		storeElement(&c.ctr, &c.acc)
		c.acc = keys.Element{}
	}
	c.keystream(&c.mask)
	c.count(1)
}

// keystream writes the encryption of the counter block to out. It goes through GCMEncrypt, and throws the hash
// away, because the portable implementation's GCM has no loads that depend on secrets, and its single blocks do.
func (c *Ctx) keystream(out *[16]byte) {
	var zero [16]byte
	var unused keys.Element
	arch.GCMEncrypt(c.key.im, &c.key.gcm, &unused, &c.ctr, out[:], zero[:])
}

// count advances the counter by n blocks: modulo 2^32, as it has 32 bits, and the rest of its block stays.
func (c *Ctx) count(n int) {
	last := c.ctr[12:]
	binary.BigEndian.PutUint32(last, binary.BigEndian.Uint32(last)+uint32(n))
}

// advance adds m bytes to the block in progress, and reports whether it has become whole, and been hashed.
func (c *Ctx) advance(m int) bool {
	c.n += m
	if c.n < 16 {
		return false
	}
	c.n = 0
	c.hashBlocks(c.part[:])
	c.count(1)
	return true
}

// hash appends data to what is hashed, before there is any text.
func (c *Ctx) hash(data []byte) {
	if c.n > 0 {
		m := copy(c.part[c.n:], data)
		data = data[m:]
		if c.n += m; c.n < 16 {
			return
		}
		c.hashBlocks(c.part[:])
	}
	whole := len(data) &^ 15
	c.hashBlocks(data[:whole])
	c.n = copy(c.part[:], data[whole:])
}

// flush hashes the block in progress, filled up with zeros.
func (c *Ctx) flush() {
	if c.n > 0 {
		clear(c.part[c.n:])
		c.hashBlocks(c.part[:])
		c.n = 0
	}
}

// hashLengths ends what is hashed: with the block in progress, filled up with zeros, and the two lengths,
// given in bytes, as 64-bit numbers of bits. Both blocks go in one call.
func (c *Ctx) hashLengths(first, second uint64) {
	var blocks [32]byte
	at := 0
	if c.n > 0 {
		copy(blocks[:], c.part[:c.n])
		c.n = 0
		at = 16
	}
	binary.BigEndian.PutUint64(blocks[at:], first*8)
	binary.BigEndian.PutUint64(blocks[at+8:], second*8)
	c.hashBlocks(blocks[:at+16])
}

func (c *Ctx) hashBlocks(blocks []byte) {
	if len(blocks) > 0 {
		arch.GHASHBlocks(c.key.im, &c.key.gcm.Hash, &c.acc, blocks)
	}
}

// startText ends the associated data if it has not ended.
func (c *Ctx) startText(direction state) {
	if c.state == authenticating {
		c.flush()
		c.state = direction
	}
}

// finish returns the full tag and wipes the Ctx.
func (c *Ctx) finish() (tag [16]byte) {
	c.hashLengths(c.adLen, c.textLen)
	storeElement(&tag, &c.acc)
	subtle.XORBytes(tag[:], tag[:], c.mask[:])
	c.Wipe()
	return tag
}

func (c *Ctx) checkUpdate(name string, direction state, dst, src []byte) {
	if c.state != direction && c.state != authenticating {
		panic(c.order(name))
	}
	c.key.check()
	if len(dst) != len(src) {
		panic(wrongDst(name, len(dst), len(src)))
	}
	if alias.Inexact(dst, src) {
		panic(overlap(name, "dst", "src"))
	}
}

func (c *Ctx) checkFinal(name string, wrong state, tag []byte) {
	if c.state == idle || c.state == wrong {
		panic(c.order(name))
	}
	c.key.check()
	c.key.checkTag(name, tag)
}

// exceeds reports whether n more bytes than have make more than limit. have is at most limit, so nothing
// overflows.
func exceeds(have uint64, n int, limit uint64) bool { return uint64(n) > limit-have }

// storeElement writes e as GHASH orders bytes, which is the reverse of keys.Element's order.
func storeElement(out *[16]byte, e *keys.Element) {
	binary.BigEndian.PutUint64(out[:8], e.Hi)
	binary.BigEndian.PutUint64(out[8:], e.Lo)
}

//go:noinline
func (c *Ctx) order(name string) string {
	now := [...]string{
		idle:           "no message was begun, or it has ended",
		authenticating: "no text has been handled",
		encrypting:     "text is being encrypted",
		decrypting:     "text is being decrypted",
	}
	return "aesgcm: " + name + " out of order: " + now[c.state]
}
