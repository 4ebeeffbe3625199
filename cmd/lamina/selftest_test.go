package main

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/hex"
	"errors"
	"math/big"
	"strings"
	"testing"

	"lamina/arch"
)

func TestSelfTest(t *testing.T) {
	impls := arch.Impls()
	if testing.Short() && len(impls) > 1 {
		impls = impls[:len(impls)-1] // the portable one takes longest
	}
	var names []string
	for _, im := range impls {
		names = append(names, im.String())
	}
	res := lamina(t, "", "test", "--impl", strings.Join(names, ","))
	res.succeeds(t)
	for _, im := range impls {
		for _, group := range selfTests {
			if !strings.Contains(res.stdout, im.String()) || !strings.Contains(res.stdout, group.name) {
				t.Errorf("no line for %s of %v:\n%s", group.name, im, res.stdout)
			}
		}
	}
}

// The answers are right by an independent reckoning, so a group that passes means something.
func TestAnswers(t *testing.T) {
	for i, a := range aesAnswers {
		block, err := aes.NewCipher(unhex(a.key))
		if err != nil {
			t.Fatal(err)
		}
		var got [aes.BlockSize]byte
		block.Encrypt(got[:], unhex(a.plaintext))
		if hex.EncodeToString(got[:]) != a.ciphertext {
			t.Errorf("AES answer %d: crypto/aes says %x", i, got)
		}
	}
	for i, a := range gcmAnswers {
		block, err := aes.NewCipher(unhex(a.key))
		if err != nil {
			t.Fatal(err)
		}
		aead, err := cipher.NewGCMWithNonceSize(block, len(a.nonce)/2)
		if err != nil {
			t.Fatal(err)
		}
		got := hex.EncodeToString(aead.Seal(nil, unhex(a.nonce), unhex(a.plaintext), unhex(a.ad)))
		if got != a.ciphertext+a.tag {
			t.Errorf("GCM answer %d: crypto/cipher says %s", i+1, got)
		}
	}
	_, digest, err := sweepDigest(func(key []byte, nonceSize int) (cipher.AEAD, error) {
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, err
		}
		return cipher.NewGCMWithNonceSize(block, nonceSize)
	})
	if err != nil || digest != sweepAnswer {
		t.Errorf("digest of the sweep: crypto/cipher says %s, %v", digest, err)
	}
}

func TestHashAnswers(t *testing.T) {
	for _, a := range hashAnswers {
		order := reversed
		if a.function == "GHASH" {
			order = func(b []byte) []byte { return b }
		}
		if got := hex.EncodeToString(order(schoolbookGHASH(order(unhex(a.key)), a.data, order, a.function))); got != a.hash {
			t.Errorf("%s of %s: %s by hand, not %s", a.function, a.data, got, a.hash)
		}
	}
}

// schoolbookGHASH multiplies bit by bit, in GHASH's order of bits. POLYVAL is GHASH of reversed blocks under
// the key times x (RFC 8452, appendix A).
func schoolbookGHASH(key []byte, data string, order func([]byte) []byte, function string) []byte {
	const bits = 128
	r := new(big.Int).Lsh(big.NewInt(0xe1), bits-8)
	timesX := func(v *big.Int) {
		carry := v.Bit(0)
		v.Rsh(v, 1)
		if carry == 1 {
			v.Xor(v, r)
		}
	}
	h := new(big.Int).SetBytes(key)
	if function == "POLYVAL" {
		timesX(h)
	}
	acc := new(big.Int)
	blocks := unhex(data)
	for i := 0; i < len(blocks); i += 16 {
		acc.Xor(acc, new(big.Int).SetBytes(order(blocks[i:i+16])))
		product, v := new(big.Int), new(big.Int).Set(h)
		for bit := bits - 1; bit >= 0; bit-- {
			if acc.Bit(bit) == 1 {
				product.Xor(product, v)
			}
			timesX(v)
		}
		acc = product
	}
	return acc.FillBytes(make([]byte, 16))
}

func reversed(b []byte) []byte {
	out := make([]byte, len(b))
	for i := range b {
		out[len(b)-1-i] = b[i]
	}
	return out
}

func TestSelfTestFailingWrite(t *testing.T) {
	full := errors.New("disk full")
	for _, limit := range []int{0, 1, 100} {
		var stderr bytes.Buffer
		status := run([]string{"test", "--impl", arch.Best().String()}, nil, &limitedWriter{limit: limit, err: full}, &stderr)
		if status == 0 || !strings.Contains(stderr.String(), full.Error()) {
			t.Errorf("exit status %d, error %q", status, stderr.String())
		}
	}
}

// A wrong answer is seen, and fails the command.
func TestSelfTestFails(t *testing.T) {
	saved := gcmAnswers[3].tag
	defer func() { gcmAnswers[3].tag = saved }()
	gcmAnswers[3].tag = zeroBlock
	res := lamina(t, "", "test", "--impl", arch.Best().String())
	res.fails(t, "answers are wrong")
	if !strings.Contains(res.stdout, "FAIL") || !strings.Contains(res.stdout, "test case 4") {
		t.Errorf("the output does not say which answer is wrong:\n%s", res.stdout)
	}
}
