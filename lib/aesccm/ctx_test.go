package aesccm

import (
	"bytes"
	"testing"

	"lamina/arch"
)

// cut returns the ends of pieces of the given lengths, the last of which repeats, over n bytes.
func cut(n int, lengths []int) (ends []int) {
	for at, i := 0, 0; at < n || i == 0; i++ {
		at = min(n, at+lengths[min(i, len(lengths)-1)])
		ends = append(ends, at)
	}
	return ends
}

// checkSplit encrypts and decrypts in pieces, in place and not, and compares with want, which is ciphertext
// and tag.
func checkSplit(t *testing.T, k *Key, nonce, text, ad, want []byte, adPieces, textPieces []int) {
	t.Helper()
	n := len(text)
	for _, inPlace := range []bool{false, true} {
		run := func(name string, update func(c *Ctx, dst, src []byte), in, out []byte) Ctx {
			t.Helper()
			c, err := NewCtx(k, nonce, uint64(len(ad)), uint64(n))
			if err != nil {
				t.Fatal(err)
			}
			from := 0
			for _, to := range cut(len(ad), adPieces) {
				c.AuthUpdate(ad[from:to])
				from = to
			}
			src := bytes.Clone(in)
			dst := src
			if !inPlace {
				dst = make([]byte, n)
			}
			from = 0
			for _, to := range cut(n, textPieces) {
				update(&c, dst[from:to], src[from:to])
				from = to
			}
			if !bytes.Equal(dst, out) {
				t.Fatalf("%v: %s of %d bytes, %d of ad, in pieces of %v and %v: wrong text", k.im, name, n, len(ad), textPieces, adPieces)
			}
			return c
		}
		c := run("EncryptUpdate", (*Ctx).EncryptUpdate, text, want[:n])
		tag := make([]byte, len(want)-n)
		if c.EncryptFinal(tag); !bytes.Equal(tag, want[n:]) {
			t.Fatalf("%v: %d bytes, %d of ad, in pieces of %v and %v: tag %x, want %x", k.im, n, len(ad), textPieces, adPieces, tag, want[n:])
		}
		if c != (Ctx{}) {
			t.Fatal("EncryptFinal did not wipe the Ctx")
		}
		c = run("DecryptUpdate", (*Ctx).DecryptUpdate, want[:n], text)
		if err := c.DecryptFinal(want[n:]); err != nil {
			t.Fatalf("%v: %d bytes, %d of ad, in pieces of %v and %v: %v", k.im, n, len(ad), textPieces, adPieces, err)
		}
		if c != (Ctx{}) {
			t.Fatal("DecryptFinal did not wipe the Ctx")
		}
	}
}

// TestCtxLengths has associated data and text of every short length, none included, and long associated data.
func TestCtxLengths(t *testing.T) {
	key, nonce, text, ad := bytesFor(34, 16), bytesFor(35, 13), bytesFor(36, 2000), bytesFor(37, 65600)
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		k := newKey(t, im, key, 13, 16)
		for n := range 70 {
			for _, adLen := range []int{0, 1, n, 13, 14, 15, 30} {
				want := reference(key, nonce, text[:n], ad[:adLen], 16)
				checkSplit(t, k, nonce, text[:n], ad[:adLen], want, []int{7, 9, 100}, []int{10, 23, 100})
			}
		}
		for _, adLen := range []int{65279, 65280, 65281} {
			want := reference(key, nonce, text, ad[:adLen], 16)
			checkSplit(t, k, nonce, text, ad[:adLen], want, []int{1000, 17, 31000}, []int{333})
		}
	})
}

