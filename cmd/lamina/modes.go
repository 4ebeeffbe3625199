package main

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"

	"golang.org/x/crypto/xts"

	"lamina/arch"
	"lamina/cmd/internal/blockloop"
	laminaaes "lamina/lib/aes"
	"lamina/lib/aescbc"
	"lamina/lib/aesccm"
	"lamina/lib/aescmac"
	"lamina/lib/aesctr"
	"lamina/lib/aesxts"
)

// mode is a mode of AES other than GCM, and what it is compared with.
type mode struct {
	name     string // of --mode
	title    string
	standard string   // what a Go user has today
	ops      []string // one or two
	accepts  func(c modeCase) bool
	ours     func(im arch.Impl, c modeCase) func(n int)
	theirs   func(c modeCase) func(n int) // nil where the standard does not take the case
}

// modeCase is what a message of some mode is like.
type modeCase struct {
	KeyBits int    `json:"key_bits"`
	Op      string `json:"op"`
	Bytes   int    `json:"bytes"`
}

func (c modeCase) key() []byte { return patterned(c.KeyBits / 8) }

// buffer returns the text, which is worked on in place.
func (c modeCase) buffer() []byte {
	buf := alignedBytes(c.Bytes, 0)
	copy(buf, patterned(c.Bytes))
	return buf
}

const (
	standardCipher = "crypto/cipher"
	standardXTS    = "x/crypto/xts"
	standardLoop   = "loop over cipher.Block"
)

var (
	bothWays    = []string{"encrypt", "decrypt"}
	sealAndOpen = []string{"seal", "open"}
)

// modes are those that speed can measure. In CTR and XCTR both ways are the same.
var modes = []mode{
	{"ctr", "CTR", standardCipher, []string{"encrypt"}, notEmpty, ctrSide, standardCTRSide},
	{"xctr", "XCTR", standardLoop, []string{"encrypt"}, notEmpty, xctrSide, standardXCTRSide},
	{"xts", "XTS", standardXTS, bothWays, fromOneBlock, xtsSide, standardXTSSide},
	{"cbc", "CBC", standardCipher, bothWays, wholeBlocks, cbcSide, standardCBCSide},
	{"cts", "CBC-CTS", standardLoop, bothWays, fromOneBlock, ctsSide, standardCTSSide},
	{"cmac", "CMAC", standardLoop, []string{"sum"}, notEmpty, cmacSide, standardCMACSide},
	{"xcbc", "XCBC-MAC", standardLoop, []string{"sum"}, onlyAES128, xcbcSide, standardXCBCSide},
	{"ccm", "CCM", standardLoop, sealAndOpen, withinCCM, ccmSide, standardCCMSide},
}

func modeNames() []string {
	var names []string
	for _, m := range modes {
		names = append(names, m.name)
	}
	return names
}

func findMode(name string) mode {
	for _, m := range modes {
		if m.name == name {
			return m
		}
	}
	panic("no mode " + name)
}

func notEmpty(c modeCase) bool     { return c.Bytes > 0 }
func fromOneBlock(c modeCase) bool { return c.Bytes >= aes.BlockSize }
func wholeBlocks(c modeCase) bool  { return c.Bytes > 0 && c.Bytes%aes.BlockSize == 0 }
func onlyAES128(c modeCase) bool   { return c.Bytes > 0 && c.KeyBits == 128 }

// withinCCM leaves out what nonces of 12 bytes have no counters for.
func withinCCM(c modeCase) bool { return c.Bytes > 0 && c.Bytes < 1<<24 }

func standardBlock(key []byte) cipher.Block {
	block, err := aes.NewCipher(key)
	must(err)
	return block
}

func laminaKey(im arch.Impl, key []byte) *laminaaes.Key {
	k := new(laminaaes.Key)
	must(k.InitImpl(im, key))
	return k
}

// Each side below returns a function that does n messages, one call each, with a new counter, IV or number
// for each.

// messageIV returns the IV of a message: its number, and zeros.
func messageIV(number uint64) (iv [aes.BlockSize]byte) {
	binary.BigEndian.PutUint64(iv[:], number)
	return iv
}

