package skcipher

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"

	"lamina/api/scatter"
	"lamina/arch"
)

// SelfTest implements registry.Driver. It does the known answers of the mode, and random texts beside the
// generic implementation, all of it by requests.
func (d *driver) SelfTest() error {
	t, err := newTransform(d, nil)
	if err != nil {
		return err
	}
	defer t.Close()
	for i, a := range answers[d.mode.name] {
		if err := t.testAnswer(&a); err != nil {
			return fmt.Errorf("known answer %d: %w", i, err)
		}
	}
	return t.testRandom()
}

// answer is a text whose encryption is known, in hexadecimal. next is the IV that is handed back.
type answer struct{ key, iv, text, crypt, next string }

func (t *Transform) testAnswer(a *answer) error {
	if err := t.SetKey(unhex(a.key)); err != nil {
		return err
	}
	text, crypt := sample{unhex(a.text), unhex(a.iv)}, sample{unhex(a.crypt), unhex(a.next)}
	if err := t.testCrypt(Encrypt, text, crypt, whole); err != nil {
		return err
	}
	return t.testCrypt(Decrypt, sample{crypt.text, text.iv}, sample{text.text, crypt.iv}, whole)
}

const (
	randomTexts = 20
	maxRandom   = 1024 // more than any implementation does at once
)

// testRandom encrypts and decrypts random texts, in random segments, and compares with what the generic
// implementation makes of them in one.
func (t *Transform) testRandom() error {
	generic, err := newTransform(newDriver(t.mode, arch.Impl{}, 0), nil)
	if err != nil {
		return err
	}
	defer generic.Close()
	source := rand.NewChaCha8([32]byte{})
	random := rand.New(source)
	for range randomTexts {
		key := make([]byte, t.mode.keySizes[random.IntN(len(t.mode.keySizes))])
		text := sample{make([]byte, t.mode.nearest(random.IntN(maxRandom))), make([]byte, t.mode.ivSize)}
		source.Read(key)
		source.Read(text.text)
		source.Read(text.iv)
		for _, direction := range []Direction{Encrypt, Decrypt} {
			if err := t.testBeside(generic, key, direction, text, random); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *Transform) testBeside(
	generic *Transform, key []byte, direction Direction, text sample, random *rand.Rand,
) error {
	for _, u := range []*Transform{generic, t} {
		if err := u.SetKey(key); err != nil {
			return err
		}
	}
	want, err := generic.do(direction, text, whole)
	if err != nil {
		return err
	}
	return t.testCrypt(direction, text, want, func(b []byte) scatter.List { return divide(b, random) })
}

// nearest returns the size that texts can have which is nearest to n, not to be less than n - 15.
func (m *mode) nearest(n int) int {
	switch m.lengths {
	case wholeBlocks:
		return n - n%blockSize
	case stealing:
		return max(n, blockSize)
	default:
		return n
	}
}

// sample is a text or ciphertext, and an IV.
type sample struct{ text, iv []byte }

// layout puts memory into segments.
type layout func([]byte) scatter.List

func whole(b []byte) scatter.List { return scatter.List{b} }

// divide cuts b into a few segments of random sizes.
func divide(b []byte, random *rand.Rand) (list scatter.List) {
	for range 3 {
		n := random.IntN(len(b) + 1)
		list = append(list, b[:n:n])
		b = b[n:]
	}
	return append(list, b)
}

// testCrypt does a request and compares.
func (t *Transform) testCrypt(direction Direction, in, want sample, divided layout) error {
	got, err := t.do(direction, in, divided)
	switch {
	case err != nil:
		return err
	case !bytes.Equal(got.text, want.text):
		return fmt.Errorf("%s of %d bytes: got %x, want %x", direction, len(in.text), got.text, want.text)
	case !bytes.Equal(got.iv, want.iv):
		return fmt.Errorf("%s of %d bytes: the next IV is %x, want %x", direction, len(in.text), got.iv, want.iv)
	}
	return nil
}

// do does a request, and returns its output and the IV it hands back.
func (t *Transform) do(direction Direction, in sample, divided layout) (sample, error) {
	out := sample{make([]byte, len(in.text)), bytes.Clone(in.iv)}
	r := t.NewRequest()
	r.SetCrypt(divided(in.text), divided(out.text), len(in.text), out.iv)
	err := Wait(r, r.run(bool(direction)))
	return out, err
}

// unhex returns the bytes of the tables of this package.
func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err) // a mistake in the table
	}
	return b
}
