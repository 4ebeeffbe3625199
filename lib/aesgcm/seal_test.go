package aesgcm

import (
	"bytes"
	"crypto/cipher"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"lamina/arch"
)

// TestTagSizeOracle compares with crypto/cipher's own short tags, where it has them.
func TestTagSizeOracle(t *testing.T) {
	key, nonce, text := bytesFor(4, 16), bytesFor(5, 12), bytesFor(6, 100)
	for tagSize := 12; tagSize <= 16; tagSize++ {
		std, err := cipher.NewGCMWithTagSize(stdBlock(t, key), tagSize)
		if err != nil {
			t.Fatal(err)
		}
		forEachImpl(t, func(t *testing.T, im arch.Impl) {
			k := newKey(t, im, key, tagSize)
			if k.Overhead() != std.Overhead() || k.NonceSize() != std.NonceSize() {
				t.Errorf("overhead %d and nonce size %d, want %d and %d", k.Overhead(), k.NonceSize(), std.Overhead(), std.NonceSize())
			}
			if got, want := k.Seal(nil, nonce, text, nil), std.Seal(nil, nonce, text, nil); !bytes.Equal(got, want) {
				t.Errorf("tag of %d bytes: got %x, want %x", tagSize, got, want)
			}
		})
	}
}

// TestNonceSizes compares Encrypt and Decrypt with crypto/cipher for nonces of every length.
func TestNonceSizes(t *testing.T) {
	key, text, ad := bytesFor(7, 32), bytesFor(8, 77), bytesFor(9, 21)
	lengths := []int{255, 256, 257, 1000}
	for n := 1; n <= 70; n++ {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		std := newOracle(t, key, n, 16)
		forEachImpl(t, func(t *testing.T, im arch.Impl) {
			k := newKey(t, im, key, 16)
			nonce := bytesFor(uint64(n), n)
			want := std.seal(nonce, text, ad)
			got := make([]byte, len(text)+16)
			k.Encrypt(got[:len(text)], got[len(text):], nonce, text, ad)
			if !bytes.Equal(got, want) {
				t.Fatalf("nonce of %d bytes: got %x, want %x", n, got, want)
			}
			if err := k.Decrypt(got[:len(text)], nonce, got[:len(text)], got[len(text):], ad); err != nil || !bytes.Equal(got[:len(text)], text) {
				t.Fatalf("nonce of %d bytes: Decrypt: %v, text %x", n, err, got)
			}
		})
	}
}

// TestCounterWraps uses nonces that hash to counter blocks whose last 32 bits wrap early in the message. A
// carry into the upper bits is a classic fault.
func TestCounterWraps(t *testing.T) {
	key, text := bytesFor(10, 16), bytesFor(11, 4096)
	for _, last := range []uint32{0xffffffff, 0xfffffffe, 0xfffffff8, 0xffffffe1, 0xffffffc0} {
		nonce := nonceForCounter(t, key, last)
		want := newOracle(t, key, 16, 16).seal(nonce, text, nil)
		forEachImpl(t, func(t *testing.T, im arch.Impl) {
			k := newKey(t, im, key, 16)
			got := make([]byte, len(text)+16)
			k.Encrypt(got[:len(text)], got[len(text):], nonce, text, nil)
			if !bytes.Equal(got, want) {
				t.Errorf("counter %#x: wrong ciphertext or tag", last)
			}
			c := NewCtx(k, nonce)
			for i := 0; i < len(text); i += 100 {
				end := min(i+100, len(text))
				c.DecryptUpdate(got[i:end], got[i:end])
			}
			if err := c.DecryptFinal(got[len(text):]); err != nil || !bytes.Equal(got[:len(text)], text) {
				t.Errorf("counter %#x, in pieces: %v, or wrong text", last, err)
			}
		})
	}
}

// TestAppend holds the semantics of append: what dst holds is kept, capacity is used if it suffices, and what
// lies behind the result is not written to.
func TestAppend(t *testing.T) {
	key, nonce, text, ad := bytesFor(12, 16), bytesFor(13, 12), bytesFor(14, 333), []byte("ad")
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		for _, tagSize := range tagSizes {
			k := newKey(t, im, key, tagSize)
			std := newOracle(t, key, 12, tagSize)
			for n := range len(text) {
				sealed := std.seal(nonce, text[:n], ad)
				for _, prefix := range []int{0, 1, 13} {
					seal := func(dst []byte) []byte { return k.Seal(dst, nonce, text[:n], ad) }
					open := func(dst []byte) []byte {
						out, err := k.Open(dst, nonce, sealed, ad)
						if err != nil {
							t.Fatal(err)
						}
						return out
					}
					checkAppend(t, fmt.Sprintf("Seal, tag %d, %d bytes", tagSize, n), prefix, sealed, seal)
					checkAppend(t, fmt.Sprintf("Open, tag %d, %d bytes", tagSize, n), prefix, text[:n], open)
				}
			}
		}
	})
}

