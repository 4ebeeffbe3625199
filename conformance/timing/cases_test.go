package timing

import (
	crand "crypto/rand"
	"math/rand/v2"

	"lamina/arch"
	"lamina/conformance/internal/dudect"
	"lamina/lib/aes"
	"lamina/lib/aescbc"
	"lamina/lib/aesccm"
	"lamina/lib/aescmac"
	"lamina/lib/aesctr"
	"lamina/lib/aesgcm"
	"lamina/lib/aesxts"
	"lamina/lib/ghash"
)

// operation is something that is claimed to take the same time for all inputs.
type operation struct {
	name string
	// serial operations are claimed only for CPUs with AES instructions; the portable code has a table for them.
	serial bool
	setup  func(im arch.Impl, r *rand.Rand) *dudect.Subject
}

// The sizes make the portable code use each of its kernels: the one for few blocks, the one for a single group
// of 16, and the one for many; and those of the assembly their main loops and tails.
const (
	few  = 3 * 16
	once = 14*16 + 5
	many = 40*16 + 5
)

// zeroOrRandom is the subject whose input is zeros, or random.
func zeroOrRandom(input []byte, run func()) *dudect.Subject {
	return &dudect.Subject{
		Input: input,
		Fill:  [2]func([]byte){func(in []byte) { clear(in) }, random},
		Run:   run,
	}
}

// fixedOrRandom is the subject whose input is what input holds now, or random.
func fixedOrRandom(input []byte, run func()) *dudect.Subject {
	s := zeroOrRandom(input, run)
	fixed := append([]byte(nil), input...)
	s.Fill[0] = func(in []byte) { copy(in, fixed) }
	return s
}

func random(b []byte) {
	if _, err := crand.Read(b); err != nil {
		panic(err)
	}
}

