package aescmac

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"lamina/arch"
	"lamina/lib/aes"
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

func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

func newKey(t testing.TB, im arch.Impl, xcbc bool, key []byte, tagSize int) *Key {
	t.Helper()
	k := new(Key)
	init := k.InitImpl
	if xcbc {
		init = k.InitXCBCImpl
	}
	if err := init(im, key, tagSize); err != nil {
		t.Fatal(err)
	}
	return k
}

// TestCMACVectors has the examples of SP 800-38B, appendix D.
func TestCMACVectors(t *testing.T) {
	data := unhex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51" +
		"30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710")
	for _, test := range []struct {
		key  string
		tags map[int]string // by the length of the message
	}{
		{"2b7e151628aed2a6abf7158809cf4f3c", map[int]string{
			0: "bb1d6929e95937287fa37d129b756746", 16: "070a16b46b4d4144f79bdd9dd04a287c",
			40: "dfa66747de9ae63030ca32611497c827", 64: "51f0bebf7e3b9d92fc49741779363cfe"}},
		{"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b", map[int]string{
			0: "d17ddf46adaacde531cac483de7a9367", 16: "9e99a7bf31e710900662f65e617c5184",
			40: "8a1de5be2eb31aad089a82e6ee908b0e", 64: "a1d5df0eed790f794d77589659f39a11"}},
		{"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4", map[int]string{
			0: "028962f61b7bf89efc6b551f4667d983", 16: "28a7023f452e8f82bd4bf28d8c37c35c",
			40: "aaf3d8f1de5640c232f5b169b9c911e6", 64: "e1992190549f6ed5696a2c056c315410"}},
	} {
		for n, tag := range test.tags {
			checkVector(t, false, unhex(test.key), data[:n], tag)
		}
	}
}

// TestXCBCVectors has the examples of RFC 3566, section 4.6.
func TestXCBCVectors(t *testing.T) {
	key := unhex("000102030405060708090a0b0c0d0e0f")
	counting := make([]byte, 34)
	for i := range counting {
		counting[i] = byte(i)
	}
	for _, test := range []struct {
		data []byte
		tag  string
	}{
		{nil, "75f0251d528ac01c4573dfd584d79f29"},
		{counting[:3], "5b376580ae2f19afe7219ceef172756f"},
		{counting[:16], "d2a246fa349b68a79998a4394ff7a263"},
		{counting[:20], "47f51b4564966215b8985c63055ed308"},
		{counting[:32], "f54f0ec8d2b9f3d36807734bd5283fd4"},
		{counting[:34], "becbb3bccdb518a30677d5481fb6b4d8"},
		{make([]byte, 1000), "f0dafee895db30253761103b5d84528f"},
	} {
		checkVector(t, true, key, test.data, test.tag)
	}
}

func checkVector(t *testing.T, xcbc bool, key, data []byte, tag string) {
	t.Helper()
	for _, im := range arch.Impls() {
		k := newKey(t, im, xcbc, key, Size)
		if got := k.Sum(data); !bytes.Equal(got[:], unhex(tag)) {
			t.Errorf("%v: key of %d bytes, message of %d: tag %x, want %s", im, len(key), len(data), got, tag)
		}
	}
}

// forEachMAC runs test for CMAC with every size of key and for XCBC-MAC, under every implementation.
func forEachMAC(t *testing.T, test func(t *testing.T, im arch.Impl, xcbc bool, key []byte)) {
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		for _, size := range keySizes {
			t.Run(fmt.Sprintf("CMAC-%d", size*8), func(t *testing.T) { test(t, im, false, bytesFor(byte(size), size)) })
		}
		t.Run("XCBC", func(t *testing.T) { test(t, im, true, bytesFor(1, 16)) })
	})
}

