package aesgcm

import (
	"crypto/subtle"
	"encoding/binary"

	"lamina/arch"
	"lamina/arch/keys"
)

// This file handles a message piece by piece: what a Ctx does when the message turns out not to be one that a
// single call can handle.

// hashNonce derives the first counter block from a nonce that does not have 12 bytes.
func (k *Key) hashNonce(nonce []byte) start {
	c := Ctx{key: k}
	c.hash(nonce)
	c.hashLengths(0, uint64(len(nonce)))
	var block [16]byte
	storeElement(&block, &c.acc)
	c.Wipe()
	first, last := binary.LittleEndian.Uint32(block[0:]), binary.BigEndian.Uint32(block[12:])
	return start{binary.LittleEndian.Uint64(block[4:]), uint64(last)<<32 | uint64(first), hashed}
}

// startStream goes to phase streaming from one in which nothing was handled. adLen bytes of the associated
// data are kept.
func (c *Ctx) startStream(adLen uint64) {
	c.cover()
	c.hash(c.ad[:adLen])
}

// cover makes what covers the tag, of the first counter block, and goes on to the next.
func (c *Ctx) cover() {
	c.phase = streaming
	binary.LittleEndian.PutUint32(c.ctr[0:], uint32(c.outer))
	binary.LittleEndian.PutUint64(c.ctr[4:], c.middle)
	binary.BigEndian.PutUint32(c.ctr[12:], uint32(c.outer>>32))
	c.keystream(&c.tag)
	c.count(1)
}

// resume goes from phase whole to phase streaming, for there is more text: it gets the state after the text so
// far back from the tag.
//
// Let A be the hash over associated data and text so far, E what covers the tag and L the block of lengths.
// The tag that was made is
//
//	T = (A + L)*H + E,  so  A*H = T + E + L*H
//
// A itself would take a division by H. But A is only ever needed times H. After the next block X the hash is
//
//	(A + X)*H = (L + X)*H + (T + E)
//
// Thus hash the block on from L instead of A, and add T + E after it. The block may be one of text or the one
// of lengths that ends the message.
//
// If the text so far ended within a block, A holds that block filled up with zeros. The bytes that follow in
// it, with zeros in place of those before, are a block D that was left out: A should be A + D*H, so
//
//	(A + D*H + X)*H = (L + D*H + X)*H + (T + E)
//
// Thus add D*H, which is the hash of D alone, to L. D is what the block in progress gives the hash; nothing
// that was handled is needed again.
func (c *Ctx) resume() {
	c.acc = keys.Element{Hi: c.adLen * 8, Lo: c.textLen * 8}
	c.late, c.owed = loadElement(&c.tag), true
	c.cover()
	add(&c.late, loadElement(&c.tag))
	c.count(uint32(c.textLen / 16))
	if c.n = uint8(c.textLen % 16); c.n > 0 {
		c.torn = true
		c.keystream(&c.stream)
	}
}

// encrypt is EncryptUpdate for text that is not empty and not the first in phase kept.
func (c *Ctx) encrypt(dst, src []byte) {
	c.extend(len(src))
	if c.n > 0 {
		m := subtle.XORBytes(dst[:min(len(dst), 16-int(c.n))], src, c.stream[c.n:])
		copy(c.part[c.n:], dst[:m])
		dst, src = dst[m:], src[m:]
		if !c.advance(m) {
			return
		}
	}
	for whole := c.run(src); whole > 0; whole = c.run(src) {
		arch.GCMEncrypt(c.key.im, &c.key.gcm, &c.acc, &c.ctr, dst[:whole], src[:whole])
		c.settle()
		c.count(uint32(whole / 16))
		dst, src = dst[whole:], src[whole:]
	}
	if len(src) > 0 {
		c.keystream(&c.stream)
		subtle.XORBytes(dst, src, c.stream[:])
		c.n = uint8(copy(c.part[:], dst))
	}
}

