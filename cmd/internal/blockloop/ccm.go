package blockloop

import (
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"errors"
)

// CCM is AES-CCM (NIST SP 800-38C) as a cipher.AEAD.
type CCM struct {
	block              cipher.Block
	nonceSize, tagSize int
}

var _ cipher.AEAD = (*CCM)(nil)

// NewCCM returns CCM over b.
func NewCCM(b cipher.Block, nonceSize, tagSize int) *CCM { return &CCM{b, nonceSize, tagSize} }

// NonceSize implements cipher.AEAD.
func (c *CCM) NonceSize() int { return c.nonceSize }

// Overhead implements cipher.AEAD.
func (c *CCM) Overhead() int { return c.tagSize }

// Seal implements cipher.AEAD. dst is empty, or plaintext[:0].
func (c *CCM) Seal(dst, nonce, plaintext, ad []byte) []byte {
	tag := c.mac(nonce, plaintext, ad)
	out := append(dst, plaintext...)
	c.stream(nonce, &tag, out[len(dst):])
	return append(out, tag[:c.tagSize]...)
}

var errOpen = errors.New("blockloop: the message is not authentic")

// Open implements cipher.AEAD. dst is empty, or sealed[:0].
func (c *CCM) Open(dst, nonce, sealed, ad []byte) ([]byte, error) {
	if len(sealed) < c.tagSize {
		return nil, errOpen
	}
	text, sent := sealed[:len(sealed)-c.tagSize], sealed[len(sealed)-c.tagSize:]
	var tag [blockSize]byte
	copy(tag[:], sent)
	out := append(dst, text...)
	c.stream(nonce, &tag, out[len(dst):])
	want := c.mac(nonce, out[len(dst):], ad)
	if subtle.ConstantTimeCompare(tag[:c.tagSize], want[:c.tagSize]) == 0 {
		clear(out[len(dst):])
		return nil, errOpen
	}
	return out, nil
}

// stream adds the first block of key stream to tag, and the others to text.
func (c *CCM) stream(nonce []byte, tag *[blockSize]byte, text []byte) {
	counter := [blockSize]byte{byte(14 - len(nonce))}
	copy(counter[1:], nonce)
	ctr := cipher.NewCTR(c.block, counter[:])
	ctr.XORKeyStream(tag[:], tag[:])
	ctr.XORKeyStream(text, text)
}

// mac returns the CBC-MAC of the message in the format of SP 800-38C, appendix A.
func (c *CCM) mac(nonce, text, ad []byte) (state [blockSize]byte) {
	binary.BigEndian.PutUint64(state[8:], uint64(len(text)))
	state[0] = byte((c.tagSize-2)/2<<3 | (14 - len(nonce)))
	if len(ad) > 0 {
		state[0] |= 1 << 6
	}
	copy(state[1:], nonce)
	c.block.Encrypt(state[:], state[:])
	if len(ad) > 0 {
		var first [blockSize]byte
		n := copy(first[putLength(first[:], len(ad)):], ad)
		c.blocks(&state, first[:])
		c.blocks(&state, ad[n:])
	}
	c.blocks(&state, text)
	return state
}

// putLength writes the length of associated data to b, and returns how many bytes it takes.
func putLength(b []byte, n int) int {
	if n < 0xff00 {
		binary.BigEndian.PutUint16(b, uint16(n))
		return 2
	}
	b[0], b[1] = 0xff, 0xfe
	binary.BigEndian.PutUint32(b[2:], uint32(n))
	return 6
}

// blocks is CBC-MAC over data with zeros up to a whole block.
func (c *CCM) blocks(state *[blockSize]byte, data []byte) {
	for len(data) > 0 {
		n := subtle.XORBytes(state[:], state[:], data[:min(blockSize, len(data))])
		c.block.Encrypt(state[:], state[:])
		data = data[n:]
	}
}
