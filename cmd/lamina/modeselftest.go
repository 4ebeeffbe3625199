package main

import (
	"bytes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"lamina/arch"
	"lamina/lib/aescbc"
	"lamina/lib/aesccm"
	"lamina/lib/aescmac"
	"lamina/lib/aesctr"
	"lamina/lib/aesxts"
)

// crypter is a mode under one key: functions that work on text in place. iv is the counter block, the IV or
// the tweak. Of a MAC, encrypt returns the tag, and decrypt is nil.
type crypter struct {
	encrypt, decrypt func(iv [16]byte, text []byte) []byte
}

// modeTest is what there is to check of a mode.
type modeTest struct {
	name    string
	answers []modeAnswer
	// The digest of many texts, see sweep. A Go program without Lamina gives the same.
	digest   string
	keySizes []int
	accepts  func(n int) bool
	ours     func(im arch.Impl, key []byte) (crypter, error)
}

var (
	aesKeySizes = []int{16, 24, 32}
	xtsKeySizes = []int{32, 48, 64}
)

func anyLength(int) bool         { return true }
func lengthOfBlocks(n int) bool  { return n%16 == 0 }
func lengthFromBlock(n int) bool { return n >= 16 }

var modeTests = []modeTest{
	{"CTR", ctrAnswers, ctrDigest, aesKeySizes, anyLength, ctrCrypter},
	{"XCTR", xctrAnswers, xctrDigest, aesKeySizes, anyLength, xctrCrypter},
	{"XTS", xtsAnswers, xtsDigest, xtsKeySizes, lengthFromBlock, xtsCrypter},
	{"CBC", cbcAnswers, cbcDigest, aesKeySizes, lengthOfBlocks, cbcCrypter},
	{"CBC-CTS", ctsAnswers, ctsDigest, aesKeySizes, lengthFromBlock, ctsCrypter},
	{"CMAC", nil, cmacDigest, aesKeySizes, anyLength, cmacCrypter},
	{"XCBC-MAC", nil, xcbcDigest, []int{16}, anyLength, xcbcCrypter},
}

// modeGroups are the groups of known answers of the modes other than GCM.
func modeGroups() (groups []selfTestGroup) {
	for _, m := range modeTests {
		if m.answers != nil {
			groups = append(groups, selfTestGroup{m.name, m.checkAnswers})
		}
		if m.name == "CMAC" {
			groups = append(groups, selfTestGroup{"CMAC, XCBC-MAC", checkMAC})
		}
		groups = append(groups, selfTestGroup{m.name + ", all lengths", m.checkDigest})
	}
	return append(groups, selfTestGroup{"CCM", checkCCM}, selfTestGroup{"CCM, all lengths", checkCCMDigest})
}

func (m modeTest) checkAnswers(im arch.Impl) (int, error) {
	for i, a := range m.answers {
		c, err := m.ours(im, unhex(a.key))
		if err != nil {
			return i, err
		}
		iv, plaintext, ciphertext := [16]byte(unhex(a.iv)), unhex(a.plaintext), unhex(a.ciphertext)
		if got := c.encrypt(iv, bytes.Clone(plaintext)); !bytes.Equal(got, ciphertext) {
			return i, fmt.Errorf("answer %d: the ciphertext is %x, not %s", i+1, got, a.ciphertext)
		}
		if got := c.decrypt(iv, bytes.Clone(ciphertext)); !bytes.Equal(got, plaintext) {
			return i, fmt.Errorf("answer %d: the plaintext is %x, not %s", i+1, got, a.plaintext)
		}
	}
	return len(m.answers), nil
}

func (m modeTest) checkDigest(im arch.Impl) (int, error) {
	n, digest, err := m.sweep(func(key []byte) (crypter, error) { return m.ours(im, key) })
	if err == nil && digest != m.digest {
		err = fmt.Errorf("the digest of all texts is %s, not %s", digest, m.digest)
	}
	return n, err
}

// sweep encrypts and decrypts a text of each length that matters, under keys of each size, and returns how
// many there were and the SHA-256 of all that was encrypted. A third of the IVs end in bits that are set, so
// that a counter carries.
func (m modeTest) sweep(newCrypter func(key []byte) (crypter, error)) (n int, digest string, err error) {
	hash := sha256.New()
	data := patterned(16500)
	for _, keySize := range m.keySizes {
		c, err := newCrypter(data[:keySize])
		if err != nil {
			return n, "", err
		}
		for _, size := range sweepLengths() {
			if !m.accepts(size) {
				continue
			}
			iv := [16]byte(data[size%251:])
			if size%3 == 0 {
				for i := 2 + size%14; i < len(iv); i++ {
					iv[i] = 0xff
				}
			}
			text := bytes.Clone(data[:size])
			out := c.encrypt(iv, text)
			hash.Write(out)
			if c.decrypt != nil && !bytes.Equal(c.decrypt(iv, out), data[:size]) {
				return n, "", fmt.Errorf("%d bytes under a key of %d do not decrypt to what was encrypted", size, keySize)
			}
			n++
		}
	}
	return n, hex.EncodeToString(hash.Sum(nil)), nil
}

