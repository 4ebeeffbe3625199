package skcipher

import (
	"encoding/binary"

	"lamina/arch"
	"lamina/lib/aes"
	"lamina/lib/aesctr"
)

// ctr is ctr(aes).
type ctr struct {
	chained
	key  aes.EncKey
	impl arch.Impl
}

func (c *ctr) init(key []byte, _ bool) error { return c.key.InitImpl(c.impl, key) }
func (c *ctr) wipe()                         { c.key.Wipe() }

func (c *ctr) encrypt(r *Request, dst, src []byte, _ bool) {
	aesctr.CTR(&c.key, &r.chain, dst, src)
}

func (c *ctr) decrypt(r *Request, dst, src []byte, last bool) { c.encrypt(r, dst, src, last) }

const (
	// nonceSize is how many bytes at the end of a key of rfc3686(ctr(aes)) are the nonce.
	nonceSize = 4
	// rfc3686MaxSize is the size of 2^32 - 1 blocks: the count is in 4 bytes and begins at 1, and a 0 would carry
	// into the IV.
	rfc3686MaxSize = (1<<32 - 1) * blockSize
)

// rfc3686 is rfc3686(ctr(aes)). The IV is only a part of the counter block, so it cannot say where another
// request goes on, and stays.
type rfc3686 struct {
	ctr
	nonce [nonceSize]byte
}

func (c *rfc3686) init(key []byte, allowWeak bool) error {
	cut := len(key) - nonceSize
	copy(c.nonce[:], key[cut:])
	return c.ctr.init(key[:cut], allowWeak)
}

func (c *rfc3686) begin(r *Request) {
	copy(r.chain[:], c.nonce[:])
	copy(r.chain[nonceSize:], r.iv)
	binary.BigEndian.PutUint32(r.chain[12:], 1)
}

func (c *rfc3686) end(*Request) {}

func (c *rfc3686) wipe() {
	c.ctr.wipe()
	clear(c.nonce[:])
}

// xctr is xctr(aes). The count of blocks is beside the IV, not in it, so the IV stays.
type xctr struct {
	chained
	key  aes.EncKey
	impl arch.Impl
}

func (c *xctr) init(key []byte, _ bool) error { return c.key.InitImpl(c.impl, key) }
func (c *xctr) wipe()                         { c.key.Wipe() }

func (c *xctr) begin(r *Request) {
	c.chained.begin(r)
	r.counter = 1
}

func (c *xctr) end(*Request) {}

func (c *xctr) encrypt(r *Request, dst, src []byte, _ bool) {
	aesctr.XCTR(&c.key, &r.counter, &r.chain, dst, src)
}

func (c *xctr) decrypt(r *Request, dst, src []byte, last bool) { c.encrypt(r, dst, src, last) }
