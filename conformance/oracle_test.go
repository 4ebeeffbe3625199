package conformance

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"math/rand/v2"
	"testing"

	"lamina/arch"
	lamina "lamina/lib/aes"
	"lamina/lib/aesgcm"
)

// source makes random inputs, the same in every run, with lengths that like the boundaries of loops.
type source struct {
	*rand.Rand
	chacha *rand.ChaCha8
}

func newSource(seed byte) source {
	c := rand.NewChaCha8([32]byte{seed})
	return source{rand.New(c), c}
}

func (s source) bytes(n int) []byte {
	p := make([]byte, n)
	s.chacha.Read(p)
	return p
}

// length is a length of text or associated data: mostly short, often next to a multiple of 16, 128 or 256,
// and sometimes long.
func (s source) length() int {
	switch s.IntN(8) {
	case 0:
		return 0
	case 1:
		return s.IntN(17)
	case 2, 3:
		return s.IntN(600)
	case 4:
		return max(0, 16*s.IntN(140)+s.IntN(3)-1)
	case 5:
		return max(0, 128*s.IntN(40)+s.IntN(3)-1)
	case 6:
		return max(0, 256*s.IntN(20)+s.IntN(33)-16)
	default:
		return s.IntN(20000)
	}
}

// nonceLength is 12 half of the time.
func (s source) nonceLength() int {
	switch s.IntN(4) {
	case 0:
		return 1 + s.IntN(40)
	case 1:
		return 1 + s.IntN(300)
	default:
		return 12
	}
}

func (s source) pick(list ...int) int { return list[s.IntN(len(list))] }

// record is one message with all that belongs to it, and what crypto/cipher makes of it.
type record struct {
	key, nonce, ad, text []byte
	tagSize              int
	ct, tag              []byte
}

func (s source) record(t *testing.T) *record {
	r := &record{
		key:     s.bytes(s.pick(16, 24, 32)),
		nonce:   s.bytes(s.nonceLength()),
		ad:      s.bytes(s.length()),
		text:    s.bytes(s.length()),
		tagSize: s.pick(4, 8, 12, 13, 14, 15, 16, 16, 16),
	}
	block, err := aes.NewCipher(r.key)
	if err != nil {
		t.Fatal(err)
	}
	oracle, err := cipher.NewGCMWithNonceSize(block, len(r.nonce))
	if err != nil {
		t.Fatal(err)
	}
	// A shorter tag is the beginning of the tag of 16 bytes (SP 800-38D, section 7.1, step 6).
	sealed := oracle.Seal(nil, r.nonce, r.text, r.ad)
	r.ct, r.tag = sealed[:len(r.text)], sealed[len(r.text):][:r.tagSize]
	return r
}

// buffer returns src, or a copy of it to be written over: dst is in place or is not.
func (s source) buffer(src []byte) (dst, from []byte) {
	if s.IntN(2) == 0 {
		dst = bytes.Clone(src)
		return dst, dst
	}
	return s.bytes(len(src)), src
}

// pieces calls f with consecutive ranges of n bytes: all at once, in pieces of one size, or in random ones,
// empty ones among them.
func (s source) pieces(n int, f func(from, to int)) {
	fixed := s.pick(n, 1, 9, 15, 16, 17, 64, 255, 256, 257, 1000)
	if fixed == 1 && n > 2000 {
		fixed = 31
	}
	random := s.IntN(2) == 0
	if n == 0 || s.IntN(4) == 0 {
		f(0, 0)
	}
	for from := 0; from < n; {
		to := min(n, from+max(1, fixed))
		if random {
			to = min(n, from+s.IntN(s.pick(2, 17, 40, 300, 3000)))
		}
		f(from, to)
		from = to
	}
}

// oracleRecords is how many records an implementation is tested with.
func oracleRecords() int {
	if testing.Short() {
		return 500
	}
	return 4000
}

// TestGCMOracle compares every way of calling aesgcm with crypto/cipher, on random records.
func TestGCMOracle(t *testing.T) {
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		s := newSource(1)
		for i := range oracleRecords() {
			r := s.record(t)
			var k aesgcm.Key
			if err := k.InitImpl(im, r.key, r.tagSize); err != nil {
				t.Fatal(err)
			}
			fail := func(what string) {
				t.Errorf("record %d: %s: key %d, nonce %d, ad %d, text %d, tag %d bytes", i, what,
					len(r.key), len(r.nonce), len(r.ad), len(r.text), r.tagSize)
			}
			s.sealRecord(&k, r, fail)
			s.openRecord(&k, r, fail)
			s.openForged(&k, r, fail)
			if t.Failed() {
				return
			}
		}
	})
}

