package aesccm

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"sync"
	"testing"

	"lamina/arch"
	"lamina/lib/aes"
)

// TestVectors has the examples of SP 800-38C, appendix C.
func TestVectors(t *testing.T) {
	counting := make([]byte, 65536)
	for i := range counting {
		counting[i] = byte(i)
	}
	key := unhex("404142434445464748494a4b4c4d4e4f")
	for _, test := range []struct {
		nonce    string
		ad, text []byte
		tagSize  int
		sealed   string
	}{
		{"10111213141516", counting[:8], counting[0x20:0x24], 4, "7162015b 4dac255d"},
		{"1011121314151617", counting[:16], counting[0x20:0x30], 6, "d2a1f0e051ea5f62081a7792073d593d 1fc64fbfaccd"},
		{"101112131415161718191a1b", counting[:20], counting[0x20:0x38], 8,
			"e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5 484392fbc1b09951"},
		{"101112131415161718191a1b1c", counting, counting[0x20:0x40], 14,
			"69915dad1e84c6376a68c2967e4dab615ae0fd1faec44cc484828529463ccf72 b4ac6bec93e8598e7f0dadbcea5b"},
	} {
		nonce, want := unhex(test.nonce), unhex(test.sealed)
		if got := reference(key, nonce, test.text, test.ad, test.tagSize); !bytes.Equal(got, want) {
			t.Errorf("the reference seals to %x, want %x", got, want)
		}
		forEachImpl(t, func(t *testing.T, im arch.Impl) {
			k := newKey(t, im, key, len(nonce), test.tagSize)
			checkSealed(t, k, nonce, test.text, test.ad, want)
		})
	}
}

// checkSealed seals and opens in every way that takes a message at once, out of place and in place, between
// canaries, and compares with want.
func checkSealed(t *testing.T, k *Key, nonce, text, ad, want []byte) {
	t.Helper()
	n := len(text)
	fail := func(name string, got []byte) {
		t.Helper()
		if len(got) > 100 {
			got, want = got[len(got)-50:], want[len(want)-50:]
		}
		t.Fatalf("%v: %s of %d bytes, %d of ad, nonce of %d, tag of %d: got %s, want %s", k.im, name, n, len(ad), len(nonce),
			len(want)-n, hex.EncodeToString(got), hex.EncodeToString(want))
	}
	const before, behind = 3, 40
	for _, inPlace := range []bool{false, true} {
		room := filled(before+len(want)+behind, 0xa5)
		src := text
		if inPlace {
			src = room[before:][:n]
			copy(src, text)
		}
		prefix := bytes.Clone(room[:before])
		sealed := k.Seal(room[:before], nonce, src, ad)
		if !bytes.Equal(sealed[before:], want) {
			fail("Seal", sealed[before:])
		}
		if &sealed[0] != &room[0] || !bytes.Equal(room[:before], prefix) || !allEqual(room[before+len(want):], 0xa5) {
			t.Fatalf("Seal of %d bytes wrote outside of what it appends", n)
		}
		ciphertext := sealed[before:]
		if !inPlace {
			room = filled(before+n+behind, 0xa5)
			ciphertext = want
		}
		opened, err := k.Open(room[:before], nonce, ciphertext, ad)
		if err != nil || !bytes.Equal(opened[before:], text) {
			fail("Open", opened)
		}
		if !inPlace && (!bytes.Equal(room[:before], prefix) || !allEqual(room[before+n:], 0xa5)) {
			t.Fatalf("Open of %d bytes wrote outside of what it appends", n)
		}

		dst, tag := filled(n+behind, 0xa5), filled(len(want)-n+behind, 0xa5)
		from := text
		if inPlace {
			from = dst[:n]
			copy(from, text)
		}
		k.Encrypt(dst[:n], tag[:len(want)-n], nonce, from, ad)
		if got := append(dst[:n:n], tag[:len(want)-n]...); !bytes.Equal(got, want) {
			fail("Encrypt", got)
		}
		if !allEqual(dst[n:], 0xa5) || !allEqual(tag[len(want)-n:], 0xa5) {
			t.Fatalf("Encrypt of %d bytes wrote past dst or tag", n)
		}
		from = want[:n]
		if inPlace {
			from = dst[:n]
		}
		if err := k.Decrypt(dst[:n], nonce, from, want[n:], ad); err != nil || !bytes.Equal(dst[:n], text) {
			fail("Decrypt", dst[:n])
		}
		if !allEqual(dst[n:], 0xa5) {
			t.Fatalf("Decrypt of %d bytes wrote past dst", n)
		}
	}
}

