package aead

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"

	"lamina/api/internal/request"
	"lamina/api/scatter"
	"lamina/arch"
)

// SelfTest implements registry.Driver. It holds the driver to known answers, and then, on random messages under
// keys and tags of all sizes, to the generic driver. Each message is sealed and opened in one piece and in
// many, and a forgery of it must be found. It takes a millisecond or two, and twice that for the generic driver.
func (d *driver) SelfTest() error {
	tested, err := newTransform(d, nil)
	if err != nil {
		return err
	}
	defer tested.Close()
	reference, err := newTransform(newDriver(d.mode, arch.Generic, 0), nil)
	if err != nil {
		return err
	}
	defer reference.Close()
	// Always the same, so that a driver that fails fails each time.
	random := rand.New(rand.NewChaCha8([32]byte{}))
	r := tested.NewRequest()
	if err := testAnswers(r, random); err != nil {
		return err
	}
	return testRandom(r, reference.NewRequest(), random)
}

// sample is a message to test with, and what it is sealed to.
type sample struct {
	iv, ad, text []byte
	sealed       []byte // the text encrypted, and the tag
}

func testAnswers(r *Request, random *rand.Rand) error {
	t := r.tfm
	name := t.algorithm.Name
	if inner, ok := request.CutCryptd(name); ok {
		name = inner
	}
	for i, a := range answers {
		if a.algorithm != name {
			continue
		}
		var s sample
		var key []byte
		for _, field := range []struct {
			to   *[]byte
			from string
		}{{&key, a.key}, {&s.iv, a.iv}, {&s.ad, a.ad}, {&s.text, a.text}, {&s.sealed, a.sealed}} {
			var err error
			if *field.to, err = hex.DecodeString(field.from); err != nil {
				return err
			}
		}
		if err := errors.Join(t.SetKey(key), t.SetAuthSize(len(s.sealed)-len(s.text))); err != nil {
			return err
		}
		if err := s.test(r, random); err != nil {
			return fmt.Errorf("known answer %d: %w", i, err)
		}
	}
	return nil
}

// testSizes are the sizes of the random texts: about the block, about the widest loops, longer than what is joined
// in a buffer, and anything between.
func testSizes(random *rand.Rand) []int {
	sizes := []int{0, 1, 15, 16, 17, 31, 128, 255, 256, 257, 512, scatter.BounceSize + 1 + random.IntN(200)}
	for range 12 {
		sizes = append(sizes, random.IntN(1100))
	}
	return sizes
}

func testRandom(r, reference *Request, random *rand.Rand) error {
	t := r.tfm
	for _, keySize := range []int{16, 24, 32} {
		key := randomBytes(random, keySize+t.mode.saltSize)
		for i, size := range testSizes(random) {
			authSize := t.mode.authSizes[i%len(t.mode.authSizes)]
			for _, each := range []*Transform{t, reference.tfm} {
				if err := errors.Join(each.SetKey(key), each.SetAuthSize(authSize)); err != nil {
					return err
				}
			}
			s := randomSample(t, random, size)
			if err := s.seal(reference); err != nil {
				return fmt.Errorf("the generic driver: %w", err)
			}
			if err := s.test(r, random); err != nil {
				return fmt.Errorf("AES-%d, %d bytes of associated data, %d of text: %w", 8*keySize, len(s.ad), size, err)
			}
		}
	}
	return nil
}

// randomSample returns a message of size bytes that is not sealed yet.
func randomSample(t *Transform, random *rand.Rand, size int) sample {
	s := sample{
		iv:   randomBytes(random, t.IVSize()),
		ad:   randomBytes(random, random.IntN(80)),
		text: randomBytes(random, size),
	}
	switch t.IVSize() {
	case espIVSize:
		s.ad = randomBytes(random, []int{espShortAD, espLongAD}[random.IntN(2)])
	case ccmIVSize:
		s.iv[0] = byte(1 + random.IntN(7)) // the size of the length field less one
	}
	return s
}

// seal sets what s is sealed to by r's transform.
func (s *sample) seal(r *Request) error {
	message := append(bytes.Clone(s.ad), s.text...)
	message = append(message, make([]byte, r.tfm.authSize)...)
	if err := s.encrypt(r, scatter.List{message}, scatter.List{message}); err != nil {
		return err
	}
	s.sealed = message[len(s.ad):]
	return nil
}

// test seals, opens and forges s with r, in one piece and in many.
func (s *sample) test(r *Request, random *rand.Rand) error {
	plain := append(bytes.Clone(s.ad), s.text...)
	sealed := append(bytes.Clone(s.ad), s.sealed...)
	for _, layout := range []struct {
		name string
		cut  func([]byte) scatter.List
	}{
		{"in one piece", func(b []byte) scatter.List { return scatter.List{b} }},
		{"in many pieces", func(b []byte) scatter.List { return randomCuts(random, b) }},
	} {
		out := make([]byte, len(sealed))
		if err := s.encrypt(r, layout.cut(plain), layout.cut(out)); err != nil {
			return fmt.Errorf("%s: %w", layout.name, err)
		}
		if !bytes.Equal(out, sealed) {
			return fmt.Errorf("%s: wrong ciphertext or tag", layout.name)
		}
		list := layout.cut(out) // opened in place
		if err := s.decrypt(r, list, list); err != nil {
			return fmt.Errorf("%s: opening: %w", layout.name, err)
		}
		if !bytes.Equal(out[:len(plain)], plain) {
			return fmt.Errorf("%s: opened to a wrong text", layout.name)
		}
		forged := bytes.Clone(sealed)
		forged[len(s.ad)+random.IntN(len(s.sealed))] ^= 1 << random.IntN(8)
		if err := s.decrypt(r, layout.cut(forged), layout.cut(out)); !errors.Is(err, ErrBadMessage) {
			return fmt.Errorf("%s: opening a forgery: %w, not %w", layout.name, err, ErrBadMessage)
		}
		if text := out[len(s.ad):len(plain)]; !bytes.Equal(text, make([]byte, len(text))) {
			return fmt.Errorf("%s: opening a forgery leaves more than zeros", layout.name)
		}
	}
	return nil
}

func (s *sample) encrypt(r *Request, src, dst scatter.List) error {
	r.SetAD(len(s.ad))
	r.SetCrypt(src, dst, len(s.text), s.iv)
	return Wait(r, r.Encrypt())
}

func (s *sample) decrypt(r *Request, src, dst scatter.List) error {
	r.SetAD(len(s.ad))
	r.SetCrypt(src, dst, len(s.sealed), s.iv)
	return Wait(r, r.Decrypt())
}

// randomCuts cuts b into segments of 0 bytes, a few, or up to a tenth of it.
func randomCuts(random *rand.Rand, b []byte) (list scatter.List) {
	for len(b) > 0 {
		longest := []int{1, 40, len(b)/10 + 1}[random.IntN(3)]
		n := min(random.IntN(longest+1), len(b))
		list, b = append(list, b[:n]), b[n:]
	}
	return list
}

func randomBytes(random *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(random.Uint32())
	}
	return b
}
