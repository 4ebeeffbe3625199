package aes

import (
	"bytes"
	stdaes "crypto/aes"
	"crypto/cipher"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"lamina/arch"
)

var keySizes = []int{16, 24, 32}

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

func newKey(t testing.TB, im arch.Impl, key []byte) *Key {
	t.Helper()
	k := new(Key)
	if err := k.InitImpl(im, key); err != nil {
		t.Fatal(err)
	}
	return k
}

func stdBlock(t testing.TB, key []byte) cipher.Block {
	t.Helper()
	b, err := stdaes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestKnownAnswers has the examples of FIPS 197, appendices B and C.
func TestKnownAnswers(t *testing.T) {
	for _, test := range []struct{ key, plain, cipher string }{
		{"2b7e151628aed2a6abf7158809cf4f3c", "3243f6a8885a308d313198a2e0370734", "3925841d02dc09fbdc118597196a0b32"},
		{"000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff", "69c4e0d86a7b0430d8cdb78070b4c55a"},
		{"000102030405060708090a0b0c0d0e0f1011121314151617", "00112233445566778899aabbccddeeff",
			"dda97ca4864cdfe06eaf70a0ec0d7191"},
		{"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", "00112233445566778899aabbccddeeff",
			"8ea2b7ca516745bfeafc49904b496089"},
	} {
		key, _ := hex.DecodeString(test.key)
		plain, _ := hex.DecodeString(test.plain)
		forEachImpl(t, func(t *testing.T, im arch.Impl) {
			k := newKey(t, im, key)
			got := make([]byte, 16)
			k.EncryptBlock(got, plain)
			if hex.EncodeToString(got) != test.cipher {
				t.Errorf("key %s: encrypted to %x, want %s", test.key, got, test.cipher)
			}
			if k.DecryptBlock(got, got); !bytes.Equal(got, plain) {
				t.Errorf("key %s: decrypted to %x, want %s", test.key, got, test.plain)
			}
		})
	}
}

// TestOneBlock compares the functions for one block, and those of a key that only encrypts, with EncryptBlocks,
// which the suite tests.
func TestOneBlock(t *testing.T) {
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		for i := range 90 {
			key, plain := bytesFor(byte(i), keySizes[i%3]), bytesFor(byte(100+i), 16)
			k := newKey(t, im, key)
			var enc EncKey
			if err := enc.InitImpl(im, key); err != nil {
				t.Fatal(err)
			}
			want := make([]byte, 16)
			k.EncryptBlocks(want, plain)
			for name, encrypt := range map[string]func(dst, src []byte){
				"EncKey.EncryptBlock": enc.EncryptBlock, "EncKey.EncryptBlocks": enc.EncryptBlocks,
				"Key.EncryptBlock": k.EncryptBlock, "Key.Encrypt": k.Encrypt,
			} {
				got := make([]byte, 16)
				if encrypt(got, plain); !bytes.Equal(got, want) {
					t.Fatalf("%s: got %x, want %x", name, got, want)
				}
			}
			for name, decrypt := range map[string]func(dst, src []byte){
				"DecryptBlock": k.DecryptBlock, "Decrypt": k.Decrypt,
			} {
				got := make([]byte, 16)
				if decrypt(got, want); !bytes.Equal(got, plain) {
					t.Fatalf("%s: got %x, want %x", name, got, plain)
				}
			}
		}
	})
}

