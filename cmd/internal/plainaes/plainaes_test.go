package plainaes

import (
	"bytes"
	"crypto/aes"
	"math/rand/v2"
	"testing"
)

func TestAgainstStandardLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	for _, size := range []int{16, 24, 32} {
		for range 200 {
			key, block := random(size), random(BlockSize)
			std, err := aes.NewCipher(key)
			if err != nil {
				t.Fatal(err)
			}
			want := make([]byte, BlockSize)
			std.Encrypt(want, block)
			var four FourTables
			var fixed FixedTime
			if four.Init(key) != nil || fixed.Init(key) != nil {
				t.Fatal("a key was refused")
			}
			for name, encrypt := range map[string]func(dst, src []byte){"four tables": four.Encrypt, "fixed time": fixed.Encrypt} {
				got := bytes.Clone(block)
				if encrypt(got, got); !bytes.Equal(got, want) {
					t.Fatalf("%s: %x under %x gives %x, want %x", name, block, key, got, want)
				}
			}
		}
	}
}

func TestKeySize(t *testing.T) {
	var four FourTables
	for _, size := range []int{0, 15, 17, 31, 33} {
		if four.Init(make([]byte, size)) == nil {
			t.Errorf("a key of %d bytes was taken", size)
		}
	}
}
