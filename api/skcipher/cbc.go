package skcipher

import (
	"lamina/arch"
	"lamina/lib/aes"
	"lamina/lib/aescbc"
)

// chained is what modes share that take the IV up and hand back what it has become.
type chained struct{}

func (chained) begin(r *Request) { r.chain = [16]byte(r.iv) }
func (chained) end(r *Request)   { copy(r.iv, r.chain[:]) }

// ecb is ecb(aes).
type ecb struct {
	key  aes.Key
	impl arch.Impl
}

func (e *ecb) init(key []byte, _ bool) error { return e.key.InitImpl(e.impl, key) }
func (e *ecb) begin(*Request)                {}
func (e *ecb) end(*Request)                  {}
func (e *ecb) wipe()                         { e.key.Wipe() }

func (e *ecb) encrypt(_ *Request, dst, src []byte, _ bool) { e.key.EncryptBlocks(dst, src) }
func (e *ecb) decrypt(_ *Request, dst, src []byte, _ bool) { e.key.DecryptBlocks(dst, src) }

// cbc is cbc(aes).
type cbc struct {
	chained
	key  aes.Key
	impl arch.Impl
}

func (c *cbc) init(key []byte, _ bool) error { return c.key.InitImpl(c.impl, key) }
func (c *cbc) wipe()                         { c.key.Wipe() }

func (c *cbc) encrypt(r *Request, dst, src []byte, _ bool) {
	aescbc.Encrypt(&c.key.EncKey, &r.chain, dst, src)
}

func (c *cbc) decrypt(r *Request, dst, src []byte, _ bool) {
	aescbc.Decrypt(&c.key, &r.chain, dst, src)
}

// cts is cts(cbc(aes)): CBC but for the last part of a text.
type cts struct{ cbc }

func (c *cts) encrypt(r *Request, dst, src []byte, last bool) {
	if last {
		aescbc.EncryptCTS(&c.key.EncKey, &r.chain, dst, src)
	} else {
		c.cbc.encrypt(r, dst, src, false)
	}
}

func (c *cts) decrypt(r *Request, dst, src []byte, last bool) {
	if last {
		aescbc.DecryptCTS(&c.key, &r.chain, dst, src)
	} else {
		c.cbc.decrypt(r, dst, src, false)
	}
}