// TestCipherBlock uses a Key through crypto/cipher, and holds that Encrypt and Decrypt handle one block
// however long their slices are.
func TestCipherBlock(t *testing.T) {
	key, plain, iv := bytesFor(3, 24), bytesFor(4, 160), bytesFor(5, 16)
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		var k cipher.Block = newKey(t, im, key)
		if k.BlockSize() != 16 {
			t.Errorf("BlockSize() = %d", k.BlockSize())
		}
		got, want := bytes.Clone(plain), bytes.Clone(plain)
		cipher.NewCBCEncrypter(k, iv).CryptBlocks(got, got)
		cipher.NewCBCEncrypter(stdBlock(t, key), iv).CryptBlocks(want, want)
		if !bytes.Equal(got, want) {
			t.Error("CBC through crypto/cipher is wrong")
		}
		if cipher.NewCBCDecrypter(k, iv).CryptBlocks(got, got); !bytes.Equal(got, plain) {
			t.Error("CBC decryption through crypto/cipher is wrong")
		}
		dst := bytes.Repeat([]byte{0xa5}, 160)
		for name, f := range map[string]func(dst, src []byte){"Encrypt": k.Encrypt, "Decrypt": k.Decrypt} {
			if f(dst, plain); !bytes.Equal(dst[16:], bytes.Repeat([]byte{0xa5}, 144)) {
				t.Errorf("%s wrote more than a block", name)
			}
		}
	})
}

func TestKeySizes(t *testing.T) {
	for n := range 70 {
		good := n == 16 || n == 24 || n == 32
		want := fmt.Sprintf("aes: key of %d bytes; it must have 16, 24 or 32", n)
		var enc EncKey
		var key Key
		_, errNew := New(make([]byte, n))
		_, errNewEnc := NewEncKey(make([]byte, n))
		for name, err := range map[string]error{
			"EncKey.Init": enc.Init(make([]byte, n)), "Key.Init": key.Init(make([]byte, n)),
			"New": errNew, "NewEncKey": errNewEnc,
		} {
			var size KeySizeError
			switch {
			case good && err != nil:
				t.Errorf("%s with %d bytes: %v", name, n, err)
			case !good && (!errors.As(err, &size) || int(size) != n || err.Error() != want):
				t.Errorf("%s with %d bytes: error %v, want %s", name, n, err, want)
			}
		}
		if !good && (enc != EncKey{} || key != Key{}) {
			t.Errorf("a refused key of %d bytes changed something", n)
		}
	}
}

