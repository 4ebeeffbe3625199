package aesccm

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"lamina/arch"
	"lamina/internal/textbook"
)

var (
	keySizes   = []int{16, 24, 32}
	tagSizes   = []int{4, 6, 8, 10, 12, 14, 16}
	nonceSizes = []int{7, 8, 9, 10, 11, 12, 13}
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
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		panic(err)
	}
	return b
}

func newKey(t testing.TB, im arch.Impl, key []byte, nonceSize, tagSize int) *Key {
	t.Helper()
	k := new(Key)
	if err := k.InitImpl(im, key, nonceSize, tagSize); err != nil {
		t.Fatal(err)
	}
	return k
}

// mustPanic runs f, and holds that it panics with a message of this package that contains want.
func mustPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		got := fmt.Sprint(recover())
		if !strings.HasPrefix(got, "aesccm: ") || !strings.Contains(got, want) {
			t.Errorf("panic %q, want one of aesccm with %q", got, want)
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

// reference seals as the textbook does.
func reference(key, nonce, text, ad []byte, tagSize int) []byte {
	out, tag, _ := textbook.CCM.Encrypt(key, nonce, text, ad, tagSize)
	return append(out, tag...)
}