// TestCtxWrongLengths holds what happens when less or more comes than was announced.
func TestCtxWrongLengths(t *testing.T) {
	k := newKey(t, arch.Best(), bytesFor(38, 16), 12, 8)
	nonce, buf, tag := bytesFor(39, 12), filled(64, 0xa5), make([]byte, 8)
	begin := func(adLen, textLen uint64) *Ctx {
		c, err := NewCtx(k, nonce, adLen, textLen)
		if err != nil {
			t.Fatal(err)
		}
		return &c
	}
	mustPanic(t, "AuthUpdate: 11 bytes of associated data, where 10 of those announced are left", func() { begin(10, 0).AuthUpdate(buf[:11]) })
	mustPanic(t, "AuthUpdate: 1 bytes of associated data, where 0", func() { begin(0, 5).AuthUpdate(buf[:1]) })
	mustPanic(t, "EncryptUpdate: 3 bytes of associated data that were announced are missing", func() {
		c := begin(10, 5)
		c.AuthUpdate(buf[:7])
		c.EncryptUpdate(buf[:5], buf[:5])
	})
	mustPanic(t, "DecryptUpdate: 10 bytes of associated data", func() { begin(10, 5).DecryptUpdate(buf[:5], buf[:5]) })
	mustPanic(t, "EncryptFinal: 10 bytes of associated data", func() { begin(10, 0).EncryptFinal(tag) })
	mustPanic(t, "DecryptFinal: 10 bytes of associated data", func() { begin(10, 0).DecryptFinal(tag) })
	mustPanic(t, "EncryptUpdate: 6 bytes of text, where 5 of those announced are left", func() { begin(0, 5).EncryptUpdate(buf[:6], buf[:6]) })
	mustPanic(t, "EncryptFinal: 5 bytes of text that were announced are missing", func() { begin(0, 5).EncryptFinal(tag) })
	if !allEqual(buf, 0xa5) || !allEqual(tag, 0) {
		t.Error("written to before a panic")
	}

	// What comes from elsewhere may have any length: no panic, and it does not open, even if the tag suits
	// what was there.
	sealed := k.Seal(nil, nonce, buf[:20], nil)
	c := begin(0, 20)
	c.DecryptUpdate(buf[:19], sealed[:19])
	if err := c.DecryptFinal(sealed[20:]); err != ErrOpen {
		t.Errorf("a byte missing: %v", err)
	}
	c = begin(0, 20)
	c.DecryptUpdate(buf[:20], sealed[:20])
	if c.DecryptUpdate(buf[20:23], sealed[20:23]); !allEqual(buf[20:23], 0) {
		t.Errorf("more text than announced decrypts to %x, want zeros", buf[20:23])
	}
	c.DecryptUpdate(buf[:0], buf[:0])
	if err := c.DecryptFinal(sealed[20:]); err != ErrOpen {
		t.Errorf("3 bytes too many: %v", err)
	}
	if *c != (Ctx{}) {
		t.Error("DecryptFinal did not wipe the Ctx")
	}
}

// TestCtxOrder tries every call in every state in which it is out of order.
func TestCtxOrder(t *testing.T) {
	k := newKey(t, arch.Best(), bytesFor(40, 16), 12, 8)
	nonce, buf, tag := bytesFor(41, 12), make([]byte, 64), make([]byte, 8)
	calls := map[string]func(c *Ctx){
		"AuthUpdate":    func(c *Ctx) { c.AuthUpdate(nil) },
		"EncryptUpdate": func(c *Ctx) { c.EncryptUpdate(buf[:1], buf[:1]) },
		"DecryptUpdate": func(c *Ctx) { c.DecryptUpdate(buf[:1], buf[:1]) },
		"EncryptFinal":  func(c *Ctx) { c.EncryptFinal(tag) },
		"DecryptFinal":  func(c *Ctx) { c.DecryptFinal(tag) },
	}
	begun := func(before ...string) func() *Ctx {
		return func() *Ctx {
			var c Ctx
			if err := c.Init(k, nonce, 0, 1); err != nil {
				t.Fatal(err)
			}
			for _, name := range before {
				calls[name](&c)
			}
			return &c
		}
	}
	all := []string{"AuthUpdate", "EncryptUpdate", "DecryptUpdate", "EncryptFinal", "DecryptFinal"}
	for _, test := range []struct {
		state string
		begin func() *Ctx
		wrong []string
	}{
		{"no message was begun, or it has ended", func() *Ctx { return new(Ctx) }, all},
		{"no message was begun, or it has ended", begun("EncryptUpdate", "EncryptFinal"), all},
		{"no message was begun, or it has ended", begun("DecryptFinal"), all},
		{"text is being encrypted", begun("AuthUpdate", "EncryptUpdate"), []string{"AuthUpdate", "DecryptUpdate", "DecryptFinal"}},
		{"text is being decrypted", begun("DecryptUpdate"), []string{"AuthUpdate", "EncryptUpdate", "EncryptFinal"}},
	} {
		for _, name := range test.wrong {
			c := test.begin()
			clear(buf)
			mustPanic(t, name+" out of order: "+test.state, func() { calls[name](c) })
			if !allEqual(buf, 0) {
				t.Errorf("%s out of order wrote before the panic", name)
			}
		}
	}

	c := begun()()
	mustPanic(t, "EncryptUpdate: dst of 3 bytes and src of 2; they must have the same length", func() { c.EncryptUpdate(buf[:3], buf[:2]) })
	mustPanic(t, "DecryptUpdate: dst overlaps src", func() { c.DecryptUpdate(buf[:3], buf[1:4]) })
	mustPanic(t, "EncryptFinal: tag of 7 bytes; the key was set up for 8", func() { c.EncryptFinal(tag[:7]) })
	mustPanic(t, "DecryptFinal: tag of 0 bytes; the key was set up for 8", func() { c.DecryptFinal(nil) })
	c.Wipe()
	if *c != (Ctx{}) {
		t.Error("Wipe left something")
	}
	c = begun()()
	k.Wipe()
	mustPanic(t, "key used before Init or after Wipe", func() { c.EncryptUpdate(buf[:1], buf[:1]) })
	mustPanic(t, "key used before Init or after Wipe", func() { c.AuthUpdate(nil) })
	mustPanic(t, "key used before Init or after Wipe", func() { c.DecryptFinal(tag) })
}
