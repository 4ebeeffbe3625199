package blockloop

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/hex"
	"testing"
)

func unhex(t *testing.T, s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func newAES(t *testing.T, key []byte) cipher.Block {
	b, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestCTS has RFC 3962, appendix B.
func TestCTS(t *testing.T) {
	b := newAES(t, []byte("chicken teriyaki"))
	text := []byte("I would like the General Gau's Chicken, please, and wonton soup.")
	for n, want := range map[int]string{
		17: "c6353568f2bf8cb4d8a580362da7ff7f97",
		31: "fc00783e0efdb2c1d445d4c8eff7ed2297687268d6ecccc0c07b25e25ecfe5",
		32: "39312523a78662d5be7fcbcc98ebf5a897687268d6ecccc0c07b25e25ecfe584",
		47: "97687268d6ecccc0c07b25e25ecfe584b3fffd940c16a18c1b5549d2f838029e39312523a78662d5be7fcbcc98ebf5",
	} {
		iv := make([]byte, blockSize)
		got := make([]byte, n)
		CTSEncrypt(b, iv, got, text[:n])
		if hex.EncodeToString(got) != want {
			t.Errorf("%d bytes: %x, not %s", n, got, want)
		}
		CTSDecrypt(b, iv, got, got)
		if !bytes.Equal(got, text[:n]) {
			t.Errorf("%d bytes decrypt to %q", n, got)
		}
	}
}

// TestMAC has SP 800-38B, appendix D, and RFC 3566.
func TestMAC(t *testing.T) {
	cmac := NewCMAC(newAES(t, unhex(t, "2b7e151628aed2a6abf7158809cf4f3c")))
	xcbc, err := NewXCBC(aes.NewCipher, unhex(t, "000102030405060708090a0b0c0d0e0f"))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		mac        *MAC
		data, want string
	}{
		{cmac, "", "bb1d6929e95937287fa37d129b756746"},
		{cmac, "6bc1bee22e409f96e93d7e117393172a", "070a16b46b4d4144f79bdd9dd04a287c"},
		{
			cmac, "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411",
			"dfa66747de9ae63030ca32611497c827",
		},
		{xcbc, "000102", "5b376580ae2f19afe7219ceef172756f"},
		{xcbc, "000102030405060708090a0b0c0d0e0f10111213", "47f51b4564966215b8985c63055ed308"},
	} {
		var sum [blockSize]byte
		test.mac.Sum(&sum, unhex(t, test.data))
		if hex.EncodeToString(sum[:]) != test.want {
			t.Errorf("%s: %x, not %s", test.data, sum, test.want)
		}
	}
}

// TestCCM has examples 1 to 3 of SP 800-38C, and forgeries of them.
func TestCCM(t *testing.T) {
	for _, test := range []struct {
		tagSize                 int
		nonce, ad, text, sealed string
	}{
		{4, "10111213141516", "0001020304050607", "20212223", "7162015b4dac255d"},
		{
			6, "1011121314151617", "000102030405060708090a0b0c0d0e0f", "202122232425262728292a2b2c2d2e2f",
			"d2a1f0e051ea5f62081a7792073d593d1fc64fbfaccd",
		},
		{
			8, "101112131415161718191a1b", "000102030405060708090a0b0c0d0e0f10111213",
			"202122232425262728292a2b2c2d2e2f3031323334353637",
			"e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5484392fbc1b09951",
		},
	} {
		nonce, ad, text := unhex(t, test.nonce), unhex(t, test.ad), unhex(t, test.text)
		c := NewCCM(newAES(t, unhex(t, "404142434445464748494a4b4c4d4e4f")), len(nonce), test.tagSize)
		sealed := c.Seal(nil, nonce, text, ad)
		if got := hex.EncodeToString(sealed); got != test.sealed {
			t.Errorf("sealed to %s, not %s", got, test.sealed)
		}
		if got, err := c.Open(nil, nonce, sealed, ad); err != nil || !bytes.Equal(got, text) {
			t.Errorf("opens to %x, %v", got, err)
		}
		sealed[0] ^= 1
		if _, err := c.Open(nil, nonce, sealed, ad); err == nil {
			t.Error("a forgery opens")
		}
	}
}

// TestXCTR holds that a counter goes over from its first byte to its second.
func TestXCTR(t *testing.T) {
	b := newAES(t, make([]byte, 16))
	iv := [blockSize]byte{0x80, 8: 7}
	got := make([]byte, 256*blockSize)
	XCTR(b, &iv, got, got)
	for i, block := range map[int][blockSize]byte{1: {0x81, 8: 7}, 0x80: {0, 8: 7}, 256: {0x80, 1, 8: 7}} {
		b.Encrypt(block[:], block[:])
		if !bytes.Equal(got[(i-1)*blockSize:i*blockSize], block[:]) {
			t.Errorf("block %d is wrong", i)
		}
	}
}