func checkAppend(t *testing.T, name string, prefix int, want []byte, f func(dst []byte) []byte) {
	t.Helper()
	const behind = 40
	total := prefix + len(want)
	for _, room := range []int{total + behind, total, total - 1, prefix} {
		buf := filled(total+behind, 0xa5)
		dst := buf[:prefix:max(room, prefix)]
		got := f(dst)
		if !allEqual(got[:prefix], 0xa5) || !bytes.Equal(got[prefix:], want) {
			t.Fatalf("%s, room for %d behind %d: wrong result", name, room, prefix)
		}
		if total > 0 && room >= total && &got[0] != &buf[0] {
			t.Fatalf("%s, room for %d behind %d: capacity not used", name, room, prefix)
		}
		if room < total && !allEqual(buf, 0xa5) {
			t.Fatalf("%s, room for %d behind %d: written to what is too small", name, room, prefix)
		}
		if !allEqual(buf[total:], 0xa5) {
			t.Fatalf("%s, room for %d behind %d: written past the result", name, room, prefix)
		}
	}
}

// TestInPlace seals and opens in place, with what follows in memory unharmed.
func TestInPlace(t *testing.T) {
	key, nonce, text := bytesFor(15, 32), bytesFor(16, 12), bytesFor(17, 400)
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		for _, tagSize := range tagSizes {
			k := newKey(t, im, key, tagSize)
			std := newOracle(t, key, 12, tagSize)
			for n := range len(text) {
				buf := filled(n+tagSize+32, 0xa5)
				copy(buf, text[:n])
				sealed := k.Seal(buf[:0], nonce, buf[:n], nil)
				if &sealed[0] != &buf[0] || !bytes.Equal(sealed, std.seal(nonce, text[:n], nil)) {
					t.Fatalf("tag %d: Seal of %d bytes in place is wrong", tagSize, n)
				}
				got, err := k.Open(sealed[:0], nonce, sealed, nil)
				if err != nil || !bytes.Equal(got, text[:n]) {
					t.Fatalf("tag %d: Open of %d bytes in place: %v, or wrong text", tagSize, n, err)
				}
				if !allEqual(buf[n+tagSize:], 0xa5) {
					t.Fatalf("tag %d, %d bytes: written past the tag", tagSize, n)
				}
			}
		}
	})
}

// TestForgeries flips every bit of every input, and cuts and extends the message.
func TestForgeries(t *testing.T) {
	key, nonce, text, ad := bytesFor(18, 16), bytesFor(19, 12), bytesFor(20, 37), bytesFor(21, 19)
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		for _, tagSize := range tagSizes {
			k := newKey(t, im, key, tagSize)
			sealed := k.Seal(nil, nonce, text, ad)
			for name, part := range map[string][]byte{"sealed": sealed, "nonce": nonce, "ad": ad} {
				for i := range len(part) * 8 {
					part[i/8] ^= 1 << (i % 8)
					checkRefused(t, k, fmt.Sprintf("tag %d: bit %d of %s flipped", tagSize, i, name), nonce, sealed, ad)
					part[i/8] ^= 1 << (i % 8)
				}
			}
			for n := range len(sealed) {
				checkRefused(t, k, fmt.Sprintf("tag %d: cut to %d bytes", tagSize, n), nonce, sealed[:n], ad)
			}
			checkRefused(t, k, "extended", nonce, append(bytes.Clone(sealed), 0), ad)
			checkRefused(t, k, "ad cut", nonce, sealed, ad[:len(ad)-1])
			checkRefused(t, k, "ad extended by a zero", nonce, sealed, append(bytes.Clone(ad), 0))
			if _, err := k.Open(nil, nonce, sealed, ad); err != nil {
				t.Fatalf("tag %d: what was not changed is refused: %v", tagSize, err)
			}
		}
	})
}