func ctrSide(im arch.Impl, c modeCase) func(n int) {
	k, buf, number := laminaKey(im, c.key()), c.buffer(), uint64(0)
	return func(n int) {
		for range n {
			number++
			iv := messageIV(number)
			aesctr.CTR(&k.EncKey, &iv, buf, buf)
		}
	}
}

func standardCTRSide(c modeCase) func(n int) {
	block, buf, number := standardBlock(c.key()), c.buffer(), uint64(0)
	return func(n int) {
		for range n {
			number++
			iv := messageIV(number)
			cipher.NewCTR(block, iv[:]).XORKeyStream(buf, buf)
		}
	}
}

func xctrSide(im arch.Impl, c modeCase) func(n int) {
	k, buf, number := laminaKey(im, c.key()), c.buffer(), uint64(0)
	return func(n int) {
		for range n {
			number++
			iv, counter := messageIV(number), uint64(1)
			aesctr.XCTR(&k.EncKey, &counter, &iv, buf, buf)
		}
	}
}

func standardXCTRSide(c modeCase) func(n int) {
	block, buf, number := standardBlock(c.key()), c.buffer(), uint64(0)
	return func(n int) {
		for range n {
			number++
			iv := messageIV(number)
			blockloop.XCTR(block, &iv, buf, buf)
		}
	}
}

// xtsKey is two keys of c's size that differ.
func xtsKey(c modeCase) []byte { return patterned(2 * c.KeyBits / 8) }

func laminaXTS(im arch.Impl, c modeCase) *aesxts.Key {
	k := new(aesxts.Key)
	must(k.InitImpl(im, xtsKey(c)))
	return k
}

func standardXTSCipher(c modeCase) *xts.Cipher {
	k, err := xts.NewCipher(aes.NewCipher, xtsKey(c))
	must(err)
	return k
}

// xtsSide does one sector a call, as x/crypto/xts does.
func xtsSide(im arch.Impl, c modeCase) func(n int) {
	k, buf, number := laminaXTS(im, c), c.buffer(), uint64(0)
	if c.Op == "decrypt" {
		return func(n int) {
			for range n {
				number++
				k.DecryptSectors(buf, buf, number, len(buf))
			}
		}
	}
	return func(n int) {
		for range n {
			number++
			k.EncryptSectors(buf, buf, number, len(buf))
		}
	}
}

func standardXTSSide(c modeCase) func(n int) {
	if !wholeBlocks(c) {
		return nil
	}
	k, buf, number := standardXTSCipher(c), c.buffer(), uint64(0)
	if c.Op == "decrypt" {
		return func(n int) {
			for range n {
				number++
				k.Decrypt(buf, buf, number)
			}
		}
	}
	return func(n int) {
		for range n {
			number++
			k.Encrypt(buf, buf, number)
		}
	}
}

func cbcSide(im arch.Impl, c modeCase) func(n int) {
	k, buf, number := laminaKey(im, c.key()), c.buffer(), uint64(0)
	if c.Op == "decrypt" {
		return func(n int) {
			for range n {
				number++
				iv := messageIV(number)
				aescbc.Decrypt(k, &iv, buf, buf)
			}
		}
	}
	return func(n int) {
		for range n {
			number++
			iv := messageIV(number)
			aescbc.Encrypt(&k.EncKey, &iv, buf, buf)
		}
	}
}

func standardCBCSide(c modeCase) func(n int) {
	block, buf, number := standardBlock(c.key()), c.buffer(), uint64(0)
	if c.Op == "decrypt" {
		return func(n int) {
			for range n {
				number++
				iv := messageIV(number)
				cipher.NewCBCDecrypter(block, iv[:]).CryptBlocks(buf, buf)
			}
		}
	}
	return func(n int) {
		for range n {
			number++
			iv := messageIV(number)
			cipher.NewCBCEncrypter(block, iv[:]).CryptBlocks(buf, buf)
		}
	}
}

