package aescbc

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"lamina/arch"
	"lamina/lib/aes"
)

func forEachImpl(t *testing.T, test func(t *testing.T, im arch.Impl)) {
	for _, im := range arch.Impls() {
		t.Run(im.String(), func(t *testing.T) { test(t, im) })
	}
}

// bytesFor returns n bytes that are random, and the same on every run for the same seed.
func bytesFor(seed byte, n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{seed}).Read(b)
	return b
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		panic(err)
	}
	return b
}

func newKey(t testing.TB, im arch.Impl, key []byte) *aes.Key {
	t.Helper()
	k := new(aes.Key)
	if err := k.InitImpl(im, key); err != nil {
		t.Fatal(err)
	}
	return k
}

// TestCBCVectors has the examples of SP 800-38A, sections F.2.1 to F.2.6.
func TestCBCVectors(t *testing.T) {
	const plain = "6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51" +
		"30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710"
	for _, test := range []struct{ key, cipher string }{
		{"2b7e151628aed2a6abf7158809cf4f3c", "7649abac8119b246cee98e9b12e9197d 5086cb9b507219ee95db113a917678b2" +
			"73bed6b8e3c1743b7116e69e22229516 3ff1caa1681fac09120eca307586e1a7"},
		{"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
			"4f021db243bc633d7178183a9fa071e8 b4d9ada9ad7dedf4e5e738763f69145a" +
				"571b242012fb7ae07fa9baac3df102e0 08b0e27988598881d920a9e64f5615cd"},
		{"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
			"f58c4c04d6e5f1ba779eabfb5f7bfbd6 9cfc4e967edb808d679f777bc6702c7d" +
				"39f23369a9d9bacfa530e26304231461 b2eb05e2c39be9fcda6c19078c6a9d1b"},
	} {
		forEachImpl(t, func(t *testing.T, im arch.Impl) {
			k := newKey(t, im, unhex(test.key))
			iv := [16]byte(unhex("000102030405060708090a0b0c0d0e0f"))
			start := iv
			got := unhex(plain)
			if Encrypt(&k.EncKey, &iv, got, got); !bytes.Equal(got, unhex(test.cipher)) {
				t.Errorf("key of %d bytes: encrypted to %x", len(test.key)/2, got)
			}
			if Decrypt(k, &start, got, got); !bytes.Equal(got, unhex(plain)) || start != iv {
				t.Errorf("key of %d bytes: decrypted to %x", len(test.key)/2, got)
			}
		})
	}
}

// TestCTSVectors has the examples of RFC 3962, appendix B.
func TestCTSVectors(t *testing.T) {
	text := []byte("I would like the General Gau's Chicken, please, and wonton soup.")
	for _, test := range []struct{ cipher, next string }{
		{"c6353568f2bf8cb4d8a580362da7ff7f 97", "c6353568f2bf8cb4d8a580362da7ff7f"},
		{"fc00783e0efdb2c1d445d4c8eff7ed22 97687268d6ecccc0c07b25e25ecfe5", "fc00783e0efdb2c1d445d4c8eff7ed22"},
		{"39312523a78662d5be7fcbcc98ebf5a8 97687268d6ecccc0c07b25e25ecfe584", "39312523a78662d5be7fcbcc98ebf5a8"},
		{"97687268d6ecccc0c07b25e25ecfe584 b3fffd940c16a18c1b5549d2f838029e 39312523a78662d5be7fcbcc98ebf5",
			"b3fffd940c16a18c1b5549d2f838029e"},
		{"97687268d6ecccc0c07b25e25ecfe584 9dad8bbb96c4cdc03bc103e1a194bbd8 39312523a78662d5be7fcbcc98ebf5a8",
			"9dad8bbb96c4cdc03bc103e1a194bbd8"},
		{"97687268d6ecccc0c07b25e25ecfe584 39312523a78662d5be7fcbcc98ebf5a8 4807efe836ee89a526730dbc2f7bc840" +
			"9dad8bbb96c4cdc03bc103e1a194bbd8", "4807efe836ee89a526730dbc2f7bc840"},
	} {
		forEachImpl(t, func(t *testing.T, im arch.Impl) {
			k := newKey(t, im, []byte("chicken teriyaki"))
			want := unhex(test.cipher)
			got := make([]byte, len(want))
			var iv [16]byte
			if EncryptCTS(&k.EncKey, &iv, got, text[:len(got)]); !bytes.Equal(got, want) {
				t.Errorf("%d bytes: encrypted to %x, want %x", len(got), got, want)
			}
			if !bytes.Equal(iv[:], unhex(test.next)) {
				t.Errorf("%d bytes: next IV %x, want %s", len(got), iv, test.next)
			}
			iv = [16]byte{}
			if DecryptCTS(k, &iv, got, got); !bytes.Equal(got, text[:len(got)]) {
				t.Errorf("%d bytes: decrypted to %q", len(got), got)
			}
			if !bytes.Equal(iv[:], unhex(test.next)) {
				t.Errorf("%d bytes: next IV after decryption %x, want %s", len(got), iv, test.next)
			}
		})
	}
}

