package aesctr_test

import (
	"fmt"

	"lamina/lib/aes"
	"lamina/lib/aesctr"
)

// A text in one call. The counter block begins with the number of the message, and counts its blocks in the end.
func ExampleCTR() {
	var k aes.EncKey
	if err := k.Init([]byte("a 16-byte secret")); err != nil {
		fmt.Println(err)
		return
	}
	defer k.Wipe()
	text := []byte("as long as it happens to be")

	ctr := [16]byte{7: 1}
	aesctr.CTR(&k, &ctr, text, text)
	fmt.Printf("%x\n", text)
	fmt.Println("blocks:", ctr[15])

	ctr = [16]byte{7: 1}
	aesctr.CTR(&k, &ctr, text, text)
	fmt.Printf("%s\n", text)
	// Output:
	// c98e5c2073e9741a1d4f4948b27fd6f5ac88d312ecfa9b406797f1
	// blocks: 2
	// as long as it happens to be
}

// XCTR is what HCTR2 encrypts the bulk of a message with; the IV comes from a hash of all of it.
func ExampleXCTR() {
	var k aes.EncKey
	if err := k.Init([]byte("a 16-byte secret")); err != nil {
		fmt.Println(err)
		return
	}
	defer k.Wipe()
	iv := [16]byte([]byte("sixteen bytes iv"))
	text := []byte("as long as it happens to be")
	counter := uint64(1)
	aesctr.XCTR(&k, &counter, &iv, text, text)
	fmt.Printf("%x\nnext block: %d\n", text, counter)
	// Output:
	// 6239d855fe5ae25183755aaad0e5c86bde4991b335db31d548a22e
	// next block: 3
}

// Any part of a message decrypts by itself.
func ExampleStream_XORKeyStreamAt() {
	k, err := aes.NewEncKey([]byte("a 16-byte secret"))
	if err != nil {
		fmt.Println(err)
		return
	}
	s := aesctr.NewCTR(k, make([]byte, 16))
	message := []byte("a long recording, of which somebody wants to hear the end")
	s.XORKeyStream(message, message)

	part := make([]byte, 7)
	s.XORKeyStreamAt(part, message[50:], 50)
	fmt.Printf("%s\n", part)
	// Output: the end
}