// decrypt is DecryptUpdate for text that is not empty and not the first in phase kept.
func (c *Ctx) decrypt(dst, src []byte) {
	c.extend(len(src))
	if c.n > 0 {
		// Copied before it is decrypted, because decryption in place overwrites what is to be hashed.
		m := copy(c.part[c.n:], src)
		subtle.XORBytes(dst[:m], src, c.stream[c.n:])
		dst, src = dst[m:], src[m:]
		if !c.advance(m) {
			return
		}
	}
	for whole := c.run(src); whole > 0; whole = c.run(src) {
		arch.GCMDecrypt(c.key.im, &c.key.gcm, &c.acc, &c.ctr, dst[:whole], src[:whole])
		c.settle()
		c.count(uint32(whole / 16))
		dst, src = dst[whole:], src[whole:]
	}
	if len(src) > 0 {
		c.keystream(&c.stream)
		c.n = uint8(copy(c.part[:], src))
		subtle.XORBytes(dst, src, c.stream[:])
	}
}

// extend prepares for n more bytes of text.
func (c *Ctx) extend(n int) {
	switch {
	case c.phase == whole:
		c.resume()
	case c.phase != streaming:
		c.startStream(0)
	case c.textLen == 0:
		c.endData()
	}
	c.textLen += uint64(n)
}

// finishStream makes the tag.
func (c *Ctx) finishStream() {
	if c.phase != streaming {
		c.startStream(0)
	}
	c.hashLengths(c.adLen, c.textLen)
	add(&c.acc, loadElement(&c.tag))
	storeElement(&c.tag, &c.acc)
}

// keystream writes the encryption of the counter block to out. It goes through GCMEncrypt, and throws the hash
// away, because the portable implementation's GCM has no loads that depend on secrets, and its single blocks do.
func (c *Ctx) keystream(out *[16]byte) {
	var zero [16]byte
	var unused keys.Element
	arch.GCMEncrypt(c.key.im, &c.key.gcm, &unused, &c.ctr, out[:], zero[:])
}

// count advances the counter by n blocks: modulo 2^32, as it has 32 bits, and the rest of its block stays.
func (c *Ctx) count(n uint32) {
	last := c.ctr[12:]
	binary.BigEndian.PutUint32(last, binary.BigEndian.Uint32(last)+n)
}

// advance adds m bytes to the block in progress, and reports whether it has become whole, and been hashed.
func (c *Ctx) advance(m int) bool {
	c.n += uint8(m)
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
		if c.n += uint8(m); c.n < 16 {
			return
		}
		c.hashBlocks(c.part[:])
	}
	whole := len(data) &^ 15
	c.hashBlocks(data[:whole])
	c.n = uint8(copy(c.part[:], data[whole:]))
}

// endData hashes the last block of the associated data, filled up with zeros.
func (c *Ctx) endData() {
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

// hashBlocks hashes whole blocks, the first of which may be the rest of a torn one, or have a sum owed to it.
func (c *Ctx) hashBlocks(blocks []byte) {
	if c.torn {
		var product keys.Element
		arch.GHASHBlocks(c.key.im, &c.key.gcm.Hash, &product, blocks[:16])
		add(&c.acc, product)
		c.torn = false
		blocks = blocks[16:]
	}
	for whole := c.run(blocks); whole > 0; whole = c.run(blocks) {
		arch.GHASHBlocks(c.key.im, &c.key.gcm.Hash, &c.acc, blocks[:whole])
		c.settle()
		blocks = blocks[whole:]
	}
}

// run returns how many bytes of data can be handled in one call: the whole blocks, but a single one while
// something is to be added to the hash after it.
func (c *Ctx) run(data []byte) int {
	if c.owed {
		return min(len(data)&^15, 16)
	}
	return len(data) &^ 15
}

// settle adds to the hash what is to be added after the block that was hashed; see resume.
func (c *Ctx) settle() {
	if c.owed {
		add(&c.acc, c.late)
		c.late, c.owed = keys.Element{}, false
	}
}

func add(sum *keys.Element, e keys.Element) {
	sum.Lo ^= e.Lo
	sum.Hi ^= e.Hi
}

// loadElement reads an element in GHASH's order of bytes, which is the reverse of keys.Element's order.
func loadElement(in *[16]byte) keys.Element {
	return keys.Element{Hi: binary.BigEndian.Uint64(in[:8]), Lo: binary.BigEndian.Uint64(in[8:])}
}

// storeElement writes e in GHASH's order of bytes.
func storeElement(out *[16]byte, e *keys.Element) {
	binary.BigEndian.PutUint64(out[:8], e.Hi)
	binary.BigEndian.PutUint64(out[8:], e.Lo)
}