// TestADLengths has all short lengths of associated data, those around where the encoding of the length
// changes, and, for each, a few of text.
func TestADLengths(t *testing.T) {
	text, ad := bytesFor(3, 100), bytesFor(4, 65600)
	key, nonce := bytesFor(5, 16), bytesFor(6, 12)
	lengths := []int{65263, 65264, 65265, 65279, 65280, 65281, 65535, 65536, 65537}
	for n := range 140 {
		lengths = append(lengths, n)
	}
	for i, n := range lengths {
		for j, textLen := range []int{0, 1, 16, 33} {
			if testing.Short() && i%4 != j {
				continue
			}
			want := reference(key, nonce, text[:textLen], ad[:n], 16)
			for _, im := range arch.Impls() {
				checkSealed(t, newKey(t, im, key, 12, 16), nonce, text[:textLen], ad[:n], want)
			}
		}
	}
}

// TestPutLength has the encodings of lengths of associated data that no test can allocate (SP 800-38C,
// section A.2.2).
func TestPutLength(t *testing.T) {
	for _, test := range []struct {
		n    uint64
		want string
	}{
		{1, "0001"},
		{255, "00ff"},
		{256, "0100"},
		{65279, "feff"},
		{65280, "fffe0000ff00"},
		{65281, "fffe0000ff01"},
		{65535, "fffe0000ffff"},
		{65536, "fffe00010000"},
		{1<<32 - 1, "fffeffffffff"},
		{1 << 32, "ffff0000000100000000"},
		{1<<32 + 1, "ffff0000000100000001"},
		{1<<64 - 1, "ffffffffffffffffffff"},
	} {
		var b [10]byte
		if got := hex.EncodeToString(b[:putLength(&b, test.n)]); got != test.want {
			t.Errorf("length %d is encoded as %s, want %s", test.n, got, test.want)
		}
	}
}

// TestMaxText holds the greatest length for every size of nonce, and for the one where it can be tried, what
// is beyond.
func TestMaxText(t *testing.T) {
	for nonceSize, want := range map[int]uint64{
		7: 1<<64 - 1, 8: 1<<56 - 1, 9: 1<<48 - 1, 10: 1<<40 - 1, 11: 1<<32 - 1, 12: 1<<24 - 1, 13: 1<<16 - 1,
	} {
		k := newKey(t, arch.Best(), make([]byte, 16), nonceSize, 16)
		if got := k.MaxText(); got != want {
			t.Errorf("nonces of %d bytes: MaxText() = %d, want %d", nonceSize, got, want)
		}
		if _, err := NewCtx(k, make([]byte, nonceSize), 0, want); err != nil {
			t.Errorf("nonces of %d bytes: NewCtx with %d bytes of text: %v", nonceSize, want, err)
		}
		if want+1 == 0 {
			continue
		}
		var c Ctx
		if err := c.Init(k, make([]byte, nonceSize), 0, want+1); err != TextSizeError(want) || c != (Ctx{}) {
			t.Errorf("nonces of %d bytes: Init with %d bytes of text: %v, want a TextSizeError", nonceSize, want+1, err)
		}
	}
	if got, want := TextSizeError(65535).Error(), "aesccm: the text is too long; with nonces of this size it may have 65535 bytes"; got != want {
		t.Errorf("TextSizeError is %q, want %q", got, want)
	}

	key, nonce := bytesFor(7, 32), bytesFor(8, 13)
	text := bytesFor(9, 1<<16)
	want := reference(key, nonce, text[:65535], nil, 8)
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		k := newKey(t, im, key, 13, 8)
		checkSealed(t, k, nonce, text[:65535], nil, want)
		const tooMuch = "text of 65536 bytes; with nonces of this size it may have 65535"
		tag, dst := make([]byte, 8), filled(1<<16, 0xa5)
		mustPanic(t, "Seal: "+tooMuch, func() { k.Seal(nil, nonce, text, nil) })
		mustPanic(t, "Encrypt: "+tooMuch, func() { k.Encrypt(dst, tag, nonce, text, nil) })
		if !allEqual(dst, 0xa5) {
			t.Error("Encrypt wrote before the panic")
		}
		if got, err := k.Open(nil, nonce, make([]byte, 1<<16+8), nil); got != nil || err != ErrOpen {
			t.Errorf("Open of too long a message: %d bytes, %v", len(got), err)
		}
		if err := k.Decrypt(dst, nonce, text, tag, nil); err != ErrOpen || !allEqual(dst, 0) {
			t.Errorf("Decrypt of too long a message: %v, or dst is not zero", err)
		}
	})
}

