package suite

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"lamina/arch"
	"lamina/internal/dirty"
	"lamina/internal/fence"
)

// state is one test of a mode.
type state[K comparable] struct {
	t    *testing.T
	mode Mode[K]
	mem  memory
	key  K // where keys are set, one after the other
	seed uint64
}

// some returns n random bytes, the same on every run.
func (s *state[K]) some(n int) []byte {
	b := make([]byte, n)
	s.seed++
	rand.NewChaCha8([32]byte{byte(s.seed), byte(s.seed >> 8), byte(s.seed >> 16)}).Read(b)
	return b
}

// message is one message and what the textbook makes of it.
type message struct {
	key, iv, text, ad []byte
	sealed, tag, next []byte
}

func (s *state[K]) message(key, iv, text, ad []byte, tagSize int) *message {
	m := &message{key: key, iv: iv, text: text, ad: ad}
	m.sealed, m.tag, m.next = s.mode.Mode.Encrypt(key, iv, text, ad, tagSize)
	return m
}

// random makes a message of the given lengths, as far as the mode has them, and reports whether it has the length
// of text. n-th sizes of key, IV and tag are taken in turn.
func (s *state[K]) random(n, textLen, adLen int) (m *message, ok bool) {
	if textLen < s.mode.MinText || textLen != s.mode.Fits(textLen) {
		return nil, false
	}
	if !s.mode.AD {
		adLen = 0
	}
	key := s.some(pick(s.mode.Keys, n))
	iv := s.some(pick(s.mode.IVs, n/len(s.mode.Keys)))
	return s.message(key, iv, s.some(textLen), s.some(adLen), pick(s.mode.Tags, n/len(s.mode.Keys)/2)), true
}

// pick takes sizes in turn, and 0 where there are none.
func pick(sizes []int, i int) int {
	if len(sizes) == 0 {
		return 0
	}
	return sizes[i%len(sizes)]
}

// everywhere checks a message under every implementation.
func (s *state[K]) everywhere(m *message) {
	s.t.Helper()
	for _, im := range arch.Impls() {
		s.check(s.set(&s.key, im, m), im, m)
	}
}

// set sets a key for a message.
func (s *state[K]) set(k *K, im arch.Impl, m *message) *K {
	s.t.Helper()
	key := put(s.mem, keyRole, m.key)
	doing := func() string { return s.describe("setting a key for", im, m) }
	s.guard(doing, func() {
		if err := s.mode.Init(k, im, key, len(m.iv), len(m.tag)); err != nil {
			s.t.Fatal(doing(), err)
		}
	})
	if !bytes.Equal(key, m.key) {
		s.t.Fatal(doing(), "changed the bytes it was set to")
	}
	return k
}

// check encrypts and decrypts a message, out of place and in place, and a forgery, and compares with the textbook.
func (s *state[K]) check(k *K, im arch.Impl, m *message) {
	s.t.Helper()
	before := *k
	for _, inPlace := range []bool{false, true} {
		if inPlace && s.mode.Unit == 0 {
			continue // there is no text
		}
		s.encrypt(k, im, m, inPlace)
		if s.mode.Decrypt != nil {
			s.decrypt(k, im, m, inPlace)
			s.forge(k, im, m, inPlace)
		}
	}
	if *k != before {
		s.t.Fatal(s.describe("use for", im, m), "changed the key")
	}
}

func (s *state[K]) encrypt(k *K, im arch.Impl, m *message, inPlace bool) {
	s.t.Helper()
	c := s.call("encryption of", im, m, m.text, inPlace)
	tag := s.mem.take(tagRole, len(m.tag))
	for i := range tag {
		tag[i] = 0xd5
	}
	s.guard(c.String, func() { s.mode.Encrypt(k, c.dst, tag, c.iv, c.src, c.ad) })
	c.compare(s.t, "tag", tag, m.tag)
	c.finish(s.t, m.sealed, m.next)
}

