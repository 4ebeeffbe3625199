//go:build libcrypto && cgo

package conformance

import (
	"bytes"
	"fmt"
	"testing"

	"lamina/arch"
	"lamina/conformance/internal/libcrypto"
	"lamina/lib/aes"
	"lamina/lib/aescbc"
	"lamina/lib/aesccm"
	"lamina/lib/aescmac"
	"lamina/lib/aesctr"
	"lamina/lib/aesgcm"
	"lamina/lib/aesxts"
)

// These tests compare every mode that libcrypto has too with it, on random inputs, under every
// implementation. XCTR and XCBC-MAC it does not have, nor XTS with AES-192.

// libcryptoTexts is how many texts of each mode an implementation is tested with. The portable one is slow,
// and slower still under the race detector.
func libcryptoTexts(im arch.Impl) int {
	switch {
	case testing.Short() && im == arch.Generic:
		return 60
	case testing.Short():
		return 300
	}
	return 2000
}

// overTexts calls f for each text, under every implementation, until one fails.
func overTexts(t *testing.T, seed byte, f func(s source, im arch.Impl, fail func(format string, args ...any))) {
	t.Log(libcrypto.Version())
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		s := newSource(seed)
		for i := range libcryptoTexts(im) {
			f(s, im, func(format string, args ...any) { t.Errorf("text %d: %s", i, fmt.Sprintf(format, args...)) })
			if t.Failed() {
				return
			}
		}
	})
}

// must returns what libcrypto gave. It refuses nothing that the tests ask for.
func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

func (s source) aesKey(im arch.Impl) (key []byte, k *aes.Key) {
	key, k = s.bytes(s.pick(16, 24, 32)), new(aes.Key)
	if err := k.InitImpl(im, key); err != nil {
		panic(err)
	}
	return key, k
}

// iv returns 16 random bytes, of which some at the end or at the start may be ff, so that counters of either
// order carry.
func (s source) iv() [16]byte {
	iv := [16]byte(s.bytes(16))
	n := s.pick(0, 0, 1, 2, 4, 7, 8, 9, 12, 15, 16)
	part := iv[16-n:]
	if s.IntN(3) == 0 {
		part = iv[:n]
	}
	for i := range part {
		part[i] = 0xff
	}
	return iv
}

func TestLibcryptoGCM(t *testing.T) {
	overTexts(t, 11, func(s source, im arch.Impl, fail func(string, ...any)) {
		// libcrypto takes nonces of up to 128 bytes.
		key, nonce := s.bytes(s.pick(16, 24, 32)), s.bytes(min(s.nonceLength(), 128))
		text, ad, tagSize := s.bytes(s.length()), s.bytes(s.length()), s.pick(4, 8, 12, 13, 14, 15, 16)
		want := must(libcrypto.Seal(fmt.Sprintf("AES-%d-GCM", len(key)*8), tagSize, key, nonce, text, ad))
		ct, tag := want[:len(text)], want[len(text):]
		var k aesgcm.Key
		if err := k.InitImpl(im, key, tagSize); err != nil {
			fail("%v", err)
			return
		}
		about := fmt.Sprintf("key %d, nonce %d, ad %d, text %d, tag %d bytes", len(key), len(nonce), len(ad), len(text), tagSize)
		dst, from := s.buffer(text)
		sum := make([]byte, tagSize)
		k.Encrypt(dst, sum, nonce, from, ad)
		if !bytes.Equal(dst, ct) || !bytes.Equal(sum, tag) {
			fail("Encrypt: %s", about)
		}
		dst, from = s.buffer(ct)
		if err := k.Decrypt(dst, nonce, from, tag, ad); err != nil || !bytes.Equal(dst, text) {
			fail("Decrypt: %v: %s", err, about)
		}
		if len(nonce) == aesgcm.NonceSize {
			if !bytes.Equal(k.Seal(nil, nonce, text, ad), want) {
				fail("Seal: %s", about)
			}
			if got, err := k.Open(nil, nonce, want, ad); err != nil || !bytes.Equal(got, text) {
				fail("Open: %v: %s", err, about)
			}
		}
	})
}

