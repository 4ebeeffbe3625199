package aesgcm

import (
	"bytes"
	"testing"

	"lamina/arch"
	"lamina/internal/fuzzing"
)

// fuzzMessage is what the arguments of the targets here come to.
type fuzzMessage struct {
	key             []byte
	tagSize         int
	nonce, text, ad []byte
}

// newFuzzMessage makes a message of what a fuzzer gives. Where wrap is not 0, the nonce is one after which the
// 32-bit counter wraps that many blocks into the message, which no nonce made of bytes comes near.
func newFuzzMessage(t *testing.T, keyData []byte, sizes uint8, nonceData []byte, wrap uint8,
	textData []byte, length uint16, adData []byte, adLength uint16) fuzzMessage {
	m := fuzzMessage{
		key:     fuzzing.Bytes(keyData, fuzzing.Pick(keySizes, sizes)),
		tagSize: fuzzing.Pick(tagSizes, sizes/3),
		nonce:   nonceData,
		text:    fuzzing.Bytes(textData, fuzzing.Len(length)),
		ad:      fuzzing.Bytes(adData, fuzzing.Len(adLength)),
	}
	switch {
	case wrap > 0:
		m.nonce = nonceForCounter(t, m.key, -uint32(wrap)-1)
	case len(m.nonce) == 0:
		m.nonce = make([]byte, NonceSize)
	}
	return m
}

// sealed is the message sealed by crypto/cipher.
func (m fuzzMessage) sealed(t *testing.T) []byte {
	return newOracle(t, m.key, len(m.nonce), m.tagSize).seal(m.nonce, m.text, m.ad)
}

// addFuzzSeeds gives add each boundary of lengths as the length of the text and as that of the associated data,
// with nonces of 12 bytes, of others, and before a wrap.
func addFuzzSeeds(add func(sizes uint8, nonce []byte, wrap uint8, length, adLength uint16)) {
	nonces := [][]byte{[]byte("twelve bytes"), {1}, make([]byte, 12), make([]byte, 16), make([]byte, 33)}
	for i, n := range fuzzing.Boundaries {
		nonce := nonces[i%len(nonces)]
		add(uint8(i), nonce, 0, n, uint16(i))
		add(uint8(i), nonce, uint8(i), n, 0)
		add(uint8(i), nonce, 0, uint16(i), n)
	}
}

// FuzzImpls seals under every implementation, compares with crypto/cipher, and opens, forged and not.
func FuzzImpls(f *testing.F) {
	addFuzzSeeds(func(sizes uint8, nonce []byte, wrap uint8, length, adLength uint16) {
		f.Add([]byte{sizes}, sizes, nonce, wrap, []byte("text"), length, []byte("ad"), adLength, length, uint8(3*length))
	})
	f.Fuzz(func(t *testing.T, keyData []byte, sizes uint8, nonceData []byte, wrap uint8, textData []byte, length uint16,
		adData []byte, adLength, flip uint16, align uint8) {
		m := newFuzzMessage(t, keyData, sizes, nonceData, wrap, textData, length, adData, adLength)
		want, n := m.sealed(t), len(m.text)
		ad, nonce := fuzzing.Holding(m.ad, align>>2), fuzzing.Holding(m.nonce, align>>4)
		for _, im := range arch.Impls() {
			k := newKey(t, im, m.key, m.tagSize)
			tag := fuzzing.NewRoom(m.tagSize, align>>1)
			fuzzing.CheckCrypt(t, im.String()+": Encrypt", m.text, want[:n], align, func(dst, src []byte) {
				k.Encrypt(dst, tag.Bytes, nonce.Bytes, src, ad.Bytes)
				if !bytes.Equal(tag.Bytes, want[n:]) || !tag.Intact() {
					t.Fatalf("%v: Encrypt: tag %x, want %x; around it as it was: %v", im, tag.Bytes, want[n:], tag.Intact())
				}
			})
			fuzzing.CheckCrypt(t, im.String()+": Decrypt", want[:n], m.text, align, func(dst, src []byte) {
				if err := k.Decrypt(dst, nonce.Bytes, src, tag.Bytes, ad.Bytes); err != nil {
					t.Fatalf("%v: Decrypt: %v", im, err)
				}
			})
			if len(m.nonce) == NonceSize {
				checkFuzzAppend(t, k, m, want, align)
			}
			checkFuzzForgery(t, k, m, want, flip, align)
		}
		if !bytes.Equal(ad.Bytes, m.ad) || !bytes.Equal(nonce.Bytes, m.nonce) || !ad.Intact() || !nonce.Intact() {
			t.Fatal("ad or nonce changed, or memory around them")
		}
	})
}

