//go:build amd64 && !purego

package amd64

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"lamina/arch/generic"
	"lamina/arch/keys"
)

// functions are the functions of one form. Where a form has none of its own, it has those that package arch
// calls for it.
type functions struct {
	expandKey     func(k *Enc, key *byte, n int)
	invertKey     func(d *Dec, k *Enc)
	encryptBlocks func(k *Enc, dst, src *byte, blocks int)
	decryptBlocks func(d *Dec, dst, src *byte, blocks int)
	prepareHash   func(h *Hash, base *Element)
	hashBlocks    func(h *Hash, acc *Element, data *byte, blocks int, control *[16]byte)
	prepareGCM    func(k *GCM, key *byte, n int)
}

var functionsOf = map[string]functions{
	"AESNI": {
		ExpandKeyAESNI, InvertKeyAESNI, EncryptBlocksAESNI, DecryptBlocksAESNI,
		PrepareHashAESNI, HashBlocksAESNI, PrepareGCMAESNI,
	},
	"AESNIAVX": {
		ExpandKeyAESNIAVX, InvertKeyAESNIAVX, EncryptBlocksAESNIAVX, DecryptBlocksAESNIAVX,
		PrepareHashAESNIAVX, HashBlocksAESNIAVX, PrepareGCMAESNIAVX,
	},
	"VAESAVX2": {
		ExpandKeyAESNIAVX, InvertKeyAESNIAVX, EncryptBlocksVAESAVX2, DecryptBlocksVAESAVX2,
		PrepareHashVAESAVX2, HashBlocksVAESAVX2, PrepareGCMVAESAVX2,
	},
	"VAESAVX512Y": {
		ExpandKeyAESNIAVX, InvertKeyAESNIAVX, EncryptBlocksVAESAVX512Y, DecryptBlocksVAESAVX512Y,
		PrepareHashVAESAVX2, HashBlocksVAESAVX512Y, PrepareGCMVAESAVX2,
	},
	"VAESAVX512Z": {
		ExpandKeyAESNIAVX, InvertKeyAESNIAVX, EncryptBlocksVAESAVX512Z, DecryptBlocksVAESAVX512Z,
		PrepareHashVAESAVX512Z, HashBlocksVAESAVX512Z, PrepareGCMVAESAVX512Z,
	},
}

// maxBlocks is more than twice what any main loop takes at once.
const maxBlocks = 70

var keySizes = []int{16, 24, 32}

var random = rand.NewChaCha8([32]byte{1})

func randomElement() Element { return Element{Lo: random.Uint64(), Hi: random.Uint64()} }

func TestSchedules(t *testing.T) {
	forEachForm(t, functionsOf, func(t *testing.T, fn functions) {
		for _, size := range keySizes {
			for range 50 {
				key := randomBytes(size + 1)[1:] // unaligned
				var want, got keys.Key
				random.Read(got.RoundKeys[:]) // the end of a shorter schedule must be cleared
				random.Read(got.Dec.RoundKeys[:])
				generic.ExpandKey(&want.Enc, key)
				generic.InvertKey(&want.Dec, &want.Enc)
				fn.expandKey(&got.Enc, &key[0], size)
				fn.invertKey(&got.Dec, &got.Enc)
				if got.Enc != want.Enc {
					t.Fatalf("schedule of key %x:\n%x %d, want\n%x %d",
						key, got.RoundKeys, got.Rounds, want.RoundKeys, want.Rounds)
				}
				if got.Dec != want.Dec {
					t.Fatalf("inverse schedule of key %x:\n%x %d, want\n%x %d",
						key, got.Dec.RoundKeys, got.Dec.Rounds, want.Dec.RoundKeys, want.Dec.Rounds)
				}
			}
		}
	})
}