// checkRefused holds that a forgery gives nil and ErrOpen, leaves dst zeroed as far as it was written to, and
// its prefix and what lies behind it as they were; appending, in place, and with a detached tag.
func checkRefused(t *testing.T, k *Key, name string, nonce, sealed, ad []byte) {
	t.Helper()
	n := len(sealed) - k.Overhead()
	buf := filled(9+max(n, 0)+20, 0xa5)
	got, err := k.Open(buf[:9], nonce, sealed, ad)
	if got != nil || err != ErrOpen {
		t.Fatalf("%s: Open returned %x, %v", name, got, err)
	}
	if !allEqual(buf[:9], 0xa5) || !allEqual(buf[9+max(n, 0):], 0xa5) {
		t.Fatalf("%s: Open wrote outside its part of dst", name)
	}
	if n < 0 {
		return // shorter than a tag: refused unseen
	}
	if !allEqual(buf[9:9+n], 0) {
		t.Fatalf("%s: Open left %x in dst", name, buf[9:9+n])
	}
	inPlace := bytes.Clone(sealed)
	if got, err := k.Open(inPlace[:0], nonce, inPlace, ad); got != nil || err != ErrOpen || !allEqual(inPlace[:n], 0) {
		t.Fatalf("%s: Open in place returned %x, %v, and left %x", name, got, err, inPlace[:n])
	}
	for _, nonce := range [][]byte{nonce, nonce[:11]} {
		dst := filled(n, 0xa5)
		if err := k.Decrypt(dst, nonce, sealed[:n], sealed[n:], ad); err != ErrOpen || !allEqual(dst, 0) {
			t.Fatalf("%s: Decrypt returned %v, and left %x", name, err, dst)
		}
	}
}

// TestOverlap slides the output over every input, and expects a panic before anything is written exactly
// where the contract says so.
func TestOverlap(t *testing.T) {
	const n = 24
	k := newKey(t, arch.Best(), make([]byte, 16), 16)
	common := func(a0, a1, b0, b1 int) bool { return max(a0, b0) < min(a1, b1) }
	far := make([]byte, 100)
	nonce := far[:12]
	for at := range 100 {
		buf := bytesFor(22, 200)
		in := buf[80:][:n] // in [80, 104), outputs start at at + 20
		out := at + 20
		sealedEnd, openEnd := out+n+16, out+n-16
		inexact := func(end int) bool { return out != 80 && common(out, end, 80, 80+n) }
		for _, test := range []struct {
			name string
			bad  bool
			f    func()
		}{
			{"Seal over plaintext", inexact(sealedEnd), func() { k.Seal(buf[out:out], nonce, in, nil) }},
			{"Seal over ad", common(out, sealedEnd, 80, 80+n), func() { k.Seal(buf[out:out], nonce, far[:n], in) }},
			{"Open over ciphertext", inexact(openEnd), func() { k.Open(buf[out:out], nonce, in, nil) }},
			{"Open over ad", common(out, openEnd, 80, 80+n), func() { k.Open(buf[out:out], nonce, far[:n], in) }},
			{"Encrypt dst over src", inexact(out + n), func() { k.Encrypt(buf[out:][:n], far[:16], far[16:28], in, nil) }},
			{"Encrypt dst over tag", common(out, out+n, 80, 96), func() { k.Encrypt(buf[out:][:n], in[:16], nonce, far[12:][:n], nil) }},
			{"Encrypt tag over src", common(out, out+16, 80, 80+n), func() { k.Encrypt(far[20:][:n], buf[out:][:16], nonce, in, nil) }},
			{"Encrypt tag over ad", common(out, out+16, 80, 80+n), func() { k.Encrypt(nil, buf[out:][:16], nonce, nil, in) }},
			{"Encrypt tag over nonce", common(out, out+16, 80, 80+n), func() { k.Encrypt(nil, buf[out:][:16], in, nil, nil) }},
			{"Decrypt dst over tag", common(out, out+n, 80, 96), func() { k.Decrypt(buf[out:][:n], nonce, far[12:][:n], in[:16], nil) }},
			{"Decrypt dst over ad", common(out, out+n, 80, 80+n), func() { k.Decrypt(buf[out:][:n], nonce, far[12:][:n], far[80:96], in) }},
			{"EncryptUpdate", inexact(out + n), func() { c := NewCtx(k, nonce); c.EncryptUpdate(buf[out:][:n], in) }},
			{"DecryptUpdate", inexact(out + n), func() { c := NewCtx(k, nonce); c.DecryptUpdate(buf[out:][:n], in) }},
		} {
			copy(buf, bytesFor(22, 200))
			got := panicked(test.f)
			if bad := got != ""; bad != test.bad || bad && !strings.Contains(got, "overlaps") {
				t.Errorf("%s, at distance %d: panic %q, want one: %v", test.name, out-80, got, test.bad)
			}
			if test.bad && !bytes.Equal(buf, bytesFor(22, 200)) {
				t.Errorf("%s, at distance %d: written to before the panic", test.name, out-80)
			}
		}
	}
}

