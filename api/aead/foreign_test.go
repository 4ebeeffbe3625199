package aead

import (
	"errors"
	"testing"

	"lamina/api/registry"
)

// foreign is a driver that another package registered.
type foreign struct{}

func (foreign) SelfTest() error { return nil }

func (foreign) Algorithm() registry.Algorithm {
	return registry.Algorithm{Name: "foreign(aead)", Driver: "foreign-aead", Type: registry.AEAD, Asynchronous: true,
		BlockSize: 1, ChunkSize: 1, MinKeySize: 16, MaxKeySize: 16}
}

func TestAllocForeignDriver(t *testing.T) {
	if err := registry.Register(foreign{}); err != nil && !errors.Is(err, registry.ErrRegistered) {
		t.Fatal(err)
	}
	for _, name := range []string{"foreign(aead)", "cryptd(foreign(aead))"} {
		if _, err := Alloc(name); !errors.Is(err, ErrForeign) {
			t.Errorf("%s: %v, want %v", name, err, ErrForeign)
		}
	}
	for _, e := range registry.List() {
		if e.Driver == "foreign-aead" && e.Users != 0 {
			t.Errorf("%d users, want 0", e.Users)
		}
	}
}