// TestMisuse holds that mistakes panic, with a message that says what is wrong, and before a byte is written.
func TestMisuse(t *testing.T) {
	k := newKey(t, arch.Best(), make([]byte, 16))
	var wiped aes.Key
	buf := make([]byte, 128)
	var iv [16]byte
	inside := (*[16]byte)(buf[20:])
	const (
		same    = "they must have the same length"
		overlap = "dst and src overlap without being the same memory"
		ivIn    = "iv overlaps dst or src"
		unset   = "aes: key used before Init or after Wipe"
	)
	for _, test := range []struct {
		want string
		f    func()
	}{
		{"aescbc: Encrypt: src of 17 bytes; it must have a multiple of 16", func() { Encrypt(&k.EncKey, &iv, buf[:17], buf[:17]) }},
		{"aescbc: Decrypt: src of 15 bytes; it must have a multiple of 16", func() { Decrypt(k, &iv, buf[:15], buf[:15]) }},
		{"aescbc: EncryptCTS: src of 15 bytes; it must have at least 16", func() { EncryptCTS(&k.EncKey, &iv, buf[:15], buf[:15]) }},
		{"aescbc: DecryptCTS: src of 0 bytes; it must have at least 16", func() { DecryptCTS(k, &iv, nil, nil) }},
		{"aescbc: Encrypt: dst of 32 bytes and src of 16; " + same, func() { Encrypt(&k.EncKey, &iv, buf[:32], buf[:16]) }},
		{"aescbc: Decrypt: dst of 16 bytes and src of 32; " + same, func() { Decrypt(k, &iv, buf[:16], buf[:32]) }},
		{"aescbc: EncryptCTS: dst of 18 bytes and src of 17; " + same, func() { EncryptCTS(&k.EncKey, &iv, buf[:18], buf[:17]) }},
		{"aescbc: DecryptCTS: dst of 16 bytes and src of 17; " + same, func() { DecryptCTS(k, &iv, buf[:16], buf[:17]) }},
		{"aescbc: Encrypt: " + overlap, func() { Encrypt(&k.EncKey, &iv, buf[16:48], buf[:32]) }},
		{"aescbc: Decrypt: " + overlap, func() { Decrypt(k, &iv, buf[:32], buf[31:63]) }},
		{"aescbc: EncryptCTS: " + overlap, func() { EncryptCTS(&k.EncKey, &iv, buf[1:18], buf[:17]) }},
		{"aescbc: DecryptCTS: " + overlap, func() { DecryptCTS(k, &iv, buf[:20], buf[19:39]) }},
		{"aescbc: Encrypt: " + ivIn, func() { Encrypt(&k.EncKey, inside, buf[:32], buf[64:96]) }},
		{"aescbc: Decrypt: " + ivIn, func() { Decrypt(k, inside, buf[64:96], buf[:32]) }},
		{"aescbc: EncryptCTS: " + ivIn, func() { EncryptCTS(&k.EncKey, inside, buf[:32], buf[:32]) }},
		{"aescbc: DecryptCTS: " + ivIn, func() { DecryptCTS(k, inside, buf[35:55], buf[35:55]) }},
		{unset, func() { Encrypt(&wiped.EncKey, &iv, buf[:16], buf[:16]) }},
		{unset, func() { Decrypt(&wiped, &iv, buf[:16], buf[:16]) }},
		{unset, func() { EncryptCTS(&wiped.EncKey, &iv, buf[:17], buf[:17]) }},
		{unset, func() { DecryptCTS(&wiped, &iv, buf[:17], buf[:17]) }},
	} {
		got := func() (message string) {
			defer func() { message = fmt.Sprint(recover()) }()
			test.f()
			return
		}()
		if got != test.want {
			t.Errorf("panic %q, want %q", got, test.want)
		}
		if !bytes.Equal(buf, make([]byte, len(buf))) || iv != [16]byte{} {
			t.Fatalf("%s: written to before the panic", test.want)
		}
	}
}

func TestNoAllocations(t *testing.T) {
	for _, im := range arch.Impls() {
		if n := testing.AllocsPerRun(50, func() {
			var key [32]byte
			var iv [16]byte
			var buf [333]byte
			var k aes.Key
			if err := k.InitImpl(im, key[:]); err != nil {
				t.Fatal(err)
			}
			Encrypt(&k.EncKey, &iv, buf[:320], buf[:320])
			Decrypt(&k, &iv, buf[:320], buf[:320])
			EncryptCTS(&k.EncKey, &iv, buf[:], buf[:])
			DecryptCTS(&k, &iv, buf[:], buf[:])
		}); n != 0 {
			t.Errorf("%v: %v allocations, want 0", im, n)
		}
	}
}

func TestConcurrent(t *testing.T) {
	key, text := bytesFor(6, 32), bytesFor(7, 333)
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		k := newKey(t, im, key)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 20 {
					buf := bytes.Clone(text)
					var enc, dec [16]byte
					EncryptCTS(&k.EncKey, &enc, buf, buf)
					if DecryptCTS(k, &dec, buf, buf); !bytes.Equal(buf, text) {
						t.Error("wrong result under concurrent use")
						return
					}
				}
			})
		}
		wg.Wait()
	})
}