// sealRecord seals r in every way.
func (s source) sealRecord(k *aesgcm.Key, r *record, fail func(string)) {
	dst, from := s.buffer(r.text)
	tag := make([]byte, r.tagSize)
	k.Encrypt(dst, tag, r.nonce, from, r.ad)
	if !bytes.Equal(dst, r.ct) || !bytes.Equal(tag, r.tag) {
		fail("Encrypt")
	}

	c := aesgcm.NewCtx(k, r.nonce)
	dst, from = s.buffer(r.text)
	clear(tag)
	s.pieces(len(r.ad), func(a, b int) { c.AuthUpdate(r.ad[a:b]) })
	s.pieces(len(r.text), func(a, b int) { c.EncryptUpdate(dst[a:b], from[a:b]) })
	c.EncryptFinal(tag)
	if !bytes.Equal(dst, r.ct) || !bytes.Equal(tag, r.tag) {
		fail("EncryptUpdate")
	}

	if len(r.nonce) == aesgcm.NonceSize {
		want := append(append([]byte("before"), r.ct...), r.tag...)
		if got := k.Seal([]byte("before"), r.nonce, r.text, r.ad); !bytes.Equal(got, want) {
			fail("Seal")
		}
		buf := append(bytes.Clone(r.text), make([]byte, r.tagSize)...)
		if got := k.Seal(buf[:0], r.nonce, buf[:len(r.text)], r.ad); !bytes.Equal(got, want[len("before"):]) {
			fail("Seal in place")
		}
	}
	if len(r.text) == 0 {
		clear(tag)
		k.GMAC(tag, r.nonce, r.ad)
		if !bytes.Equal(tag, r.tag) {
			fail("GMAC")
		}
	}
}

// openRecord opens r in every way.
func (s source) openRecord(k *aesgcm.Key, r *record, fail func(string)) {
	dst, from := s.buffer(r.ct)
	if err := k.Decrypt(dst, r.nonce, from, r.tag, r.ad); err != nil || !bytes.Equal(dst, r.text) {
		fail("Decrypt")
	}

	c := aesgcm.NewCtx(k, r.nonce)
	dst, from = s.buffer(r.ct)
	s.pieces(len(r.ad), func(a, b int) { c.AuthUpdate(r.ad[a:b]) })
	s.pieces(len(r.ct), func(a, b int) { c.DecryptUpdate(dst[a:b], from[a:b]) })
	if err := c.DecryptFinal(r.tag); err != nil || !bytes.Equal(dst, r.text) {
		fail("DecryptUpdate")
	}

	if len(r.nonce) == aesgcm.NonceSize {
		sealed := append(bytes.Clone(r.ct), r.tag...)
		want := append([]byte("before"), r.text...)
		if got, err := k.Open([]byte("before"), r.nonce, sealed, r.ad); err != nil || !bytes.Equal(got, want) {
			fail("Open")
		}
		if got, err := k.Open(sealed[:0], r.nonce, sealed, r.ad); err != nil || !bytes.Equal(got, r.text) {
			fail("Open in place")
		}
	}
}

// openForged flips one bit of r, somewhere, and wants every way of opening to refuse it and to leave no text.
func (s source) openForged(k *aesgcm.Key, r *record, fail func(string)) {
	f := *r
	part := []*[]byte{&f.ct, &f.tag, &f.ad, &f.nonce}[s.IntN(4)]
	if len(*part) == 0 {
		part = &f.tag
	}
	*part = bytes.Clone(*part)
	(*part)[s.IntN(len(*part))] ^= 1 << s.IntN(8)

	dst, from := s.buffer(f.ct)
	if err := k.Decrypt(dst, f.nonce, from, f.tag, f.ad); err == nil || !bytes.Equal(dst, make([]byte, len(dst))) {
		fail("Decrypt of a forgery")
	}
	c := aesgcm.NewCtx(k, f.nonce)
	c.AuthUpdate(f.ad)
	c.DecryptUpdate(make([]byte, len(f.ct)), f.ct)
	if c.DecryptFinal(f.tag) == nil {
		fail("DecryptFinal of a forgery")
	}
	if len(f.nonce) == aesgcm.NonceSize {
		sealed := append(bytes.Clone(f.ct), f.tag...)
		got, err := k.Open(sealed[:0], f.nonce, sealed, f.ad)
		if err == nil || got != nil || !bytes.Equal(sealed[:len(f.ct)], make([]byte, len(f.ct))) {
			fail("Open of a forgery")
		}
	}
}

// TestAESOracle compares single and many blocks with crypto/aes.
func TestAESOracle(t *testing.T) {
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		s := newSource(2)
		for i := range 600 {
			key := s.bytes(s.pick(16, 24, 32))
			oracle, err := aes.NewCipher(key)
			if err != nil {
				t.Fatal(err)
			}
			var k lamina.Key
			if err := k.InitImpl(im, key); err != nil {
				t.Fatal(err)
			}
			// Every number of blocks up to twice that of the widest loop, and a few more.
			text := s.bytes(16 * (i % 100))
			want := make([]byte, len(text))
			for at := 0; at < len(text); at += 16 {
				oracle.Encrypt(want[at:], text[at:])
			}
			dst, from := s.buffer(text)
			k.EncryptBlocks(dst, from)
			if !bytes.Equal(dst, want) {
				t.Fatalf("key %d bytes, %d blocks: EncryptBlocks", len(key), len(text)/16)
			}
			dst, from = s.buffer(want)
			k.DecryptBlocks(dst, from)
			if !bytes.Equal(dst, text) {
				t.Fatalf("key %d bytes, %d blocks: DecryptBlocks", len(key), len(text)/16)
			}
			if len(text) == 0 {
				continue
			}
			var block [16]byte
			k.EncryptBlock(block[:], text[:16])
			if !bytes.Equal(block[:], want[:16]) {
				t.Fatalf("key %d bytes: EncryptBlock", len(key))
			}
			k.DecryptBlock(block[:], block[:])
			if !bytes.Equal(block[:], text[:16]) {
				t.Fatalf("key %d bytes: DecryptBlock", len(key))
			}
		}
	})
}