func TestBlocks(t *testing.T) {
	forEachForm(t, functionsOf, func(t *testing.T, fn functions) {
		for _, size := range keySizes {
			var k keys.Key
			generic.ExpandKey(&k.Enc, randomBytes(size))
			generic.InvertKey(&k.Dec, &k.Enc)
			check := func(name string, blocks int, want []byte, do func(dst, src *byte), src []byte) {
				t.Helper()
				for _, inPlace := range []bool{false, true} {
					// One byte more on each side, which must stay as it is; the first also makes everything
					// unaligned.
					buffer := bytes.Repeat([]byte{0xa5}, len(src)+2)
					from, to := src, buffer[1:1+len(src)]
					if inPlace {
						copy(to, src)
						from = to
					}
					do(unsafe.SliceData(to), unsafe.SliceData(from))
					if !bytes.Equal(to, want) {
						t.Fatalf("%s, %d-byte key, %d blocks, in place: %v:\n%x, want\n%x", name, size, blocks, inPlace, to, want)
					}
					if buffer[0] != 0xa5 || buffer[len(buffer)-1] != 0xa5 {
						t.Fatalf("%s, %d-byte key, %d blocks: a byte outside dst was written", name, size, blocks)
					}
				}
			}
			for blocks := range maxBlocks + 1 {
				plain := randomBytes(16*blocks + 3)[3:]
				cipher := make([]byte, len(plain))
				generic.EncryptBlocks(&k.Enc, cipher, plain)
				check("encrypt", blocks, cipher, func(dst, src *byte) { fn.encryptBlocks(&k.Enc, dst, src, blocks) }, plain)
				check("decrypt", blocks, plain, func(dst, src *byte) { fn.decryptBlocks(&k.Dec, dst, src, blocks) }, cipher)
			}
		}
	})
}

// A key that was never set has no rounds. That must not make a loop run away.
func TestBlocksZeroKey(t *testing.T) {
	forEachForm(t, functionsOf, func(t *testing.T, fn functions) {
		var k keys.Key
		buffer := make([]byte, 16*maxBlocks)
		for blocks := range maxBlocks + 1 {
			fn.encryptBlocks(&k.Enc, &buffer[0], &buffer[0], blocks)
			fn.decryptBlocks(&k.Dec, &buffer[0], &buffer[0], blocks)
		}
		if k != (keys.Key{}) {
			t.Errorf("the key changed")
		}
	})
}

// bases are first powers at the edges of the field, and some random ones.
func bases() []Element {
	list := []Element{{}, {Lo: 1}, {Hi: 1 << 63}, {Lo: 1 << 63}, {Hi: 1}, {Lo: ^uint64(0), Hi: ^uint64(0)}}
	for range 20 {
		list = append(list, randomElement())
	}
	return list
}

func TestPrepareHash(t *testing.T) {
	forEachForm(t, functionsOf, func(t *testing.T, fn functions) {
		for _, base := range bases() {
			var want, got keys.Hash
			generic.PrepareHash(&want, base)
			fn.prepareHash(&got, &base)
			compareHash(t, fmt.Sprintf("base %x", base), &got, &want)
		}
	})
}

func compareHash(t *testing.T, what string, got, want *Hash) {
	t.Helper()
	for i := range want.Powers {
		if got.Powers[i] != want.Powers[i] {
			t.Fatalf("%s: power %d is %x, want %x", what, keys.NumPowers-i, got.Powers[i], want.Powers[i])
		}
		if got.Folded[i] != want.Folded[i] {
			t.Fatalf("%s: power %d folded is %x, want %x", what, keys.NumPowers-i, got.Folded[i], want.Folded[i])
		}
	}
}

func TestPrepareGCM(t *testing.T) {
	forEachForm(t, functionsOf, func(t *testing.T, fn functions) {
		for _, size := range keySizes {
			for range 50 {
				key := randomBytes(size + 5)[5:]
				var want, got keys.GCM
				random.Read(got.RoundKeys[:])
				generic.PrepareGCM(&want, key)
				fn.prepareGCM(&got, &key[0], size)
				if got.Enc != want.Enc {
					t.Fatalf("schedule of key %x:\n%x %d, want\n%x %d",
						key, got.RoundKeys, got.Rounds, want.RoundKeys, want.Rounds)
				}
				compareHash(t, fmt.Sprintf("key %x", key), &got.Hash, &want.Hash)
			}
		}
	})
}

