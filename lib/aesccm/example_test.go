package aesccm_test

import (
	"encoding/binary"
	"fmt"

	"lamina/lib/aesccm"
)

// The sealing side keeps a counter, and the nonce is made of it, so that it never repeats under the key.
func ExampleKey_Seal() {
	k, err := aesccm.New([]byte("a 16-byte secret"), 12, 16)
	if err != nil {
		fmt.Println(err)
		return
	}
	var number uint64
	var nonce [12]byte
	number++
	binary.BigEndian.PutUint64(nonce[4:], number)

	header, packet := []byte("header"), make([]byte, 0, 64)
	packet = k.Seal(packet, nonce[:], []byte("pay 10 to Ann"), header)
	text, err := k.Open(packet[:0], nonce[:], packet, header)
	fmt.Printf("%s, %v\n", text, err)
	// Output: pay 10 to Ann, <nil>
}

// A message in pieces announces how long it will be.
func ExampleCtx() {
	k, err := aesccm.New([]byte("a 16-byte secret"), 13, 8)
	if err != nil {
		fmt.Println(err)
		return
	}
	header, text := []byte("header"), []byte("in two pieces")
	nonce, tag := make([]byte, 13), make([]byte, 8)
	c, err := aesccm.NewCtx(k, nonce, uint64(len(header)), uint64(len(text)))
	if err != nil {
		fmt.Println(err)
		return
	}
	c.AuthUpdate(header)
	c.EncryptUpdate(text[:6], text[:6])
	c.EncryptUpdate(text[6:], text[6:])
	c.EncryptFinal(tag)

	fmt.Println(k.Decrypt(text, nonce, text, tag, header))
	fmt.Printf("%s\n", text)
	// Output:
	// <nil>
	// in two pieces
}
