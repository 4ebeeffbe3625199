package aesccm

import (
	"crypto/subtle"
	"encoding/binary"

	"lamina/arch"
)

// This file is the formatting of SP 800-38C, appendix A: what is authenticated besides the text, and the
// counters.

// message is the state of one message.
type message struct {
	mac  [blockSize]byte // CBC-MAC of all blocks so far
	ctr  [blockSize]byte // counter block of the next block of text
	mask [blockSize]byte // what the tag is covered with: counter block 0 encrypted
}

// begin starts a message. The first block to be authenticated is encrypted with counter block 0: that costs
// as much as its MAC alone, and leaves mask, with that block added.
func (m *message) begin(k *Key, nonce []byte, adLen, textLen uint64) {
	lengthBytes := 15 - k.nonceSize
	m.ctr = [blockSize]byte{lengthBytes - 1}
	copy(m.ctr[1:], nonce)
	first := m.ctr
	first[0] |= (k.tagSize - 2) / 2 << 3
	if adLen > 0 {
		first[0] |= 1 << 6
	}
	// It fits the bytes behind the nonce, which are zero.
	binary.BigEndian.PutUint64(first[8:], binary.BigEndian.Uint64(first[8:])|textLen)
	m.mac = [blockSize]byte{}
	arch.CCMEncrypt(k.im, &k.enc, &m.mac, &m.ctr, m.mask[:], first[:])
	add(&m.mask, &m.mask, &first)
}

// add sets sum to a + b.
func add(sum, a, b *[blockSize]byte) {
	low := binary.NativeEndian.Uint64(a[:8]) ^ binary.NativeEndian.Uint64(b[:8])
	high := binary.NativeEndian.Uint64(a[8:]) ^ binary.NativeEndian.Uint64(b[8:])
	binary.NativeEndian.PutUint64(sum[:8], low)
	binary.NativeEndian.PutUint64(sum[8:], high)
}

// The lengths of associated data at which its encoding changes (SP 800-38C, section A.2.2).
const (
	twoBytes  = 1<<16 - 1<<8 // from here on two bytes do not suffice, because some of their values mark the longer forms
	fourBytes = 1 << 32      // from here on four do not
)

// putLength writes the encoding of a length of associated data, which is not 0, to b, and returns how many
// bytes it has.
func putLength(b *[10]byte, n uint64) int {
	switch {
	case n < twoBytes:
		binary.BigEndian.PutUint16(b[:], uint16(n))
		return 2
	case n < fourBytes:
		b[0], b[1] = 0xff, 0xfe
		binary.BigEndian.PutUint32(b[2:], uint32(n))
		return 6
	default:
		b[0], b[1] = 0xff, 0xff
		binary.BigEndian.PutUint64(b[2:], n)
		return 10
	}
}

// authenticate adds associated data to the MAC: its length and the data, filled up with zeros to whole
// blocks. If it is short that takes one call.
func (m *message) authenticate(k *Key, ad []byte) {
	if len(ad) == 0 {
		return
	}
	var buf [4 * blockSize]byte
	n := putLength((*[10]byte)(buf[:]), uint64(len(ad)))
	taken := copy(buf[n:], ad)
	arch.CBCMAC(k.im, &k.enc, &m.mac, buf[:wholeBlocks(n+taken)])
	m.padded(k, ad[taken:])
}

// padded adds data, filled up with zeros to whole blocks, to the MAC.
func (m *message) padded(k *Key, data []byte) {
	whole := len(data) &^ (blockSize - 1)
	arch.CBCMAC(k.im, &k.enc, &m.mac, data[:whole])
	if whole < len(data) {
		var last [blockSize]byte
		copy(last[:], data[whole:])
		arch.CBCMAC(k.im, &k.enc, &m.mac, last[:])
	}
}

// wholeBlocks is n rounded up to whole blocks.
func wholeBlocks(n int) int { return (n + blockSize - 1) &^ (blockSize - 1) }

// encrypt encrypts all of the text.
func (m *message) encrypt(k *Key, dst, src []byte) {
	whole := len(src) &^ (blockSize - 1)
	arch.CCMEncrypt(k.im, &k.enc, &m.mac, &m.ctr, dst[:whole], src[:whole])
	if whole < len(src) {
		// Filled up with zeros, as the MAC has it; the key stream behind the text is thrown away.
		var last [blockSize]byte
		copy(last[:], src[whole:])
		arch.CCMEncrypt(k.im, &k.enc, &m.mac, &m.ctr, last[:], last[:])
		copy(dst[whole:], last[:])
		clear(last[:]) // what is not text in it is key stream
	}
}

// decrypt decrypts all of the text.
func (m *message) decrypt(k *Key, dst, src []byte) {
	whole := len(src) &^ (blockSize - 1)
	arch.CCMDecrypt(k.im, &k.enc, &m.mac, &m.ctr, dst[:whole], src[:whole])
	if whole < len(src) {
		var stream [blockSize]byte
		m.keystream(k, &stream)
		subtle.XORBytes(dst[whole:], src[whole:], stream[:])
		clear(stream[:])
		m.padded(k, dst[whole:])
	}
}

// keystream writes the next block of key stream to out. It goes through CCMEncrypt, and throws the MAC away,
// because the portable implementation's counter mode has no loads that depend on secrets, and its single
// blocks do.
func (m *message) keystream(k *Key, out *[blockSize]byte) {
	var zero, unused [blockSize]byte
	arch.CCMEncrypt(k.im, &k.enc, &unused, &m.ctr, out[:], zero[:])
}

// tag returns the full tag.
func (m *message) tag() (tag [blockSize]byte) {
	add(&tag, &m.mac, &m.mask)
	return tag
}