// TestVerify flips every bit of a tag, and of a message, with every size of tag.
func TestVerify(t *testing.T) {
	data := bytesFor(4, 37)
	forEachMAC(t, func(t *testing.T, im arch.Impl, xcbc bool, key []byte) {
		for tagSize := 4; tagSize <= 16; tagSize++ {
			k := newKey(t, im, xcbc, key, tagSize)
			if k.TagSize() != tagSize {
				t.Errorf("TagSize() = %d, want %d", k.TagSize(), tagSize)
			}
			full := k.Sum(data)
			tag := full[:tagSize]
			h := NewHash(k)
			h.Write(data)
			if err := errors.Join(k.Verify(data, tag), h.Verify(tag)); err != nil {
				t.Fatalf("tag of %d bytes: %v", tagSize, err)
			}
			if h.Size() != tagSize || h.BlockSize() != 16 {
				t.Errorf("Hash: Size() = %d, BlockSize() = %d, want %d and 16", h.Size(), h.BlockSize(), tagSize)
			}
			for bit := range tagSize * 8 {
				tag[bit/8] ^= 1 << (bit % 8)
				if k.Verify(data, tag) != ErrVerify || h.Verify(tag) != ErrVerify {
					t.Fatalf("tag of %d bytes, bit %d flipped: verified", tagSize, bit)
				}
				tag[bit/8] ^= 1 << (bit % 8)
			}
			for bit := range len(data) * 8 {
				forged := bytes.Clone(data)
				forged[bit/8] ^= 1 << (bit % 8)
				if k.Verify(forged, tag) != ErrVerify {
					t.Fatalf("message with bit %d flipped: verified", bit)
				}
			}
			if k.Verify(append(bytes.Clone(data), 0x80), tag) != ErrVerify {
				t.Fatal("message with its padding: verified")
			}
		}
	})
}

// TestSizes tries every size of key and tag.
func TestSizes(t *testing.T) {
	for n := range 70 {
		var k Key
		err := k.Init(make([]byte, n), 16)
		if good := n == 16 || n == 24 || n == 32; good != (err == nil) || !good && err != aes.KeySizeError(n) {
			t.Errorf("Init with a key of %d bytes: %v", n, err)
		}
		if _, errNew := New(make([]byte, n)); errNew != err {
			t.Errorf("New with a key of %d bytes: %v, want %v", n, errNew, err)
		}
		if err != nil && k != (Key{}) {
			t.Errorf("a refused key of %d bytes changed something", n)
		}
		k = Key{}
		err = k.InitXCBC(make([]byte, n), 16)
		want := fmt.Sprintf("aescmac: XCBC-MAC key of %d bytes; it must have 16", n)
		if n == 16 && err != nil || n != 16 && (err == nil || err.Error() != want || k != Key{}) {
			t.Errorf("InitXCBC with a key of %d bytes: %v", n, err)
		}
		if _, errNew := NewXCBC(make([]byte, n)); errNew != err {
			t.Errorf("NewXCBC with a key of %d bytes: %v, want %v", n, errNew, err)
		}
	}
	for n := -1; n < 20; n++ {
		var k Key
		want := fmt.Sprintf("aescmac: tag of %d bytes; it must have 4 to 16", n)
		for _, err := range []error{k.Init(make([]byte, 16), n), k.InitXCBC(make([]byte, 16), n)} {
			if good := n >= 4 && n <= 16; good != (err == nil) || !good && (err.Error() != want || k != Key{}) {
				t.Errorf("tag of %d bytes: %v", n, err)
			}
		}
	}
}