// TestForged flips every bit of everything, and holds that nothing of the text is left.
func TestForged(t *testing.T) {
	key := bytesFor(10, 24)
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		for i, tagSize := range tagSizes {
			k := newKey(t, im, key, nonceSizes[i], tagSize)
			nonce, text, ad := bytesFor(11, nonceSizes[i]), bytesFor(12, 37), bytesFor(13, 19)
			sealed := k.Seal(nil, nonce, text, ad)
			for _, part := range [][]byte{sealed, nonce, ad} {
				for bit := range len(part) * 8 {
					part[bit/8] ^= 1 << (bit % 8)
					out := filled(len(text)+4, 0xa5)
					got, err := k.Open(out[:2], nonce, sealed, ad)
					if got != nil || err != ErrOpen {
						t.Fatalf("tag of %d bytes: a forgery opened", tagSize)
					}
					if !allEqual(out[:2], 0xa5) || !allEqual(out[2:2+len(text)], 0) || !allEqual(out[2+len(text):], 0xa5) {
						t.Fatalf("Open of a forgery leaves %x", out)
					}
					dst := filled(len(text), 0xa5)
					n := len(text)
					if err := k.Decrypt(dst, nonce, sealed[:n], sealed[n:], ad); err != ErrOpen || !allEqual(dst, 0) {
						t.Fatalf("Decrypt of a forgery: %v, leaves %x", err, dst)
					}
					part[bit/8] ^= 1 << (bit % 8)
				}
			}
			for n := range tagSize {
				if got, err := k.Open(nil, nonce, sealed[:n], ad); got != nil || err != ErrOpen {
					t.Errorf("Open of %d bytes: %x, %v", n, got, err)
				}
			}
			if _, err := k.Open(nil, nonce, sealed, append(bytes.Clone(ad), 0)); err != ErrOpen {
				t.Errorf("associated data and a zero: %v", err)
			}
		}
	})
}

// TestGrow holds append semantics where the capacity is too small.
func TestGrow(t *testing.T) {
	k := newKey(t, arch.Best(), bytesFor(14, 16), 12, 10)
	nonce, text := bytesFor(15, 12), bytesFor(16, 50)
	prefix := []byte("prefix")
	sealed := k.Seal(prefix[:6:6], nonce, text, nil)
	if !bytes.HasPrefix(sealed, prefix) || len(sealed) != 6+50+10 {
		t.Fatalf("Seal returned %x", sealed)
	}
	opened, err := k.Open(prefix[:6:6], nonce, sealed[6:], nil)
	if err != nil || !bytes.Equal(opened, append(bytes.Clone(prefix), text...)) {
		t.Fatalf("Open returned %x, %v", opened, err)
	}
	if string(prefix) != "prefix" {
		t.Error("the prefix changed")
	}
}

func TestSizes(t *testing.T) {
	for n := range 40 {
		good := map[string]bool{
			"key": n == 16 || n == 24 || n == 32, "nonce": n >= 7 && n <= 13, "tag": n >= 4 && n <= 16 && n%2 == 0,
		}
		var k Key
		for what, test := range map[string]struct {
			err  error
			want string
		}{
			"key":   {k.Init(make([]byte, n), 12, 16), aes.KeySizeError(n).Error()},
			"nonce": {k.Init(make([]byte, 16), n, 16), fmt.Sprintf("aesccm: nonce of %d bytes; it must have 7 to 13", n)},
			"tag":   {k.Init(make([]byte, 16), 12, n), fmt.Sprintf("aesccm: tag of %d bytes; it must have 4, 6, 8, 10, 12, 14 or 16", n)},
		} {
			if good[what] != (test.err == nil) || !good[what] && test.err.Error() != test.want {
				t.Errorf("%s of %d bytes: %v", what, n, test.err)
			}
		}
		if _, err := New(make([]byte, 16), n, n); (err == nil) != (good["nonce"] && good["tag"]) {
			t.Errorf("New with nonce and tag of %d bytes: %v", n, err)
		}
	}
	k := newKey(t, arch.Best(), make([]byte, 16), 9, 6)
	before := *k
	for _, err := range []error{k.Init(make([]byte, 17), 9, 6), k.Init(make([]byte, 32), 6, 6), k.Init(make([]byte, 32), 9, 5)} {
		if err == nil || *k != before {
			t.Errorf("refused with %v, and the key changed: %v", err, *k != before)
		}
	}
	if k.NonceSize() != 9 || k.Overhead() != 6 {
		t.Errorf("NonceSize() = %d, Overhead() = %d, want 9 and 6", k.NonceSize(), k.Overhead())
	}
}

