package registry_test

import (
	"errors"
	"fmt"
	"os"

	"lamina/api/registry"
)

// null is a driver of an AEAD that does nothing.
type null struct{}

func (null) Algorithm() registry.Algorithm {
	return registry.Algorithm{
		Name: "null", Driver: "null-generic", Priority: 1, Type: registry.AEAD,
		BlockSize: 1, ChunkSize: 1, MinKeySize: 1, MaxKeySize: 32,
	}
}

func (null) SelfTest() error { return nil }

// A driver is registered, found and listed. Programs use the functions of the package; this example has a registry
// of its own.
func ExampleRegistry() {
	var r registry.Registry
	if err := r.Register(null{}); err != nil {
		fmt.Println(err)
		return
	}
	handle, err := r.Find(registry.AEAD, "null")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("found", handle.Algorithm().Driver)
	registry.Fprint(os.Stdout, r.List())
	handle.Release()
	// Output:
	// found null-generic
	// name         : null
	// driver       : null-generic
	// module       : lamina
	// priority     : 1
	// refcnt       : 2
	// selftest     : passed
	// internal     : no
	// type         : aead
	// async        : no
	// blocksize    : 1
	// min keysize  : 1
	// max keysize  : 32
	// ivsize       : 0
	// chunksize    : 1
	// maxauthsize  : 0
}

// The error for an unknown name has names that are like it.
func ExampleUnknownError() {
	var r registry.Registry
	if err := r.Register(null{}); err != nil {
		fmt.Println(err)
		return
	}
	_, err := r.Find(registry.AEAD, "nul")
	var unknown *registry.UnknownError
	fmt.Println(errors.As(err, &unknown), err)
	// Output: true registry: no aead is called "nul"; the nearest names are null, null-generic
}