func (s *state[K]) decrypt(k *K, im arch.Impl, m *message, inPlace bool) {
	s.t.Helper()
	c := s.call("decryption of", im, m, m.sealed, inPlace)
	tag := put(s.mem, tagRole, m.tag)
	s.guard(c.String, func() {
		if err := s.mode.Decrypt(k, c.dst, c.iv, c.src, tag, c.ad); err != nil {
			s.t.Fatal(c, err)
		}
	})
	c.compare(s.t, "tag", tag, m.tag)
	c.finish(s.t, m.text, m.next)
}

// forge changes one bit of the text, the associated data or the tag.
func (s *state[K]) forge(k *K, im arch.Impl, m *message, inPlace bool) {
	s.t.Helper()
	if len(m.tag) == 0 {
		return
	}
	c := s.call("decryption of a forgery of", im, m, m.sealed, inPlace)
	tag := put(s.mem, tagRole, m.tag)
	s.seed++
	bit := int(s.seed*0x9e3779b97f4a7c15>>33) % (8 * (len(c.src) + len(c.ad) + len(tag)))
	for _, part := range [][]byte{c.src, c.ad, tag} {
		if bit >= 0 && bit < 8*len(part) {
			part[bit/8] ^= 1 << (bit % 8)
		}
		bit -= 8 * len(part)
	}
	s.guard(c.String, func() {
		if s.mode.Decrypt(k, c.dst, c.iv, c.src, tag, c.ad) == nil {
			s.t.Fatal(c, "was not refused")
		}
	})
	c.compare(s.t, "dst", c.dst, make([]byte, len(c.dst)))
	c.inside(s.t)
}

// guard makes vector registers dirty and runs f, which touches nothing but its buffers, or the test fails.
func (s *state[K]) guard(doing func() string, f func()) {
	s.t.Helper()
	fence.Caught(s.t, doing, func() {
		dirty.Registers()
		f()
	})
}

func (s *state[K]) describe(what string, im arch.Impl, m *message) string {
	return fmt.Sprintf("%s %v, %s-%d, %d bytes of text, %d of associated data, IV %x, tag of %d bytes, %v:",
		what, im, s.mode.Name, len(m.key)*8, len(m.text), len(m.ad), m.iv, len(m.tag), s.mem)
}

// call is one call of a mode: its buffers, and what it is, to report.
type call struct {
	dst, iv, src, ad []byte

	mem      memory
	describe func() string
	m        *message
	in       []byte
}

// call lays out the buffers of a call that makes something of in.
func (s *state[K]) call(what string, im arch.Impl, m *message, in []byte, inPlace bool) *call {
	c := &call{mem: s.mem, m: m, in: in}
	c.iv, c.src, c.ad = put(s.mem, ivRole, m.iv), put(s.mem, srcRole, in), put(s.mem, adRole, m.ad)
	c.dst = c.src
	if !inPlace {
		c.dst = s.mem.take(dstRole, len(in))
	}
	c.describe = func() string {
		if inPlace {
			what = "in place, " + what
		}
		return s.describe(what, im, m)
	}
	return c
}

func (c *call) String() string { return c.describe() }

// finish compares what came out, and holds that nothing else changed.
func (c *call) finish(t *testing.T, out, next []byte) {
	t.Helper()
	c.compare(t, "dst", c.dst, out)
	c.compare(t, "next IV", c.iv, next)
	c.compare(t, "associated data", c.ad, c.m.ad)
	if len(c.src) > 0 && &c.src[0] != &c.dst[0] {
		c.compare(t, "src", c.src, c.in)
	}
	c.inside(t)
}

// inside holds that the call wrote to nothing beside its buffers.
func (c *call) inside(t *testing.T) {
	t.Helper()
	if damage := c.mem.damage(); damage != "" {
		t.Fatal(c, damage)
	}
}

func (c *call) compare(t *testing.T, part string, got, want []byte) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	t.Fatalf("%v %s differs from byte %d of %d on: %x, want %x", c, part, at, len(want),
		got[at:min(at+32, len(got))], want[at:min(at+32, len(want))])
}
