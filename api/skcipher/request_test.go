package skcipher

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lamina/api/registry"
	"lamina/api/scatter"
	"lamina/arch"
)

// refused is a request that must be refused.
type refused struct {
	name     string
	src, dst scatter.List
	size     int
	iv       []byte
	want     error
	text     string // part of the error
}

// refusals are requests under d of a text in m that must be refused. m has 200 random bytes.
func refusals(d *driver, m []byte) []refused {
	ivSize := d.mode.ivSize
	iv, long := m[160:160+ivSize], m[140:140+ivSize+1]
	list := scatter.List{m[:7], m[7:96]}
	halves, swapped := scatter.List{m[:48], m[48:96]}, scatter.List{m[48:96], m[:48]}
	other, behind := scatter.List{m[80:]}, scatter.List{m[100:]}
	longSize := strconv.Itoa(ivSize+1) + " bytes; it must have " + strconv.Itoa(ivSize)
	tests := []refused{
		{"negative size", list, list, -1, iv, ErrLength, "-1 bytes"},
		{"negative size, a block", list, list, -16, iv, ErrLength, "-16 bytes"},
		{"smallest size", list, list, math.MinInt, iv, ErrLength, "bytes"},
		{"short source", list, behind, 112, iv, ErrShortList, "the source has 96 bytes; 112"},
		{"empty source", nil, behind, 16, iv, ErrShortList, "the source has 0 bytes"},
		{"empty segments", scatter.List{nil, {}}, behind, 16, iv, ErrShortList, "the source has 0 bytes"},
		{"short destination", other, list, 112, iv, ErrShortList, "the destination has room for 96 bytes; 112"},
		{"no destination", list, nil, 32, iv, ErrShortList, "the destination has room for 0 bytes"},
		{"overlap", scatter.List{m[:96]}, scatter.List{m[1:97]}, 96, iv, ErrOverlap, "same memory"},
		{"other order", halves, swapped, 96, iv, ErrOverlap, "same memory"},
		{"longer IV", list, list, 96, long, ErrIVSize, longSize},
	}
	if d.mode.maxSize == 0 || strconv.IntSize == 32 {
		tests = append(tests, refused{"largest size", list, list, math.MaxInt &^ 15, iv, ErrShortList, "96 bytes"})
	}
	if d.mode.lengths != stealing {
		tests = append(tests, refused{"longer IV for no text", list, list, 0, long, ErrIVSize, longSize})
	}
	if ivSize > 0 {
		tests = append(tests,
			refused{"no IV", list, list, 96, nil, ErrIVSize, "0 bytes; it must have"},
			refused{"shorter IV", list, list, 96, iv[1:], ErrIVSize, "bytes; it must have"})
	}
	switch d.mode.lengths {
	case wholeBlocks:
		for _, n := range []int{1, 15, 17, 31, 33, 95} {
			text := strconv.Itoa(n) + " bytes; it must be a multiple of 16"
			tests = append(tests, refused{"partial block", list, list, n, iv, ErrLength, text})
		}
	case stealing:
		for n := range 16 {
			text := strconv.Itoa(n) + " bytes; it must be at least 16"
			tests = append(tests, refused{"less than a block", list, list, n, iv, ErrLength, text})
		}
	}
	return tests
}

// TestRefused holds that whatever is wrong with a request is an error, and that nothing was written then.
func TestRefused(t *testing.T) {
	forEachDriver(t, func(t *testing.T, d *driver) {
		r := alloc(t, d.algorithm.Driver).NewRequest()
		m := bytesFor(1, 200)
		for _, test := range refusals(d, m) {
			for _, direction := range directions {
				r.SetCrypt(test.src, test.dst, test.size, test.iv)
				err := r.run(bool(direction))
				if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.text) ||
					!strings.HasPrefix(err.Error(), "skcipher: "+d.mode.name+": ") {
					t.Errorf("%s, %s: %v, want %v about %q", test.name, direction, err, test.want, test.text)
				}
				if !bytes.Equal(m, bytesFor(1, 200)) {
					t.Fatalf("%s, %s: memory was written", test.name, direction)
				}
			}
		}
	})
}

