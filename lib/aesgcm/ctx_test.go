package aesgcm

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"lamina/arch"
	"lamina/arch/keys"
)

func stdBlock(t testing.TB, key []byte) cipher.Block {
	t.Helper()
	b, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// nonceForCounter returns a nonce of 16 bytes that hashes to a counter block that ends in last. The hash of
// nonce N is (N*H + L)*H, with L the block of its length, so N = (J/H + L)/H.
func nonceForCounter(t *testing.T, key []byte, last uint32) []byte {
	t.Helper()
	var h, lengths, counter [16]byte
	stdBlock(t, key).Encrypt(h[:], h[:])
	binary.BigEndian.PutUint64(lengths[8:], 128)
	copy(counter[:12], bytes.Repeat([]byte{0xff}, 12))
	binary.BigEndian.PutUint32(counter[12:], last)
	inverse := invert(h)
	nonce := multiply(counter, inverse)
	for i := range nonce {
		nonce[i] ^= lengths[i]
	}
	nonce = multiply(nonce, inverse)
	return nonce[:]
}

// multiply is the product of GHASH's field: GHASH of the block a under the key b.
func multiply(a, b [16]byte) (p [16]byte) {
	var h keys.Hash
	var acc keys.Element
	arch.PrepareHash(arch.Generic, &h, arch.GHASHKey(&b))
	arch.GHASHBlocks(arch.Generic, &h, &acc, a[:])
	storeElement(&p, &acc)
	return p
}

// invert raises a to the power 2^128 - 2.
func invert(a [16]byte) [16]byte {
	result := [16]byte{0x80} // one
	for range 127 {
		a = multiply(a, a)
		result = multiply(result, a)
	}
	return result
}

// pieces are lengths of pieces that a message is cut into; the last one repeats.
type pieces []int

func (p *pieces) next(left int) int {
	n := (*p)[0]
	if len(*p) > 1 {
		*p = (*p)[1:]
	}
	return min(n, left)
}

// checkSplit encrypts and decrypts in pieces and compares with want, which is ciphertext and tag.
func checkSplit(t *testing.T, k *Key, nonce, text, ad, want []byte, adPieces, textPieces pieces) {
	t.Helper()
	n := len(text)
	run := func(name string, out []byte, update func(c *Ctx, dst, src []byte), in []byte, inPlace bool) Ctx {
		c := NewCtx(k, nonce)
		p := adPieces
		for rest := ad; len(rest) > 0; {
			m := p.next(len(rest))
			c.AuthUpdate(rest[:m])
			rest = rest[m:]
		}
		got := make([]byte, n)
		src := bytes.Clone(in)
		if inPlace {
			got = src
		}
		p = textPieces
		for at := 0; at < n; {
			m := p.next(n - at)
			update(&c, got[at:at+m], src[at:at+m])
			at += m
		}
		if !bytes.Equal(got, out) {
			t.Fatalf("%s of %d bytes, %d of ad, in pieces of %v and %v: wrong text", name, n, len(ad), textPieces, adPieces)
		}
		return c
	}
	for _, inPlace := range []bool{false, true} {
		var tag [16]byte
		c := run("EncryptUpdate", want[:n], (*Ctx).EncryptUpdate, text, inPlace)
		c.EncryptFinal(tag[:k.Overhead()])
		if !bytes.Equal(tag[:k.Overhead()], want[n:]) {
			t.Fatalf("%d bytes, %d of ad, in pieces of %v and %v: tag %x, want %x", n, len(ad), textPieces, adPieces, tag, want[n:])
		}
		if c != (Ctx{}) {
			t.Fatal("EncryptFinal did not wipe the Ctx")
		}
		c = run("DecryptUpdate", text, (*Ctx).DecryptUpdate, want[:n], inPlace)
		if err := c.DecryptFinal(want[n:]); err != nil {
			t.Fatalf("%d bytes, %d of ad, in pieces of %v and %v: %v", n, len(ad), textPieces, adPieces, err)
		}
		if c != (Ctx{}) {
			t.Fatal("DecryptFinal did not wipe the Ctx")
		}
	}
}

// TestEverySplit cuts short messages in two and in three at every place, and into equal pieces of every
// length. A piece may be empty.
func TestEverySplit(t *testing.T) {
	key, nonce := bytesFor(30, 32), bytesFor(31, 12)
	text, ad := bytesFor(32, 100), bytesFor(33, 50)
	std := newOracle(t, key, 12, 16)
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		k := newKey(t, im, key, 16)
		for n := range 67 {
			text, ad := text[:n], ad[:n*3%51]
			want := std.seal(nonce, text, ad)
			for i := 0; i <= n; i++ {
				checkSplit(t, k, nonce, text, ad, want, pieces{i, 1000}, pieces{i, 1000})
				checkSplit(t, k, nonce, text, ad, want, pieces{max(1, i)}, pieces{max(1, i)})
			}
		}
		for _, n := range []int{33, 48} {
			text, ad := text[:n], ad[:n]
			want := std.seal(nonce, text, ad)
			for i := 0; i <= n; i++ {
				for j := 0; j <= n-i; j++ {
					checkSplit(t, k, nonce, text, ad, want, pieces{i, j, 1000}, pieces{i, j, 1000})
				}
			}
		}
	})
}

