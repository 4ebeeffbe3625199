package aesgcm

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"lamina/arch"
)

var (
	keySizes = []int{16, 24, 32}
	tagSizes = []int{4, 8, 12, 13, 14, 15, 16}
)

// forEachImpl runs test for every implementation of this CPU.
func forEachImpl(t *testing.T, test func(t *testing.T, im arch.Impl)) {
	for _, im := range arch.Impls() {
		t.Run(im.String(), func(t *testing.T) { test(t, im) })
	}
}

// bytesFor returns n bytes that are random, and the same on every run for the same seed.
func bytesFor(seed uint64, n int) []byte {
	var s [32]byte
	for i := range 8 {
		s[i] = byte(seed >> (8 * i))
	}
	b := make([]byte, n)
	rand.NewChaCha8(s).Read(b)
	return b
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

func newKey(t testing.TB, im arch.Impl, key []byte, tagSize int) *Key {
	t.Helper()
	k := new(Key)
	if err := k.InitImpl(im, key, tagSize); err != nil {
		t.Fatal(err)
	}
	return k
}

// oracle is crypto/cipher's GCM with the tag cut to tagSize, which is all that a short tag is (SP 800-38D,
// section 7.1, step 6).
type oracle struct {
	cipher.AEAD
	tagSize int
}

func newOracle(t testing.TB, key []byte, nonceSize, tagSize int) oracle {
	t.Helper()
	block, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	g, err := cipher.NewGCMWithNonceSize(block, nonceSize)
	if err != nil {
		t.Fatal(err)
	}
	return oracle{g, tagSize}
}

func (o oracle) seal(nonce, text, ad []byte) []byte {
	out := o.Seal(nil, nonce, text, ad)
	return out[:len(text)+o.tagSize]
}

// mustPanic runs f, and holds that it panics with a message of this package that contains want.
func mustPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		got := fmt.Sprint(recover())
		if !strings.HasPrefix(got, "aesgcm: ") || !strings.Contains(got, want) {
			t.Errorf("panic %q, want one of aesgcm with %q", got, want)
		}
	}()
	f()
}

func filled(n int, b byte) []byte {
	s := make([]byte, n)
	for i := range s {
		s[i] = b
	}
	return s
}

func allEqual(s []byte, b byte) bool {
	for _, v := range s {
		if v != b {
			return false
		}
	}
	return true
}
