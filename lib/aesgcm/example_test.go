package aesgcm_test

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"lamina/lib/aesgcm"
)

// A connection numbers its records. The nonce is that number, so it never repeats; when the key changes,
// counting may start again. Each direction needs a key of its own, or both would count through the same
// nonces.
func ExampleKey_Seal() {
	key := make([]byte, 32)
	rand.Read(key) // from a key agreement, really
	k, err := aesgcm.New(key)
	if err != nil {
		fmt.Println(err)
		return
	}

	var nonce [aesgcm.NonceSize]byte
	var record [512]byte
	for number := range uint64(2) {
		// One 8-byte store: bytes stored one by one just before the call would slow it down.
		binary.BigEndian.PutUint64(nonce[4:], number)
		header := []byte{0x17, byte(number)} // sent in the clear, but authenticated
		sealed := k.Seal(record[:0], nonce[:], []byte("attack at dawn"), header)

		text, err := k.Open(sealed[:0], nonce[:], sealed, header) // in place
		fmt.Printf("%s, %v\n", text, err)
	}
	// Output:
	// attack at dawn, <nil>
	// attack at dawn, <nil>
}

// Where no counter can be kept, the nonce is random and travels in front of the message. Then one key is good
// for 2^32 messages.
func ExampleKey_Open() {
	k, err := aesgcm.New([]byte("an example key: never a constant"))
	if err != nil {
		fmt.Println(err)
		return
	}
	message := make([]byte, aesgcm.NonceSize, 100)
	rand.Read(message)
	message = k.Seal(message, message[:aesgcm.NonceSize], []byte("a letter"), nil)

	nonce, sealed := message[:aesgcm.NonceSize], message[aesgcm.NonceSize:]
	text, err := k.Open(nil, nonce, sealed, nil)
	fmt.Printf("%s, %v\n", text, err)

	sealed[0] ^= 1
	text, err = k.Open(nil, nonce, sealed, nil)
	fmt.Printf("%q, %v, %v\n", text, err, errors.Is(err, aesgcm.ErrOpen))
	// Output:
	// a letter, <nil>
	// "", aesgcm: message authentication failed, true
}

// Some formats keep the tag elsewhere, or cut it, or have nonces of other sizes.
func ExampleKey_Encrypt() {
	var k aesgcm.Key // a value: it can be part of another type
	if err := k.Init([]byte("a 16-byte secret"), 12); err != nil {
		fmt.Println(err)
		return
	}
	defer k.Wipe()
	nonce := []byte("unique under this key")
	buffer := []byte("in place")
	var tag [12]byte
	k.Encrypt(buffer, tag[:], nonce, buffer, nil)
	err := k.Decrypt(buffer, nonce, buffer, tag[:], nil)
	fmt.Printf("%s, %v\n", buffer, err)
	// Output: in place, <nil>
}

// A message that comes in pieces. Open one this way only if the text is kept back until DecryptFinal has said
// that it is genuine.
func ExampleCtx() {
	var k aesgcm.Key
	if err := k.Init([]byte("a 16-byte secret"), aesgcm.TagSize); err != nil {
		fmt.Println(err)
		return
	}
	var nonce [aesgcm.NonceSize]byte // the first and only message under this key

	c := aesgcm.NewCtx(&k, nonce[:])
	c.AuthUpdate([]byte("header"))
	var sealed []byte
	piece := make([]byte, 5)
	for from := strings.NewReader("a message in pieces"); ; {
		n, err := from.Read(piece)
		if err == io.EOF {
			break
		}
		c.EncryptUpdate(piece[:n], piece[:n])
		sealed = append(sealed, piece[:n]...)
	}
	var tag [aesgcm.TagSize]byte
	c.EncryptFinal(tag[:])

	text, err := k.Open(nil, nonce[:], append(sealed, tag[:]...), []byte("header"))
	fmt.Printf("%s, %v\n", text, err)
	// Output: a message in pieces, <nil>
}

// GMAC needs a nonce as well, and the same nonce never for two messages, sealed or only authenticated.
func ExampleGMAC() {
	var k aesgcm.Key
	if err := k.Init([]byte("a 16-byte secret"), aesgcm.TagSize); err != nil {
		fmt.Println(err)
		return
	}
	var nonce [aesgcm.NonceSize]byte
	var tag [aesgcm.TagSize]byte
	k.GMAC(tag[:], nonce[:], []byte("public, but not to be changed"))

	m := aesgcm.NewGMAC(&k, nonce[:])
	m.Update([]byte("public, "))
	m.Update([]byte("but not to be changed"))
	fmt.Println(m.Verify(tag[:]))
	// Output: <nil>
}