// TestNothing has requests of 0 bytes, for which there need not be an IV.
func TestNothing(t *testing.T) {
	forEachDriver(t, func(t *testing.T, d *driver) {
		r := alloc(t, d.algorithm.Driver).NewRequest()
		iv := bytesFor(1, d.mode.ivSize)
		for _, direction := range directions {
			for _, list := range []scatter.List{nil, {}, {nil}, {{}, make([]byte, 5)}} {
				for _, given := range [][]byte{nil, {}, iv} {
					r.SetCrypt(list, list, 0, given)
					err := r.run(bool(direction))
					if d.mode.lengths == stealing {
						if !errors.Is(err, ErrLength) {
							t.Errorf("%s: %v, want ErrLength", direction, err)
						}
					} else if err != nil {
						t.Errorf("%s with an IV of %d bytes: %v", direction, len(given), err)
					}
				}
			}
		}
		if !bytes.Equal(iv, bytesFor(1, d.mode.ivSize)) {
			t.Error("the IV was changed")
		}
	})
}

// TestRFC3686Limit has a list of 64 GiB, which names the same memory again and again.
func TestRFC3686Limit(t *testing.T) {
	if strconv.IntSize < 64 {
		t.Skip("a list cannot have as many bytes here")
	}
	r := alloc(t, "rfc3686(ctr(aes))").NewRequest()
	m := make([]byte, 1<<20)
	list := slices.Repeat(scatter.List{m}, 1<<16)
	limit := uint64(rfc3686MaxSize)
	r.SetCrypt(list, list, int(limit+1), make([]byte, 8))
	if err := r.Encrypt(); !errors.Is(err, ErrLength) || !strings.Contains(err.Error(), "2^32 - 1 blocks") {
		t.Errorf("%d bytes: %v, want ErrLength", r.size, err)
	}
	if !bytes.Equal(m, make([]byte, len(m))) {
		t.Error("memory was written")
	}
	r.size = int(limit)
	if err := r.prepare(false); err != nil {
		t.Errorf("%d bytes: %v", limit, err)
	}
	// A Reader or a Writer comes there in many requests.
	r.offset, r.size = limit-15, 16
	if err := r.prepare(false); !errors.Is(err, ErrLength) {
		t.Errorf("16 bytes, 15 before the limit: %v, want ErrLength", err)
	}
}

// TestKeys has keys of all sizes, right and wrong. A refused key leaves the one before in use.
func TestKeys(t *testing.T) {
	forEachDriver(t, func(t *testing.T, d *driver) {
		tfm, err := Alloc(d.algorithm.Driver)
		if err != nil {
			t.Fatal(err)
		}
		defer tfm.Close()
		iv := make([]byte, tfm.IVSize())
		r := tfm.NewRequest()
		got := make([]byte, 64)
		encrypt := func() error {
			clear(iv)
			clear(got)
			r.SetCrypt(scatter.List{got}, scatter.List{got}, len(got), iv)
			return r.Encrypt()
		}
		if err := encrypt(); !errors.Is(err, ErrNoKey) {
			t.Errorf("without a key: %v, want ErrNoKey", err)
		}
		var want []byte
		for n := range 70 {
			key := bytesFor(byte(n), n)
			err := tfm.SetKey(key)
			if slices.Contains(d.mode.keySizes, n) {
				if err != nil {
					t.Fatal(err)
				}
				want, _ = direct(t, d, Encrypt, key, make([]byte, tfm.IVSize()), make([]byte, 64))
				clear(key) // a copy is in use
			} else if !errors.Is(err, ErrKeySize) || !strings.Contains(err.Error(), fmt.Sprintf("%d bytes; it must", n)) {
				t.Errorf("key of %d bytes: %v, want ErrKeySize", n, err)
			}
			if want == nil {
				continue
			}
			if err := encrypt(); err != nil || !bytes.Equal(got, want) {
				t.Errorf("after a key of %d bytes: %v, or encrypted under another", n, err)
			}
		}
	})
}

