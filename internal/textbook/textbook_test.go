package textbook

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/hex"
	"math/rand/v2"
	"testing"

	"golang.org/x/crypto/xts"
)

// The modes that Go has are compared with it; the others with the examples of their specifications.

func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

func counting(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i)
	}
	return b
}

// TestAgainstGo compares random messages of the lengths 0 to 200.
func TestAgainstGo(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	some := func(n int) []byte {
		b := make([]byte, n)
		random.Read(b)
		return b
	}
	for n := range 200 {
		key, iv, text, ad := some([]int{16, 24, 32}[n%3]), some(16), some(n), some(n*7%97)
		whole := text[:n&^15]
		b := newAES(key)
		check := func(name string, got, want []byte) {
			t.Helper()
			if !bytes.Equal(got, want) {
				t.Errorf("%s of %d bytes: %x, want %x", name, n, got, want)
			}
		}
		want := make([]byte, len(whole))
		cipher.NewCBCEncrypter(b, iv).CryptBlocks(want, whole)
		got, _, next := encryptCBC(key, iv, whole, nil, 0)
		check("CBC", got, want)
		if len(whole) > 0 {
			check("CBC's IV", next, want[len(want)-16:])
		}

		want = make([]byte, n)
		cipher.NewCTR(b, iv).XORKeyStream(want, text)
		got, _, next = encryptCTR(key, iv, text, nil, 0)
		check("CTR", got, want)
		last := bytes.Clone(iv)
		for range (n + 15) / 16 {
			increment(last)
		}
		check("CTR's counter", next, last)

		for _, nonce := range [][]byte{iv[:12], some(1 + n)} {
			g, err := cipher.NewGCMWithNonceSize(b, len(nonce))
			if err != nil {
				t.Fatal(err)
			}
			got, tag, _ := encryptGCM(key, nonce, text, ad, 16)
			check("GCM", append(got, tag...), g.Seal(nil, nonce, text, ad))
		}

		two := append(bytes.Clone(key), some(len(key))...)
		x, err := xts.NewCipher(aes.NewCipher, two)
		if err != nil {
			t.Fatal(err)
		}
		want = make([]byte, len(whole))
		x.Encrypt(want, whole, uint64(n))
		tweak := append([]byte{byte(n)}, make([]byte, 15)...)
		got, _, next = encryptXTS(two, tweak, whole, nil, 0)
		check("XTS", got, want)
		more := some(33)
		both, _, _ := encryptXTS(two, tweak, append(bytes.Clone(whole), more...), nil, 0)
		rest, _, _ := encryptXTS(two, next, more, nil, 0)
		check("XTS continued", append(got, rest...), both)
	}
}