func TestHashBlocks(t *testing.T) {
	orders := []struct {
		name    string
		control [16]byte
		generic func(h *Hash, acc *Element, data []byte)
	}{
		{"GHASH", [16]byte{15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, generic.GHASHBlocks},
		{"POLYVAL", [16]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, generic.POLYVALBlocks},
	}
	forEachForm(t, functionsOf, func(t *testing.T, fn functions) {
		for _, order := range orders {
			var h Hash
			generic.PrepareHash(&h, randomElement())
			for blocks := range maxBlocks + 1 {
				data := randomBytes(16*blocks + 7)[7:]
				want := randomElement()
				got := want
				order.generic(&h, &want, data)
				fn.hashBlocks(&h, &got, unsafe.SliceData(data), blocks, &order.control)
				if got != want {
					t.Fatalf("%s of %d blocks is %x, want %x", order.name, blocks, got, want)
				}
			}
		}
	})
}

func BenchmarkExpandKey(b *testing.B) {
	benchmarkKeySizes(b, func(b *testing.B, fn functions, key []byte) {
		var k Enc
		for b.Loop() {
			fn.expandKey(&k, &key[0], len(key))
		}
	})
}

func BenchmarkPrepareGCM(b *testing.B) {
	benchmarkKeySizes(b, func(b *testing.B, fn functions, key []byte) {
		var k GCM
		for b.Loop() {
			fn.prepareGCM(&k, &key[0], len(key))
		}
	})
}

func benchmarkKeySizes(b *testing.B, f func(b *testing.B, fn functions, key []byte)) {
	forEachForm(b, functionsOf, func(b *testing.B, fn functions) {
		for _, size := range keySizes {
			b.Run(fmt.Sprint(8*size), func(b *testing.B) { f(b, fn, randomBytes(size)) })
		}
	})
}

func BenchmarkPrepareHash(b *testing.B) {
	forEachForm(b, functionsOf, func(b *testing.B, fn functions) {
		var h Hash
		base := randomElement()
		for b.Loop() {
			fn.prepareHash(&h, &base)
		}
	})
}

// blockCounts are one block, some that end in every kind of rest, and a long message.
var blockCounts = []int{1, 2, 7, 16, 31, 89, 256, 1024}

func BenchmarkEncryptBlocks(b *testing.B) {
	var k Enc
	generic.ExpandKey(&k, randomBytes(32))
	benchmarkBlocks(b, func(fn functions, data *byte, n int) { fn.encryptBlocks(&k, data, data, n) })
}

func BenchmarkDecryptBlocks(b *testing.B) {
	var k keys.Key
	generic.ExpandKey(&k.Enc, randomBytes(32))
	generic.InvertKey(&k.Dec, &k.Enc)
	benchmarkBlocks(b, func(fn functions, data *byte, n int) { fn.decryptBlocks(&k.Dec, data, data, n) })
}

func BenchmarkHashBlocks(b *testing.B) {
	var h Hash
	var acc Element
	var control [16]byte
	generic.PrepareHash(&h, randomElement())
	benchmarkBlocks(b, func(fn functions, data *byte, n int) { fn.hashBlocks(&h, &acc, data, n, &control) })
}

func benchmarkBlocks(b *testing.B, f func(fn functions, data *byte, n int)) {
	forEachForm(b, functionsOf, func(b *testing.B, fn functions) {
		for _, n := range blockCounts {
			b.Run(fmt.Sprint(n), func(b *testing.B) {
				data := make([]byte, 16*n)
				b.SetBytes(int64(len(data)))
				for b.Loop() {
					f(fn, &data[0], n)
				}
			})
		}
	})
}