// TestTwoAndThreeUpdates cuts every length of text in two at every place, under every length of associated data
// up to more than a Ctx keeps, and in three at every pair of places, under one of those lengths each. So the
// first update is followed by all that can follow it within the next blocks.
func TestTwoAndThreeUpdates(t *testing.T) {
	const maxText, adLengths = 100, maxKept + 33
	key, text, ad := bytesFor(40, 16), bytesFor(41, maxText), bytesFor(42, adLengths)
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		k := newKey(t, im, key, 16)
		for _, nonceSize := range []int{12, 8} {
			nonce := bytesFor(43, nonceSize)
			std := newOracle(t, key, nonceSize, 16)
			for n := 0; n <= maxText; n++ {
				if testing.Short() && ((n+1)%16 > 2 && n != 40 || n > 49) {
					continue
				}
				for adLen := range adLengths {
					if nonceSize != 12 && (n+adLen)%8 != 0 {
						continue
					}
					want := std.seal(nonce, text[:n], ad[:adLen])
					for i := 0; i <= n; i++ {
						checkInPlace(t, k, nonce, ad[:adLen], text[:n], want, i, 0)
						for j := (adLen + 7*i) % adLengths; j <= n-i; j += adLengths {
							checkInPlace(t, k, nonce, ad[:adLen], text[:n], want, i, j)
						}
					}
				}
			}
		}
	})
}

// checkInPlace encrypts and decrypts text of at most 100 bytes in updates of i, j and the remaining bytes.
func checkInPlace(t *testing.T, k *Key, nonce, ad, text, want []byte, i, j int) {
	t.Helper()
	var buf [100]byte
	var tag [16]byte
	n := copy(buf[:], text)
	first, second, third := buf[:i], buf[i:i+j], buf[i+j:n]

	c := NewCtx(k, nonce)
	if len(ad) > 0 {
		c.AuthUpdate(ad)
	}
	c.EncryptUpdate(first, first)
	c.EncryptUpdate(second, second)
	c.EncryptUpdate(third, third)
	if c.EncryptFinal(tag[:]); !bytes.Equal(buf[:n], want[:n]) || !bytes.Equal(tag[:], want[n:]) {
		t.Fatalf("%d bytes as %d, %d and the rest, %d of ad, nonce of %d: encrypted to %x, %x; want %x", n, i, j,
			len(ad), len(nonce), buf[:n], tag, want)
	}
	c = NewCtx(k, nonce)
	c.AuthUpdate(ad)
	c.DecryptUpdate(first, first)
	c.DecryptUpdate(second, second)
	c.DecryptUpdate(third, third)
	if err := c.DecryptFinal(tag[:]); err != nil || !bytes.Equal(buf[:n], text) {
		t.Fatalf("%d bytes as %d, %d and the rest, %d of ad, nonce of %d: decrypted to %x, %v; want %x", n, i, j,
			len(ad), len(nonce), buf[:n], err, text)
	}
}

