package aead

import (
	"lamina/arch"
	"lamina/lib/aesccm"
)

const (
	ccmIVSize     = 16 // a block: the first that CCM counts with
	ccmMinNonce   = 7
	ccmNonceSizes = 7 // how many sizes nonces can have
)

// ccm is ccm(aes). The size of the nonce comes with each IV, and a key of package aesccm has one size, so there
// is a key for each.
type ccm struct {
	keys [ccmNonceSizes]aesccm.Key
	impl arch.Impl
}

func (c *ccm) init(key, _ []byte, authSize int) error {
	for i := range c.keys {
		if err := c.keys[i].InitImpl(c.impl, key, ccmMinNonce+i, authSize); err != nil {
			return err
		}
	}
	return nil
}

func (c *ccm) prepare(r *Request, n int) error {
	field := int(r.iv[0]) + 1 // the size of the length field
	if field < 2 || field > 8 {
		return r.tfm.failure(ErrIV, "its first byte is %d; it must be 1 to 7, the size of the length field less one", r.iv[0])
	}
	r.nonceSize = copy(r.nonce[:], r.iv[1:ccmIVSize-field])
	return c.checkText(r, n)
}

func (c *ccm) checkText(r *Request, n int) error {
	if limit := c.key(r).MaxText(); uint64(n) > limit {
		return r.tfm.failure(ErrLength, "%d bytes of text; with a nonce of %d bytes a message has at most %d", n, r.nonceSize, limit)
	}
	return nil
}

func (c *ccm) key(r *Request) *aesccm.Key { return &c.keys[r.nonceSize-ccmMinNonce] }

func (c *ccm) nonce(r *Request) []byte { return r.nonce[:r.nonceSize] }

func (c *ccm) seal(r *Request, dst, tag, src, ad []byte) {
	c.key(r).Encrypt(dst, tag, c.nonce(r), src, ad)
}

func (c *ccm) open(r *Request, dst, src, tag, ad []byte) error {
	return c.key(r).Decrypt(dst, c.nonce(r), src, tag, ad)
}

func (c *ccm) begin(r *Request, adSize, n int) error {
	return r.ccm.Init(c.key(r), c.nonce(r), uint64(adSize), uint64(n))
}

func (c *ccm) auth(r *Request, ad []byte)          { r.ccm.AuthUpdate(ad) }
func (c *ccm) encrypt(r *Request, dst, src []byte) { r.ccm.EncryptUpdate(dst, src) }
func (c *ccm) decrypt(r *Request, dst, src []byte) { r.ccm.DecryptUpdate(dst, src) }
func (c *ccm) sealed(r *Request, tag []byte)       { r.ccm.EncryptFinal(tag) }
func (c *ccm) opened(r *Request, tag []byte) error { return r.ccm.DecryptFinal(tag) }

func (c *ccm) wipe() {
	for i := range c.keys {
		c.keys[i].Wipe()
	}
}
