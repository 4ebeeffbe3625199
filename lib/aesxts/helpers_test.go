package aesxts

import (
	"crypto/aes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/crypto/xts"

	"lamina/arch"
	"lamina/internal/textbook"
)

var keySizes = []int{32, 48, 64}

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

func newKey(t testing.TB, im arch.Impl, key []byte) *Key {
	t.Helper()
	k := new(Key)
	if err := k.InitImpl(im, key); err != nil {
		t.Fatal(err)
	}
	return k
}

// tweakOf is the tweak of a sector.
func tweakOf(sector uint64) (t [16]byte) {
	binary.LittleEndian.PutUint64(t[:], sector)
	return t
}

// newOracle returns x/crypto's XTS, which takes whole blocks and sector numbers of 64 bits.
func newOracle(t testing.TB, key []byte) *xts.Cipher {
	t.Helper()
	c, err := xts.NewCipher(aes.NewCipher, key)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// panicOf returns the message with which f panics.
func panicOf(f func()) (message string) {
	defer func() { message = fmt.Sprint(recover()) }()
	f()
	return ""
}

// mustPanic runs f, and holds that it panics with a message of this package that contains want.
func mustPanic(t *testing.T, want string, f func()) {
	t.Helper()
	if got := panicOf(f); !strings.HasPrefix(got, "aesxts: ") || !strings.Contains(got, want) {
		t.Errorf("panic %q, want one of aesxts with %q", got, want)
	}
}

// reference encrypts one data unit as the textbook does.
func reference(key []byte, tweak [16]byte, text []byte) []byte {
	out, _, _ := textbook.XTS.Encrypt(key, tweak[:], text, nil, 0)
	return out
}