func TestVectors(t *testing.T) {
	const four = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51" +
		"30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710" // of SP 800-38A, appendix F
	for _, test := range []struct {
		what              string
		mode              Mode
		key, iv, text, ad []byte
		out, tag, next    string
	}{
		{"SP 800-38A, F.1.1", ECB, unhex("2b7e151628aed2a6abf7158809cf4f3c"), nil, unhex(four[:64]), nil,
			"3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf", "", ""},
		{"RFC 3962, B, 47 bytes", CTS, []byte("chicken teriyaki"), make([]byte, 16),
			[]byte("I would like the General Gau's Chicken, please,"), nil,
			"97687268d6ecccc0c07b25e25ecfe584b3fffd940c16a18c1b5549d2f838029e39312523a78662d5be7fcbcc98ebf5", "",
			"b3fffd940c16a18c1b5549d2f838029e"},
		{"IEEE 1619, B, vector 15", XTS, unhex("fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0"),
			unhex("9a785634120000000000000000000000"), counting(17), nil,
			"6c1625db4671522d3d7599601de7ca09ed", "", "9a785634120000000000000000000000"},
		{"SP 800-38C, C.3", CCM, unhex("404142434445464748494a4b4c4d4e4f"), unhex("101112131415161718191a1b"),
			counting(0x38)[0x20:], counting(20), "e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5",
			"484392fbc1b09951", "101112131415161718191a1b"},
		{"SP 800-38C, C.4", CCM, unhex("404142434445464748494a4b4c4d4e4f"), unhex("101112131415161718191a1b1c"),
			counting(0x40)[0x20:], counting(65536), "69915dad1e84c6376a68c2967e4dab615ae0fd1faec44cc484828529463ccf72",
			"b4ac6bec93e8598e7f0dadbcea5b", "101112131415161718191a1b1c"},
		{"SP 800-38B, D.1, example 1", CMAC, unhex("2b7e151628aed2a6abf7158809cf4f3c"), nil, nil, nil,
			"", "bb1d6929e95937287fa37d129b756746", ""},
		{"SP 800-38B, D.3, example 11", CMAC, unhex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"),
			nil, nil, unhex(four[:80]), "", "aaf3d8f1de5640c232f5b169b9c911e6", ""},
		{"RFC 3566, 4.6, case 4", XCBCMAC, counting(16), nil, nil, counting(20), "", "47f51b4564966215b8985c63055ed308", ""},
		{"RFC 3566, 4.6, case 5", XCBCMAC, counting(16), nil, nil, counting(32), "", "f54f0ec8d2b9f3d36807734bd5283fd4", ""},
		{"RFC 8452, A, POLYVAL", POLYVAL, unhex("25629347589242761d31f826ba4b757b"), nil, nil,
			unhex("4f4f95668c83dfb6401762bb2d01a262d1a24ddd2721d006bbe45f20d3c9f362"), "", "f7a3b47b846119fae5b7866cf5e5b77e", ""},
		{"RFC 8452, A, GHASH", GHASH, unhex("25629347589242761d31f826ba4b757b"), nil, nil,
			unhex("4f4f95668c83dfb6401762bb2d01a262d1a24ddd2721d006bbe45f20d3c9f362"), "", "bd9b3997046731fb96251b91f9c99d7a", ""},
	} {
		out, tag, next := test.mode.Encrypt(test.key, test.iv, test.text, test.ad, len(test.tag)/2)
		for _, part := range []struct {
			name string
			got  []byte
			want string
		}{{"ciphertext", out, test.out}, {"tag", tag, test.tag}, {"next IV", next, test.next}} {
			if got := hex.EncodeToString(part.got); got != part.want {
				t.Errorf("%s: %s %s, want %s", test.what, part.name, got, part.want)
			}
		}
	}
}

// TestXCTR holds the definition on what it says of a counter: the key stream of one block, and the next counter.
func TestXCTR(t *testing.T) {
	key, iv := counting(16), append(unhex("ffffffffffffffff"), counting(16)...)
	first := unhex("fffefdfcfbfaf9f808090a0b0c0d0e0f") // the IV and all ones in the first half
	second := counting(16)                             // the counter has wrapped
	b := newAES(key)
	out, _, next := encryptXCTR(key, iv, make([]byte, 20), nil, 0)
	if want := append(encrypted(b, first), encrypted(b, second)[:4]...); !bytes.Equal(out, want) {
		t.Errorf("key stream %x, want %x", out, want)
	}
	if want := append([]byte{1, 0, 0, 0, 0, 0, 0, 0}, counting(16)...); !bytes.Equal(next, want) {
		t.Errorf("next %x, want %x", next, want)
	}
}

// TestChosen holds that the nonces and tweaks made for a block lead to it.
func TestChosen(t *testing.T) {
	key, block := counting(32), unhex("fffffffffffffffffffffffffffffff0")
	h := gcmHashKey(key)
	if got := ghash(h, append(GCMNonce(key, block), lengths(0, 16)...)); !bytes.Equal(got, block) {
		t.Errorf("GCMNonce leads to %x, want %x", got, block)
	}
	if got := encrypted(newAES(key[16:]), XTSTweak(key, block)); !bytes.Equal(got, block) {
		t.Errorf("XTSTweak leads to %x, want %x", got, block)
	}
}