func TestLibcryptoCTR(t *testing.T) {
	overTexts(t, 12, func(s source, im arch.Impl, fail func(string, ...any)) {
		key, k := s.aesKey(im)
		iv, text := s.iv(), s.bytes(s.length())
		want := must(libcrypto.Crypt(fmt.Sprintf("AES-%d-CTR", len(key)*8), true, key, iv[:], text))
		about := fmt.Sprintf("key %d, text %d bytes, counter %x", len(key), len(text), iv)

		dst, from := s.buffer(text)
		ctr := iv
		aesctr.CTR(&k.EncKey, &ctr, dst, from)
		if !bytes.Equal(dst, want) {
			fail("CTR: %s", about)
		}
		dst, from = s.buffer(text)
		ctr = iv
		cut := 16 * s.IntN(len(text)/16+1)
		aesctr.CTR(&k.EncKey, &ctr, dst[:cut], from[:cut])
		aesctr.CTR(&k.EncKey, &ctr, dst[cut:], from[cut:])
		if !bytes.Equal(dst, want) {
			fail("CTR in two calls, cut at %d: %s", cut, about)
		}
		dst, from = s.buffer(text)
		stream := aesctr.NewCTR(&k.EncKey, iv[:])
		s.pieces(len(text), func(a, b int) { stream.XORKeyStream(dst[a:b], from[a:b]) })
		if !bytes.Equal(dst, want) {
			fail("XORKeyStream in pieces: %s", about)
		}
		a := s.IntN(len(text) + 1)
		part := bytes.Clone(text[a:])
		stream.XORKeyStreamAt(part, part, uint64(a))
		if !bytes.Equal(part, want[a:]) {
			fail("XORKeyStreamAt %d: %s", a, about)
		}
	})
}

func TestLibcryptoXTS(t *testing.T) {
	overTexts(t, 13, func(s source, im arch.Impl, fail func(string, ...any)) {
		key := s.bytes(s.pick(32, 64))
		iv, text := s.iv(), s.bytes(16+s.length())
		if s.IntN(2) == 0 {
			clear(iv[8:])
		}
		want := must(libcrypto.Crypt(fmt.Sprintf("AES-%d-XTS", len(key)*4), true, key, iv[:], text))
		about := fmt.Sprintf("key %d, text %d bytes, tweak %x", len(key), len(text), iv)
		var k aesxts.Key
		if err := k.InitImpl(im, key); err != nil {
			fail("%v", err)
			return
		}
		for _, test := range []struct {
			name      string
			crypt     func(dst, src []byte, tweak *[16]byte)
			sectors   func(dst, src []byte, first uint64, sectorSize int)
			from, end []byte
		}{
			{"Encrypt", k.Encrypt, k.EncryptSectors, text, want},
			{"Decrypt", k.Decrypt, k.DecryptSectors, want, text},
		} {
			dst, from := s.buffer(test.from)
			tweak := iv
			test.crypt(dst, from, &tweak)
			if !bytes.Equal(dst, test.end) {
				fail("%s: %s", test.name, about)
			}
			// In two calls. The first has whole blocks, and leaves the second at least one.
			cut := 16 * (1 + s.IntN(len(text)/16))
			if len(text)-cut >= 16 {
				dst, from = s.buffer(test.from)
				tweak = iv
				test.crypt(dst[:cut], from[:cut], &tweak)
				test.crypt(dst[cut:], from[cut:], &tweak)
				if !bytes.Equal(dst, test.end) {
					fail("%s in two calls, cut at %d: %s", test.name, cut, about)
				}
			}
			if number, ok := sectorNumber(iv); ok {
				dst, from = s.buffer(test.from)
				test.sectors(dst, from, number, len(text))
				if !bytes.Equal(dst, test.end) {
					fail("%sSectors: %s", test.name, about)
				}
			}
		}
	})
}

// sectorNumber returns the number of the sector that has a tweak, if it fits 64 bits.
func sectorNumber(tweak [16]byte) (number uint64, ok bool) {
	for i := range 8 {
		number |= uint64(tweak[i]) << (8 * i)
	}
	return number, [8]byte(tweak[8:]) == [8]byte{}
}

func TestLibcryptoCBC(t *testing.T) {
	overTexts(t, 14, func(s source, im arch.Impl, fail func(string, ...any)) {
		key, k := s.aesKey(im)
		iv, text := s.iv(), s.bytes(s.length()/16*16)
		want := must(libcrypto.Crypt(fmt.Sprintf("AES-%d-CBC", len(key)*8), true, key, iv[:], text))
		about := fmt.Sprintf("key %d, text %d bytes", len(key), len(text))
		for _, cut := range []int{0, 16 * s.IntN(len(text)/16+1)} {
			dst, from := s.buffer(text)
			next := iv
			aescbc.Encrypt(&k.EncKey, &next, dst[:cut], from[:cut])
			aescbc.Encrypt(&k.EncKey, &next, dst[cut:], from[cut:])
			if !bytes.Equal(dst, want) {
				fail("Encrypt, cut at %d: %s", cut, about)
			}
			dst, from = s.buffer(want)
			next = iv
			aescbc.Decrypt(k, &next, dst[:cut], from[:cut])
			aescbc.Decrypt(k, &next, dst[cut:], from[cut:])
			if !bytes.Equal(dst, text) {
				fail("Decrypt, cut at %d: %s", cut, about)
			}
		}
	})
}

