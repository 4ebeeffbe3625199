package aesgcm

import (
	"testing"

	"lamina/arch"
)

// TestNoAllocations counts with every key and buffer a local variable, so a count of 0 says both that nothing
// is allocated and that nothing escapes.
func TestNoAllocations(t *testing.T) {
	for name, f := range map[string]func(){
		"New, Seal, Open": func() {
			var key [32]byte
			var nonce [12]byte
			var buf [300]byte
			k, err := New(key[:])
			if err != nil {
				t.Fatal(err)
			}
			sealed := k.Seal(buf[:0], nonce[:], buf[:200], key[:])
			if _, err := k.Open(sealed[:0], nonce[:], sealed, key[:]); err != nil {
				t.Fatal(err)
			}
			sealed[0] ^= 1
			if _, err := k.Open(sealed[:0], nonce[:], sealed, key[:]); err == nil {
				t.Fatal("a forgery was not noticed")
			}
		},
		"Encrypt, Decrypt": func() {
			var key [16]byte
			var nonce [20]byte
			var buf [300]byte
			var tag [12]byte
			var k Key
			if err := k.Init(key[:], 12); err != nil {
				t.Fatal(err)
			}
			for _, n := range []int{12, 20} {
				k.Encrypt(buf[:], tag[:], nonce[:n], buf[:], key[:])
				if err := k.Decrypt(buf[:], nonce[:n], buf[:], tag[:], key[:]); err != nil {
					t.Fatal(err)
				}
			}
		},
		"Ctx": func() {
			var key, tag [16]byte
			var nonce [12]byte
			var buf [300]byte
			var k Key
			if err := k.Init(key[:], 16); err != nil {
				t.Fatal(err)
			}
			c := NewCtx(&k, nonce[:])
			c.AuthUpdate(key[:])
			c.EncryptUpdate(buf[:33], buf[:33])
			c.EncryptUpdate(buf[33:], buf[33:])
			c.EncryptFinal(tag[:])
			c = NewCtx(&k, nonce[:])
			c.AuthUpdate(key[:])
			c.DecryptUpdate(buf[:], buf[:])
			if err := c.DecryptFinal(tag[:]); err != nil {
				t.Fatal(err)
			}
		},
		"GMAC": func() {
			var key, tag [16]byte
			var nonce [12]byte
			var k Key
			if err := k.Init(key[:], 16); err != nil {
				t.Fatal(err)
			}
			k.GMAC(tag[:], nonce[:], key[:])
			m := NewGMAC(&k, nonce[:])
			m.Update(key[:])
			if err := m.Verify(tag[:]); err != nil {
				t.Fatal(err)
			}
		},
	} {
		if n := testing.AllocsPerRun(50, f); n != 0 {
			t.Errorf("%s: %v allocations, want 0", name, n)
		}
	}
	// Init of a Ctx inside another type, whose key is there already.
	var session struct {
		key Key
		ctx Ctx
	}
	session.key.Init(make([]byte, 16), 16)
	nonce, buf := make([]byte, 12), make([]byte, 100)
	for _, im := range arch.Impls() {
		session.key.InitImpl(im, buf[:32], 16)
		if n := testing.AllocsPerRun(50, func() {
			session.ctx.Init(&session.key, nonce)
			session.ctx.EncryptUpdate(buf, buf)
			session.ctx.EncryptFinal(buf[:16])
		}); n != 0 {
			t.Errorf("%v: Ctx.Init to EncryptFinal: %v allocations, want 0", im, n)
		}
	}
}