// TestBuffersOverwritten holds that a Ctx reads nothing of the caller's after a call but the key.
func TestBuffersOverwritten(t *testing.T) {
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		k := newKey(t, im, bytesFor(48, 32), 16)
		for _, nonceSize := range []int{12, 16} {
			for _, adLen := range []int{0, 13, maxKept, maxKept + 1} {
				for _, first := range []int{0, 5, 16, 50} {
					nonce, ad, text := bytesFor(49, nonceSize), bytesFor(50, adLen), bytesFor(51, 50)
					want := newOracle(t, bytesFor(48, 32), nonceSize, 16).seal(nonce, text, ad)
					c := NewCtx(k, nonce)
					clear(nonce)
					c.AuthUpdate(ad)
					clear(ad)
					got := make([]byte, 66)
					for _, part := range [][2]int{{0, first}, {first, 50}} {
						src, dst := text[part[0]:part[1]], make([]byte, part[1]-part[0])
						c.EncryptUpdate(dst, src)
						copy(got[part[0]:], dst)
						clear(src)
						clear(dst)
					}
					if c.EncryptFinal(got[50:]); !bytes.Equal(got, want) {
						t.Errorf("nonce of %d, %d of ad, text cut at %d: got %x, want %x",
							nonceSize, adLen, first, got, want)
					}
				}
			}
		}
	})
}

func TestRandomSplits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		for i := range 60 {
			tagSize := tagSizes[rng.IntN(len(tagSizes))]
			key, nonce := bytesFor(rng.Uint64(), keySizes[i%3]), bytesFor(rng.Uint64(), 1+rng.IntN(40))
			text, ad := bytesFor(rng.Uint64(), rng.IntN(10000)), bytesFor(rng.Uint64(), rng.IntN(2000))
			limit := 1 + rng.IntN(1000)
			var adPieces, textPieces pieces
			for range 40 {
				adPieces = append(adPieces, rng.IntN(100))
				textPieces = append(textPieces, rng.IntN(limit))
			}
			adPieces, textPieces = append(adPieces, 17), append(textPieces, limit)
			want := newOracle(t, key, len(nonce), tagSize).seal(nonce, text, ad)
			checkSplit(t, newKey(t, im, key, tagSize), nonce, text, ad, want, adPieces, textPieces)
		}
	})
}

