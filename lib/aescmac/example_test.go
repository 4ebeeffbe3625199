package aescmac_test

import (
	"fmt"
	"io"
	"strings"

	"lamina/lib/aescmac"
)

func ExampleKey_Verify() {
	k, err := aescmac.New([]byte("a 16-byte secret"))
	if err != nil {
		fmt.Println(err)
		return
	}
	tag := k.Sum([]byte("pay 10 to Ann"))
	fmt.Println(k.Verify([]byte("pay 10 to Ann"), tag[:]))
	fmt.Println(k.Verify([]byte("pay 90 to Ann"), tag[:]))
	// Output:
	// <nil>
	// aescmac: message authentication failed
}

// A Hash takes what a hash.Hash takes. It is compared with Verify, in constant time.
func ExampleHash() {
	k, err := aescmac.New([]byte("a 16-byte secret"))
	if err != nil {
		fmt.Println(err)
		return
	}
	tag := k.Sum([]byte("pay 10 to Ann"))
	h := aescmac.NewHash(k)
	if _, err := io.Copy(&h, strings.NewReader("pay 10 to Ann")); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(h.Verify(tag[:]))
	// Output: <nil>
}
