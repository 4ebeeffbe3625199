package aesctr

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"lamina/arch"
	"lamina/lib/aes"
)

// SP 800-38A, sections F.5.1, F.5.3 and F.5.5.
func TestKnown(t *testing.T) {
	const plain = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
	for _, test := range []struct{ key, cipher string }{
		{
			"2b7e151628aed2a6abf7158809cf4f3c",
			"874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee",
		}, {
			"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
			"1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e941e36b26bd1ebc670d1bd1d665620abf74f78a7f6d29809585a97daec58c6b050",
		}, {
			"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
			"601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c52b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6",
		},
	} {
		forEachImpl(t, func(t *testing.T, im arch.Impl) {
			k := newKey(t, im, unhex(test.key))
			ctr := [16]byte(unhex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"))
			text := unhex(plain)
			got := make([]byte, len(text))
			NewCTR(k, ctr[:]).XORKeyStream(got, text)
			if CTR(k, &ctr, text, text); !bytes.Equal(text, unhex(test.cipher)) || !bytes.Equal(got, text) {
				t.Errorf("CTR: %x, Stream: %x, want %s", text, got, test.cipher)
			}
			if want := "f0f1f2f3f4f5f6f7f8f9fafbfcfdff03"; !bytes.Equal(ctr[:], unhex(want)) {
				t.Errorf("the counter became %x, want %s", ctr, want)
			}
		})
	}
}

// TestMisuse holds that mistakes panic, with a message that says what is wrong, and before a byte is written.
func TestMisuse(t *testing.T) {
	var key, wiped aes.EncKey
	key.Init(make([]byte, 16))
	wiped.Init(make([]byte, 16))
	wiped.Wipe()
	const overlap = "dst and src overlap without being the same memory"
	buf := make([]byte, 100)
	iv, ctr, counter := new([16]byte), (*[16]byte)(buf[80:96]), uint64(1)
	s, unset := NewCTR(&key, iv[:]), NewCTR(&wiped, iv[:])
	for _, test := range []struct {
		want string
		f    func()
	}{
		{"aesctr: CTR: dst of 5 bytes and src of 4; both must have the same", func() { CTR(&key, ctr, buf[:5], buf[:4]) }},
		{"aesctr: CTR: dst of 0 bytes and src of 4; both must have the same", func() { CTR(&key, ctr, nil, buf[:4]) }},
		{"aesctr: XCTR: dst of 4 bytes and src of 5; both must have the same", func() { XCTR(&key, &counter, iv, buf[:4], buf[:5]) }},
		{"aesctr: CTR: " + overlap, func() { CTR(&key, ctr, buf[1:31], buf[:30]) }},
		{"aesctr: CTR: " + overlap, func() { CTR(&key, ctr, buf[:30], buf[29:59]) }},
		{"aesctr: XCTR: " + overlap, func() { XCTR(&key, &counter, iv, buf[16:48], buf[:32]) }},
		{"aesctr: CTR: dst overlaps the counter", func() { CTR(&key, ctr, buf[95:99], buf[95:99]) }},
		{"aesctr: CTR: dst overlaps the counter", func() { CTR(&key, ctr, buf[70:81], buf[:11]) }},
		{"aesctr: XORKeyStream: dst of 4 bytes and src of 5; dst must not be shorter", func() { s.XORKeyStream(buf[:4], buf[:5]) }},
		{"aesctr: XORKeyStreamAt: dst of 4 bytes and src of 5; dst must not be shorter", func() { s.XORKeyStreamAt(buf[:4], buf[:5], 7) }},
		{"aesctr: XORKeyStream: " + overlap, func() { s.XORKeyStream(buf[1:], buf[:2]) }},
		{"aesctr: XORKeyStreamAt: " + overlap, func() { s.XORKeyStreamAt(buf[12:], buf[15:20], 1) }},
		{"aesctr: NewCTR: IV of 15 bytes; it must have 16", func() { NewCTR(&key, buf[:15]) }},
		{"aesctr: NewCTR: IV of 17 bytes; it must have 16", func() { NewCTR(&key, buf[:17]) }},
		{"aesctr: NewCTR: IV of 0 bytes; it must have 16", func() { NewCTR(&key, nil) }},
		{"key used before Init or after Wipe", func() { CTR(&wiped, ctr, buf[:4], buf[:4]) }},
		{"key used before Init or after Wipe", func() { CTR(new(aes.EncKey), ctr, nil, nil) }},
		{"key used before Init or after Wipe", func() { XCTR(&wiped, &counter, iv, buf[:4], buf[:4]) }},
		{"aesctr: XORKeyStream: the stream was not made by NewCTR with a key", func() { new(Stream).XORKeyStream(buf, buf) }},
		{"aesctr: XORKeyStreamAt: the stream was not made by NewCTR with a key", func() { NewCTR(nil, iv[:]).XORKeyStreamAt(buf, buf, 3) }},
		{"key used before Init or after Wipe", func() { unset.XORKeyStream(buf[:4], buf[:4]) }},
		{"key used before Init or after Wipe", func() { unset.XORKeyStreamAt(buf[:4], buf[:4], 0) }},
	} {
		got := func() (message string) {
			defer func() { message = fmt.Sprint(recover()) }()
			test.f()
			return
		}()
		if !strings.Contains(got, test.want) {
			t.Errorf("panic %q, want %q", got, test.want)
		}
		if !bytes.Equal(buf, make([]byte, len(buf))) || *iv != [16]byte{} || counter != 1 {
			t.Fatalf("%s: written to before the panic", test.want)
		}
	}
	// A refused call must not have moved the stream on.
	want := make([]byte, 20)
	NewCTR(&key, iv[:]).XORKeyStream(want, want)
	if s.XORKeyStream(buf, buf[:20]); !bytes.Equal(buf[:20], want) {
		t.Error("refused calls moved the stream on")
	}
	s.XORKeyStream(buf, buf[:0])
	s.XORKeyStream(nil, nil)
}

// TestNoAllocations has all keys and buffers as local variables, so it also holds that none escapes.
func TestNoAllocations(t *testing.T) {
	for _, im := range arch.Impls() {
		if n := testing.AllocsPerRun(50, func() {
			var key [32]byte
			var ctr [16]byte
			var buf [333]byte
			var k aes.EncKey
			counter := uint64(1)
			if err := k.InitImpl(im, key[:]); err != nil {
				t.Fatal(err)
			}
			CTR(&k, &ctr, buf[:], buf[:])
			XCTR(&k, &counter, &ctr, buf[:], buf[:])
			s := NewCTR(&k, ctr[:])
			s.XORKeyStream(buf[:77], buf[:77])
			s.XORKeyStream(buf[77:], buf[77:])
			s.XORKeyStreamAt(buf[:], buf[:], 33)
		}); n != 0 {
			t.Errorf("%v: %v allocations, want 0", im, n)
		}
	}
}
