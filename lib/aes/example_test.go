package aes_test

import (
	"fmt"

	"lamina/lib/aes"
)

// A key that encrypts only takes half the memory. It is a value: here it stays on the stack.
func ExampleEncKey() {
	var k aes.EncKey
	if err := k.Init([]byte("a 16-byte secret")); err != nil {
		fmt.Println(err)
		return
	}
	defer k.Wipe()
	block := []byte("sixteen bytes...")
	k.EncryptBlock(block, block)
	fmt.Printf("%x\n", block)
	// Output: 12cac62f67f7f53c43d631e5b557bdca
}

// Blocks by themselves are no messages: the same block encrypts to the same bytes, which tells whoever
// watches that it came again. Package aesgcm, with a nonce that never repeats, is what seals messages.
func ExampleKey() {
	k, err := aes.New([]byte("a 16-byte secret"))
	if err != nil {
		fmt.Println(err)
		return
	}
	blocks := []byte("yes, no and so  yes, no and so  ")
	k.EncryptBlocks(blocks, blocks)
	fmt.Println("both blocks look the same:", string(blocks[:16]) == string(blocks[16:]))
	k.DecryptBlocks(blocks, blocks)
	fmt.Printf("%s\n", blocks)
	// Output:
	// both blocks look the same: true
	// yes, no and so  yes, no and so
}
