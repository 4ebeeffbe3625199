package aesccm

import (
	"crypto/subtle"
	"strconv"

	"lamina/arch"
	"lamina/lib/internal/alias"
)

// Ctx encrypts or decrypts one message that arrives in pieces of any length. CCM authenticates the lengths before
// anything else, so they are announced when the message begins. The order of calls is:
//
//	NewCtx or Init; AuthUpdate, until all is there; EncryptUpdate, until all is there; EncryptFinal
//	NewCtx or Init; AuthUpdate, until all is there; DecryptUpdate, until all is there; DecryptFinal
//
// Any other order panics. A Ctx serves one goroutine, and wipes itself in the Final call. What DecryptUpdate
// writes is not authenticated: nobody may act on it, or be shown it, before DecryptFinal returned nil.
type Ctx struct {
	key    *Key
	m      message
	stream [blockSize]byte // key stream of the block in progress
	part   [blockSize]byte // what the block in progress gives the MAC
	n      int             // bytes of the block in progress

	state    state
	tooLong  bool // more was to be decrypted than announced
	adLeft   uint64
	textLeft uint64
}

type state uint8

const (
	idle state = iota
	authenticating
	encrypting
	decrypting
)

// NewCtx begins a message under k with adLen bytes of associated data and textLen bytes of text. nonce must
// be as long as the key's nonces are, and must never have encrypted another message under this key. k stays
// in use until Final. If textLen is more than the key's MaxText, the error is a TextSizeError. NewCtx panics
// if k was not set, or if the nonce has the wrong size.
//
// Unlike with Init, a key that is a local variable stays on the stack, as long as the Ctx does.
func NewCtx(k *Key, nonce []byte, adLen, textLen uint64) (Ctx, error) {
	k.check()
	k.checkNonce("NewCtx", nonce)
	if textLen > k.maxText() {
		return Ctx{}, TextSizeError(k.maxText())
	}
	c := Ctx{key: k, state: authenticating, adLeft: adLen, textLeft: textLen}
	c.m.begin(k, nonce, adLen, textLen)
	if adLen > 0 {
		c.n = putLength((*[10]byte)(c.part[:]), adLen)
	}
	return c, nil
}

// Init begins a message under k, as NewCtx does, and forgets any other. It is for a Ctx inside another type.
// On an error the Ctx is wiped.
func (c *Ctx) Init(k *Key, nonce []byte, adLen, textLen uint64) (err error) {
	*c, err = NewCtx(k, nonce, adLen, textLen)
	return err
}

// AuthUpdate appends data to the associated data. It panics out of order, and if that makes more than was
// announced.
func (c *Ctx) AuthUpdate(data []byte) {
	if c.state != authenticating {
		panic(c.order("AuthUpdate"))
	}
	c.key.check()
	if uint64(len(data)) > c.adLeft {
		panic(moreThanAnnounced("AuthUpdate", len(data), "associated data", c.adLeft))
	}
	c.adLeft -= uint64(len(data))
	if c.n > 0 {
		m := copy(c.part[c.n:], data)
		data = data[m:]
		if c.n += m; c.n < blockSize {
			return
		}
		c.mac(c.part[:])
	}
	whole := len(data) &^ (blockSize - 1)
	c.mac(data[:whole])
	c.n = copy(c.part[:], data[whole:])
}

// EncryptUpdate encrypts the next bytes of the text, src, to dst. Both must have the same length and be the
// same memory or not overlap. It panics otherwise, out of order, if associated data is missing, and if the
// text comes to have more bytes than were announced; and then writes nothing.
func (c *Ctx) EncryptUpdate(dst, src []byte) {
	c.checkUpdate("EncryptUpdate", encrypting, dst, src)
	if uint64(len(src)) > c.textLeft {
		panic(moreThanAnnounced("EncryptUpdate", len(src), "text", c.textLeft))
	}
	c.startText(encrypting)
	c.textLeft -= uint64(len(src))
	if c.n > 0 {
		// Copied before it is encrypted, because encryption in place overwrites what the MAC is of.
		m := copy(c.part[c.n:], src)
		subtle.XORBytes(dst[:m], src, c.stream[c.n:])
		dst, src = dst[m:], src[m:]
		if !c.advance(m) {
			return
		}
	}
	if whole := len(src) &^ (blockSize - 1); whole > 0 {
		arch.CCMEncrypt(c.key.im, &c.key.enc, &c.m.mac, &c.m.ctr, dst[:whole], src[:whole])
		dst, src = dst[whole:], src[whole:]
	}
	if len(src) > 0 {
		c.m.keystream(c.key, &c.stream)
		c.n = copy(c.part[:], src)
		subtle.XORBytes(dst, src, c.stream[:])
	}
}