func ctsSide(im arch.Impl, c modeCase) func(n int) {
	k, buf, number := laminaKey(im, c.key()), c.buffer(), uint64(0)
	if c.Op == "decrypt" {
		return func(n int) {
			for range n {
				number++
				iv := messageIV(number)
				aescbc.DecryptCTS(k, &iv, buf, buf)
			}
		}
	}
	return func(n int) {
		for range n {
			number++
			iv := messageIV(number)
			aescbc.EncryptCTS(&k.EncKey, &iv, buf, buf)
		}
	}
}

func standardCTSSide(c modeCase) func(n int) {
	block, buf, number := standardBlock(c.key()), c.buffer(), uint64(0)
	crypt := blockloop.CTSEncrypt
	if c.Op == "decrypt" {
		crypt = blockloop.CTSDecrypt
	}
	return func(n int) {
		for range n {
			number++
			iv := messageIV(number)
			crypt(block, iv[:], buf, buf)
		}
	}
}

func laminaCMAC(im arch.Impl, key []byte) *aescmac.Key {
	k := new(aescmac.Key)
	must(k.InitImpl(im, key, aescmac.Size))
	return k
}

func laminaXCBC(im arch.Impl, key []byte) *aescmac.Key {
	k := new(aescmac.Key)
	must(k.InitXCBCImpl(im, key, aescmac.Size))
	return k
}

func cmacSide(im arch.Impl, c modeCase) func(n int) { return macSide(laminaCMAC(im, c.key()), c) }

func xcbcSide(im arch.Impl, c modeCase) func(n int) { return macSide(laminaXCBC(im, c.key()), c) }

func macSide(k *aescmac.Key, c modeCase) func(n int) {
	buf := c.buffer()
	return func(n int) {
		for range n {
			k.Sum(buf)
		}
	}
}

func standardCMACSide(c modeCase) func(n int) {
	return standardMACSide(blockloop.NewCMAC(standardBlock(c.key())), c)
}

func standardXCBCSide(c modeCase) func(n int) {
	m, err := blockloop.NewXCBC(aes.NewCipher, c.key())
	must(err)
	return standardMACSide(m, c)
}

func standardMACSide(m *blockloop.MAC, c modeCase) func(n int) {
	buf := c.buffer()
	return func(n int) {
		var sum [aes.BlockSize]byte
		for range n {
			m.Sum(&sum, buf)
		}
	}
}

func laminaCCM(im arch.Impl, key []byte, nonceSize, tagSize int) *aesccm.Key {
	k := new(aesccm.Key)
	must(k.InitImpl(im, key, nonceSize, tagSize))
	return k
}

// ccmRecord is a record like those of GCM, with 13 bytes of associated data.
func ccmRecord(c modeCase) (*record, *blockloop.CCM) {
	theirs := blockloop.NewCCM(standardBlock(c.key()), nonceSize, tagSize)
	return newRecord(shape{KeyBits: c.KeyBits, Op: c.Op, AD: 13, Bytes: c.Bytes}, theirs), theirs
}

func ccmSide(im arch.Impl, c modeCase) func(n int) {
	k := laminaCCM(im, c.key(), nonceSize, tagSize)
	r, _ := ccmRecord(c)
	if c.Op == "open" {
		return func(n int) {
			for range n {
				r.nextOpen()
				_, err := k.Open(r.buf[:0], r.nonce[:], r.buf, r.ad)
				mustOpen(err)
			}
		}
	}
	return func(n int) {
		for range n {
			r.nextSeal()
			k.Seal(r.buf[:0], r.nonce[:], r.buf[:r.bytes], r.ad)
		}
	}
}

func standardCCMSide(c modeCase) func(n int) {
	r, k := ccmRecord(c)
	if c.Op == "open" {
		return func(n int) {
			for range n {
				r.nextOpen()
				_, err := k.Open(r.buf[:0], r.nonce[:], r.buf, r.ad)
				mustOpen(err)
			}
		}
	}
	return func(n int) {
		for range n {
			r.nextSeal()
			k.Seal(r.buf[:0], r.nonce[:], r.buf[:r.bytes], r.ad)
		}
	}
}
