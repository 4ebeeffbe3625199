package skcipher

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"lamina/api/registry"
	"lamina/api/scatter"
	"lamina/arch"
	"lamina/lib/aes"
	"lamina/lib/aescbc"
	"lamina/lib/aesctr"
	"lamina/lib/aesxts"
)

// drivers returns every driver of this CPU, without those that have workers.
func drivers() (list []*driver) {
	for _, im := range arch.Impls() {
		for _, m := range modes {
			list = append(list, newDriver(m, im, 1))
		}
	}
	return list
}

func forEachDriver(t *testing.T, test func(t *testing.T, d *driver)) {
	for _, d := range drivers() {
		t.Run(d.algorithm.Driver, func(t *testing.T) { test(t, d) })
	}
}

// bytesFor returns n bytes that are random, and the same on every run for the same seed.
func bytesFor(seed byte, n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{seed}).Read(b)
	return b
}

// alloc returns the transform called name, with a key of its largest size.
func alloc(t testing.TB, name string, options ...Option) *Transform {
	t.Helper()
	tfm, err := Alloc(name, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tfm.Close() })
	if err := tfm.SetKey(bytesFor(1, tfm.Algorithm().MaxKeySize)); err != nil {
		t.Fatal(err)
	}
	return tfm
}

// users returns how many transforms use the driver called name.
func users(t *testing.T, name string) int {
	t.Helper()
	for _, e := range registry.List() {
		if e.Driver == name {
			return e.Users
		}
	}
	t.Fatalf("%s is not listed", name)
	return 0
}

// direct does what a request does by calls of the library. It returns the output and the IV that is handed back.
func direct(t testing.TB, d *driver, direction Direction, key, iv, text []byte) (out, next []byte) {
	t.Helper()
	out, next = make([]byte, len(text)), make([]byte, len(iv))
	copy(next, iv)
	if len(text) == 0 {
		return out, next
	}
	var k aes.Key
	var x aesxts.Key
	var block [16]byte
	copy(block[:], iv)
	var err error
	switch d.mode.name {
	case "xts(aes)":
		err = x.InitImpl(d.impl, key)
	case "rfc3686(ctr(aes))":
		cut := len(key) - 4
		block = [16]byte{15: 1}
		copy(block[:], key[cut:])
		copy(block[4:], iv)
		err = k.InitImpl(d.impl, key[:cut])
	default:
		err = k.InitImpl(d.impl, key)
	}
	if err != nil {
		t.Fatal(err)
	}
	switch d.mode.name {
	case "ecb(aes)":
		if direction == Encrypt {
			k.EncryptBlocks(out, text)
		} else {
			k.DecryptBlocks(out, text)
		}
		return out, next
	case "cbc(aes)":
		if direction == Encrypt {
			aescbc.Encrypt(&k.EncKey, &block, out, text)
		} else {
			aescbc.Decrypt(&k, &block, out, text)
		}
	case "cts(cbc(aes))":
		if direction == Encrypt {
			aescbc.EncryptCTS(&k.EncKey, &block, out, text)
		} else {
			aescbc.DecryptCTS(&k, &block, out, text)
		}
	case "ctr(aes)":
		aesctr.CTR(&k.EncKey, &block, out, text)
	case "rfc3686(ctr(aes))":
		aesctr.CTR(&k.EncKey, &block, out, text)
		return out, next
	case "xctr(aes)":
		counter := uint64(1)
		aesctr.XCTR(&k.EncKey, &counter, &block, out, text)
		return out, next
	case "xts(aes)":
		if direction == Encrypt {
			x.Encrypt(out, text, &block)
		} else {
			x.Decrypt(out, text, &block)
		}
	default:
		t.Fatalf("no direct call for %s", d.mode.name)
	}
	return out, block[:]
}

var directions = []Direction{Encrypt, Decrypt}

// cut returns b in segments of the given sizes, over and over.
func cut(b []byte, sizes []int) (list scatter.List) {
	for i := 0; len(b) > 0; i++ {
		n := min(sizes[i%len(sizes)], len(b))
		list, b = append(list, b[:n:n]), b[n:]
	}
	return list
}

// canary is what memory around segments holds, and what lists hold behind the text.
const (
	canary     = 0xa5
	canarySize = 40
	beyond     = 25 // how many bytes lists have that are not announced
)

// placed is a text in segments, each of which lies between canaries.
type placed struct {
	list   scatter.List
	memory [][]byte
	size   int
}

// place puts text, and some canaries that are in the list too, into segments of the given sizes, over and over.
func place(text []byte, sizes []int) *placed {
	p := &placed{size: len(text)}
	rest := append(bytes.Clone(text), bytes.Repeat([]byte{canary}, beyond)...)
	for i := 0; len(rest) > 0; i++ {
		n := min(sizes[i%len(sizes)], len(rest))
		m := bytes.Repeat([]byte{canary}, n+2*canarySize)
		segment := m[canarySize : canarySize+n] // with the capacity to reach the canaries
		copy(segment, rest)
		p.list, p.memory = append(p.list, segment), append(p.memory, m)
		rest = rest[n:]
	}
	return p
}

func (p *placed) text() []byte {
	b := make([]byte, p.size)
	p.list.Gather(b, 0)
	return b
}

// intact reports whether all canaries are as they were.
func (p *placed) intact() bool {
	isCanary := func(b []byte) bool { return bytes.Count(b, []byte{canary}) == len(b) }
	left := p.size
	for i, segment := range p.list {
		text := min(left, len(segment))
		left -= text
		if !isCanary(p.memory[i][:canarySize]) || !isCanary(p.memory[i][canarySize+text:]) {
			return false
		}
	}
	return true
}
