package arch

import (
	"crypto/aes"
	"crypto/cipher"
	"math/rand/v2"
	"slices"
	"testing"

	"lamina/arch/keys"
)

// What the tests of the hooks share. Expected values come from crypto/aes and crypto/cipher, or from a few
// lines that follow the specification; the portable implementation is tested like the others.

// keySizes are the sizes of AES keys in bytes.
var keySizes = []int{16, 24, 32}

// forEachImpl runs test for every implementation of this CPU.
func forEachImpl(t *testing.T, test func(t *testing.T, im Impl)) {
	for _, im := range Impls() {
		t.Run(im.String(), func(t *testing.T) { test(t, im) })
	}
}

// bytesFor returns n bytes that are random, and the same on every run for the same seed.
func bytesFor(seed uint64, n int) []byte {
	var s [32]byte
	for i := range 8 {
		s[i] = byte(seed >> (8 * i))
	}
	b := make([]byte, n)
	rand.NewChaCha8(s).Read(b)
	return b
}

func stdBlock(t testing.TB, key []byte) cipher.Block {
	t.Helper()
	b, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func stdGCM(t testing.TB, key []byte) cipher.AEAD {
	t.Helper()
	g, err := cipher.NewGCM(stdBlock(t, key))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// dirtyGCM returns a key filled with what a hook must overwrite.
func dirtyGCM() *keys.GCM {
	k := new(keys.GCM)
	for i := range k.RoundKeys {
		k.RoundKeys[i] = 0xd5
	}
	k.Rounds = 0xd5d5d5d5
	for i := range k.Powers {
		k.Powers[i] = keys.Element{Lo: 0xd5d5d5d5d5d5d5d5, Hi: 0xd5d5d5d5d5d5d5d5}
	}
	for i := range k.Folded {
		k.Folded[i] = keys.Element{Lo: 0xd5d5d5d5d5d5d5d5, Hi: 0xd5d5d5d5d5d5d5d5}
	}
	return k
}

func TestImpls(t *testing.T) {
	ims := Impls()
	if len(ims) == 0 || ims[0] != Best() {
		t.Fatalf("Impls() = %v, which does not begin with Best() = %v", ims, Best())
	}
	if !slices.Contains(ims, Generic) || Generic != (Impl{}) || Generic.String() != "generic" {
		t.Errorf("Impls() = %v and Generic = %v, want generic in both, and that to be the zero value", ims, Generic)
	}
	ims[0] = Impl{}
	if Impls()[0] != Best() {
		t.Error("the slice from Impls is not the caller's to change")
	}
	names := []string{}
	for _, im := range Impls() {
		if got, ok := Lookup(im.String()); !ok || got != im {
			t.Errorf("Lookup(%q) = %v, %v", im, got, ok)
		}
		names = append(names, im.String())
	}
	if _, ok := Lookup("no-such"); ok {
		t.Error(`Lookup("no-such") found something`)
	}
	availableNames := []string{}
	for i, info := range All() {
		if i > 0 && info.Priority > All()[i-1].Priority {
			t.Errorf("All(): %s, with priority %d, comes behind a lower one", info.Name, info.Priority)
		}
		if info.Needs == "" {
			t.Errorf("All(): %s does not say what it needs", info.Name)
		}
		if info.Available {
			availableNames = append(availableNames, info.Name)
		} else if _, ok := Lookup(info.Name); ok {
			t.Errorf("Lookup(%q) returned an implementation that this CPU cannot run", info.Name)
		}
	}
	if !slices.Equal(names, availableNames) {
		t.Errorf("Impls() has %v, but All() says that %v are available", names, availableNames)
	}
}

// TestNoAllocations holds for every hook that it allocates nothing, and so that what it is given does not escape.
func TestNoAllocations(t *testing.T) {
	forEachImpl(t, func(t *testing.T, im Impl) {
		n := testing.AllocsPerRun(20, func() {
			var key [32]byte
			var nonce [12]byte
			var ctr, tag [16]byte
			var text [512]byte
			var both keys.Key
			var k keys.GCM
			var acc keys.Element
			ExpandKey(im, &both.Enc, key[:])
			InvertKey(im, &both.Dec, &both.Enc)
			EncryptBlocks(im, &both.Enc, text[:], text[:])
			DecryptBlocks(im, &both.Dec, text[:], text[:])
			PrepareHash(im, &k.Hash, GHASHKey(&tag))
			GHASHBlocks(im, &k.Hash, &acc, text[:])
			POLYVALBlocks(im, &k.Hash, &acc, text[:])
			PrepareGCM(im, &k, key[:])
			GCMEncrypt(im, &k, &acc, &ctr, text[:], text[:])
			GCMDecrypt(im, &k, &acc, &ctr, text[:], text[:])
			GCMSeal(im, &k, &tag, text[:], text[:], &nonce, key[:])
			GCMOpen(im, &k, &tag, text[:], text[:], &nonce, key[:])
		})
		if n != 0 {
			t.Errorf("%v allocations a round of all hooks, want 0", n)
		}
	})
}