func TestLibcryptoCTS(t *testing.T) {
	overTexts(t, 15, func(s source, im arch.Impl, fail func(string, ...any)) {
		key, k := s.aesKey(im)
		iv, text := s.iv(), s.bytes(16+s.length())
		want := must(libcrypto.Crypt(fmt.Sprintf("AES-%d-CBC-CTS", len(key)*8), true, key, iv[:], text))
		about := fmt.Sprintf("key %d, text %d bytes", len(key), len(text))
		dst, from := s.buffer(text)
		next := iv
		aescbc.EncryptCTS(&k.EncKey, &next, dst, from)
		if !bytes.Equal(dst, want) {
			fail("EncryptCTS: %s", about)
		}
		dst, from = s.buffer(want)
		next = iv
		aescbc.DecryptCTS(k, &next, dst, from)
		if !bytes.Equal(dst, text) {
			fail("DecryptCTS: %s", about)
		}
	})
}

func TestLibcryptoCMAC(t *testing.T) {
	overTexts(t, 16, func(s source, im arch.Impl, fail func(string, ...any)) {
		key, text := s.bytes(s.pick(16, 24, 32)), s.bytes(s.length())
		want := must(libcrypto.CMAC(key, text))
		about := fmt.Sprintf("key %d, text %d bytes", len(key), len(text))
		var k aescmac.Key
		if err := k.InitImpl(im, key, aescmac.Size); err != nil {
			fail("%v", err)
			return
		}
		if sum := k.Sum(text); !bytes.Equal(sum[:], want) {
			fail("Sum: %s", about)
		}
		if err := k.Verify(text, want); err != nil {
			fail("Verify: %v: %s", err, about)
		}
		h := aescmac.NewHash(&k)
		s.pieces(len(text), func(a, b int) { h.Write(text[a:b]) })
		if !bytes.Equal(h.Sum(nil), want) {
			fail("Hash in pieces: %s", about)
		}
	})
}

func TestLibcryptoCCM(t *testing.T) {
	overTexts(t, 17, func(s source, im arch.Impl, fail func(string, ...any)) {
		key, nonce, tagSize := s.bytes(s.pick(16, 24, 32)), s.bytes(7+s.IntN(7)), s.pick(4, 6, 8, 10, 12, 14, 16)
		text, ad := s.bytes(s.length()), s.bytes(s.length())
		if s.IntN(40) == 0 {
			ad = s.bytes(0xff00 + s.IntN(3) - 1) // where the length takes 6 bytes instead of 2
		}
		want := must(libcrypto.Seal(fmt.Sprintf("AES-%d-CCM", len(key)*8), tagSize, key, nonce, text, ad))
		ct, tag := want[:len(text)], want[len(text):]
		about := fmt.Sprintf("key %d, nonce %d, ad %d, text %d, tag %d bytes", len(key), len(nonce), len(ad), len(text), tagSize)
		var k aesccm.Key
		if err := k.InitImpl(im, key, len(nonce), tagSize); err != nil {
			fail("%v", err)
			return
		}
		if !bytes.Equal(k.Seal(nil, nonce, text, ad), want) {
			fail("Seal: %s", about)
		}
		if got, err := k.Open(nil, nonce, want, ad); err != nil || !bytes.Equal(got, text) {
			fail("Open: %v: %s", err, about)
		}
		dst, from := s.buffer(text)
		sum := make([]byte, tagSize)
		k.Encrypt(dst, sum, nonce, from, ad)
		if !bytes.Equal(dst, ct) || !bytes.Equal(sum, tag) {
			fail("Encrypt: %s", about)
		}
		dst, from = s.buffer(ct)
		if err := k.Decrypt(dst, nonce, from, tag, ad); err != nil || !bytes.Equal(dst, text) {
			fail("Decrypt: %v: %s", err, about)
		}

		c, err := aesccm.NewCtx(&k, nonce, uint64(len(ad)), uint64(len(text)))
		if err != nil {
			fail("NewCtx: %v: %s", err, about)
			return
		}
		dst, from = s.buffer(text)
		clear(sum)
		s.pieces(len(ad), func(a, b int) { c.AuthUpdate(ad[a:b]) })
		s.pieces(len(text), func(a, b int) { c.EncryptUpdate(dst[a:b], from[a:b]) })
		c.EncryptFinal(sum)
		if !bytes.Equal(dst, ct) || !bytes.Equal(sum, tag) {
			fail("EncryptUpdate: %s", about)
		}
		c, err = aesccm.NewCtx(&k, nonce, uint64(len(ad)), uint64(len(text)))
		if err != nil {
			fail("NewCtx: %v: %s", err, about)
			return
		}
		dst, from = s.buffer(ct)
		s.pieces(len(ad), func(a, b int) { c.AuthUpdate(ad[a:b]) })
		s.pieces(len(text), func(a, b int) { c.DecryptUpdate(dst[a:b], from[a:b]) })
		if err := c.DecryptFinal(tag); err != nil || !bytes.Equal(dst, text) {
			fail("DecryptUpdate: %v: %s", err, about)
		}
	})
}