// TestMisuse holds that mistakes panic, with a message that says what is wrong.
func TestMisuse(t *testing.T) {
	k := newKey(t, arch.Best(), false, make([]byte, 16), 12)
	h := NewHash(k)
	var wiped Key
	var idle Hash
	begun := newKey(t, arch.Best(), false, make([]byte, 16), 16)
	orphan := NewHash(begun)
	begun.Wipe()
	gone := NewHash(k)
	gone.Wipe()
	if *begun != wiped || gone != idle {
		t.Error("Wipe left something")
	}
	const unset = "aescmac: key used before Init or after Wipe"
	for _, test := range []struct {
		want string
		f    func()
	}{
		{"aescmac: Verify: tag of 16 bytes; the key was set up for 12", func() { k.Verify(nil, make([]byte, 16)) }},
		{"aescmac: Verify: tag of 0 bytes; the key was set up for 12", func() { k.Verify(nil, nil) }},
		{"aescmac: Verify: tag of 11 bytes; the key was set up for 12", func() { h.Verify(make([]byte, 11)) }},
		{"aescmac: Reset: no message was begun, or the Hash was wiped", func() { idle.Reset() }},
		{"aescmac: Reset: no message was begun, or the Hash was wiped", func() { gone.Reset() }},
		{unset, func() { orphan.Reset() }},
		{unset, func() { wiped.Sum(nil) }},
		{unset, func() { wiped.Verify(nil, nil) }},
		{unset, func() { wiped.TagSize() }},
		{unset, func() { NewHash(&wiped) }},
		{unset, func() { orphan.Write([]byte{1}) }},
		{unset, func() { orphan.Sum(nil) }},
		{"aescmac: Write: no message was begun, or the Hash was wiped", func() { idle.Write(nil) }},
		{"aescmac: Sum: no message was begun, or the Hash was wiped", func() { idle.Sum(nil) }},
		{"aescmac: Size: no message was begun, or the Hash was wiped", func() { idle.Size() }},
		{"aescmac: Verify: no message was begun, or the Hash was wiped", func() { gone.Verify(nil) }},
	} {
		got := func() (message string) {
			defer func() { message = fmt.Sprint(recover()) }()
			test.f()
			return
		}()
		if got != test.want {
			t.Errorf("panic %q, want %q", got, test.want)
		}
	}
	if !strings.HasPrefix(ErrVerify.Error(), "aescmac: ") {
		t.Errorf("ErrVerify is %q", ErrVerify)
	}
}

// TestSumCapacity holds that Sum writes as many bytes as the tag has, and where there is room allocates nothing.
func TestSumCapacity(t *testing.T) {
	k := newKey(t, arch.Best(), false, make([]byte, 16), 5)
	h := NewHash(k)
	buf := bytes.Repeat([]byte{0xa5}, 30)
	if got := h.Sum(buf[:3]); len(got) != 8 || &got[0] != &buf[0] || !bytes.Equal(buf[8:], bytes.Repeat([]byte{0xa5}, 22)) {
		t.Errorf("Sum of a 5-byte tag behind 3 bytes leaves %x", buf)
	}
}

func TestNoAllocations(t *testing.T) {
	for _, im := range arch.Impls() {
		if n := testing.AllocsPerRun(50, func() {
			var key [32]byte
			var data [333]byte
			var k Key
			if err := k.InitImpl(im, key[:], 16); err != nil {
				t.Fatal(err)
			}
			tag := k.Sum(data[:])
			if err := k.Verify(data[:], tag[:]); err != nil {
				t.Fatal(err)
			}
			h := NewHash(&k)
			h.Write(data[:100])
			h.Write(data[100:])
			if err := h.Verify(tag[:]); err != nil {
				t.Fatal(err)
			}
			var out [16]byte
			h.Sum(out[:0])
			if err := k.InitXCBCImpl(im, key[:16], 12); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%v: %v allocations, want 0", im, n)
		}
	}
	if n := testing.AllocsPerRun(50, func() {
		var key [16]byte
		k, err := New(key[:])
		if err != nil {
			t.Fatal(err)
		}
		k.Sum(key[:])
		if k, err = NewXCBC(key[:]); err != nil {
			t.Fatal(err)
		}
		k.Sum(key[:])
	}); n != 0 {
		t.Errorf("New: %v allocations, want 0", n)
	}
}

func TestConcurrent(t *testing.T) {
	data := bytesFor(5, 500)
	forEachMAC(t, func(t *testing.T, im arch.Impl, xcbc bool, key []byte) {
		k := newKey(t, im, xcbc, key, 16)
		want := k.Sum(data)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 20 {
					if k.Verify(data, want[:]) != nil {
						t.Error("wrong result under concurrent use")
						return
					}
				}
			})
		}
		wg.Wait()
	})
}