func panicked(f func()) (message string) {
	defer func() {
		if e := recover(); e != nil {
			message = fmt.Sprint(e)
		}
	}()
	f()
	return ""
}

func TestMisuse(t *testing.T) {
	k := newKey(t, arch.Best(), make([]byte, 16), 12)
	var wiped, zero Key
	wiped = *k
	wiped.Wipe()
	if wiped != zero {
		t.Error("Wipe left something")
	}
	nonce, tag, b := make([]byte, 12), make([]byte, 12), make([]byte, 40)
	for _, unset := range []*Key{&zero, &wiped} {
		for _, f := range []func(){
			func() { unset.Seal(nil, nonce, nil, nil) },
			func() { unset.Open(nil, nonce, b, nil) },
			func() { unset.Encrypt(nil, tag, nonce, nil, nil) },
			func() { unset.Decrypt(nil, nonce, nil, tag, nil) },
			func() { unset.GMAC(tag, nonce, nil) },
			func() { unset.VerifyGMAC(nonce, nil, tag) },
			func() { unset.Overhead() },
			func() { NewCtx(unset, nonce) },
			func() { NewGMAC(unset, nonce) },
		} {
			mustPanic(t, "key used before Init or after Wipe", f)
		}
	}
	for _, n := range []int{0, 1, 11, 13, 16} {
		want := fmt.Sprintf("nonce of %d bytes; it must have 12", n)
		mustPanic(t, "Seal: "+want, func() { k.Seal(nil, b[:n], nil, nil) })
		mustPanic(t, "Open: "+want, func() { k.Open(nil, b[:n], b, nil) })
	}
	for _, n := range []int{0, 11, 13, 16} {
		want := fmt.Sprintf("tag of %d bytes; the key was set up for 12", n)
		mustPanic(t, "Encrypt: "+want, func() { k.Encrypt(nil, b[:n], nonce, nil, nil) })
		mustPanic(t, "Decrypt: "+want, func() { k.Decrypt(nil, nonce, nil, b[:n], nil) })
		mustPanic(t, "EncryptFinal: "+want, func() { c := NewCtx(k, nonce); c.EncryptFinal(b[:n]) })
		mustPanic(t, "DecryptFinal: "+want, func() { c := NewCtx(k, nonce); c.DecryptFinal(b[:n]) })
	}
	for _, empty := range [][]byte{nil, {}} {
		mustPanic(t, "empty nonce", func() { k.Encrypt(nil, tag, empty, nil, nil) })
		mustPanic(t, "empty nonce", func() { k.Decrypt(nil, empty, nil, tag, nil) })
		mustPanic(t, "empty nonce", func() { NewCtx(k, empty) })
		mustPanic(t, "empty nonce", func() { k.GMAC(tag, empty, nil) })
	}
	const lengths = "dst of 3 bytes and src of 4; they must have the same length"
	mustPanic(t, "Encrypt: "+lengths, func() { k.Encrypt(b[:3], tag, nonce, b[20:24], nil) })
	mustPanic(t, "Decrypt: "+lengths, func() { k.Decrypt(b[:3], nonce, b[20:24], tag, nil) })
	mustPanic(t, "EncryptUpdate: "+lengths, func() { c := NewCtx(k, nonce); c.EncryptUpdate(b[:3], b[20:24]) })
	mustPanic(t, "DecryptUpdate: "+lengths, func() { c := NewCtx(k, nonce); c.DecryptUpdate(b[:3], b[20:24]) })
}

func TestInitErrors(t *testing.T) {
	for n := range 70 {
		var k Key
		err := k.Init(make([]byte, n), 16)
		good := n == 16 || n == 24 || n == 32
		if (err == nil) != good || (err != nil && k != Key{}) {
			t.Errorf("key of %d bytes: error %v, or changed key", n, err)
		}
		if want := fmt.Sprintf("aes: key of %d bytes; it must have 16, 24 or 32", n); !good && err.Error() != want {
			t.Errorf("error %q, want %q", err, want)
		}
		if _, err := New(make([]byte, n)); (err == nil) != good {
			t.Errorf("New with a key of %d bytes: %v", n, err)
		}
	}
	k := newKey(t, arch.Best(), make([]byte, 16), 16)
	before := *k
	for n := -1; n < 40; n++ {
		err := k.Init(make([]byte, 32), n)
		good := n == 4 || n == 8 || n >= 12 && n <= 16
		if (err == nil) != good || err != nil && *k != before {
			t.Errorf("tag of %d bytes: error %v, or changed key", n, err)
		}
		if want := fmt.Sprintf("aesgcm: tag of %d bytes; it must have 4, 8, 12, 13, 14, 15 or 16", n); !good && err.Error() != want {
			t.Errorf("error %q, want %q", err, want)
		}
		before = *k
	}
}