// TestOrder lists every order of calls that is refused.
func TestOrder(t *testing.T) {
	k := newKey(t, arch.Best(), make([]byte, 16), 16)
	nonce, b, tag := make([]byte, 12), make([]byte, 5), make([]byte, 16)
	const (
		none    = "no message was begun, or it has ended"
		encrypt = "text is being encrypted"
		decrypt = "text is being decrypted"
	)
	begin := map[string]func(c *Ctx){
		"nothing":          func(*Ctx) {},
		"Init":             func(c *Ctx) { c.Init(k, nonce) },
		"EncryptUpdate":    func(c *Ctx) { c.Init(k, nonce); c.EncryptUpdate(b, b) },
		"EncryptUpdate(0)": func(c *Ctx) { c.Init(k, nonce); c.EncryptUpdate(nil, nil) },
		"DecryptUpdate":    func(c *Ctx) { c.Init(k, nonce); c.DecryptUpdate(b, b) },
		"EncryptFinal":     func(c *Ctx) { c.Init(k, nonce); c.EncryptFinal(tag) },
		"DecryptFinal":     func(c *Ctx) { c.Init(k, nonce); _ = c.DecryptFinal(tag) },
		"Wipe":             func(c *Ctx) { c.Init(k, nonce); c.Wipe() },
	}
	calls := map[string]func(c *Ctx){
		"AuthUpdate":    func(c *Ctx) { c.AuthUpdate(b) },
		"EncryptUpdate": func(c *Ctx) { c.EncryptUpdate(b, b) },
		"DecryptUpdate": func(c *Ctx) { c.DecryptUpdate(b, b) },
		"EncryptFinal":  func(c *Ctx) { c.EncryptFinal(tag) },
		"DecryptFinal":  func(c *Ctx) { _ = c.DecryptFinal(tag) },
	}
	refused := map[string]map[string]string{
		"EncryptUpdate":    {"AuthUpdate": encrypt, "DecryptUpdate": encrypt, "DecryptFinal": encrypt},
		"EncryptUpdate(0)": {"AuthUpdate": encrypt, "DecryptUpdate": encrypt, "DecryptFinal": encrypt},
		"DecryptUpdate":    {"AuthUpdate": decrypt, "EncryptUpdate": decrypt, "EncryptFinal": decrypt},
	}
	for _, ended := range []string{"nothing", "EncryptFinal", "DecryptFinal", "Wipe"} {
		refused[ended] = map[string]string{}
		for name := range calls {
			refused[ended][name] = none
		}
	}
	for first, setUp := range begin {
		for second, call := range calls {
			var c Ctx
			setUp(&c)
			if why, bad := refused[first][second]; bad {
				mustPanic(t, second+" out of order: "+why, func() { call(&c) })
			} else if got := panicked(func() { call(&c) }); got != "" {
				t.Errorf("%s after %s panicked: %s", second, first, got)
			}
		}
	}
}

// TestKeyWipedUnderway holds that a context does not go on under a key that has become zero.
func TestKeyWipedUnderway(t *testing.T) {
	b, tag := make([]byte, 5), make([]byte, 16)
	for name, call := range map[string]func(c *Ctx){
		"AuthUpdate":    func(c *Ctx) { c.AuthUpdate(b) },
		"EncryptUpdate": func(c *Ctx) { c.EncryptUpdate(b, b) },
		"DecryptUpdate": func(c *Ctx) { c.DecryptUpdate(b, b) },
		"EncryptFinal":  func(c *Ctx) { c.EncryptFinal(tag) },
		"DecryptFinal":  func(c *Ctx) { _ = c.DecryptFinal(tag) },
		// An empty tag is as long as the tags of no key.
		"EncryptFinal(0)": func(c *Ctx) { c.EncryptFinal(nil) },
		"DecryptFinal(0)": func(c *Ctx) { _ = c.DecryptFinal(nil) },
	} {
		t.Run(name, func(t *testing.T) {
			k := newKey(t, arch.Best(), make([]byte, 16), 16)
			c := NewCtx(k, make([]byte, 12))
			k.Wipe()
			mustPanic(t, "key used before Init or after Wipe", func() { call(&c) })
		})
	}
}

