package lib_test

import (
	"lamina/arch"
	"lamina/lib/aesccm"
	"lamina/lib/aescmac"
	"lamina/lib/aesgcm"
	"lamina/lib/ghash"
)

// statesUnder returns the types of messages in pieces, once for each way to end them.
func statesUnder(im arch.Impl) (objects []object) {
	hashKey, macKey := new(ghash.Key), new(aescmac.Key)
	hashKey.InitImpl(im, (*[16]byte)(key))
	must(macKey.InitImpl(im, key, 16))

	h := new(ghash.Hash)
	objects = append(objects, object{
		"ghash.Hash", memoryOf(h), func() { h.Init(hashKey) },
		func() []byte { h.Update(text); out := new([16]byte); h.Sum(out); return out[:] }, h.Wipe,
		map[string]func(){
			"Update": func() { h.Update(nil) },
			"Sum":    func() { h.Sum(new([16]byte)) },
			"Reset":  func() { h.Reset() },
		},
	})
	m := new(aescmac.Hash)
	objects = append(objects, object{
		"aescmac.Hash", memoryOf(m), func() { m.Init(macKey) },
		func() []byte { m.Write(text); return m.Sum(nil) }, m.Wipe,
		map[string]func(){
			"Write":  func() { m.Write(nil) },
			"Sum":    func() { m.Sum(nil) },
			"Verify": func() { m.Verify(make([]byte, 16)) },
			"Reset":  func() { m.Reset() },
			"Size":   func() { m.Size() },
		},
	})
	objects = append(objects, gcmStates(im)...)
	objects = append(objects, gmacStates(im)...)
	return append(objects, ccmStates(im)...)
}

// ways are those to end a message of an AEAD in pieces: the state must be gone after each.
var ways = []string{"Wipe", "EncryptFinal", "DecryptFinal", "DecryptFinal of a forgery"}

// aeadState is what aesgcm.Ctx and aesccm.Ctx have in common.
type aeadState interface {
	AuthUpdate(data []byte)
	EncryptUpdate(dst, src []byte)
	DecryptUpdate(dst, src []byte)
	EncryptFinal(tag []byte)
	DecryptFinal(tag []byte) error
	Wipe()
}

// aead returns an object for each way to end a message of make's, with text in two pieces, cut at a byte, and
// associated data ad. sealed and tag are what becomes of it.
func aead(name string, cut int, ad, sealed, tag []byte, make func() (c aeadState, memory []byte, begin func())) (objects []object) {
	for _, way := range ways {
		c, memory, begin := make()
		in, update := text, c.EncryptUpdate
		if way != "Wipe" && way != "EncryptFinal" {
			in, update = sealed, c.DecryptUpdate
		}
		use := func() []byte {
			out := buffer()[:len(in)]
			c.AuthUpdate(ad)
			update(out[:cut], in[:cut])
			update(out[cut:], in[cut:])
			return out
		}
		end := c.Wipe
		switch way {
		case "EncryptFinal":
			end = func() { c.EncryptFinal(buffer()[:len(tag)]) }
		case "DecryptFinal":
			end = func() { must(c.DecryptFinal(tag)) }
		case "DecryptFinal of a forgery":
			end = func() { mustNot(c.DecryptFinal(buffer()[:len(tag)])) }
		}
		objects = append(objects, object{name + ", " + way, memory, begin, use, end, map[string]func(){
			"AuthUpdate":    func() { c.AuthUpdate(nil) },
			"EncryptUpdate": func() { c.EncryptUpdate(nil, nil) },
			"DecryptUpdate": func() { c.DecryptUpdate(nil, nil) },
			"EncryptFinal":  func() { c.EncryptFinal(tag) },
			"DecryptFinal":  func() { c.DecryptFinal(tag) },
		}})
	}
	return objects
}

func mustNot(err error) {
	if err == nil {
		panic("a forgery was accepted")
	}
}

// gcmStates has messages of several forms, because a Ctx keeps other things for each.
func gcmStates(im arch.Impl) (objects []object) {
	k := new(aesgcm.Key)
	must(k.InitImpl(im, key, aesgcm.TagSize))
	for _, form := range []struct {
		name  string
		nonce []byte
		ad    []byte
		cut   int
	}{
		{"one piece", nonce, text[:30], 0},
		{"two pieces", nonce, text[:30], 21},
		{"more associated data", nonce, text, 21},
		{"nonce of 5 bytes", nonce[:5], text[:30], 21},
	} {
		sealed, tag := buffer()[:len(text)], buffer()[:aesgcm.TagSize]
		k.Encrypt(sealed, tag, form.nonce, text, form.ad)
		objects = append(objects, aead("aesgcm.Ctx, "+form.name, form.cut, form.ad, sealed, tag,
			func() (aeadState, []byte, func()) {
				c := new(aesgcm.Ctx)
				return c, memoryOf(c), func() { c.Init(k, form.nonce) }
			})...)
	}
	return objects
}

func gmacStates(im arch.Impl) (objects []object) {
	k := new(aesgcm.Key)
	must(k.InitImpl(im, key, aesgcm.TagSize))
	tag := buffer()[:aesgcm.TagSize]
	k.GMAC(tag, nonce, text)
	for name, end := range map[string]func(m *aesgcm.GMAC){
		"Wipe":                (*aesgcm.GMAC).Wipe,
		"Final":               func(m *aesgcm.GMAC) { m.Final(buffer()[:len(tag)]) },
		"Verify":              func(m *aesgcm.GMAC) { must(m.Verify(tag)) },
		"Verify of a forgery": func(m *aesgcm.GMAC) { mustNot(m.Verify(buffer()[:len(tag)])) },
	} {
		m := new(aesgcm.GMAC)
		objects = append(objects, object{
			"aesgcm.GMAC, " + name, memoryOf(m), func() { m.Init(k, nonce) },
			func() []byte { m.Update(text); return nil }, func() { end(m) },
			map[string]func(){
				"Update": func() { m.Update(nil) },
				"Final":  func() { m.Final(tag) },
				"Verify": func() { m.Verify(tag) },
			},
		})
	}
	return objects
}

func ccmStates(im arch.Impl) []object {
	k := new(aesccm.Key)
	must(k.InitImpl(im, key, len(nonce), 16))
	ad := text[:30]
	sealed, tag := buffer()[:len(text)], buffer()[:16]
	k.Encrypt(sealed, tag, nonce, text, ad)
	return aead("aesccm.Ctx", 21, ad, sealed, tag, func() (aeadState, []byte, func()) {
		c := new(aesccm.Ctx)
		return c, memoryOf(c), func() { must(c.Init(k, nonce, uint64(len(ad)), uint64(len(text)))) }
	})
}