// TestWeakKeys has keys of xts(aes) whose halves are equal.
func TestWeakKeys(t *testing.T) {
	for _, size := range twoKeys {
		tfm := alloc(t, "xts(aes)")
		weak := bytes.Repeat(bytesFor(9, size/2), 2)
		text, iv := make([]byte, 32), make([]byte, 16)
		encrypt := func() []byte {
			clear(text)
			clear(iv)
			r := tfm.NewRequest()
			r.SetCrypt(scatter.List{text}, scatter.List{text}, len(text), iv)
			if err := r.Encrypt(); err != nil {
				t.Fatal(err)
			}
			return bytes.Clone(text)
		}
		before := encrypt()
		if err := tfm.SetKey(weak); !errors.Is(err, ErrWeakKey) {
			t.Errorf("SetKey of %d bytes: %v, want ErrWeakKey", size, err)
		}
		if !bytes.Equal(encrypt(), before) {
			t.Error("a refused key came into use")
		}
		if err := tfm.SetKeyAllowWeak(weak); err != nil {
			t.Errorf("SetKeyAllowWeak of %d bytes: %v", size, err)
		}
		if bytes.Equal(encrypt(), before) {
			t.Error("an allowed key did not come into use")
		}
		if err := tfm.SetKeyAllowWeak(weak[1:]); !errors.Is(err, ErrKeySize) {
			t.Errorf("SetKeyAllowWeak of %d bytes: %v, want ErrKeySize", size-1, err)
		}
	}
	for _, m := range modes { // others have no weak keys
		if m.lengths == stealing && m.keySizes[0] == 32 {
			continue
		}
		if err := alloc(t, m.name).SetKey(make([]byte, m.keySizes[0])); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
	}
}

// TestAlloc holds which driver a name gives.
func TestAlloc(t *testing.T) {
	for _, m := range modes {
		best := alloc(t, m.name).Algorithm()
		if want := m.prefix + arch.Best().String(); best.Driver != want || best.Name != m.name {
			t.Errorf("%s is %s under %s, want %s", m.name, best.Name, best.Driver, want)
		}
		for _, im := range arch.Impls() {
			name := m.prefix + im.String()
			if got := alloc(t, name); got.Algorithm().Driver != name || got.IVSize() != m.ivSize {
				t.Errorf("%s gave %+v", name, got.Algorithm())
			}
		}
	}
	var unknown *registry.UnknownError
	for _, name := range []string{"crt(aes)", "cryptd(crt(aes))", "gcm(aes)", "cryptd(ctr(aes)"} {
		_, err := Alloc(name)
		if !errors.As(err, &unknown) {
			t.Errorf("%s: %v, want an UnknownError", name, err)
		}
	}
	if _, err := Alloc("crt(aes)"); !strings.Contains(err.Error(), "ctr(aes)") {
		t.Errorf("crt(aes): %v, want ctr(aes) among the nearest names", err)
	}
	for range 2 { // it is the same before and after cryptd(ctr(aes)) came to be
		if _, err := Alloc("cryptd(cryptd(ctr(aes)))"); !errors.As(err, &unknown) {
			t.Errorf("cryptd(cryptd(ctr(aes))): %v, want an UnknownError", err)
		}
		alloc(t, "cryptd(ctr(aes))")
	}
	before := users(t, "ctr-aes-generic")
	if _, err := Alloc("ctr-aes-generic", Workers(1)); !errors.Is(err, ErrOption) {
		t.Errorf("workers for ctr-aes-generic: %v, want ErrOption", err)
	}
	if got := users(t, "ctr-aes-generic"); got != before {
		t.Errorf("%d users after a refused option, want %d", got, before)
	}
}