// checkFuzzAppend seals and opens in place and appends no more than it should.
func checkFuzzAppend(t *testing.T, k *Key, m fuzzMessage, want []byte, align uint8) {
	t.Helper()
	room := fuzzing.NewRoom(len(want), align)
	text := room.Bytes[:copy(room.Bytes, m.text)]
	if got := k.Seal(text[:0], m.nonce, text, m.ad); !bytes.Equal(got, want) || !room.Intact() {
		t.Fatalf("%v: Seal: got %x, want %x; around it as it was: %v", k.im, got, want, room.Intact())
	}
	got, err := k.Open(room.Bytes[:0], m.nonce, room.Bytes, m.ad)
	if err != nil || !bytes.Equal(got, m.text) {
		t.Fatalf("%v: Open: %v, text %x, want %x", k.im, err, got, m.text)
	}
	if !bytes.Equal(room.Bytes[len(got):], want[len(got):]) || !room.Intact() {
		t.Fatalf("%v: Open wrote outside of what it appends", k.im)
	}
}

// checkFuzzForgery changes one bit of ciphertext or tag, and wants the message refused and no plaintext left.
func checkFuzzForgery(t *testing.T, k *Key, m fuzzMessage, want []byte, flip uint16, align uint8) {
	t.Helper()
	room := fuzzing.Holding(want, align)
	text, tag := room.Bytes[:len(m.text)], room.Bytes[len(m.text):]
	bit := int(flip) % (len(want) * 8)
	room.Bytes[bit/8] ^= 1 << (bit % 8)
	before := bytes.Clone(tag)
	if err := k.Decrypt(text, m.nonce, text, tag, m.ad); err != ErrOpen || !allEqual(text, 0) {
		t.Fatalf("%v: Decrypt of a forgery: %v, left %x", k.im, err, text)
	}
	if !bytes.Equal(tag, before) || !room.Intact() {
		t.Fatalf("%v: Decrypt of a forgery wrote outside of dst", k.im)
	}
}

// FuzzSplits compares a message in pieces with the message at once. Each byte of cuts is the length of a piece.
func FuzzSplits(f *testing.F) {
	addFuzzSeeds(func(sizes uint8, nonce []byte, wrap uint8, length, adLength uint16) {
		cuts := []byte{sizes, 15, 17, 255, 0, 33}
		f.Add([]byte{sizes}, sizes, nonce, wrap, []byte("text"), length, []byte("ad"), adLength, cuts)
	})
	f.Fuzz(func(t *testing.T, keyData []byte, sizes uint8, nonceData []byte, wrap uint8, textData []byte, length uint16,
		adData []byte, adLength uint16, cuts []byte) {
		m := newFuzzMessage(t, keyData, sizes, nonceData, wrap, textData, length, adData, adLength)
		want := m.sealed(t)
		var p pieces
		for _, c := range cuts {
			p = append(p, int(c))
		}
		p = append(p, 97)
		for _, im := range arch.Impls() {
			checkSplit(t, newKey(t, im, m.key, m.tagSize), m.nonce, m.text, m.ad, want, p, p)
		}
	})
}
