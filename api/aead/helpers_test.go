package aead

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"lamina/api/internal/request"
	"lamina/api/scatter"
	"lamina/arch"
	"lamina/lib/aesccm"
	"lamina/lib/aesgcm"
)

const poison = 0xa5

// forEachDriver runs test for every driver of every algorithm.
func forEachDriver(t *testing.T, test func(t *testing.T, m *mode, im arch.Impl)) {
	for _, m := range modes {
		for _, im := range arch.Impls() {
			t.Run(m.prefix+im.String(), func(t *testing.T) { test(t, m, im) })
		}
	}
}

// alloc returns a transform that is closed when the test ends.
func alloc(t testing.TB, name string, options ...Option) *Transform {
	t.Helper()
	tfm, err := Alloc(name, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tfm.Close() })
	return tfm
}

// allocKeyed is alloc with a key of 16 bytes and what salt belongs to it.
func allocKeyed(t testing.TB, name string, options ...Option) *Transform {
	t.Helper()
	tfm := alloc(t, name, options...)
	if err := tfm.SetKey(bytesFor(1, 16+tfm.mode.saltSize)); err != nil {
		t.Fatal(err)
	}
	return tfm
}

// bytesFor returns n bytes that are random, and the same on every run for the same seed.
func bytesFor(seed uint64, n int) []byte {
	return randomBytes(rand.New(rand.NewPCG(seed, 0)), n)
}

// message is a message with all that belongs to it, and what a direct call of the library seals it to.
type message struct {
	key, iv, ad, text []byte
	authSize          int
	sealed            []byte // the text encrypted, and the tag
}

// newMessage returns a random message with n bytes of text, and adSize bytes of associated data where the mode
// lets them be chosen.
func newMessage(m *mode, im arch.Impl, seed uint64, keySize, authSize, adSize, n int) *message {
	if m.ivSize == espIVSize {
		adSize = []int{espShortAD, espLongAD}[adSize%2]
	}
	s := &message{
		key:      bytesFor(seed, keySize+m.saltSize),
		iv:       bytesFor(seed+1, m.ivSize),
		ad:       bytesFor(seed+2, adSize),
		text:     bytesFor(seed+3, n),
		authSize: authSize,
	}
	if m.ivSize == ccmIVSize {
		s.iv[0] = byte(1 + seed%7)
		if n > 0xffff {
			s.iv[0] = byte(2 + seed%6)
		}
	}
	s.sealed = s.direct(m, im)
	return s
}

// direct seals the message by a direct call of the library.
func (s *message) direct(m *mode, im arch.Impl) []byte {
	key, nonce, ad := s.key, s.iv, s.ad
	switch m.name {
	case "rfc4106(gcm(aes))", "rfc4309(ccm(aes))":
		cut := len(key) - m.saltSize
		nonce = slices.Concat(key[cut:], s.iv)
		key, ad = key[:cut], ad[:len(ad)-8]
	case "ccm(aes)":
		nonce = s.iv[1 : 15-int(s.iv[0])]
	}
	if m.name == "gcm(aes)" || m.name == "rfc4106(gcm(aes))" {
		var k aesgcm.Key
		if err := k.InitImpl(im, key, s.authSize); err != nil {
			panic(err)
		}
		return k.Seal(nil, nonce, s.text, ad)
	}
	var k aesccm.Key
	if err := k.InitImpl(im, key, len(nonce), s.authSize); err != nil {
		panic(err)
	}
	return k.Seal(nil, nonce, s.text, ad)
}

// use sets the key and the tag size of tfm to those of the message.
func (s *message) use(t testing.TB, tfm *Transform) {
	t.Helper()
	if err := errors.Join(tfm.SetKey(s.key), tfm.SetAuthSize(s.authSize)); err != nil {
		t.Fatal(err)
	}
}

// arena is memory with a list in it whose segments have poison before and behind them.
type arena struct {
	memory []byte
	list   scatter.List
}