// TestKeyIsValue holds that a copy of a key is a key, and that setting one again forgets the old one.
func TestKeyIsValue(t *testing.T) {
	nonce := make([]byte, 12)
	var k Key
	k.Init(bytesFor(23, 32), 16)
	c := k
	want := k.Seal(nil, nonce, nil, nil)
	k.Init(bytesFor(24, 16), 8)
	if got := c.Seal(nil, nonce, nil, nil); !bytes.Equal(got, want) {
		t.Error("a copied key does not work by itself")
	}
	if got, want := k.Seal(nil, nonce, nil, nil), newOracle(t, bytesFor(24, 16), 12, 8).seal(nonce, nil, nil); !bytes.Equal(got, want) {
		t.Error("a key that was set again does not work")
	}
}

func TestConcurrent(t *testing.T) {
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		key, text := bytesFor(25, 32), bytesFor(26, 1500)
		k := newKey(t, im, key, 16)
		std := newOracle(t, key, 12, 16)
		var wg sync.WaitGroup
		for g := range 8 {
			wg.Go(func() {
				for i := range 20 {
					nonce, text := bytesFor(uint64(g*100+i), 12), text[:g*100+i*33]
					sealed := k.Seal(nil, nonce, text, nonce)
					if !bytes.Equal(sealed, std.seal(nonce, text, nonce)) {
						t.Error("wrong result under concurrent use")
						return
					}
					if _, err := k.Open(sealed[:0], nonce, sealed, nonce); err != nil {
						t.Error(err)
					}
					c := NewCtx(k, nonce)
					c.EncryptUpdate(sealed[:len(text)], text)
					c.EncryptFinal(sealed[len(text):])
					if !bytes.Equal(sealed, std.seal(nonce, text, nil)) {
						t.Error("wrong result of a Ctx under concurrent use")
						return
					}
				}
			})
		}
		wg.Wait()
	})
}

func TestSizes(t *testing.T) {
	if n := unsafe.Sizeof(Key{}); n > 1024 {
		t.Errorf("Key has %d bytes, want at most 1024", n)
	}
	if n := unsafe.Sizeof(Ctx{}); n > 192 {
		t.Errorf("Ctx has %d bytes, want at most 192", n)
	}
}

// TestNonceInsideOutput has the nonce where the output is written. It is read first, so that is allowed, as in
// crypto/cipher.
func TestNonceInsideOutput(t *testing.T) {
	for _, im := range arch.Impls() {
		for _, n := range []int{0, 1, 16, 33, 64, 200, 700, 3000} {
			k := newKey(t, im, make([]byte, 32), TagSize)
			text, nonce := make([]byte, n), []byte("twelve bytes")
			want := k.Seal(nil, nonce, text, nil)
			for _, at := range []int{0, len(want) / 2, len(want) - 12} {
				buf := make([]byte, len(want)+12)
				inside := buf[at : at+12]
				copy(inside, nonce)
				if got := k.Seal(buf[:0], inside, text, nil); !bytes.Equal(got, want) {
					t.Errorf("%v: Seal of %d bytes with the nonce %d bytes into the output is wrong", im, n, at)
				}
				copy(inside, nonce)
				if got, err := k.Open(buf[:0], inside, want, nil); err != nil || !bytes.Equal(got, text) {
					t.Errorf("%v: Open of %d bytes with the nonce %d bytes into the output is wrong", im, n, at)
				}
			}
		}
	}
}

// TestOpenTooLong tests what Open does with more text than a message can have, without that much text.
func TestOpenTooLong(t *testing.T) {
	buf := bytes.Repeat([]byte{9}, 40)
	if got, err := openTooLong(buf[:4], buf[4:], nil, 20); got != nil || err != ErrOpen {
		t.Errorf("got %d bytes and %v, want none and ErrOpen", len(got), err)
	}
	if want := slices.Concat(bytes.Repeat([]byte{9}, 4), make([]byte, 20), bytes.Repeat([]byte{9}, 16)); !bytes.Equal(buf, want) {
		t.Errorf("left %x, want %x", buf, want)
	}
	if got, err := openTooLong(buf[:4:10], buf[4:], nil, 20); got != nil || err != ErrOpen {
		t.Errorf("without room: got %d bytes and %v, want none and ErrOpen", len(got), err)
	}
	if panicked(func() { openTooLong(buf[:5], buf[4:], nil, 20) }) == "" {
		t.Error("an output that overlaps the ciphertext from another start did not panic")
	}
}
