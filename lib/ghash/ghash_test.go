package ghash

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"lamina/arch"
)

func forEachImpl(t *testing.T, test func(t *testing.T, im arch.Impl)) {
	for _, im := range arch.Impls() {
		t.Run(im.String(), func(t *testing.T) { test(t, im) })
	}
}

// bytesFor returns n bytes that are random, and the same on every run for the same seed.
func bytesFor(seed byte, n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{seed}).Read(b)
	return b
}

func block(s string) (b [16]byte) {
	if n, err := hex.Decode(b[:], []byte(s)); n != 16 || err != nil {
		panic("not a block: " + s)
	}
	return b
}

func sumOf(k *Key, pieces ...[]byte) (sum [16]byte) {
	h := New(k)
	for _, p := range pieces {
		h.Update(p)
	}
	h.Sum(&sum)
	return sum
}

// TestKnownAnswers has the example of RFC 8452, appendix A: one message under POLYVAL and under GHASH, and
// GHASH of test case 2 of the GCM specification.
func TestKnownAnswers(t *testing.T) {
	h := block("25629347589242761d31f826ba4b757b")
	x1, x2 := block("4f4f95668c83dfb6401762bb2d01a262"), block("d1a24ddd2721d006bbe45f20d3c9f362")
	gcm := block("66e94bd4ef8a2c3b884cfa59ca342b2e")
	c, lengths := block("0388dace60b6a392f328c2b971b2fe78"), block("00000000000000000000000000000080")
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		var k Key
		k.InitPOLYVALImpl(im, &h)
		if got, want := sumOf(&k, x1[:], x2[:]), block("f7a3b47b846119fae5b7866cf5e5b77e"); got != want {
			t.Errorf("POLYVAL: got %x, want %x", got, want)
		}
		k.InitImpl(im, &h)
		if got, want := sumOf(&k, x1[:], x2[:]), block("bd9b3997046731fb96251b91f9c99d7a"); got != want {
			t.Errorf("GHASH: got %x, want %x", got, want)
		}
		k.InitImpl(im, &gcm)
		if got, want := sumOf(&k, c[:], lengths[:]), block("f38cbb1ad69223dcc3457ae5b6b0f885"); got != want {
			t.Errorf("GHASH: got %x, want %x", got, want)
		}
	})
}

func TestMisuse(t *testing.T) {
	var zero Key
	var k, wiped Key
	h := [16]byte(bytesFor(5, 16))
	k.Init(&h)
	wiped = k
	underway := New(&wiped)
	wiped.Wipe()
	if wiped != zero {
		t.Error("Key.Wipe left something")
	}
	ended := New(&k)
	ended.Wipe()
	if ended != (Hash{}) {
		t.Error("Hash.Wipe left something")
	}
	var sum [16]byte
	const key, hash = "ghash: key used before Init or after Wipe", "ghash: Hash used before Init or after Wipe"
	for _, test := range []struct {
		want string
		f    func()
	}{
		{key, func() { New(&zero) }},
		{key, func() { new(Hash).Init(&zero) }},
		{key, func() { New(&wiped) }},
		{key, func() { underway.Update(nil) }},
		{key, func() { underway.Sum(&sum) }},
		{key, func() { underway.Reset() }},
		{hash, func() { new(Hash).Update(nil) }},
		{hash, func() { new(Hash).Sum(&sum) }},
		{hash, func() { new(Hash).Reset() }},
		{hash, func() { ended.Update(nil) }},
	} {
		got := func() (message string) {
			defer func() { message = fmt.Sprint(recover()) }()
			test.f()
			return
		}()
		if !strings.Contains(got, test.want) {
			t.Errorf("panic %q, want %q", got, test.want)
		}
	}
}

func TestNoAllocations(t *testing.T) {
	for _, im := range arch.Impls() {
		if n := testing.AllocsPerRun(50, func() {
			var h, sum [16]byte
			var data [100]byte
			var k Key
			k.InitImpl(im, &h)
			hash := New(&k)
			hash.Update(data[:])
			hash.Sum(&sum)
			k.InitPOLYVALImpl(im, &h)
			hash = New(&k)
			hash.Update(data[:])
			hash.Sum(&sum)
		}); n != 0 {
			t.Errorf("%v: %v allocations, want 0", im, n)
		}
	}
}

func TestSizes(t *testing.T) {
	if n := unsafe.Sizeof(Key{}); n > 640 {
		t.Errorf("Key has %d bytes, want at most 640", n)
	}
}

func TestConcurrent(t *testing.T) {
	h, data := [16]byte(bytesFor(6, 16)), bytesFor(7, 777)
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		var k Key
		k.InitImpl(im, &h)
		want := sumOf(&k, data)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for i := range 20 {
					if got := sumOf(&k, data[:i*7], data[i*7:]); got != want {
						t.Error("wrong result under concurrent use")
						return
					}
				}
			})
		}
		wg.Wait()
	})
}
