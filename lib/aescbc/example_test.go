package aescbc_test

import (
	"crypto/rand"
	"fmt"

	"lamina/lib/aes"
	"lamina/lib/aescbc"
)

// The IV is random, goes before the ciphertext and is kept from being overwritten, because Encrypt changes
// the one that it is given. Nothing here notices changes; a MAC over IV and ciphertext, under another key,
// would.
func Example() {
	k, err := aes.New([]byte("a 16-byte secret"))
	if err != nil {
		fmt.Println(err)
		return
	}
	var iv [16]byte
	rand.Read(iv[:])
	message := append(iv[:], "32 bytes, and so two whole block"...)
	aescbc.Encrypt(&k.EncKey, &iv, message[16:], message[16:])

	start := [16]byte(message)
	aescbc.Decrypt(k, &start, message[16:], message[16:])
	fmt.Printf("%s\n", message[16:])
	// Output: 32 bytes, and so two whole block
}

// With ciphertext stealing a message of any length from 16 bytes on encrypts to as many bytes, without padding.
func ExampleEncryptCTS() {
	k, err := aes.New([]byte("chicken teriyaki"))
	if err != nil {
		fmt.Println(err)
		return
	}
	text := []byte("I would like the ")
	var iv [16]byte
	aescbc.EncryptCTS(&k.EncKey, &iv, text, text)
	fmt.Printf("%x\n", text)
	// Output: c6353568f2bf8cb4d8a580362da7ff7f97
}
