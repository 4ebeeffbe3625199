package aesgcm

import (
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
//
// It is fastest, and hardly slower than one call for the message, with a nonce of 12 bytes, up to 40 bytes of
// associated data and the whole text in one update.
type Ctx struct {
	key *Key
	start
	direction direction
	tooLong   bool  // more was to be decrypted than a message can have
	owed      bool  // phase streaming: late is still to be added
	torn      bool  // phase streaming: the block in progress began in phase whole
	n         uint8 // phase streaming: bytes of the block in progress
	adLen     uint64
	textLen   uint64
	tag       [16]byte      // phase whole: the full tag; phase streaming: what is added to the hash to make it
	ad        [maxKept]byte // phases kept and whole: the associated data

	// Phase streaming; see stream.go.
	ctr    [16]byte     // counter block of the block in progress, or of the next if there is none
	acc    keys.Element // the hash
	late   keys.Element // what is added to the hash after the next block
	stream [16]byte     // keystream of the block in progress
	part   [16]byte     // what the block in progress gives the hash
}

// maxKept is how many bytes of associated data a Ctx keeps until it knows whether the text comes in one piece.
// The headers of records have less.
const maxKept = 40

// start is what NewCtx sets besides the key. It has so few fields because a struct that takes four stores or
// fewer to set up is set up where it will lie, and others are set up elsewhere and moved. Moving waits: it
// loads what several stores have just written.
type start struct {
	// The first counter block: its bytes 4 to 11, little-endian; and its bytes 0 to 3, little-endian, with the
	// counter, which is the last four, above them.
	middle, outer uint64

	phase phase
}

// phase is how much of the message has been handled.
//
// Most messages have little associated data and come in one piece, and then one call for everything is much
// faster than a call for each part. So the data is kept, the first update is taken for the whole text, and
// Final finds the tag made. If more text follows after all, resume goes on from there.
type phase uint8

const (
	ended     phase = iota // no message was begun, or it has ended
	kept                   // nothing: the nonce has 12 bytes, and the associated data is in ad
	hashed                 // nothing: the nonce has another length
	whole                  // all, as if it were the whole message
	streaming              // all but the block in progress and the lengths
)

type direction uint8

const (
	undecided direction = iota
	encrypting
	decrypting
)

// NewCtx begins a message under k with a nonce of at least 1 byte, which must never have encrypted another
// message under this key; 12 bytes are fastest. k stays in use until Final. NewCtx panics if k was not set,
// or if the nonce is empty.
//
// Unlike with Init, a key that is a local variable stays on the stack, as long as the Ctx does.
func NewCtx(k *Key, nonce []byte) Ctx {
	// This much and no more, so that it inlines.
	s := k.start(nonce)
	return Ctx{key: k, start: s}
}

// start checks key and nonce, and derives the first counter block (SP 800-38D, section 7.1, step 2): nonces of
// 12 bytes are its beginning, others are hashed, with their length, to all of it.
func (k *Key) start(nonce []byte) start {
	k.check()
	if len(nonce) == NonceSize {
		const one = 1 << 32
		first, rest := binary.LittleEndian.Uint32(nonce), binary.LittleEndian.Uint64(nonce[4:])
		return start{rest, one | uint64(first), kept}
	}
	if len(nonce) == 0 {
		panic(noNonce("NewCtx"))
	}
	return k.hashNonce(nonce)
}

// Init begins a message under k, as NewCtx does, and forgets any other. It is for a Ctx inside another type.
func (c *Ctx) Init(k *Key, nonce []byte) { *c = NewCtx(k, nonce) }

// AuthUpdate appends data to the associated data. It panics out of order, and if that makes more than MaxAD
// bytes.
func (c *Ctx) AuthUpdate(data []byte) {
	if c.phase == ended || c.direction != undecided {
		panic(c.order("AuthUpdate"))
	}
	c.key.check()
	if exceeds(c.adLen, len(data), MaxAD) {
		panic("aesgcm: AuthUpdate: more than 2^61 - 1 bytes of associated data")
	}
	have := c.adLen
	c.adLen += uint64(len(data))
	if c.phase == kept && c.adLen <= maxKept {
		copy(c.ad[have:], data)
		return
	}
	if c.phase != streaming {
		c.startStream(have)
	}
	c.hash(data)
}

// EncryptUpdate encrypts the next bytes of the text, src, to dst. Both must have the same length and be the
// same memory or not overlap. It panics otherwise, out of order, and if the text comes to have more than
// MaxText bytes; and then writes nothing.
func (c *Ctx) EncryptUpdate(dst, src []byte) {
	if !c.acceptsUpdate(encrypting, dst, src) {
		panic(c.refuseUpdate("EncryptUpdate", encrypting, dst, src))
	}
	if exceeds(c.textLen, len(src), MaxText) {
		panic(tooMuchText("EncryptUpdate"))
	}
	c.direction = encrypting
	if len(src) == 0 {
		return
	}
	if c.phase == kept {
		c.phase = whole
		c.textLen += uint64(len(src))
		var nonce [NonceSize]byte
		c.putNonce(&nonce)
		arch.GCMSeal(c.key.im, &c.key.gcm, &c.tag, dst, src, &nonce, c.ad[:c.adLen])
		return
	}
	c.encrypt(dst, src)
}

// DecryptUpdate decrypts the next bytes of the text, src, to dst. Both must have the same length and be the
// same memory or not overlap. It panics otherwise, and out of order; and then writes nothing. Where the text
// comes to have more than MaxText bytes, it writes zeros, and DecryptFinal will fail.
//
// dst is not authenticated before DecryptFinal returned nil; see Ctx.
func (c *Ctx) DecryptUpdate(dst, src []byte) {
	if !c.acceptsUpdate(decrypting, dst, src) {
		panic(c.refuseUpdate("DecryptUpdate", decrypting, dst, src))
	}
	c.direction = decrypting
	if c.tooLong = c.tooLong || exceeds(c.textLen, len(src), MaxText); c.tooLong {
		clear(dst)
		return
	}
	if len(src) == 0 {
		return
	}
	if c.phase == kept {
		c.phase = whole
		c.textLen += uint64(len(src))
		var nonce [NonceSize]byte
		c.putNonce(&nonce)
		arch.GCMOpen(c.key.im, &c.key.gcm, &c.tag, dst, src, &nonce, c.ad[:c.adLen])
		return
	}
	c.decrypt(dst, src)
}

// EncryptFinal ends a message that was encrypted, writes its tag to tag and wipes the Ctx. tag must be as
// long as the key's tags are, or EncryptFinal panics; as it does out of order.
func (c *Ctx) EncryptFinal(tag []byte) {
	if !c.acceptsFinal(decrypting, tag) {
		panic(c.refuseFinal("EncryptFinal", decrypting, tag))
	}
	if c.phase != whole {
		c.finish()
	}
	if len(tag) == TagSize {
		*(*[TagSize]byte)(tag) = c.tag
	} else {
		copy(tag, c.tag[:])
	}
	c.Wipe()
}

// DecryptFinal ends a message that was decrypted, and wipes the Ctx. It returns nil if tag is the message's
// tag, and otherwise ErrOpen: then throw away all that DecryptUpdate wrote. tag must be as long as the key's
// tags are, or DecryptFinal panics; as it does out of order.
func (c *Ctx) DecryptFinal(tag []byte) error {
	if !c.acceptsFinal(encrypting, tag) {
		panic(c.refuseFinal("DecryptFinal", encrypting, tag))
	}
	if c.phase != whole {
		c.finish()
	}
	ok := !c.tooLong && equalTag(&c.tag, tag)
	c.Wipe()
	if !ok {
		return ErrOpen
	}
	return nil
}

// Wipe ends a message without a tag, and overwrites the state with zeros. Any later use but Init panics.
func (c *Ctx) Wipe() { *c = Ctx{} }

// finish makes the tag, which phase whole has already.
func (c *Ctx) finish() {
	if c.phase == kept {
		var nonce [NonceSize]byte
		c.putNonce(&nonce)
		arch.GCMSeal(c.key.im, &c.key.gcm, &c.tag, nil, nil, &nonce, c.ad[:c.adLen])
		return
	}
	c.finishStream()
}

// putNonce writes the nonce in the pieces in which the hooks load it: a load of what several stores wrote
// waits until these have left the core.
func (c *Ctx) putNonce(out *[NonceSize]byte) {
	binary.LittleEndian.PutUint32(out[0:], uint32(c.outer))
	binary.LittleEndian.PutUint64(out[4:], c.middle)
}

// acceptsUpdate reports whether text may be handled in direction d. It inlines; refuseUpdate says why it may
// not.
func (c *Ctx) acceptsUpdate(d direction, dst, src []byte) bool {
	return (c.direction == d || c.direction == undecided) && c.phase != ended && c.key.tagSize != 0 &&
		len(dst) == len(src) && !alias.Inexact(dst, src)
}

//go:noinline
func (c *Ctx) refuseUpdate(name string, d direction, dst, src []byte) string {
	if c.phase == ended || c.direction != d && c.direction != undecided {
		return c.order(name)
	}
	c.key.check()
	if len(dst) != len(src) {
		return wrongDst(name, len(dst), len(src))
	}
	return overlap(name, "dst", "src")
}

// acceptsFinal reports whether the message may end, with this tag, unless its direction is the wrong one. It
// inlines; refuseFinal says why it may not.
func (c *Ctx) acceptsFinal(wrong direction, tag []byte) bool {
	return c.direction != wrong && c.phase != ended && c.key.tagSize != 0 && len(tag) == int(c.key.tagSize)
}

//go:noinline
func (c *Ctx) refuseFinal(name string, wrong direction, tag []byte) string {
	if c.phase == ended || c.direction == wrong {
		return c.order(name)
	}
	c.key.check()
	return wrongTag(name, len(tag), int(c.key.tagSize))
}

// exceeds reports whether n more bytes than have make more than limit. have is at most limit, so nothing
// overflows.
func exceeds(have uint64, n int, limit uint64) bool { return uint64(n) > limit-have }

//go:noinline
func (c *Ctx) order(name string) string {
	now := [...]string{
		undecided:  "no text has been handled",
		encrypting: "text is being encrypted",
		decrypting: "text is being decrypted",
	}[c.direction]
	if c.phase == ended {
		now = "no message was begun, or it has ended"
	}
	return "aesgcm: " + name + " out of order: " + now
}
