package main

import (
	"bytes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"lamina/arch"
	"lamina/lib/aes"
	"lamina/lib/aesgcm"
	"lamina/lib/ghash"
)

func newTest() *cobra.Command {
	var names []string
	var api bool
	cmd := &cobra.Command{
		Use:   "test",
		Short: "Check known answers with every implementation",
		Long: "test computes known answers with every implementation that this CPU can run: AES (FIPS 197), GHASH and POLYVAL\n" +
			"(RFC 8452), GCM (the specification's test cases), CTR and CBC (SP 800-38A), XCTR, XTS (IEEE 1619), CBC-CTS (RFC 3962),\n" +
			"CMAC (SP 800-38B), XCBC-MAC (RFC 3566) and CCM (SP 800-38C). Then, for each mode, a digest over messages of every\n" +
			"length up to 1100 bytes and around 4096 and 16384, which takes every way through the code. Its exit status is 1 if\n" +
			"one is wrong.\n\n" +
			"With --api it tests the drivers of the request layer instead: it runs their self-tests, and compares messages in\n" +
			"segments of many layouts, done by requests and by workers, with what direct calls make of them.",
		Example: "  lamina test\n  lamina test --impl vaes-avx2\n  lamina test --api",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			impls, err := lookupImpls(names)
			if err != nil {
				return err
			}
			if api {
				return testDrivers(cmd.OutOrStdout(), impls)
			}
			return selfTest(cmd.OutOrStdout(), impls)
		},
	}
	cmd.Flags().StringSliceVar(&names, "impl", nil, "implementations (default all that this CPU can run)")
	cmd.Flags().BoolVar(&api, "api", false, "test the drivers of the request layer")
	return cmd
}

// selfTestGroup is a group of known answers. check returns how many it checked, and what was wrong.
type selfTestGroup struct {
	name  string
	check func(arch.Impl) (int, error)
}

var selfTests = append([]selfTestGroup{
	{"AES", checkAES},
	{"GHASH, POLYVAL", checkHash},
	{"AES-GCM", checkGCM},
	{"AES-GCM, all lengths", checkSweep},
}, modeGroups()...)

func selfTest(w io.Writer, impls []arch.Impl) error {
	failed := 0
	for _, im := range impls {
		for _, t := range selfTests {
			n, err := t.check(im)
			line := fmt.Sprintf("ok    %-16s  %s: %d answers\n", im, t.name, n)
			if err != nil {
				failed++
				line = fmt.Sprintf("FAIL  %-16s  %s: %v\n", im, t.name, err)
			}
			if _, err := io.WriteString(w, line); err != nil {
				return err
			}
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d groups of known answers are wrong: do not use this program on this machine", failed,
			len(impls)*len(selfTests))
	}
	return nil
}

func checkAES(im arch.Impl) (int, error) {
	n := 0
	for _, a := range aesAnswers {
		var k aes.Key
		if err := k.InitImpl(im, unhex(a.key)); err != nil {
			return n, err
		}
		plaintext, ciphertext := unhex(a.plaintext), unhex(a.ciphertext)
		// As one block, and as blocks enough for the widest code and its remainder.
		for _, blocks := range []int{1, 2, 7, 33} {
			p, c := bytes.Repeat(plaintext, blocks), bytes.Repeat(ciphertext, blocks)
			out := make([]byte, len(p))
			k.EncryptBlocks(out, p)
			if !bytes.Equal(out, c) {
				return n, fmt.Errorf("%d blocks under a %d-bit key encrypt to the wrong ciphertext", blocks, len(a.key)*4)
			}
			k.DecryptBlocks(out, c)
			if !bytes.Equal(out, p) {
				return n, fmt.Errorf("%d blocks under a %d-bit key decrypt to the wrong plaintext", blocks, len(a.key)*4)
			}
			n += 2
		}
	}
	return n, nil
}

func checkHash(im arch.Impl) (int, error) {
	for i, a := range hashAnswers {
		var k ghash.Key
		key := [16]byte(unhex(a.key))
		if a.function == "GHASH" {
			k.InitImpl(im, &key)
		} else {
			k.InitPOLYVALImpl(im, &key)
		}
		h := ghash.New(&k)
		h.Update(unhex(a.data))
		var sum [16]byte
		h.Sum(&sum)
		if hex.EncodeToString(sum[:]) != a.hash {
			return i, fmt.Errorf("%s of %s is %x, not %s", a.function, a.data, sum, a.hash)
		}
	}
	return len(hashAnswers), nil
}

func checkGCM(im arch.Impl) (int, error) {
	for i, a := range gcmAnswers {
		if err := a.check(im); err != nil {
			return i, fmt.Errorf("test case %d: %w", i+1, err)
		}
	}
	return len(gcmAnswers), nil
}