// TestRegistered compares what is listed with what Linux lists for the same algorithms.
func TestRegistered(t *testing.T) {
	want := map[string][5]int{ // block, chunk, IV, smallest and largest key
		"ecb(aes)":          {16, 16, 0, 16, 32},
		"cbc(aes)":          {16, 16, 16, 16, 32},
		"cts(cbc(aes))":     {16, 16, 16, 16, 32},
		"ctr(aes)":          {1, 16, 16, 16, 32},
		"rfc3686(ctr(aes))": {1, 16, 8, 20, 36},
		"xctr(aes)":         {1, 16, 16, 16, 32},
		"xts(aes)":          {16, 16, 16, 32, 64},
	}
	count := 0
	for _, e := range registry.List() {
		if e.Type != registry.SKCipher || e.Asynchronous {
			continue
		}
		count++
		if got := [5]int{e.BlockSize, e.ChunkSize, e.IVSize, e.MinKeySize, e.MaxKeySize}; got != want[e.Name] {
			t.Errorf("%s: %v, want %v", e.Driver, got, want[e.Name])
		}
		if e.State != registry.Passed {
			t.Errorf("%s: %s, %v", e.Driver, e.State, e.Err)
		}
	}
	if count != len(want)*len(arch.Impls()) {
		t.Errorf("%d drivers, want %d algorithms under %d implementations", count, len(want), len(arch.Impls()))
	}
}

// TestClose holds that nothing can be done after it, and that the key is gone and the use ended.
func TestClose(t *testing.T) {
	for _, m := range modes {
		for _, name := range []string{m.prefix + "generic", "cryptd(" + m.prefix + "generic)"} {
			before := 0
			if !strings.HasPrefix(name, "cryptd") {
				before = users(t, name)
			}
			tfm, err := Alloc(name)
			if err != nil {
				t.Fatal(err)
			}
			if got := users(t, name); got != before+1 {
				t.Errorf("%s: %d users, want %d", name, got, before+1)
			}
			if err := tfm.SetKey(bytesFor(1, m.keySizes[0])); err != nil {
				t.Fatal(err)
			}
			r := tfm.NewRequest()
			text := make([]byte, 32)
			r.SetCrypt(scatter.List{text}, scatter.List{text}, 32, make([]byte, m.ivSize))
			if err := tfm.Close(); err != nil {
				t.Errorf("%s: Close: %v", name, err)
			}
			if err := r.Encrypt(); !errors.Is(err, ErrClosed) {
				t.Errorf("%s: Encrypt after Close: %v, want ErrClosed", name, err)
			}
			if err := r.Decrypt(); !errors.Is(err, ErrClosed) || !bytes.Equal(text, make([]byte, 32)) {
				t.Errorf("%s: Decrypt after Close: %v, want ErrClosed and nothing written", name, err)
			}
			if err := tfm.SetKey(bytesFor(1, m.keySizes[0])); !errors.Is(err, ErrClosed) {
				t.Errorf("%s: SetKey after Close: %v, want ErrClosed", name, err)
			}
			if err := tfm.Close(); !errors.Is(err, ErrClosed) {
				t.Errorf("%s: second Close: %v, want ErrClosed", name, err)
			}
			if got := users(t, name); got != before {
				t.Errorf("%s: %d users after Close, want %d", name, got, before)
			}
			if !wiped(tfm.cipher) {
				t.Errorf("%s: the key is still there", name)
			}
		}
	}
}

// wiped reports whether c has no key. Keys without one panic when used.
func wiped(c cipher) (ok bool) {
	if n, is := c.(*rfc3686); is && n.nonce != [nonceSize]byte{} {
		return false
	}
	defer func() { ok = recover() != nil }()
	c.encrypt(new(Request), make([]byte, 16), make([]byte, 16), true)
	return false
}
