package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"

	"lamina/arch"
	"lamina/cmd/internal/blockloop"
)

// The answers of the other modes are right by programs that share nothing with Lamina: crypto/cipher, plain
// loops over crypto/aes, and an XTS of this test.
func TestModeAnswers(t *testing.T) {
	for _, m := range modeTests {
		reference := referenceCrypters[m.name]
		for i, a := range m.answers {
			c, err := reference(unhex(a.key))
			if err != nil {
				t.Fatal(err)
			}
			if got := hex.EncodeToString(c.encrypt([16]byte(unhex(a.iv)), unhex(a.plaintext))); got != a.ciphertext {
				t.Errorf("%s answer %d: the reference says %s", m.name, i+1, got)
			}
		}
		if _, digest, err := m.sweep(reference); err != nil || digest != m.digest {
			t.Errorf("digest of %s: the reference says %s, %v", m.name, digest, err)
		}
	}
	for i, a := range macAnswers {
		name := a.function
		c, err := referenceCrypters[name](unhex(a.key))
		if err != nil {
			t.Fatal(err)
		}
		if got := hex.EncodeToString(c.encrypt([16]byte{}, unhex(a.data))); got != a.tag {
			t.Errorf("%s answer %d: the reference says %s", name, i+1, got)
		}
	}
	for i, a := range ccmAnswers {
		nonce, sealed := unhex(a.nonce), unhex(a.sealed)
		aead := blockloop.NewCCM(standardBlock(unhex(ccmKey)), len(nonce), len(sealed)-len(a.plaintext)/2)
		if err := checkOneShot(aead, nonce, unhex(a.ad), unhex(a.plaintext), sealed); err != nil {
			t.Errorf("CCM answer %d: the reference: %v", i+1, err)
		}
	}
	_, digest, err := sweepDigest(func(key []byte, nonceSize int) (cipher.AEAD, error) {
		return blockloop.NewCCM(standardBlock(key), nonceSize, tagSize), nil
	})
	if err != nil || digest != ccmDigest {
		t.Errorf("digest of CCM: the reference says %s, %v", digest, err)
	}
}

// referenceCrypters only encrypt.
var referenceCrypters = map[string]func(key []byte) (crypter, error){
	"CTR":  reference(func(b cipher.Block, iv, text []byte) { cipher.NewCTR(b, iv).XORKeyStream(text, text) }),
	"XCTR": reference(func(b cipher.Block, iv, text []byte) { blockloop.XCTR(b, (*[16]byte)(iv), text, text) }),
	"XTS": func(key []byte) (crypter, error) {
		text, tweak := standardBlock(key[:len(key)/2]), standardBlock(key[len(key)/2:])
		return crypter{encrypt: func(iv [16]byte, data []byte) []byte {
			referenceXTS(text, tweak, iv, data)
			return data
		}}, nil
	},
	"CBC":     reference(func(b cipher.Block, iv, text []byte) { cipher.NewCBCEncrypter(b, iv).CryptBlocks(text, text) }),
	"CBC-CTS": reference(func(b cipher.Block, iv, text []byte) { blockloop.CTSEncrypt(b, iv, text, text) }),
	"CMAC":    func(key []byte) (crypter, error) { return referenceMAC(blockloop.NewCMAC(standardBlock(key))), nil },
	"XCBC-MAC": func(key []byte) (crypter, error) {
		m, err := blockloop.NewXCBC(aes.NewCipher, key)
		return referenceMAC(m), err
	},
}

func reference(encrypt func(b cipher.Block, iv, text []byte)) func(key []byte) (crypter, error) {
	return func(key []byte) (crypter, error) {
		b := standardBlock(key)
		return crypter{encrypt: func(iv [16]byte, text []byte) []byte {
			encrypt(b, iv[:], text)
			return text
		}}, nil
	}
}

func referenceMAC(m *blockloop.MAC) crypter {
	return crypter{encrypt: func(_ [16]byte, text []byte) []byte {
		var tag [16]byte
		m.Sum(&tag, text)
		return tag[:]
	}}
}

// referenceXTS encrypts data in place, block by block, as IEEE 1619 writes it down: x/crypto/xts takes
// neither tweaks of 128 bits nor lengths that steal.
func referenceXTS(text, tweak cipher.Block, iv [16]byte, data []byte) {
	tweak.Encrypt(iv[:], iv[:])
	block := func(b []byte) {
		subtle.XORBytes(b, b, iv[:])
		text.Encrypt(b, b)
		subtle.XORBytes(b, b, iv[:])
		lo, hi := binary.LittleEndian.Uint64(iv[:]), binary.LittleEndian.Uint64(iv[8:])
		binary.LittleEndian.PutUint64(iv[:], lo<<1^(hi>>63)*0x87)
		binary.LittleEndian.PutUint64(iv[8:], hi<<1|lo>>63)
	}
	whole := len(data) / 16 * 16
	for i := 0; i < whole; i += 16 {
		block(data[i : i+16])
	}
	if rest := data[whole:]; len(rest) > 0 {
		last := data[whole-16 : whole]
		for i := range rest {
			rest[i], last[i] = last[i], rest[i]
		}
		block(last)
	}
}

// A wrong answer of each group is seen.
func TestModeSelfTestFails(t *testing.T) {
	for _, answer := range []*string{
		&ctrAnswers[2].ciphertext, &xctrAnswers[0].ciphertext, &cbcAnswers[1].ciphertext, &ctsAnswers[5].ciphertext,
		&xtsAnswers[6].ciphertext, &macAnswers[3].tag, &macAnswers[18].tag, &ccmAnswers[3].sealed,
	} {
		saved := *answer
		*answer = "00" + saved[2:]
		failed := 0
		for _, group := range modeGroups() {
			if strings.Contains(group.name, "lengths") {
				continue
			}
			if _, err := group.check(arch.Best()); err != nil {
				failed++
			}
		}
		if failed != 1 {
			t.Errorf("%d groups fail for the answer %.32s", failed, *answer)
		}
		*answer = saved
	}
}
