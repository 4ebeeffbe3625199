// Package blockloop has the modes that Go has no package for, written as a Go user writes them today: a plain
// loop over cipher.Block, with crypto/cipher's CBC and CTR where these do the bulk. Lamina is compared with
// them, for speed and, since they share no code with it, for results.
//
// They check nothing: sizes are as the mode wants them.
package blockloop

import (
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
)

const blockSize = 16

// XCTR adds to src the encryptions of iv XOR 1, iv XOR 2 and so on, where the number is little-endian in the
// first eight bytes ("Length-preserving encryption with HCTR2", section 2).
func XCTR(b cipher.Block, iv *[blockSize]byte, dst, src []byte) {
	var stream [blockSize]byte
	base := binary.LittleEndian.Uint64(iv[:])
	for i := uint64(1); len(src) > 0; i++ {
		stream = *iv
		binary.LittleEndian.PutUint64(stream[:], base^i)
		b.Encrypt(stream[:], stream[:])
		n := subtle.XORBytes(dst, src, stream[:])
		dst, src = dst[n:], src[n:]
	}
}

// CTSEncrypt is CBC with ciphertext stealing that always swaps the last two blocks, called CS3 (RFC 3962,
// section 5). src has 16 bytes or more; 16 alone are plain CBC.
func CTSEncrypt(b cipher.Block, iv, dst, src []byte) {
	if len(src) == blockSize {
		cipher.NewCBCEncrypter(b, iv).CryptBlocks(dst, src)
		return
	}
	whole := (len(src) - 1) / blockSize * blockSize
	var last [blockSize]byte
	n := copy(last[:], src[whole:])
	mode := cipher.NewCBCEncrypter(b, iv)
	mode.CryptBlocks(dst[:whole], src[:whole])
	mode.CryptBlocks(last[:], last[:])
	copy(dst[whole:], dst[whole-blockSize:][:n])
	copy(dst[whole-blockSize:], last[:])
}

// CTSDecrypt is the inverse of CTSEncrypt.
func CTSDecrypt(b cipher.Block, iv, dst, src []byte) {
	if len(src) == blockSize {
		cipher.NewCBCDecrypter(b, iv).CryptBlocks(dst, src)
		return
	}
	whole := (len(src) - 1) / blockSize * blockSize
	// The last two blocks of ciphertext, in CBC's order: the second but last lacks its end, which the
	// encryption of the last plaintext has.
	var stolen, second [blockSize]byte
	n := copy(second[:], src[whole:])
	b.Decrypt(stolen[:], src[whole-blockSize:whole])
	copy(second[n:], stolen[n:])
	var last [blockSize]byte
	subtle.XORBytes(last[:], stolen[:], second[:])

	mode := cipher.NewCBCDecrypter(b, iv)
	mode.CryptBlocks(dst[:whole-blockSize], src[:whole-blockSize])
	mode.CryptBlocks(dst[whole-blockSize:whole], second[:])
	copy(dst[whole:], last[:n])
}

// MAC is CMAC or XCBC-MAC.
type MAC struct {
	block         cipher.Block
	whole, padded [blockSize]byte // what is added to the last block
	state, last   [blockSize]byte
}

// NewCMAC returns CMAC (NIST SP 800-38B).
func NewCMAC(b cipher.Block) *MAC {
	m := &MAC{block: b}
	b.Encrypt(m.whole[:], m.whole[:])
	double(&m.whole)
	m.padded = m.whole
	double(&m.padded)
	return m
}

// double multiplies by x.
func double(v *[blockSize]byte) {
	hi, lo := binary.BigEndian.Uint64(v[:8]), binary.BigEndian.Uint64(v[8:])
	carry := hi >> 63
	binary.BigEndian.PutUint64(v[:8], hi<<1|lo>>63)
	binary.BigEndian.PutUint64(v[8:], lo<<1^carry*0x87)
}

// NewXCBC returns XCBC-MAC of 16 bytes (RFC 3566), of which newCipher makes the block cipher of each key.
func NewXCBC(newCipher func(key []byte) (cipher.Block, error), key []byte) (*MAC, error) {
	b, err := newCipher(key)
	if err != nil {
		return nil, err
	}
	var keys [3][blockSize]byte
	for i := range keys {
		for j := range keys[i] {
			keys[i][j] = byte(i + 1)
		}
		b.Encrypt(keys[i][:], keys[i][:])
	}
	m := &MAC{whole: keys[1], padded: keys[2]}
	m.block, err = newCipher(keys[0][:])
	return m, err
}

// Sum writes the MAC of data to sum.
func (m *MAC) Sum(sum *[blockSize]byte, data []byte) {
	clear(m.state[:])
	for len(data) > blockSize {
		subtle.XORBytes(m.state[:], m.state[:], data[:blockSize])
		m.block.Encrypt(m.state[:], m.state[:])
		data = data[blockSize:]
	}
	key := &m.whole
	clear(m.last[:])
	if n := copy(m.last[:], data); n < blockSize {
		m.last[n] = 0x80
		key = &m.padded
	}
	subtle.XORBytes(m.state[:], m.state[:], m.last[:])
	subtle.XORBytes(m.state[:], m.state[:], key[:])
	m.block.Encrypt(sum[:], m.state[:])
}
