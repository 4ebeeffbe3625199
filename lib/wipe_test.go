package lib_test

import (
	"bytes"
	"strings"
	"testing"
	"unsafe"

	"lamina/arch"
	"lamina/lib/aes"
	"lamina/lib/aesccm"
	"lamina/lib/aescmac"
	"lamina/lib/aesctr"
	"lamina/lib/aesgcm"
	"lamina/lib/aesxts"
	"lamina/lib/ghash"
)

// What every type with a key or the state of a message in it has in common: Wipe, and the end of a message where
// there is one, leave no round key, power of the hash key, key stream or text in its memory; then every use panics;
// and Init makes it usable again. Package cobblestone, whose keys are in memory that only it can see, has a test
// of its own.

// object is a value of such a type.
type object struct {
	name   string
	memory []byte
	begin  func()            // sets the key, or begins a message
	use    func() []byte     // does something that leaves as much as possible in memory, and returns what comes out
	end    func()            // must leave nothing
	misuse map[string]func() // calls that then panic
}

// memoryOf returns the memory of a value.
func memoryOf[T any](v *T) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(v)), unsafe.Sizeof(*v)) }

var (
	key   = bytes.Repeat([]byte("0123456789abcdef"), 2)
	key16 = key[:16]
	nonce = []byte("nonce of 12 ")
	text  = bytes.Repeat([]byte("secret "), 20)
)

// buffer has room for any output here. Uses write to it, and misuses to a buffer of their own.
func buffer() []byte { return make([]byte, 256) }

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// keysUnder returns the types of keys.
func keysUnder(im arch.Impl) []object {
	var (
		enc  = new(aes.EncKey)
		both = new(aes.Key)
		hash = new(ghash.Key)
		gcm  = new(aesgcm.Key)
		xts  = new(aesxts.Key)
		mac  = new(aescmac.Key)
		ccm  = new(aesccm.Key)

		none  []byte
		block = buffer()[:16]
		two   = buffer()[:32]
		tweak = new([16]byte)
		h     = [16]byte(key)
		xtsOf = append(bytes.Clone(key), []byte("and another key of 32 bytes here")...)
	)
	sum := func() []byte {
		m := ghash.New(hash)
		m.Update(text)
		m.Sum((*[16]byte)(block))
		return block
	}
	useHash := map[string]func(){
		"New":  func() { ghash.New(hash) },
		"Init": func() { new(ghash.Hash).Init(hash) },
	}
	macOf := func() []byte { tag := mac.Sum(text); return tag[:] }
	useMAC := map[string]func(){
		"Sum":     func() { mac.Sum(text) },
		"Verify":  func() { mac.Verify(text, block) },
		"TagSize": func() { mac.TagSize() },
		"NewHash": func() { aescmac.NewHash(mac) },
	}
	return []object{
		{
			"aes.EncKey", memoryOf(enc), func() { must(enc.InitImpl(im, key)) },
			func() []byte { enc.EncryptBlocks(two, text[:32]); return two }, enc.Wipe,
			map[string]func(){
				"EncryptBlock":  func() { enc.EncryptBlock(block, block) },
				"EncryptBlocks": func() { enc.EncryptBlocks(none, none) },
				"Schedule":      func() { enc.Schedule() },
				"aesctr.CTR":    func() { aesctr.CTR(enc, tweak, none, none) },
			},
		},
		{
			"aes.Key", memoryOf(both), func() { must(both.InitImpl(im, key)) },
			func() []byte { both.DecryptBlocks(two, text[:32]); return two }, both.Wipe,
			map[string]func(){
				"EncryptBlock":    func() { both.EncryptBlock(block, block) },
				"DecryptBlock":    func() { both.DecryptBlock(block, block) },
				"EncryptBlocks":   func() { both.EncryptBlocks(none, none) },
				"DecryptBlocks":   func() { both.DecryptBlocks(none, none) },
				"Encrypt":         func() { both.Encrypt(block, block) },
				"Decrypt":         func() { both.Decrypt(block, block) },
				"InverseSchedule": func() { both.InverseSchedule() },
			},
		},
		{"ghash.Key, GHASH", memoryOf(hash), func() { hash.InitImpl(im, &h) }, sum, hash.Wipe, useHash},
		{"ghash.Key, POLYVAL", memoryOf(hash), func() { hash.InitPOLYVALImpl(im, &h) }, sum, hash.Wipe, useHash},
		{
			"aesgcm.Key", memoryOf(gcm), func() { must(gcm.InitImpl(im, key, 16)) },
			func() []byte { return gcm.Seal(nil, nonce, text, nil) }, gcm.Wipe,
			map[string]func(){
				"Seal":     func() { gcm.Seal(nil, nonce, nil, nil) },
				"Open":     func() { gcm.Open(nil, nonce, text, nil) },
				"Encrypt":  func() { gcm.Encrypt(none, block, nonce, none, none) },
				"Decrypt":  func() { gcm.Decrypt(none, nonce, none, block, none) },
				"GMAC":     func() { gcm.GMAC(block, nonce, text) },
				"Overhead": func() { gcm.Overhead() },
				"NewCtx":   func() { aesgcm.NewCtx(gcm, nonce) },
				"NewGMAC":  func() { aesgcm.NewGMAC(gcm, nonce) },
			},
		},
		{
			"aesxts.Key", memoryOf(xts), func() { must(xts.InitImpl(im, xtsOf)) },
			func() []byte {
				out := buffer()[:len(text)]
				xts.EncryptSectors(out, text, 1, len(text))
				return out
			}, xts.Wipe,
			map[string]func(){
				"Encrypt":        func() { xts.Encrypt(block, block, tweak) },
				"Decrypt":        func() { xts.Decrypt(block, block, tweak) },
				"EncryptSectors": func() { xts.EncryptSectors(none, none, 0, 512) },
				"DecryptSectors": func() { xts.DecryptSectors(none, none, 0, 512) },
			},
		},
		{"aescmac.Key, CMAC", memoryOf(mac), func() { must(mac.InitImpl(im, key, 16)) }, macOf, mac.Wipe, useMAC},
		{"aescmac.Key, XCBC-MAC", memoryOf(mac), func() { must(mac.InitXCBCImpl(im, key16, 16)) }, macOf, mac.Wipe, useMAC},
		{
			"aesccm.Key", memoryOf(ccm), func() { must(ccm.InitImpl(im, key, len(nonce), 16)) },
			func() []byte { return ccm.Seal(nil, nonce, text, nil) }, ccm.Wipe,
			map[string]func(){
				"Seal":      func() { ccm.Seal(nil, nonce, nil, nil) },
				"Open":      func() { ccm.Open(nil, nonce, text, nil) },
				"Encrypt":   func() { ccm.Encrypt(none, block, nonce, none, none) },
				"Decrypt":   func() { ccm.Decrypt(none, nonce, none, block, none) },
				"NonceSize": func() { ccm.NonceSize() },
				"Overhead":  func() { ccm.Overhead() },
				"MaxText":   func() { ccm.MaxText() },
				"NewCtx":    func() { aesccm.NewCtx(ccm, nonce, 0, 0) },
			},
		},
	}
}