func newArena(sizes []int) *arena {
	const gap = 19
	total := gap
	for _, n := range sizes {
		total += n + gap
	}
	a := &arena{memory: bytes.Repeat([]byte{poison}, total), list: make(scatter.List, len(sizes))}
	at := gap
	for i, n := range sizes {
		a.list[i] = a.memory[at : at+n] // the capacity goes on: who appends is found out
		at += n + gap
	}
	return a
}

// put writes data to the beginning of the list.
func (a *arena) put(data []byte) {
	for _, segment := range a.list {
		data = data[copy(segment, data):]
	}
}

// clone returns a copy in memory of its own.
func (a *arena) clone() *arena {
	b := &arena{memory: bytes.Clone(a.memory), list: make(scatter.List, len(a.list))}
	for i, segment := range a.list {
		at := cap(a.memory) - cap(segment)
		b.list[i] = b.memory[at : at+len(segment)]
	}
	return b
}

// want holds that all memory is as before, except for data at the beginning of the list.
func (a *arena) want(t testing.TB, what string, before *arena, data []byte) {
	t.Helper()
	before.put(data)
	if bytes.Equal(a.memory, before.memory) {
		return
	}
	for i := range a.memory {
		if a.memory[i] != before.memory[i] {
			t.Fatalf("%s: byte %d of the memory is %#x, want %#x", what, i, a.memory[i], before.memory[i])
		}
	}
}

// way says how source and destination lie to each other.
type way int

const (
	apart     way = iota // each has memory of its own
	sameList             // in place, by one list
	sameBytes            // in place, by two lists of the same segments
	ways
)

// check seals, opens and forges s with r, whose transform has its key, over lists of segments of these sizes,
// which must have room for associated data, text and tag. It compares every byte of the memory.
func (s *message) check(t testing.TB, r *Request, w way, srcSizes, dstSizes []int) {
	t.Helper()
	n := len(s.text)
	plain := slices.Concat(s.ad, s.text)
	sealed := slices.Concat(s.ad, s.sealed)
	zeroed := slices.Concat(s.ad, make([]byte, n))
	s.run(t, r, w, srcSizes, dstSizes, "Encrypt", plain, n, sealed, nil)
	s.run(t, r, w, srcSizes, dstSizes, "Decrypt", sealed, len(s.sealed), plain, nil)
	forged := bytes.Clone(sealed)
	forged[len(s.ad)+int(s.iv[len(s.iv)-1])%len(s.sealed)] ^= 0x10
	s.run(t, r, w, srcSizes, dstSizes, "Decrypt of a forgery", forged, len(s.sealed), zeroed, ErrBadMessage)
}

func (s *message) run(t testing.TB, r *Request, w way, srcSizes, dstSizes []int, what string, input []byte, size int,
	output []byte, wantErr error) {
	t.Helper()
	src := newArena(srcSizes)
	src.put(input)
	dst := src
	list := src.list
	switch w {
	case apart:
		dst = newArena(dstSizes)
		list = dst.list
	case sameBytes:
		list = slices.Clone(list)
	}
	srcBefore, dstBefore := src.clone(), dst.clone()
	r.SetAD(len(s.ad))
	r.SetCrypt(src.list, list, size, s.iv)
	var err error
	if what == "Encrypt" {
		err = Wait(r, r.Encrypt())
	} else {
		err = Wait(r, r.Decrypt())
	}
	if !errors.Is(err, wantErr) {
		t.Fatalf("%s: %v, want %v", what, err, wantErr)
	}
	dst.want(t, what+", destination", dstBefore, output)
	if w == apart {
		src.want(t, what+", source", srcBefore, input)
	}
}

// cycle repeats the pattern until it makes total bytes, and 7 more that nothing may touch.
func cycle(total int, pattern ...int) (sizes []int) {
	total += 7
	for i := 0; total > 0; i++ {
		n := min(pattern[i%len(pattern)], total)
		sizes = append(sizes, n)
		total -= n
	}
	return sizes
}

// cryptdOf returns the name of the driver that runs m under im on workers.
func cryptdOf(m *mode, im arch.Impl) string { return request.Cryptd(m.prefix + im.String()) }