func (a gcmAnswer) check(im arch.Impl) error {
	var k aesgcm.Key
	if err := k.InitImpl(im, unhex(a.key), tagSize); err != nil {
		return err
	}
	nonce, ad, plaintext, ciphertext, tag := unhex(a.nonce), unhex(a.ad), unhex(a.plaintext), unhex(a.ciphertext), unhex(a.tag)
	text, gotTag := make([]byte, len(plaintext)), make([]byte, tagSize)
	k.Encrypt(text, gotTag, nonce, plaintext, ad)
	if !bytes.Equal(text, ciphertext) {
		return fmt.Errorf("the ciphertext is %x, not %s", text, a.ciphertext)
	}
	if !bytes.Equal(gotTag, tag) {
		return fmt.Errorf("the tag is %x, not %s", gotTag, a.tag)
	}
	if err := k.Decrypt(text, nonce, ciphertext, tag, ad); err != nil {
		return fmt.Errorf("it does not open: %w", err)
	}
	if !bytes.Equal(text, plaintext) {
		return fmt.Errorf("the plaintext is %x, not %s", text, a.plaintext)
	}
	if len(nonce) != nonceSize {
		return nil
	}
	return checkOneShot(&k, nonce, ad, plaintext, append(ciphertext, tag...))
}

// checkOneShot is for 12-byte nonces, which have code of their own.
func checkOneShot(aead cipher.AEAD, nonce, ad, plaintext, sealed []byte) error {
	if got := aead.Seal(nil, nonce, plaintext, ad); !bytes.Equal(got, sealed) {
		return fmt.Errorf("sealed in one call it is %x, not %x", got, sealed)
	}
	got, err := aead.Open(nil, nonce, sealed, ad)
	if err != nil {
		return fmt.Errorf("it does not open in one call: %w", err)
	}
	if !bytes.Equal(got, plaintext) {
		return fmt.Errorf("opened in one call it is %x, not %x", got, plaintext)
	}
	forged := bytes.Clone(sealed)
	forged[len(forged)-1] ^= 1
	if _, err := aead.Open(nil, nonce, forged, ad); err == nil {
		return errors.New("a forged tag opens")
	}
	return nil
}

func checkSweep(im arch.Impl) (int, error) {
	n, digest, err := sweepDigest(func(key []byte, nonceSize int) (cipher.AEAD, error) {
		k := new(aesgcm.Key)
		err := k.InitImpl(im, key, tagSize)
		if nonceSize != aesgcm.NonceSize {
			return anyNonce{k}, err
		}
		return k, err
	})
	if err == nil && digest != sweepAnswer {
		err = fmt.Errorf("the digest of the sealed messages is %s, not %s", digest, sweepAnswer)
	}
	return n, err
}

// anyNonce makes a cipher.AEAD of Encrypt and Decrypt, which take nonces of all sizes and go through other code than
// Seal and Open.
type anyNonce struct{ *aesgcm.Key }

func (a anyNonce) Seal(_, nonce, plaintext, ad []byte) []byte {
	n := len(plaintext)
	sealed := make([]byte, n+tagSize)
	a.Encrypt(sealed[:n], sealed[n:], nonce, plaintext, ad)
	return sealed
}

func (a anyNonce) Open(_, nonce, sealed, ad []byte) ([]byte, error) {
	n := len(sealed) - tagSize
	plaintext := make([]byte, n)
	return plaintext, a.Decrypt(plaintext, nonce, sealed[:n], sealed[n:], ad)
}

// sweepDigest seals and opens a message of each length that matters, under keys of each size, with nonces of 12 bytes
// and of 8, and returns how many there were and the SHA-256 of all that was sealed.
func sweepDigest(newAEAD func(key []byte, nonceSize int) (cipher.AEAD, error)) (n int, digest string, err error) {
	hash := sha256.New()
	data := patterned(16500)
	for _, keySize := range []int{16, 24, 32} {
		for _, nonceSize := range []int{12, 8} {
			aead, err := newAEAD(data[:keySize], nonceSize)
			if err != nil {
				return n, "", err
			}
			for _, size := range sweepLengths() {
				nonce, ad, plaintext := data[size%251:][:nonceSize], data[size%7:][:size%80], data[:size]
				sealed := aead.Seal(nil, nonce, plaintext, ad)
				hash.Write(sealed)
				opened, err := aead.Open(nil, nonce, sealed, ad)
				if err != nil || !bytes.Equal(opened, plaintext) {
					return n, "", fmt.Errorf("%d bytes under a %d-bit key and a nonce of %d bytes do not open to what was sealed",
						size, keySize*8, nonceSize)
				}
				n++
			}
		}
	}
	return n, hex.EncodeToString(hash.Sum(nil)), nil
}

func sweepLengths() []int {
	var lengths []int
	for _, span := range [][2]int{{0, 1100}, {4080, 4112}, {16380, 16400}} {
		for n := span[0]; n <= span[1]; n++ {
			lengths = append(lengths, n)
		}
	}
	return lengths
}

// unhex decodes a constant of this program.
func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}
