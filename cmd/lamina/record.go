package main

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"fmt"
	"unsafe"

	"lamina/arch"
	"lamina/lib/aesgcm"
)

const (
	tagSize   = 16
	nonceSize = 12
	cacheLine = 64
)

// shape is what a record to time is like.
type shape struct {
	KeyBits int    `json:"key_bits"`
	Op      string `json:"op"` // "seal" or "open"
	AD      int    `json:"ad"`
	Bytes   int    `json:"bytes"`
	Align   int    `json:"align"` // offset of the text from a cache line
}

func (s shape) key() []byte { return patterned(s.KeyBits / 8) }

// patterned returns n bytes that are not all alike.
func patterned(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 + i>>8)
	}
	return b
}

// alignedBytes returns n bytes that start offset bytes after a cache line's start.
func alignedBytes(n, offset int) []byte {
	b := make([]byte, n+2*cacheLine)
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (cacheLine - 1)
	skip += offset
	return b[skip : skip+n : skip+n]
}

// record is a message that is sealed or opened in place again and again.
//
// Sealing writes a new nonce before each call. Opening needs a valid tag each time and has the plaintext in the buffer after
// the first. But counter mode is its own inverse: that plaintext is a ciphertext too, of the first ciphertext, under
// the same nonce and with a tag of its own. So the two tags take turns, and each call opens a valid record in place. The nonce's
// counter is written before each call all the same, with the same value.
type record struct {
	nonce   [nonceSize]byte
	counter uint64
	ad      []byte
	buf     []byte // the text and room for the tag
	bytes   int
	tags    [2][tagSize]byte
	turn    int
}

func newRecord(s shape, aead cipher.AEAD) *record {
	r := &record{
		counter: 1,
		ad:      patterned(s.AD),
		buf:     alignedBytes(s.Bytes+tagSize, s.Align%cacheLine),
		bytes:   s.Bytes,
	}
	copy(r.buf, patterned(s.Bytes))
	r.putCounter()
	if s.Op == "open" {
		for i := range r.tags {
			aead.Seal(r.buf[:0], r.nonce[:], r.buf[:s.Bytes], r.ad)
			copy(r.tags[1-i][:], r.buf[s.Bytes:])
		}
		// Sealed twice, the buffer holds the plaintext again, which is the text that tags[0] belongs to.
	}
	return r
}

// putCounter writes the counter into the nonce as one store of 8 bytes, as record protocols lay it out.
func (r *record) putCounter() { binary.BigEndian.PutUint64(r.nonce[4:], r.counter) }

func (r *record) nextSeal() {
	r.counter++
	r.putCounter()
}

func (r *record) nextOpen() {
	r.putCounter()
	*(*[tagSize]byte)(r.buf[r.bytes:]) = r.tags[r.turn&1]
	r.turn++
}

// newStandard returns crypto/cipher's GCM.
func newStandard(key []byte) cipher.AEAD {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	return aead
}

func newLamina(im arch.Impl, key []byte) *aesgcm.Key {
	k := new(aesgcm.Key)
	if err := k.InitImpl(im, key, tagSize); err != nil {
		panic(err)
	}
	return k
}

// standardSide returns a function that does n operations of s with crypto/cipher, called as its users call it.
func standardSide(s shape) func(n int) {
	aead := newStandard(s.key())
	return standardOn(newRecord(s, aead), s.Op, aead)
}

// standardOn is standardSide for a record that is there.
func standardOn(r *record, op string, aead cipher.AEAD) func(n int) {
	if op == "open" {
		return func(n int) {
			for range n {
				r.nextOpen()
				_, err := aead.Open(r.buf[:0], r.nonce[:], r.buf, r.ad)
				mustOpen(err)
			}
		}
	}
	return func(n int) {
		for range n {
			r.nextSeal()
			aead.Seal(r.buf[:0], r.nonce[:], r.buf[:r.bytes], r.ad)
		}
	}
}

// laminaSide is standardSide for one of Lamina's implementations.
func laminaSide(im arch.Impl, s shape) func(n int) {
	return laminaOn(newRecord(s, newStandard(s.key())), s.Op, newLamina(im, s.key()))
}

// laminaOn is laminaSide for a record and a key that are there.
func laminaOn(r *record, op string, k *aesgcm.Key) func(n int) {
	if op == "open" {
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

func mustOpen(err error) {
	if err != nil {
		panic(fmt.Sprintf("a valid record does not open: %v", err))
	}
}
