// Package textbook has every mode of the library once more, written down from the specifications over the block
// cipher of crypto/aes: a byte, a bit or a block at a time, and with nothing that would make it fast. It is what
// tests compare with. It uses nothing of the library, and nothing but tests uses it.
package textbook

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
)

// Mode is a mode with its sizes in bytes, and encryption by it.
type Mode struct {
	Name string
	Keys []int // sizes of keys
	IVs  []int // sizes of the nonce, IV, counter or tweak; nil if the mode has none
	Tags []int // sizes of the tag; nil if the mode has none

	// Text has at least MinText bytes, at most MaxText unless that is 0, and a multiple of Unit. Unit is 0 in
	// modes that encrypt no text.
	MinText, MaxText, Unit int
	// AD tells that the mode has associated data. The message of a MAC counts as that, and one has no text.
	AD bool

	// Encrypt returns ciphertext, tag, and what the IV becomes for a message that continues this one: for
	// modes that continue nothing, what it was.
	Encrypt func(key, iv, text, ad []byte, tagSize int) (out, tag, next []byte)
}

// Fits returns the greatest length of a text that the mode has and that is at most n. It is less than MinText if
// there is none.
func (m Mode) Fits(n int) int {
	if m.Unit == 0 {
		return 0
	}
	if m.MaxText > 0 {
		n = min(n, m.MaxText)
	}
	return n - n%m.Unit
}

// The modes of the library.
var (
	ECB = Mode{Name: "ECB", Keys: aesKeys, Unit: 16, Encrypt: encryptECB}
	CBC = Mode{Name: "CBC", Keys: aesKeys, IVs: []int{16}, Unit: 16, Encrypt: encryptCBC}
	CTS = Mode{Name: "CBC-CTS", Keys: aesKeys, IVs: []int{16}, MinText: 16, Unit: 1, Encrypt: encryptCTS}
	CTR = Mode{Name: "CTR", Keys: aesKeys, IVs: []int{16}, Unit: 1, Encrypt: encryptCTR}
	// XCTR has the counter, little-endian, and the IV behind it for an IV.
	XCTR = Mode{Name: "XCTR", Keys: aesKeys, IVs: []int{24}, Unit: 1, Encrypt: encryptXCTR}
	XTS  = Mode{Name: "XTS", Keys: []int{32, 48, 64}, IVs: []int{16}, MinText: 16, Unit: 1, Encrypt: encryptXTS}
	GCM  = Mode{Name: "GCM", Keys: aesKeys, IVs: []int{12, 16, 1, 13, 60}, Tags: []int{16, 15, 14, 13, 12, 8, 4},
		Unit: 1, AD: true, Encrypt: encryptGCM}
	CCM = Mode{Name: "CCM", Keys: aesKeys, IVs: []int{12, 13, 7, 8, 9, 10, 11}, Tags: []int{16, 14, 12, 10, 8, 6, 4},
		MaxText: 1<<16 - 1, Unit: 1, AD: true, Encrypt: encryptCCM}
	CMAC    = Mode{Name: "CMAC", Keys: aesKeys, Tags: macTags, AD: true, Encrypt: macOnly(cmac)}
	XCBCMAC = Mode{Name: "XCBC-MAC", Keys: []int{16}, Tags: macTags, AD: true, Encrypt: macOnly(xcbcMAC)}
	// GHASH and POLYVAL take the hash key for a key, and fill up the last block of the message with zeros.
	GHASH   = Mode{Name: "GHASH", Keys: []int{16}, Tags: []int{16}, AD: true, Encrypt: macOnly(ghash)}
	POLYVAL = Mode{Name: "POLYVAL", Keys: []int{16}, Tags: []int{16}, AD: true, Encrypt: macOnly(polyval)}

	aesKeys = []int{16, 24, 32}
	macTags = []int{16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4}
)

// Modes returns all modes.
func Modes() []Mode {
	return []Mode{ECB, CBC, CTS, CTR, XCTR, XTS, GCM, CCM, CMAC, XCBCMAC, GHASH, POLYVAL}
}

// macOnly makes a mode of a MAC.
func macOnly(mac func(key, data []byte) []byte) func(key, iv, text, ad []byte, tagSize int) (_, _, _ []byte) {
	return func(key, _, _, ad []byte, tagSize int) (out, tag, next []byte) {
		return nil, mac(key, ad)[:tagSize], nil
	}
}

func newAES(key []byte) cipher.Block {
	b, err := aes.NewCipher(key)
	if err != nil {
		panic(err)
	}
	return b
}

// encrypted and decrypted are one block through the block cipher.
func encrypted(b cipher.Block, block []byte) []byte {
	out := make([]byte, 16)
	b.Encrypt(out, block)
	return out
}

func decrypted(b cipher.Block, block []byte) []byte {
	out := make([]byte, 16)
	b.Decrypt(out, block)
	return out
}

// xor adds two strings, as far as the shorter one goes.
func xor(x, y []byte) []byte {
	out := make([]byte, min(len(x), len(y)))
	for i := range out {
		out[i] = x[i] ^ y[i]
	}
	return out
}

// padded fills up the last block with zeros.
func padded(data []byte) []byte { return append(bytes.Clone(data), make([]byte, -len(data)&15)...) }

// blocks cuts a string into blocks. The last may be a part of one.
func blocks(data []byte) (list [][]byte) {
	for ; len(data) > 16; data = data[16:] {
		list = append(list, data[:16])
	}
	if len(data) > 0 {
		list = append(list, data)
	}
	return list
}

// bigEndian is n in size bytes.
func bigEndian(n uint64, size int) []byte {
	all := binary.BigEndian.AppendUint64(make([]byte, 8), n)
	return all[16-size:]
}