// TestLimits sets the totals of a context near the limits, for nobody has the memory to get there.
func TestLimits(t *testing.T) {
	for _, test := range []struct {
		have  uint64
		n     int
		limit uint64
		want  bool
	}{
		{0, 0, MaxText, false}, {MaxText, 0, MaxText, false}, {MaxText, 1, MaxText, true},
		{MaxText - 16, 16, MaxText, false}, {MaxText - 16, 17, MaxText, true},
		{0, 1<<31 - 1, MaxText, false}, {MaxText - 1<<31, 1<<31 - 1, MaxText, false},
		{MaxAD, 1, MaxAD, true}, {MaxAD - 1, 1, MaxAD, false},
	} {
		if got := exceeds(test.have, test.n, test.limit); got != test.want {
			t.Errorf("exceeds(%d, %d, %d) = %v", test.have, test.n, test.limit, got)
		}
	}
	k := newKey(t, arch.Best(), make([]byte, 16), 16)
	nonce, tag, b := make([]byte, 12), make([]byte, 16), filled(17, 0xa5)

	c := NewCtx(k, nonce)
	c.textLen = MaxText - 16
	mustPanic(t, "more than 2^36 - 32 bytes of text", func() { c.EncryptUpdate(b, b) })
	if !allEqual(b, 0xa5) {
		t.Error("EncryptUpdate wrote before it panicked")
	}
	c.EncryptUpdate(b[:16], b[:16])
	c.EncryptUpdate(nil, nil)
	mustPanic(t, "more than 2^36 - 32 bytes of text", func() { c.EncryptUpdate(b[:1], b[:1]) })
	c.EncryptFinal(tag)

	c = NewCtx(k, nonce)
	c.startStream(0)
	c.adLen = MaxAD - 16
	mustPanic(t, "more than 2^61 - 1 bytes of associated data", func() { c.AuthUpdate(b) })
	c.AuthUpdate(b[:16])

	// What is too long to have been sealed is refused in the end, and nothing of it is decrypted.
	c = NewCtx(k, nonce)
	c.textLen = MaxText - 16
	for range 2 {
		copy(b, filled(17, 0xa5))
		c.DecryptUpdate(b, b)
		if !allEqual(b, 0) {
			t.Errorf("DecryptUpdate past the limit wrote %x, want zeros", b)
		}
	}
	right := c
	right.finish()
	if err := c.DecryptFinal(right.tag[:]); err != ErrOpen {
		t.Errorf("DecryptFinal of a message that is too long, with the tag of what was not: %v", err)
	}
}

// TestLongTotals hashes totals that need more than 32 bits, in bytes and in bits. The length block is the
// last that is hashed, so a tag with false totals differs from the true one by (difference of length blocks)
// * H.
func TestLongTotals(t *testing.T) {
	key, nonce := bytesFor(34, 16), make([]byte, 12)
	k := newKey(t, arch.Best(), key, 16)
	var h [16]byte
	stdBlock(t, key).Encrypt(h[:], h[:])
	for _, total := range []uint64{1 << 29, 1 << 32, 1<<33 + 5, MaxText, MaxAD} {
		var want [16]byte
		k.GMAC(want[:], nonce, nil)
		var lengths [16]byte
		c := NewCtx(k, nonce)
		c.startStream(0)
		c.adLen = total
		binary.BigEndian.PutUint64(lengths[:8], total*8)
		if total <= MaxText {
			c.textLen = total
			binary.BigEndian.PutUint64(lengths[8:], total*8)
		}
		product := multiply(lengths, h)
		for i := range want {
			want[i] ^= product[i]
		}
		var got [16]byte
		if c.EncryptFinal(got[:]); got != want {
			t.Errorf("total of %d bytes: tag %x, want %x", total, got, want)
		}
	}
}

// TestLongFirstUpdate goes on after first updates whose size in bytes or bits needs more than 32 bits. Such a
// context is made of one after a short update: a tag with another length differs by (difference of length
// blocks) * H. What is decrypted gives the hash the same wherever it stands, and shows the counter.
func TestLongFirstUpdate(t *testing.T) {
	key, nonce, ad, text := bytesFor(44, 16), bytesFor(45, 12), bytesFor(46, 20), bytesFor(47, 100)
	k := newKey(t, arch.Best(), key, 16)
	block := stdBlock(t, key)
	var h [16]byte
	block.Encrypt(h[:], h[:])
	// lengthen adds to tag what changes the length of the text from one to another.
	lengthen := func(tag *[16]byte, from, to uint64) {
		var lengths [16]byte
		binary.BigEndian.PutUint64(lengths[8:], from*8^to*8)
		product := multiply(lengths, h)
		for i := range tag {
			tag[i] ^= product[i]
		}
	}
	for _, first := range []uint64{1<<29 + 16, 1 << 32, 1<<33 + 5, MaxText - 79} {
		n := 32 + first%16
		c := NewCtx(k, nonce)
		c.AuthUpdate(ad)
		c.DecryptUpdate(make([]byte, 100), text)
		want := c.tag
		rest := 100 - n
		lengthen(&want, 100, first+rest)

		c = NewCtx(k, nonce)
		c.AuthUpdate(ad)
		c.DecryptUpdate(make([]byte, n), text[:n])
		lengthen(&c.tag, n, first)
		c.textLen = first
		got := make([]byte, rest)
		c.DecryptUpdate(got, text[n:])

		var counter [16]byte
		copy(counter[:], nonce)
		binary.BigEndian.PutUint32(counter[12:], uint32(first/16+2))
		stream := make([]byte, 112)
		cipher.NewCTR(block, counter[:]).XORKeyStream(stream, stream)
		for i, s := range stream[first%16:][:rest] {
			if got[i] != s^text[n+uint64(i)] {
				t.Fatalf("after %d bytes: byte %d is wrong", first, i)
			}
		}
		if err := c.DecryptFinal(want[:]); err != nil {
			t.Errorf("after %d bytes: %v", first, err)
		}
	}
}