func TestWipe(t *testing.T) {
	for _, im := range arch.Impls() {
		for _, o := range append(keysUnder(im), statesUnder(im)...) {
			t.Run(im.String()+"/"+o.name, func(t *testing.T) { checkWipe(t, &o) })
		}
	}
}

// inUse is how many bytes of memory that are not zero an object in use has at least: a state has a hash or a
// block, and keys have more.
const inUse = 16

func checkWipe(t *testing.T, o *object) {
	checkMisuse(t, o, "before Init")
	o.begin()
	first := bytes.Clone(o.use())
	if n := len(o.memory) - bytes.Count(o.memory, []byte{0}); n < inUse {
		t.Fatalf("in use it has %d bytes that are not zero; then nothing can be seen of wiping", n)
	}
	o.end()
	checkClear(t, o)
	checkMisuse(t, o, "after the end")
	o.begin()
	if again := o.use(); !bytes.Equal(again, first) {
		t.Errorf("after Init: %x, want as before, %x", again, first)
	}
	o.end()
	checkClear(t, o)
}

func checkClear(t *testing.T, o *object) {
	t.Helper()
	for i, b := range o.memory {
		if b != 0 {
			t.Errorf("left from byte %d of %d on: %x", i, len(o.memory), o.memory[i:])
			return
		}
	}
}

// checkMisuse holds that every call panics, by a check of the package's own and not for want of memory.
func checkMisuse(t *testing.T, o *object, when string) {
	t.Helper()
	for name, call := range o.misuse {
		func() {
			defer func() {
				t.Helper()
				if message, ok := recover().(string); !ok || !strings.HasPrefix(message, packageOf(o.name)+": ") {
					t.Errorf("%s %s: panicked with %q", name, when, message)
				}
			}()
			call()
		}()
	}
}

// packageOf is the package that a name begins with. It stands at the beginning of what it panics with.
func packageOf(name string) string {
	path, _, _ := strings.Cut(name, ".")
	return path
}

// TestStreamHoldsNoSecret holds why aesctr.Stream has no Wipe: in it are the counter block that it was made with,
// an offset, and a pointer to the key, whose own Wipe ends it.
func TestStreamHoldsNoSecret(t *testing.T) {
	k, err := aes.NewEncKey(key)
	if err != nil {
		t.Fatal(err)
	}
	s := aesctr.NewCTR(k, key16)
	stream := make([]byte, 40)
	s.XORKeyStream(stream, stream) // which ends within a block
	next := make([]byte, 8)
	s.XORKeyStreamAt(next, next, 40)
	memory := memoryOf(s)
	for i := range len(stream) - 3 {
		if bytes.Contains(memory, stream[i:i+4]) {
			t.Errorf("four bytes of key stream from offset %d on are in the Stream", i)
		}
	}
	if bytes.Contains(memory, next[:4]) {
		t.Error("the key stream to come is in the Stream")
	}
	k.Wipe()
	checkMisuse(t, &object{name: "aes.EncKey", misuse: map[string]func(){
		"XORKeyStream":   func() { s.XORKeyStream(next, next) },
		"XORKeyStreamAt": func() { s.XORKeyStreamAt(next, next, 0) },
	}}, "after the key's Wipe")
}