func randomBytes(n int) []byte {
	b := make([]byte, n)
	random(b)
	return b
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func encKey(im arch.Impl) *aes.EncKey { return &bothKey(im).EncKey }

func bothKey(im arch.Impl) *aes.Key {
	k := new(aes.Key)
	must(k.InitImpl(im, randomBytes(16)))
	return k
}

func gcmKey(im arch.Impl) *aesgcm.Key {
	k := new(aesgcm.Key)
	must(k.InitImpl(im, randomBytes(16), aesgcm.TagSize))
	return k
}

func xtsKey(im arch.Impl) *aesxts.Key {
	k := new(aesxts.Key)
	must(k.InitImpl(im, randomBytes(32)))
	return k
}

// ofText is the operation that does f to a text of n bytes, which is zeros or random.
func ofText(name string, n int, f func(im arch.Impl) func(dst, src []byte)) operation {
	return operation{name: name, setup: func(im arch.Impl, _ *rand.Rand) *dudect.Subject {
		do, src, dst := f(im), make([]byte, n), make([]byte, n+aesgcm.TagSize)
		return zeroOrRandom(src, func() { do(dst[:n], src) })
	}}
}

// ofKey is the operation that sets a key of n bytes, which is zeros or random.
func ofKey(name string, n int, f func(im arch.Impl) func(key []byte)) operation {
	return operation{name: name, setup: func(im arch.Impl, _ *rand.Rand) *dudect.Subject {
		do, key := f(im), make([]byte, n)
		return zeroOrRandom(key, func() { do(key) })
	}}
}

// keyed is the operation that sets a key of n bytes, one that stays the same or a random one, and does something
// with it: what depends on the key alone cannot be told from what depends on key and text otherwise.
func keyed(name string, n int, f func(im arch.Impl) func(key []byte)) operation {
	return operation{name: name, setup: func(im arch.Impl, _ *rand.Rand) *dudect.Subject {
		do, key := f(im), randomBytes(n)
		return fixedOrRandom(key, func() { do(key) })
	}}
}

func serial(o operation) operation {
	o.serial = true
	return o
}

// operations lists what is claimed, in the order of the table of Documentation/security.md.
var operations = []operation{
	ofKey("AES-128 key", 16, setEncKey), ofKey("AES-192 key", 24, setEncKey), ofKey("AES-256 key", 32, setEncKey),
	ofKey("AES key for both directions", 32, func(im arch.Impl) func([]byte) {
		k := new(aes.Key)
		return func(key []byte) { must(k.InitImpl(im, key)) }
	}),
	ofKey("GCM key", 32, func(im arch.Impl) func([]byte) {
		k := new(aesgcm.Key)
		return func(key []byte) { must(k.InitImpl(im, key, aesgcm.TagSize)) }
	}),
	ofKey("XTS key", 64, func(im arch.Impl) func([]byte) {
		k := new(aesxts.Key)
		return func(key []byte) { must(k.InitAllowWeakImpl(im, key)) }
	}),
	serial(ofKey("CMAC key", 16, func(im arch.Impl) func([]byte) {
		k := new(aescmac.Key)
		return func(key []byte) { must(k.InitImpl(im, key, aescmac.Size)) }
	})),

	keyed("GCM, key and seal", 16, func(im arch.Impl) func([]byte) {
		k, nonce, buf := new(aesgcm.Key), make([]byte, 12), make([]byte, many+aesgcm.TagSize)
		return func(key []byte) {
			must(k.InitImpl(im, key, aesgcm.TagSize))
			k.Seal(buf[:0], nonce, buf[:many], nil)
		}
	}),
	ofText("GCM seal, few blocks", few, sealGCM),
	ofText("GCM seal, one group", once, sealGCM),
	ofText("GCM seal", many, sealGCM),
	ofText("GCM in pieces, encrypted", many, func(im arch.Impl) func(dst, src []byte) {
		k, nonce, tag := gcmKey(im), make([]byte, 12), make([]byte, aesgcm.TagSize)
		return func(dst, src []byte) {
			c := aesgcm.NewCtx(k, nonce)
			c.AuthUpdate(src[:50])
			c.EncryptUpdate(dst[:7], src[:7])
			c.EncryptUpdate(dst[7:], src[7:])
			c.EncryptFinal(tag)
		}
	}),
	ofText("GCM in pieces, decrypted", many, func(im arch.Impl) func(dst, src []byte) {
		k, nonce, tag := gcmKey(im), make([]byte, 12), make([]byte, aesgcm.TagSize)
		return func(dst, src []byte) {
			c := aesgcm.NewCtx(k, nonce)
			c.AuthUpdate(src[:50])
			c.DecryptUpdate(dst[:7], src[:7])
			c.DecryptUpdate(dst[7:], src[7:])
			if c.DecryptFinal(tag) == nil {
				panic("opened by a tag of zeros")
			}
		}
	}),
	ofText("GMAC", many, func(im arch.Impl) func(dst, src []byte) {
		k, nonce := gcmKey(im), make([]byte, 12)
		return func(dst, src []byte) { k.GMAC(dst[:aesgcm.TagSize], nonce, src) }
	}),

	ofText("CTR, few blocks", few, ctr), ofText("CTR, one group", once, ctr), ofText("CTR", many, ctr),
	ofText("XCTR", many, func(im arch.Impl) func(dst, src []byte) {
		k, iv := encKey(im), new([16]byte)
		return func(dst, src []byte) {
			counter := uint64(1)
			aesctr.XCTR(k, &counter, iv, dst, src)
		}
	}),
	keyed("CTR, key and text", 16, func(im arch.Impl) func([]byte) {
		k, buf := new(aes.EncKey), make([]byte, many)
		return func(key []byte) {
			must(k.InitImpl(im, key))
			var c [16]byte
			aesctr.CTR(k, &c, buf, buf)
		}
	}),

	ofText("XTS encryption, one block", 16, encryptXTS), ofText("XTS encryption, few blocks", few+3, encryptXTS),
	ofText("XTS encryption", many, encryptXTS), ofText("XTS decryption", many, decryptXTS),
	keyed("XTS, key, tweak and text", 32, func(im arch.Impl) func([]byte) {
		k, buf := new(aesxts.Key), make([]byte, many)
		return func(key []byte) {
			must(k.InitAllowWeakImpl(im, key))
			var tweak [16]byte
			k.Encrypt(buf, buf, &tweak)
		}
	}),
	// Whether the tweak that leaves at the top is reduced, say, must not show.
	ofText("XTS sectors", 12*64, func(im arch.Impl) func(dst, src []byte) {
		k := xtsKey(im)
		return func(dst, src []byte) { k.EncryptSectors(dst, src, 0, 64) }
	}),
	{name: "XTS tweaks", setup: func(im arch.Impl, _ *rand.Rand) *dudect.Subject {
		k, tweak, buf := xtsKey(im), new([16]byte), make([]byte, few)
		return fixedOrRandom(tweak[:], func() {
			t := *tweak
			k.Encrypt(buf, buf, &t) // which encrypts the tweak, and decrypts the one that follows
		})
	}},

	ofText("CBC decryption, few blocks", few, decryptCBC), ofText("CBC decryption", many&^15, decryptCBC),
	ofText("CBC-CTS decryption", many, func(im arch.Impl) func(dst, src []byte) {
		k := bothKey(im)
		return func(dst, src []byte) {
			var iv [16]byte
			aescbc.DecryptCTS(k, &iv, dst, src)
		}
	}),
	serial(ofText("CBC encryption", many&^15, func(im arch.Impl) func(dst, src []byte) {
		k := encKey(im)
		return func(dst, src []byte) {
			var iv [16]byte
			aescbc.Encrypt(k, &iv, dst, src)
		}
	})),
	serial(ofText("CMAC", many, func(im arch.Impl) func(dst, src []byte) {
		k := new(aescmac.Key)
		must(k.InitImpl(im, randomBytes(16), aescmac.Size))
		return func(dst, src []byte) {
			tag := k.Sum(src)
			copy(dst, tag[:])
		}
	})),
	serial(ofText("CCM seal", many, func(im arch.Impl) func(dst, src []byte) {
		k, nonce := new(aesccm.Key), make([]byte, 13)
		must(k.InitImpl(im, randomBytes(16), len(nonce), 16))
		return func(dst, src []byte) { k.Seal(dst[:0], nonce, src, nil) }
	})),

	ofText("GHASH", many&^15, func(im arch.Impl) func(dst, src []byte) {
		k := new(ghash.Key)
		k.InitImpl(im, (*[16]byte)(randomBytes(16)))
		return hashWith(k)
	}),
	ofText("POLYVAL", many&^15, func(im arch.Impl) func(dst, src []byte) {
		k := new(ghash.Key)
		k.InitPOLYVALImpl(im, (*[16]byte)(randomBytes(16)))
		return hashWith(k)
	}),
	ofKey("GHASH key, and a hash", 16, func(im arch.Impl) func([]byte) {
		k, text := new(ghash.Key), randomBytes(few)
		return func(key []byte) {
			k.InitImpl(im, (*[16]byte)(key))
			hashWith(k)(text, text)
		}
	}),

	ofText("two blocks encrypted", 2*16, encryptBlocks), ofText("many blocks encrypted", many&^15, encryptBlocks),
	ofText("two blocks decrypted", 2*16, decryptBlocks), ofText("many blocks decrypted", many&^15, decryptBlocks),
	serial(ofText("one block encrypted", 16, encryptBlocks)), serial(ofText("one block decrypted", 16, decryptBlocks)),
}

func setEncKey(im arch.Impl) func(key []byte) {
	k := new(aes.EncKey)
	return func(key []byte) { must(k.InitImpl(im, key)) }
}

func sealGCM(im arch.Impl) func(dst, src []byte) {
	k, nonce, ad := gcmKey(im), make([]byte, 12), make([]byte, 13)
	return func(dst, src []byte) { k.Seal(dst[:0], nonce, src, ad) }
}

func ctr(im arch.Impl) func(dst, src []byte) {
	k := encKey(im)
	return func(dst, src []byte) {
		var c [16]byte
		aesctr.CTR(k, &c, dst, src)
	}
}

func encryptXTS(im arch.Impl) func(dst, src []byte) {
	k := xtsKey(im)
	return func(dst, src []byte) {
		var tweak [16]byte
		k.Encrypt(dst, src, &tweak)
	}
}

func decryptXTS(im arch.Impl) func(dst, src []byte) {
	k := xtsKey(im)
	return func(dst, src []byte) {
		var tweak [16]byte
		k.Decrypt(dst, src, &tweak)
	}
}

func decryptCBC(im arch.Impl) func(dst, src []byte) {
	k := bothKey(im)
	return func(dst, src []byte) {
		var iv [16]byte
		aescbc.Decrypt(k, &iv, dst, src)
	}
}

func encryptBlocks(im arch.Impl) func(dst, src []byte) {
	k := encKey(im)
	return func(dst, src []byte) { k.EncryptBlocks(dst, src) }
}

func decryptBlocks(im arch.Impl) func(dst, src []byte) {
	k := bothKey(im)
	return func(dst, src []byte) { k.DecryptBlocks(dst, src) }
}

func hashWith(k *ghash.Key) func(dst, src []byte) {
	return func(dst, src []byte) {
		h := ghash.New(k)
		h.Update(src)
		h.Sum((*[16]byte)(dst))
	}
}
