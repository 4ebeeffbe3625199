package skcipher

import (
	"lamina/arch"
	"lamina/lib/aesxts"
)

// xts is xts(aes).
type xts struct {
	chained
	key  aesxts.Key
	impl arch.Impl
}

func (x *xts) init(key []byte, allowWeak bool) error {
	if allowWeak {
		return x.key.InitAllowWeakImpl(x.impl, key)
	}
	return x.key.InitImpl(x.impl, key)
}

func (x *xts) wipe() { x.key.Wipe() }

func (x *xts) encrypt(r *Request, dst, src []byte, _ bool) { x.key.Encrypt(dst, src, &r.chain) }
func (x *xts) decrypt(r *Request, dst, src []byte, _ bool) { x.key.Decrypt(dst, src, &r.chain) }

// end leaves the IV alone where stealing ended the data unit. The chain is then in front of the last part, and
// where that begins depends on how the lists are divided.
func (x *xts) end(r *Request) {
	if r.size%blockSize == 0 {
		x.chained.end(r)
	}
}
