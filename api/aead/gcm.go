package aead

import (
	"encoding/binary"

	"lamina/arch"
	"lamina/lib/aesgcm"
)

// gcm is gcm(aes), and rfc4106(gcm(aes)) where esp is set.
type gcm struct {
	key  aesgcm.Key
	impl arch.Impl
	salt [4]byte
	esp  bool
}

func (g *gcm) init(key, salt []byte, authSize int) error {
	copy(g.salt[:], salt)
	return g.key.InitImpl(g.impl, key, authSize)
}

func (g *gcm) prepare(r *Request, n int) error {
	if uint64(n) > aesgcm.MaxText {
		return r.tfm.failure(ErrLength, "%d bytes of text; a message has at most 2^36 - 32", n)
	}
	// The nonce is stored as it will be loaded, in 4 and 8 bytes: other stores would have to reach the cache before
	// the load could have them.
	if g.esp {
		if err := r.checkESP(); err != nil {
			return err
		}
		copy(r.nonce[:4], g.salt[:])
		binary.NativeEndian.PutUint64(r.nonce[4:], binary.NativeEndian.Uint64(r.iv))
	} else {
		binary.NativeEndian.PutUint32(r.nonce[:], binary.NativeEndian.Uint32(r.iv))
		binary.NativeEndian.PutUint64(r.nonce[4:], binary.NativeEndian.Uint64(r.iv[4:]))
	}
	return nil
}

func (g *gcm) nonce(r *Request) []byte { return r.nonce[:aesgcm.NonceSize] }

func (g *gcm) seal(r *Request, dst, tag, src, ad []byte) {
	g.key.Encrypt(dst, tag, g.nonce(r), src, ad)
}

func (g *gcm) open(r *Request, dst, src, tag, ad []byte) error {
	return g.key.Decrypt(dst, g.nonce(r), src, tag, ad)
}

func (g *gcm) begin(r *Request, _, _ int) error {
	r.gcm.Init(&g.key, g.nonce(r))
	return nil
}

func (g *gcm) auth(r *Request, ad []byte)          { r.gcm.AuthUpdate(ad) }
func (g *gcm) encrypt(r *Request, dst, src []byte) { r.gcm.EncryptUpdate(dst, src) }
func (g *gcm) decrypt(r *Request, dst, src []byte) { r.gcm.DecryptUpdate(dst, src) }
func (g *gcm) sealed(r *Request, tag []byte)       { r.gcm.EncryptFinal(tag) }
func (g *gcm) opened(r *Request, tag []byte) error { return r.gcm.DecryptFinal(tag) }

func (g *gcm) wipe() {
	g.key.Wipe()
	clear(g.salt[:])
}