// DecryptUpdate decrypts the next bytes of the text, src, to dst. Both must have the same length and be the
// same memory or not overlap. It panics otherwise, out of order, and if associated data is missing; and then
// writes nothing. Where the text comes to have more bytes than were announced, it writes zeros, and
// DecryptFinal will fail.
//
// dst is not authenticated before DecryptFinal returned nil; see Ctx.
func (c *Ctx) DecryptUpdate(dst, src []byte) {
	c.checkUpdate("DecryptUpdate", decrypting, dst, src)
	c.startText(decrypting)
	if c.tooLong = c.tooLong || uint64(len(src)) > c.textLeft; c.tooLong {
		clear(dst)
		return
	}
	c.textLeft -= uint64(len(src))
	if c.n > 0 {
		m := subtle.XORBytes(dst[:min(len(dst), blockSize-c.n)], src, c.stream[c.n:])
		copy(c.part[c.n:], dst[:m])
		dst, src = dst[m:], src[m:]
		if !c.advance(m) {
			return
		}
	}
	if whole := len(src) &^ (blockSize - 1); whole > 0 {
		arch.CCMDecrypt(c.key.im, &c.key.enc, &c.m.mac, &c.m.ctr, dst[:whole], src[:whole])
		dst, src = dst[whole:], src[whole:]
	}
	if len(src) > 0 {
		c.m.keystream(c.key, &c.stream)
		subtle.XORBytes(dst, src, c.stream[:])
		c.n = copy(c.part[:], dst)
	}
}

// EncryptFinal ends a message that was encrypted, writes its tag to tag and wipes the Ctx. tag must be as
// long as the key's tags are, or EncryptFinal panics; as it does out of order, and if associated data or text
// that was announced is missing.
func (c *Ctx) EncryptFinal(tag []byte) {
	c.checkFinal("EncryptFinal", decrypting, tag)
	if c.textLeft > 0 {
		panic(missing("EncryptFinal", c.textLeft, "text"))
	}
	full := c.finish()
	copy(tag, full[:])
}

// DecryptFinal ends a message that was decrypted, and wipes the Ctx. It returns nil if tag is the message's
// tag, and otherwise, or if there was not as much text as announced, ErrOpen: then throw away all that
// DecryptUpdate wrote. tag must be as long as the key's tags are, or DecryptFinal panics; as it does out of
// order, and if associated data is missing.
func (c *Ctx) DecryptFinal(tag []byte) error {
	c.checkFinal("DecryptFinal", encrypting, tag)
	wrongLength := c.tooLong || c.textLeft > 0
	full := c.finish()
	if wrongLength || !equalTag(&full, tag) {
		return ErrOpen
	}
	return nil
}

// Wipe ends a message without a tag, and overwrites the state with zeros. Any later use but Init panics.
func (c *Ctx) Wipe() { *c = Ctx{} }

// advance adds m bytes to the block in progress, and reports whether it has become whole, and been authenticated.
func (c *Ctx) advance(m int) bool {
	if c.n += m; c.n < blockSize {
		return false
	}
	c.n = 0
	c.mac(c.part[:])
	return true
}

func (c *Ctx) mac(blocks []byte) {
	if len(blocks) > 0 {
		arch.CBCMAC(c.key.im, &c.key.enc, &c.m.mac, blocks)
	}
}

// startText ends the associated data if it has not ended.
func (c *Ctx) startText(direction state) {
	if c.state == authenticating {
		c.flush()
		c.state = direction
	}
}

// flush authenticates the block in progress, filled up with zeros.
func (c *Ctx) flush() {
	c.m.padded(c.key, c.part[:c.n])
	c.n = 0
}

// finish returns the full tag and wipes the Ctx.
func (c *Ctx) finish() [blockSize]byte {
	c.flush()
	tag := c.m.tag()
	c.Wipe()
	return tag
}

func (c *Ctx) checkUpdate(name string, direction state, dst, src []byte) {
	if c.state != direction && c.state != authenticating {
		panic(c.order(name))
	}
	c.key.check()
	if c.adLeft > 0 {
		panic(missing(name, c.adLeft, "associated data"))
	}
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
	if c.adLeft > 0 {
		panic(missing(name, c.adLeft, "associated data"))
	}
}

//go:noinline
func (c *Ctx) order(name string) string {
	now := [...]string{
		idle:           "no message was begun, or it has ended",
		authenticating: "no text has been handled",
		encrypting:     "text is being encrypted",
		decrypting:     "text is being decrypted",
	}
	return "aesccm: " + name + " out of order: " + now[c.state]
}

//go:noinline
func missing(name string, left uint64, what string) string {
	return "aesccm: " + name + ": " + strconv.FormatUint(left, 10) + " bytes of " + what + " that were announced are missing"
}

//go:noinline
func moreThanAnnounced(name string, got int, what string, left uint64) string {
	return "aesccm: " + name + ": " + strconv.Itoa(got) + " bytes of " + what + ", where " +
		strconv.FormatUint(left, 10) + " of those announced are left"
}
