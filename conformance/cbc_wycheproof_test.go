package conformance

import (
	"bytes"
	"testing"

	"lamina/arch"
	"lamina/lib/aes"
	"lamina/lib/aescbc"
)

type cbcGroup struct {
	IvSize, KeySize int
	Tests           []cbcTest
}

type cbcTest struct {
	common
	Key, IV, Msg, CT hexBytes
}

// TestWycheproofCBC does the padding of PKCS #7 here, because it is not part of the mode.
func TestWycheproofCBC(t *testing.T) {
	const name = "aes_cbc_pkcs5_test.json"
	file := loadVectors[cbcGroup](t, name)
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		var n tally
		for _, group := range file.TestGroups {
			for i := range group.Tests {
				test := &group.Tests[i]
				if len(test.IV)*8 != group.IvSize || len(test.Key)*8 != group.KeySize || len(test.IV) != 16 {
					t.Fatalf("test %d has an IV of %d bytes and a key of %d; its group has %d and %d bits",
						test.TcID, len(test.IV), len(test.Key), group.IvSize, group.KeySize)
				}
				n.count(test.valid(t))
				runCBC(t, im, test)
			}
		}
		n.check(t, name, tally{valid: 72, invalid: 144}, file.NumberOfTests)
	})
}

func runCBC(t *testing.T, im arch.Impl, test *cbcTest) {
	var k aes.Key
	if err := k.InitImpl(im, test.Key); err != nil {
		t.Errorf("test %d: key: %v", test.TcID, err)
		return
	}
	valid := test.valid(t)
	if valid {
		iv, buf := [16]byte(test.IV), pad(test.Msg)
		aescbc.Encrypt(&k.EncKey, &iv, buf, buf)
		if !bytes.Equal(buf, test.CT) {
			t.Errorf("test %d (%s): encrypted to %x, want %x", test.TcID, test.Comment, buf, test.CT)
		}
	}
	if len(test.CT)%16 != 0 {
		t.Fatalf("test %d has a ciphertext of %d bytes", test.TcID, len(test.CT))
	}
	for _, inPlace := range []bool{false, true} {
		iv, src := [16]byte(test.IV), bytes.Clone(test.CT)
		dst := src
		if !inPlace {
			dst = make([]byte, len(src))
		}
		aescbc.Decrypt(&k, &iv, dst, src)
		msg, ok := unpad(dst)
		if ok != valid || ok && !bytes.Equal(msg, test.Msg) {
			t.Errorf("test %d (%s): decrypted to %x, padding right: %v; the test is %s", test.TcID, test.Comment, dst, ok, test.Result)
		}
	}
}

// pad appends 1 to 16 bytes, each of which says how many they are.
func pad(msg []byte) []byte {
	n := 16 - len(msg)%16
	return append(bytes.Clone(msg), bytes.Repeat([]byte{byte(n)}, n)...)
}

// unpad undoes pad. What it returns, and when, shows what the padding was, as no program should.
func unpad(padded []byte) (msg []byte, ok bool) {
	if len(padded) == 0 {
		return nil, false
	}
	n := int(padded[len(padded)-1])
	if n == 0 || n > 16 {
		return nil, false
	}
	msg = padded[:len(padded)-n]
	return msg, bytes.Equal(pad(msg), padded)
}