// TestMisuse holds that mistakes panic, with a message that says what is wrong, and before a byte is written.
func TestMisuse(t *testing.T) {
	k := newKey(t, arch.Best(), make([]byte, 16), 12, 8)
	var wiped Key
	buf := make([]byte, 200)
	tag, nonce := make([]byte, 8), make([]byte, 12)
	const (
		unset  = "key used before Init or after Wipe"
		nonce7 = "nonce of 7 bytes; the key was set up for 12"
		tag16  = "tag of 16 bytes; the key was set up for 8"
		same   = "dst of 32 bytes and src of 31; they must have the same length"
	)
	for _, test := range []struct {
		want string
		f    func()
	}{
		{"Seal: " + nonce7, func() { k.Seal(nil, nonce[:7], buf, nil) }},
		{"Open: " + nonce7, func() { k.Open(nil, nonce[:7], buf, nil) }},
		{"Encrypt: " + nonce7, func() { k.Encrypt(buf[:32], tag, nonce[:7], buf[:32], nil) }},
		{"Decrypt: " + nonce7, func() { k.Decrypt(buf[:32], nonce[:7], buf[:32], tag, nil) }},
		{"NewCtx: " + nonce7, func() { NewCtx(k, nonce[:7], 0, 0) }},
		{"Encrypt: " + tag16, func() { k.Encrypt(buf[:32], make([]byte, 16), nonce, buf[:32], nil) }},
		{"Decrypt: " + tag16, func() { k.Decrypt(buf[:32], nonce, buf[:32], make([]byte, 16), nil) }},
		{"Encrypt: " + same, func() { k.Encrypt(buf[:32], tag, nonce, buf[:31], nil) }},
		{"Decrypt: " + same, func() { k.Decrypt(buf[:32], nonce, buf[:31], tag, nil) }},
		{"Seal: what is appended to dst overlaps plaintext or ad", func() { k.Seal(buf[:1], nonce, buf[:32], nil) }},
		{"Seal: what is appended to dst overlaps plaintext or ad", func() { k.Seal(buf[:0], nonce, buf[:32], buf[39:45]) }},
		{"Open: what is appended to dst overlaps ciphertext or ad", func() { k.Open(buf[:0], nonce, buf[1:40], nil) }},
		{"Open: what is appended to dst overlaps ciphertext or ad", func() { k.Open(buf[:0], nonce, buf[:40], buf[31:40]) }},
		{"Encrypt: dst overlaps src, nonce or ad", func() { k.Encrypt(buf[:32], tag, nonce, buf[1:33], nil) }},
		{"Encrypt: dst overlaps src, nonce or ad", func() { k.Encrypt(buf[:32], tag, buf[31:43], buf[64:96], nil) }},
		{"Encrypt: dst overlaps src, nonce or ad", func() { k.Encrypt(buf[:32], tag, nonce, buf[64:96], buf[31:33]) }},
		{"Encrypt: tag overlaps dst, src, nonce or ad", func() { k.Encrypt(buf[:32], buf[31:39], nonce, buf[:32], nil) }},
		{"Encrypt: tag overlaps dst, src, nonce or ad", func() { k.Encrypt(buf[:32], buf[64:72], nonce, buf[40:72], nil) }},
		{"Encrypt: tag overlaps dst, src, nonce or ad", func() { k.Encrypt(buf[:32], buf[64:72], buf[60:72], buf[:32], nil) }},
		{"Encrypt: tag overlaps dst, src, nonce or ad", func() { k.Encrypt(buf[:32], buf[64:72], nonce, buf[:32], buf[71:72]) }},
		{"Decrypt: dst overlaps tag", func() { k.Decrypt(buf[:32], nonce, buf[:32], buf[31:39], nil) }},
		{"Decrypt: dst overlaps src, nonce or ad", func() { k.Decrypt(buf[:32], nonce, buf[31:63], tag, nil) }},
		{unset, func() { wiped.Seal(nil, nonce, nil, nil) }},
		{unset, func() { wiped.Open(nil, nonce, nil, nil) }},
		{unset, func() { wiped.Encrypt(nil, tag, nonce, nil, nil) }},
		{unset, func() { wiped.Decrypt(nil, nonce, nil, tag, nil) }},
		{unset, func() { wiped.NonceSize() }},
		{unset, func() { wiped.Overhead() }},
		{unset, func() { wiped.MaxText() }},
		{unset, func() { NewCtx(&wiped, nonce, 0, 0) }},
	} {
		mustPanic(t, test.want, test.f)
		if !allEqual(buf, 0) || !allEqual(tag, 0) || !allEqual(nonce, 0) {
			t.Fatalf("%s: written to before the panic", test.want)
		}
	}
	k.Wipe()
	if *k != wiped {
		t.Error("Wipe left something")
	}
}