func ctrCrypter(im arch.Impl, key []byte) (crypter, error) {
	k := laminaKey(im, key)
	crypt := func(iv [16]byte, text []byte) []byte {
		aesctr.CTR(&k.EncKey, &iv, text, text)
		return text
	}
	return crypter{crypt, crypt}, nil
}

func xctrCrypter(im arch.Impl, key []byte) (crypter, error) {
	k := laminaKey(im, key)
	crypt := func(iv [16]byte, text []byte) []byte {
		counter := uint64(1)
		aesctr.XCTR(&k.EncKey, &counter, &iv, text, text)
		return text
	}
	return crypter{crypt, crypt}, nil
}

func xtsCrypter(im arch.Impl, key []byte) (crypter, error) {
	k := new(aesxts.Key)
	err := k.InitImpl(im, key)
	return crypter{
		func(iv [16]byte, text []byte) []byte { k.Encrypt(text, text, &iv); return text },
		func(iv [16]byte, text []byte) []byte { k.Decrypt(text, text, &iv); return text },
	}, err
}

func cbcCrypter(im arch.Impl, key []byte) (crypter, error) {
	k := laminaKey(im, key)
	return crypter{
		func(iv [16]byte, text []byte) []byte { aescbc.Encrypt(&k.EncKey, &iv, text, text); return text },
		func(iv [16]byte, text []byte) []byte { aescbc.Decrypt(k, &iv, text, text); return text },
	}, nil
}

func ctsCrypter(im arch.Impl, key []byte) (crypter, error) {
	k := laminaKey(im, key)
	return crypter{
		func(iv [16]byte, text []byte) []byte { aescbc.EncryptCTS(&k.EncKey, &iv, text, text); return text },
		func(iv [16]byte, text []byte) []byte { aescbc.DecryptCTS(k, &iv, text, text); return text },
	}, nil
}

func macCrypter(k *aescmac.Key) crypter {
	return crypter{encrypt: func(_ [16]byte, text []byte) []byte {
		tag := k.Sum(text)
		return tag[:]
	}}
}

func cmacCrypter(im arch.Impl, key []byte) (crypter, error) {
	return macCrypter(laminaCMAC(im, key)), nil
}

func xcbcCrypter(im arch.Impl, key []byte) (crypter, error) {
	return macCrypter(laminaXCBC(im, key)), nil
}

func checkMAC(im arch.Impl) (int, error) {
	for i, a := range macAnswers {
		k := laminaCMAC(im, unhex(a.key))
		if a.function == "XCBC-MAC" {
			k = laminaXCBC(im, unhex(a.key))
		}
		tag := k.Sum(unhex(a.data))
		if hex.EncodeToString(tag[:]) != a.tag {
			return i, fmt.Errorf("answer %d: %s of %d bytes is %x, not %s", i+1, a.function, len(a.data)/2, tag, a.tag)
		}
		if err := k.Verify(unhex(a.data), tag[:]); err != nil {
			return i, fmt.Errorf("answer %d: %w", i+1, err)
		}
	}
	return len(macAnswers), nil
}

func checkCCM(im arch.Impl) (int, error) {
	for i, a := range ccmAnswers {
		nonce, sealed := unhex(a.nonce), unhex(a.sealed)
		k := new(aesccm.Key)
		if err := k.InitImpl(im, unhex(ccmKey), len(nonce), len(sealed)-len(a.plaintext)/2); err != nil {
			return i, err
		}
		if err := checkOneShot(k, nonce, unhex(a.ad), unhex(a.plaintext), sealed); err != nil {
			return i, fmt.Errorf("answer %d: %w", i+1, err)
		}
	}
	return len(ccmAnswers), nil
}

func checkCCMDigest(im arch.Impl) (int, error) {
	n, digest, err := sweepDigest(func(key []byte, nonceSize int) (cipher.AEAD, error) {
		k := new(aesccm.Key)
		return k, k.InitImpl(im, key, nonceSize, tagSize)
	})
	if err == nil && digest != ccmDigest {
		err = fmt.Errorf("the digest of the sealed messages is %s, not %s", digest, ccmDigest)
	}
	return n, err
}
