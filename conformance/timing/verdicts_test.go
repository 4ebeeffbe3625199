package timing

import (
	"bytes"
	"math/rand/v2"

	"lamina/arch"
	"lamina/conformance/internal/dudect"
	"lamina/lib/aesccm"
	"lamina/lib/aescmac"
	"lamina/lib/aesgcm"
	"lamina/lib/aesxts"
)

// Whether a message is authentic is public, and refusing one takes longer than accepting it, because dst is
// cleared. What must not show is how near a forgery came: a forger who learns how many bytes of a tag were
// right makes the rest byte by byte. So the classes here are forgeries, by the place of what is wrong.

// forgeries is the subject that gives run a message that is wrong in its byte number fixed, or in any from
// number from on.
func forgeries(message []byte, fixed, from int, run func(message []byte)) *dudect.Subject {
	valid := bytes.Clone(message)
	return &dudect.Subject{
		Input: message,
		Fill: [2]func([]byte){
			func(in []byte) {
				copy(in, valid)
				in[fixed] ^= 1
			},
			func(in []byte) {
				copy(in, valid)
				in[from+rand.IntN(len(in)-from)] ^= byte(1 + rand.IntN(255))
			},
		},
		Run: func() { run(message) },
	}
}

func mustNot(err error) {
	if err == nil {
		panic("a forgery was accepted")
	}
}

// openGCM opens messages of n bytes, wrong in the first byte of their tag or text, or anywhere behind.
func openGCM(n int, inTag bool) func(arch.Impl, *rand.Rand) *dudect.Subject {
	return func(im arch.Impl, _ *rand.Rand) *dudect.Subject {
		k, nonce, dst := gcmKey(im), make([]byte, 12), make([]byte, n)
		from := 0
		if inTag {
			from = n
		}
		return forgeries(k.Seal(nil, nonce, randomBytes(n), nil), from, from, func(message []byte) {
			_, err := k.Open(dst[:0], nonce, message, nil)
			mustNot(err)
		})
	}
}

// verdicts lists operations that refuse forgeries, or compare keys.
var verdicts = []operation{
	{name: "GCM, forged tags", setup: openGCM(64, true)},
	{name: "GCM, forged texts and tags", setup: openGCM(many, false)},
	{name: "GCM, forged tags of 4 bytes", setup: func(im arch.Impl, _ *rand.Rand) *dudect.Subject {
		k, nonce, dst := new(aesgcm.Key), make([]byte, 12), make([]byte, 16)
		must(k.InitImpl(im, randomBytes(16), 4))
		return forgeries(k.Seal(nil, nonce, dst, nil), 16, 16, func(message []byte) {
			_, err := k.Open(dst[:0], nonce, message, nil)
			mustNot(err)
		})
	}},
	{name: "GCM in pieces, forged tags", setup: func(im arch.Impl, _ *rand.Rand) *dudect.Subject {
		k, nonce, text, dst := gcmKey(im), make([]byte, 12), randomBytes(64), make([]byte, 64)
		sealed := k.Seal(nil, nonce, text, nil)
		return forgeries(sealed[64:], 0, 0, func(tag []byte) {
			c := aesgcm.NewCtx(k, nonce)
			c.DecryptUpdate(dst, sealed[:64])
			mustNot(c.DecryptFinal(tag))
		})
	}},
	{name: "GMAC, forged tags", setup: func(im arch.Impl, _ *rand.Rand) *dudect.Subject {
		k, nonce, text, tag := gcmKey(im), make([]byte, 12), randomBytes(64), make([]byte, 16)
		k.GMAC(tag, nonce, text)
		return forgeries(tag, 0, 0, func(tag []byte) { mustNot(k.VerifyGMAC(nonce, text, tag)) })
	}},
	{name: "CCM, forged tags", setup: func(im arch.Impl, _ *rand.Rand) *dudect.Subject {
		k, nonce, dst := new(aesccm.Key), make([]byte, 13), make([]byte, 64)
		must(k.InitImpl(im, randomBytes(16), len(nonce), 16))
		return forgeries(k.Seal(nil, nonce, dst, nil), 64, 64, func(message []byte) {
			_, err := k.Open(dst[:0], nonce, message, nil)
			mustNot(err)
		})
	}},
	{name: "CCM, forged tags of 8 bytes", setup: func(im arch.Impl, _ *rand.Rand) *dudect.Subject {
		k, nonce, dst := new(aesccm.Key), make([]byte, 13), make([]byte, 64)
		must(k.InitImpl(im, randomBytes(16), len(nonce), 8))
		return forgeries(k.Seal(nil, nonce, dst, nil), 64, 64, func(message []byte) {
			_, err := k.Open(dst[:0], nonce, message, nil)
			mustNot(err)
		})
	}},
	{name: "CMAC, forged tags", setup: func(im arch.Impl, _ *rand.Rand) *dudect.Subject {
		k, text := new(aescmac.Key), randomBytes(16)
		must(k.InitImpl(im, randomBytes(16), aescmac.Size))
		tag := k.Sum(text)
		return forgeries(tag[:], 0, 0, func(tag []byte) { mustNot(k.Verify(text, tag)) })
	}},
	// Both classes are accepted: the halves differ, in the first byte or anywhere.
	{name: "XTS, halves of a key compared", setup: func(im arch.Impl, _ *rand.Rand) *dudect.Subject {
		k, half := new(aesxts.Key), randomBytes(32)
		return forgeries(append(half, half...), 32, 32, func(key []byte) { must(k.InitImpl(im, key)) })
	}},
}