// TestNoAllocations counts with every key and buffer a local variable, so a count of 0 says both that nothing
// is allocated and that nothing escapes.
func TestNoAllocations(t *testing.T) {
	for _, im := range arch.Impls() {
		if n := testing.AllocsPerRun(50, func() {
			var key [32]byte
			var nonce [12]byte
			var buf [300]byte
			var tag [16]byte
			var k Key
			if err := k.InitImpl(im, key[:], 12, 16); err != nil {
				t.Fatal(err)
			}
			sealed := k.Seal(buf[:0], nonce[:], buf[:200], key[:])
			if _, err := k.Open(sealed[:0], nonce[:], sealed, key[:]); err != nil {
				t.Fatal(err)
			}
			k.Encrypt(buf[:], tag[:], nonce[:], buf[:], key[:])
			if err := k.Decrypt(buf[:], nonce[:], buf[:], tag[:], key[:]); err != nil {
				t.Fatal(err)
			}
			c, err := NewCtx(&k, nonce[:], 32, 300)
			if err != nil {
				t.Fatal(err)
			}
			c.AuthUpdate(key[:])
			c.EncryptUpdate(buf[:33], buf[:33])
			c.EncryptUpdate(buf[33:], buf[33:])
			c.EncryptFinal(tag[:])
			if c, err = NewCtx(&k, nonce[:], 32, 300); err != nil {
				t.Fatal(err)
			}
			c.AuthUpdate(key[:])
			c.DecryptUpdate(buf[:], buf[:])
			if err := c.DecryptFinal(tag[:]); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%v: %v allocations, want 0", im, n)
		}
	}
	if n := testing.AllocsPerRun(50, func() {
		var key [16]byte
		k, err := New(key[:], 12, 16)
		if err != nil {
			t.Fatal(err)
		}
		k.Seal(key[:0], key[:12], nil, nil)
	}); n != 0 {
		t.Errorf("New: %v allocations, want 0", n)
	}
}

func TestConcurrent(t *testing.T) {
	nonce, text, ad := bytesFor(17, 12), bytesFor(18, 500), bytesFor(19, 30)
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		k := newKey(t, im, bytesFor(20, 32), 12, 16)
		want := k.Seal(nil, nonce, text, ad)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 20 {
					sealed := k.Seal(nil, nonce, text, ad)
					if opened, err := k.Open(nil, nonce, sealed, ad); err != nil || !bytes.Equal(sealed, want) || !bytes.Equal(opened, text) {
						t.Error("wrong result under concurrent use")
						return
					}
				}
			})
		}
		wg.Wait()
	})
}

// TestOpenTooLong opens more text than the nonce leaves room for: an error, and zeros where the text would be.
func TestOpenTooLong(t *testing.T) {
	var k Key
	if err := k.Init(make([]byte, 16), 13, 4); err != nil {
		t.Fatal(err)
	}
	nonce, n := make([]byte, 13), 65536
	sealed := bytes.Repeat([]byte{9}, n+4)
	if got, err := k.Open(sealed[:0], nonce, sealed, nil); got != nil || err != ErrOpen {
		t.Errorf("Open returned %d bytes and %v, want none and ErrOpen", len(got), err)
	}
	if !bytes.Equal(sealed[:n], make([]byte, n)) || !bytes.Equal(sealed[n:], bytes.Repeat([]byte{9}, 4)) {
		t.Error("the output is not zero, or more than the output is")
	}
	defer func() {
		if recover() == nil {
			t.Error("an output that overlaps the ciphertext from another start did not panic")
		}
	}()
	buf := make([]byte, n+5)
	k.Open(buf[:0], nonce, buf[1:], nil)
}
