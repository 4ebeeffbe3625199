package skcipher_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"

	"lamina/api/scatter"
	"lamina/api/skcipher"
)

// A text that lies in several buffers, encrypted where it is. The IV goes from one request to the next.
func Example() {
	tfm, err := skcipher.Alloc("ctr(aes)")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tfm.Close()
	if err := tfm.SetKey([]byte("a 16-byte secret")); err != nil {
		fmt.Println(err)
		return
	}
	req := tfm.NewRequest()

	buffers := net.Buffers{[]byte("as long "), []byte("as it happens "), []byte("to be")}
	list := scatter.List(buffers)
	iv := make([]byte, tfm.IVSize())
	iv[7] = 1 // the number of the message
	req.SetCrypt(list, list, list.Len(), iv)
	if err := req.Encrypt(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%x\nnext counter block: %x\n", bytes.Join(buffers, nil), iv)

	iv[15] = 0
	req.SetCrypt(list, list, list.Len(), iv)
	if err := req.Decrypt(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", bytes.Join(buffers, nil))
	// Output:
	// c98e5c2073e9741a1d4f4948b27fd6f5ac88d312ecfa9b406797f1
	// next counter block: 00000000000000010000000000000002
	// as long as it happens to be
}

// A sector of a disk. Its number, little-endian, is the IV.
func ExampleRequest_SetCrypt() {
	tfm, err := skcipher.Alloc("xts(aes)")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tfm.Close()
	if err := tfm.SetKey([]byte("two keys, each of 16 bytes, both")); err != nil {
		fmt.Println(err)
		return
	}
	head, body := make([]byte, 100), make([]byte, 412)
	plain := scatter.List{head, body}
	sector := make([]byte, 512)

	iv := make([]byte, tfm.IVSize())
	iv[0] = 42
	req := tfm.NewRequest()
	req.SetCrypt(plain, scatter.List{sector}, 512, iv)
	if err := req.Encrypt(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%x\n", sector[:16])

	req.SetCrypt(plain, scatter.List{sector}, 5, iv)
	fmt.Println(req.Encrypt())
	// Output:
	// 54b7e78ecac3b046c8ab8432343fd3ce
	// skcipher: xts(aes): wrong length: 5 bytes; it must be at least 16
}

// Requests of cryptd(...) are run by workers, and waited for.
func ExampleWait() {
	tfm, err := skcipher.Alloc("cryptd(cbc(aes))", skcipher.Workers(2), skcipher.QueueLength(10))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tfm.Close()
	if err := tfm.SetKey([]byte("a 16-byte secret")); err != nil {
		fmt.Println(err)
		return
	}
	text := []byte("exactly 2 blocks, encrypted late")
	list := scatter.List{text}
	req := tfm.NewRequest()
	req.SetCrypt(list, list, len(text), []byte("sixteen bytes iv"))
	err = req.Encrypt()
	fmt.Println(errors.Is(err, skcipher.ErrInProgress))
	if err := skcipher.Wait(req, err); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%x\n", text)
	// Output:
	// true
	// cc2ebc401ad7045499fda7d1a7f386154e2dcd697fc90a59a9ff2c2bad959d97
}

// A file of any size, through a reader and a writer.
func ExampleNewReader() {
	tfm, err := skcipher.Alloc("cts(cbc(aes))")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tfm.Close()
	if err := tfm.SetKey([]byte("a 16-byte secret")); err != nil {
		fmt.Println(err)
		return
	}
	iv := []byte("sixteen bytes iv")
	file := strings.NewReader("as long as it happens to be, from 16 bytes on")

	encrypted, err := skcipher.NewReader(file, tfm, iv, skcipher.Encrypt)
	if err != nil {
		fmt.Println(err)
		return
	}
	decrypted, err := skcipher.NewWriter(os.Stdout, tfm, iv, skcipher.Decrypt)
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := io.Copy(decrypted, encrypted); err != nil {
		fmt.Println(err)
		return
	}
	if err := decrypted.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// as long as it happens to be, from 16 bytes on
}