// TestMisuse holds that mistakes panic, with a message that says what is wrong, and before a byte is written.
func TestMisuse(t *testing.T) {
	k := newKey(t, arch.Best(), make([]byte, 16))
	const (
		one       = "each must have 16"
		many      = "both must have the same multiple of 16"
		first     = "each must have at least 16"
		overlap   = "dst and src overlap without being the same memory"
		unset     = "aes: key used before Init or after Wipe"
		dst16src8 = "dst of 16 bytes and src of 8; "
	)
	buf := make([]byte, 100)
	wiped := *k
	wiped.Wipe()
	wipedEnc := k.EncKey
	wipedEnc.Wipe()
	if wiped != (Key{}) || wipedEnc != (EncKey{}) {
		t.Error("Wipe left something")
	}
	for _, test := range []struct {
		want string
		f    func()
	}{
		{"aes: EncryptBlock: " + dst16src8 + one, func() { k.EncryptBlock(buf[:16], buf[16:24]) }},
		{"aes: DecryptBlock: " + dst16src8 + one, func() { k.DecryptBlock(buf[:16], buf[16:24]) }},
		{one, func() { k.EncryptBlock(buf[:32], buf[:32]) }},
		{one, func() { k.DecryptBlock(buf[:32], buf[:32]) }},
		{one, func() { k.EncryptBlock(nil, nil) }},
		{"aes: EncryptBlocks: " + dst16src8 + many, func() { k.EncryptBlocks(buf[:16], buf[16:24]) }},
		{"aes: DecryptBlocks: " + dst16src8 + many, func() { k.DecryptBlocks(buf[:16], buf[16:24]) }},
		{many, func() { k.EncryptBlocks(buf[:17], buf[:17]) }},
		{many, func() { k.EncryptBlocks(buf[:32], buf[32:48]) }},
		{many, func() { k.DecryptBlocks(buf[:16], buf[32:64]) }},
		{"aes: Encrypt: " + dst16src8 + first, func() { k.Encrypt(buf[:16], buf[16:24]) }},
		{"aes: Decrypt: " + dst16src8 + first, func() { k.Decrypt(buf[:16], buf[16:24]) }},
		{first, func() { k.Encrypt(buf[:15], buf) }},
		{"aes: EncryptBlock: " + overlap, func() { k.EncryptBlock(buf[1:17], buf[:16]) }},
		{"aes: DecryptBlock: " + overlap, func() { k.DecryptBlock(buf[:16], buf[15:31]) }},
		{"aes: EncryptBlocks: " + overlap, func() { k.EncryptBlocks(buf[16:80], buf[:64]) }},
		{"aes: DecryptBlocks: " + overlap, func() { k.DecryptBlocks(buf[:32], buf[31:63]) }},
		{"aes: Encrypt: " + overlap, func() { k.Encrypt(buf[1:], buf) }},
		{"aes: Decrypt: " + overlap, func() { k.Decrypt(buf, buf[1:]) }},
		{unset, func() { wipedEnc.EncryptBlock(buf[:16], buf[:16]) }},
		{unset, func() { wipedEnc.EncryptBlocks(buf[:16], buf[:16]) }},
		{unset, func() { wiped.EncryptBlock(buf[:16], buf[:16]) }},
		{unset, func() { wiped.DecryptBlock(buf[:16], buf[:16]) }},
		{unset, func() { wiped.DecryptBlocks(nil, nil) }},
		{unset, func() { wiped.Encrypt(buf, buf) }},
		{unset, func() { wiped.Decrypt(buf, buf) }},
	} {
		got := func() (message string) {
			defer func() { message = fmt.Sprint(recover()) }()
			test.f()
			return
		}()
		if !strings.HasPrefix(got, "aes: ") || !strings.Contains(got, test.want) {
			t.Errorf("panic %q, want %q", got, test.want)
		}
		if !bytes.Equal(buf, make([]byte, len(buf))) {
			t.Fatalf("%s: written to before the panic", test.want)
		}
	}
	k.Encrypt(buf[16:], buf) // longer slices overlap, the blocks do not
}

// TestNoAllocations has all keys and buffers as local variables, so it also holds that none escapes.
func TestNoAllocations(t *testing.T) {
	ims := arch.Impls()
	if n := testing.AllocsPerRun(50, func() {
		var key [32]byte
		var buf [320]byte
		enc, err := NewEncKey(key[:])
		if err != nil {
			t.Fatal(err)
		}
		enc.EncryptBlock(buf[:16], buf[:16])
		enc.EncryptBlocks(buf[:], buf[:])
		enc.Wipe()
		k, err := New(key[:])
		if err != nil {
			t.Fatal(err)
		}
		k.DecryptBlock(buf[:16], buf[:16])
		k.DecryptBlocks(buf[:], buf[:])
		k.Encrypt(buf[:], buf[:])
		k.Decrypt(buf[:], buf[:])
		k.Wipe()
		for _, im := range ims {
			var k Key
			if err := k.InitImpl(im, key[:]); err != nil {
				t.Fatal(err)
			}
			k.EncryptBlocks(buf[:], buf[:])
			k.DecryptBlocks(buf[:], buf[:])
		}
	}); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

func TestSizes(t *testing.T) {
	if n := unsafe.Sizeof(EncKey{}); n > 256 {
		t.Errorf("EncKey has %d bytes, want at most 256", n)
	}
}

func TestConcurrent(t *testing.T) {
	key, plain := bytesFor(6, 32), bytesFor(7, 320)
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		k := newKey(t, im, key)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 20 {
					buf := bytes.Clone(plain)
					k.EncryptBlocks(buf, buf)
					if k.DecryptBlocks(buf, buf); !bytes.Equal(buf, plain) {
						t.Error("wrong result under concurrent use")
						return
					}
				}
			})
		}
		wg.Wait()
	})
}
