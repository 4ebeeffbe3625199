package aesccm

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

func stdBlock(t testing.TB, key []byte) cipher.Block {
	t.Helper()
	b, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// bigEndian is n in size bytes.
func bigEndian(n, size int) (b []byte) {
	for i := size - 1; i >= 0; i-- {
		b = append(b, byte(n>>(8*i)))
	}
	return b
}

// reference seals as SP 800-38C, section 6.1 and appendix A, writes it down, with single blocks of crypto/aes.
func reference(t testing.TB, key, nonce, text, ad []byte, tagSize int) []byte {
	t.Helper()
	b := stdBlock(t, key)
	q := 15 - len(nonce)
	pad := func(data []byte) []byte { return append(data, make([]byte, (16-len(data)%16)%16)...) }

	flags := (tagSize-2)/2*8 + q - 1
	if len(ad) > 0 {
		flags += 64
	}
	blocks := append([]byte{byte(flags)}, nonce...)
	blocks = append(blocks, bigEndian(len(text), q)...)
	switch n := len(ad); {
	case n == 0:
	case n < 65280:
		blocks = append(blocks, bigEndian(n, 2)...)
	default:
		blocks = append(append(blocks, 0xff, 0xfe), bigEndian(n, 4)...)
	}
	blocks = pad(append(blocks, ad...))
	blocks = pad(append(blocks, text...))
	mac := make([]byte, 16)
	for i := range blocks {
		mac[i%16] ^= blocks[i]
		if i%16 == 15 {
			b.Encrypt(mac, mac)
		}
	}

	out := make([]byte, 16)
	add := func(counter int, to []byte) {
		b.Encrypt(out, append(append([]byte{byte(q - 1)}, nonce...), bigEndian(counter, q)...))
		for i := range to {
			to[i] ^= out[i]
		}
	}
	sealed := append([]byte{}, text...)
	for i := 0; i < len(sealed); i += 16 {
		add(1+i/16, sealed[i:min(i+16, len(sealed))])
	}
	add(0, mac)
	return append(sealed, mac[:tagSize]...)
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