// TestForgedInPieces holds that DecryptFinal refuses a forgery, and every false tag.
func TestForgedInPieces(t *testing.T) {
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		for _, tagSize := range tagSizes {
			k := newKey(t, im, bytesFor(35, 16), tagSize)
			nonce, text := make([]byte, 12), bytesFor(36, 50)
			sealed := k.Seal(nil, nonce, text, nil)
			for bit := range len(sealed) * 8 {
				forged := bytes.Clone(sealed)
				forged[bit/8] ^= 1 << (bit % 8)
				c := NewCtx(k, nonce)
				c.DecryptUpdate(text, forged[:50])
				if err := c.DecryptFinal(forged[50:]); err != ErrOpen {
					t.Fatalf("tag %d: bit %d flipped: %v", tagSize, bit, err)
				}
			}
		}
	})
}

func TestGMAC(t *testing.T) {
	data := bytesFor(37, 300)
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		for _, nonceSize := range []int{1, 12, 16} {
			for _, tagSize := range tagSizes {
				key, nonce := bytesFor(38, 32), bytesFor(39, nonceSize)
				k := newKey(t, im, key, tagSize)
				std := newOracle(t, key, nonceSize, tagSize)
				for n := range len(data) {
					want := std.seal(nonce, nil, data[:n])
					buf := filled(tagSize+16, 0xa5)
					k.GMAC(buf[:tagSize], nonce, data[:n])
					if !bytes.Equal(buf[:tagSize], want) || !allEqual(buf[tagSize:], 0xa5) {
						t.Fatalf("GMAC of %d bytes: got %x, want %x and nothing behind", n, buf, want)
					}
					if err := k.VerifyGMAC(nonce, data[:n], want); err != nil {
						t.Fatalf("VerifyGMAC of %d bytes: %v", n, err)
					}
					if err := k.VerifyGMAC(nonce, data[:n+1], want); err != ErrOpen {
						t.Fatalf("VerifyGMAC of a byte more than %d: %v", n, err)
					}
					var m GMAC
					m.Init(k, nonce)
					m.Update(data[:n/3])
					m.Update(data[n/3 : n])
					got := make([]byte, tagSize)
					if m.Final(got); !bytes.Equal(got, want) {
						t.Fatalf("GMAC of %d bytes in pieces: got %x, want %x", n, got, want)
					}
					m = NewGMAC(k, nonce)
					m.Update(data[:n])
					got[tagSize-1] ^= 0x80
					if err := m.Verify(got); err != ErrOpen {
						t.Fatalf("Verify of a false tag: %v", err)
					}
					if m != (GMAC{}) {
						t.Fatal("Verify did not wipe the GMAC")
					}
				}
			}
		}
	})
	var m GMAC
	mustPanic(t, "out of order", func() { m.Update(nil) })
	mustPanic(t, "out of order", func() { m.Final(nil) })
	m.Init(newKey(t, arch.Best(), make([]byte, 16), 16), data[:12])
	m.Wipe()
	mustPanic(t, "out of order", func() { m.Verify(data[:16]) })
}
