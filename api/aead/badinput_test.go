package aead

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lamina/api/registry"
	"lamina/api/scatter"
	"lamina/arch"
)

// TestBadRequests has everything that can be wrong with a request: the error says what, and nothing is written.
func TestBadRequests(t *testing.T) {
	type request struct {
		src, dst scatter.List
		ad, size int
		iv       []byte
	}
	const n = 100 // bytes of text
	memory := make([]byte, 1000)
	segment := func(from, to int) []byte { return memory[from:to] }
	tests := []struct {
		name    string
		only    string // an algorithm's name, if not all have the error
		decrypt bool
		spoil   func(*request)
		want    error
		says    string
	}{
		{"negative associated data", "", false, func(r *request) { r.ad = -1 }, ErrLength, "-1 bytes of associated data"},
		{"negative text", "", false, func(r *request) { r.size = -1 }, ErrLength, "-1 to encrypt"},
		{"most negative text", "", true, func(r *request) { r.size = math.MinInt }, ErrLength, "to encrypt or decrypt"},
		{"sum overflows", "", false, func(r *request) { r.size = math.MaxInt }, ErrLength, "their sum an int"},
		{"sum with tag overflows", "", false, func(r *request) { r.size = math.MaxInt - r.ad }, ErrLength, "their sum"},
		{"both huge", "", true, func(r *request) { r.ad, r.size = math.MaxInt, math.MaxInt }, ErrLength, "their sum"},
		{"shorter than a tag", "", true, func(r *request) { r.size = 15 }, ErrLength, "15 bytes to decrypt"},
		{"nothing to decrypt", "", true, func(r *request) { r.size = 0 }, ErrLength, "at least a tag of 16"},
		{"no IV", "", false, func(r *request) { r.iv = nil }, ErrIVSize, "0 bytes"},
		{"no IV and no text", "", false, func(r *request) { r.iv, r.size = nil, 0 }, ErrIVSize, "0 bytes"},
		{"short IV", "", true, func(r *request) { r.iv = r.iv[1:] }, ErrIVSize, "it must have"},
		{"long IV", "", false, func(r *request) { r.iv = append(r.iv, 0) }, ErrIVSize, "it must have"},
		{"no source", "", false, func(r *request) { r.src = nil }, ErrShortList, "the source has 0 bytes"},
		{"short source", "", false, func(r *request) { r.src = scatter.List{segment(0, 115)} }, ErrShortList, "115 bytes"},
		{"short source, decrypting", "", true, func(r *request) { r.src = scatter.List{nil, segment(0, 100), segment(100, 131)} },
			ErrShortList, "131 bytes"},
		{"no destination", "", false, func(r *request) { r.dst = scatter.List{} }, ErrShortList, "room for 0"},
		{"destination without room for a tag", "", false, func(r *request) { r.dst = scatter.List{segment(500, 616)} },
			ErrShortList, "room for 116"},
		{"short destination, decrypting", "", true, func(r *request) { r.dst = scatter.List{segment(500, 615)} },
			ErrShortList, "take 116"},
		{"in place without room for a tag", "", false, func(r *request) {
			r.src = scatter.List{segment(0, 131)}
			r.dst = r.src
		}, ErrShortList, "room for 131"},
		{"overlap", "", false, func(r *request) { r.dst = scatter.List{segment(1, 900)} }, ErrOverlap, "same memory"},
		{"overlap of the tag", "", false, func(r *request) {
			r.dst = scatter.List{segment(500, 616), segment(4, 20)}
		}, ErrOverlap, "same memory"},
		{"overlap of later segments", "", true, func(r *request) {
			r.dst = scatter.List{segment(0, 50), segment(500, 510), segment(50, 200)}
		}, ErrOverlap, "same memory"},
		{"associated data of 15 bytes", "rfc4106(gcm(aes))", false, func(r *request) { r.ad = 15 }, ErrLength, "16 or 20"},
		{"no associated data", "rfc4106(gcm(aes))", true, func(r *request) { r.ad = 0 }, ErrLength, "16 or 20"},
		{"associated data of 21 bytes", "rfc4309(ccm(aes))", false, func(r *request) { r.ad = 21 }, ErrLength, "16 or 20"},
		{"length field of a byte", "ccm(aes)", false, func(r *request) { r.iv[0] = 0 }, ErrIV, "first byte is 0"},
		{"length field of 9 bytes", "ccm(aes)", true, func(r *request) { r.iv[0] = 8 }, ErrIV, "first byte is 8"},
		{"too long for its length field", "ccm(aes)", false, func(r *request) {
			r.iv[0], r.size = 1, 1<<16
			r.src = scatter.List{make([]byte, 1<<16+100)}
			r.dst = r.src
		}, ErrLength, "at most 65535"},
	}
	forEachDriver(t, func(t *testing.T, m *mode, im arch.Impl) {
		for _, name := range []string{m.prefix + im.String(), cryptdOf(m, im)} {
			tfm := allocKeyed(t, name)
			req := tfm.NewRequest()
			for _, test := range tests {
				if test.only != "" && test.only != m.name {
					continue
				}
				for i := range memory {
					memory[i] = poison
				}
				size := n
				if test.decrypt {
					size += 16
				}
				r := request{
					src: scatter.List{segment(0, 400)}, dst: scatter.List{segment(500, 900)},
					ad: 16, size: size, iv: make([]byte, tfm.IVSize()),
				}
				r.iv[0] = 1
				test.spoil(&r)
				req.SetAD(r.ad)
				req.SetCrypt(r.src, r.dst, r.size, r.iv)
				operation := req.Encrypt
				if test.decrypt {
					operation = req.Decrypt
				}
				err := Wait(req, operation())
				if !errors.Is(err, test.want) {
					t.Errorf("%s: %v, want %v", test.name, err, test.want)
				} else if !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), m.name) {
					t.Errorf("%s: the error %q does not say %q, or not %s", test.name, err, test.says, m.name)
				}
				if !allPoison(memory) {
					t.Errorf("%s: something was written", test.name)
				}
			}
		}
	})
}

func allPoison(memory []byte) bool {
	return bytes.Count(memory, []byte{poison}) == len(memory)
}

// TestTooLong has a message of more than GCM's 2^36 - 32 bytes, by a list that names the same memory again and
// again.
func TestTooLong(t *testing.T) {
	if math.MaxInt>>36 == 0 {
		t.Skip("an int counts no such message")
	}
	list := make(scatter.List, 1<<12+1)
	segment := make([]byte, 1<<24)
	for i := range list {
		list[i] = segment
	}
	r := allocKeyed(t, "gcm(aes)").NewRequest()
	r.SetCrypt(list, list, len(segment)*(len(list)-1)-31, make([]byte, 12))
	if err := r.Encrypt(); !errors.Is(err, ErrLength) || !strings.Contains(err.Error(), "2^36 - 32") {
		t.Errorf("%v, want ErrLength", err)
	}
}

// TestBadTransforms has what can be wrong before there is a request.
func TestBadTransforms(t *testing.T) {
	for name, nearest := range map[string]string{
		"gcm(eas)":                    "gcm(aes)",
		"gcm-aes-genric":              "gcm-aes-generic",
		"cryptd(ccm(ase))":            "ccm(aes)",
		"cryptd(cryptd(gcm(aes)))":    "",
		"cryptd(gcm(aes)":             "",
		"":                            "",
		"cryptd()":                    "",
		strings.Repeat("gcm(aes)", 9): "",
	} {
		// Both times: the first may have registered something.
		for range 2 {
			_, err := Alloc(name)
			var unknown *registry.UnknownError
			if !errors.As(err, &unknown) || unknown.Type != registry.AEAD {
				t.Errorf("%q: %v, want an UnknownError", name, err)
			} else if nearest != "" && unknown.Nearest[0] != nearest {
				t.Errorf("%q: the nearest name is %q, want %q", name, unknown.Nearest[0], nearest)
			}
			alloc(t, "cryptd(gcm(aes))")
		}
	}
	for _, options := range [][]Option{{Workers(0)}, {Workers(-1)}, {QueueLength(0)}, {QueueLength(math.MinInt)}} {
		if _, err := Alloc("cryptd(gcm(aes))", options...); !errors.Is(err, ErrOption) {
			t.Errorf("bad option: %v, want ErrOption", err)
		}
	}
	if _, err := Alloc("gcm(aes)", QueueLength(1)); !errors.Is(err, ErrOption) {
		t.Errorf("an option of a synchronous transform: %v, want ErrOption", err)
	}
}

// TestUsers holds that transforms count as users of their drivers until Close, and refused ones not at all.
func TestUsers(t *testing.T) {
	users := func(driver string) int {
		list := registry.List()
		i := slices.IndexFunc(list, func(e registry.Entry) bool { return e.Driver == driver })
		return list[i].Users
	}
	for _, name := range []string{"ccm-aes-generic", "cryptd(ccm-aes-generic)"} {
		tfm := alloc(t, name)
		if _, err := Alloc(name, Workers(0)); err == nil {
			t.Error("no workers: no error")
		}
		if n := users(name); n != 1 {
			t.Errorf("%s has %d users, want 1", name, n)
		}
		tfm.Close()
		tfm.Close()
		if n := users(name); n != 0 {
			t.Errorf("%s has %d users after Close, want 0", name, n)
		}
	}
}

// TestMemoryTwice has lists that name the same memory as associated data and as text. What comes out is of no use,
// but nothing panics.
func TestMemoryTwice(t *testing.T) {
	forEachDriver(t, func(t *testing.T, m *mode, im arch.Impl) {
		tfm := allocKeyed(t, m.prefix+im.String())
		r := tfm.NewRequest()
		same := make([]byte, 16)
		list := scatter.List{same, same, make([]byte, 16)}
		iv := make([]byte, tfm.IVSize())
		iv[0] = 1
		r.SetAD(16)
		for _, dst := range []scatter.List{list, slices.Clone(list)} {
			r.SetCrypt(list, dst, 16, iv)
			if err := r.Encrypt(); err != nil {
				t.Error(err)
			}
			r.SetCrypt(list, dst, 32, iv)
			if err := r.Decrypt(); !errors.Is(err, ErrBadMessage) {
				t.Errorf("%v, want %v", err, ErrBadMessage)
			}
		}
	})
}

// TestKeysAndTags has wrong sizes of keys and tags: what was set before stays.
func TestKeysAndTags(t *testing.T) {
	forEachDriver(t, func(t *testing.T, m *mode, im arch.Impl) {
		tfm := alloc(t, m.prefix+im.String())
		if tfm.Algorithm().Name != m.name || tfm.AuthSize() != 16 || tfm.IVSize() != m.ivSize {
			t.Errorf("%+v with tags of %d bytes", tfm.Algorithm(), tfm.AuthSize())
		}
		s := newMessage(m, im, 1, 24, m.authSizes[0], 16, 40)
		r := tfm.NewRequest()
		r.SetAD(len(s.ad))
		list := scatter.List{make([]byte, 200)}
		r.SetCrypt(list, list, 40, s.iv)
		if err := r.Encrypt(); !errors.Is(err, ErrNoKey) {
			t.Errorf("without a key: %v", err)
		}
		if err := r.Decrypt(); !errors.Is(err, ErrNoKey) {
			t.Errorf("without a key: %v", err)
		}
		// The tag size first: it must count when the key comes.
		if err := errors.Join(tfm.SetAuthSize(s.authSize), tfm.SetKey(s.key)); err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{0, 1, 15, 17, 23, 25, 33, 16 + m.saltSize - 1, 32 + m.saltSize + 1, 1000} {
			if err := tfm.SetKey(make([]byte, n+m.saltSize)); n != 16 && n != 24 && n != 32 && !errors.Is(err, ErrKeySize) {
				t.Errorf("key of %d bytes and salt: %v", n, err)
			}
		}
		if err := tfm.SetKey(s.key); err != nil {
			t.Fatal(err)
		}
		if err := tfm.SetKey(nil); !errors.Is(err, ErrKeySize) {
			t.Errorf("nil key: %v", err)
		}
		for _, n := range []int{-1, 0, 1, 2, 3, 5, 7, 9, 11, 17, math.MaxInt, math.MinInt} {
			if err := tfm.SetAuthSize(n); !errors.Is(err, ErrAuthSize) {
				t.Errorf("tags of %d bytes: %v", n, err)
			}
		}
		s.check(t, r, sameList, cycle(100, 30), nil)
	})
}

// TestClosed has every use after Close.
func TestClosed(t *testing.T) {
	forEachDriver(t, func(t *testing.T, m *mode, im arch.Impl) {
		for _, name := range []string{m.prefix + im.String(), cryptdOf(m, im)} {
			tfm := allocKeyed(t, name)
			r := tfm.NewRequest()
			list := scatter.List{make([]byte, 200)}
			r.SetAD(16)
			r.SetCrypt(list, list, 40, make([]byte, tfm.IVSize()))
			if err := tfm.Close(); err != nil {
				t.Fatal(err)
			}
			for what, err := range map[string]error{
				"Close":                    tfm.Close(),
				"SetKey":                   tfm.SetKey(make([]byte, 16+m.saltSize)),
				"SetAuthSize":              tfm.SetAuthSize(16),
				"Encrypt":                  Wait(r, r.Encrypt()),
				"Decrypt":                  WaitContext(context.Background(), r, r.Decrypt()),
				"Encrypt of a new request": tfm.NewRequest().Encrypt(),
			} {
				if !errors.Is(err, ErrClosed) {
					t.Errorf("%s: %s: %v, want ErrClosed", name, what, err)
				}
			}
			if tfm.key != [maxKeySize]byte{} {
				t.Errorf("%s: the key is still there", name)
			}
		}
	})
}

// TestEmpty has messages with nothing in them, or nothing but associated data, over lists of no segments where
// nothing is to be read or written.
func TestEmpty(t *testing.T) {
	forEachDriver(t, func(t *testing.T, m *mode, im arch.Impl) {
		tfm := alloc(t, m.prefix+im.String())
		for _, adSize := range []int{0, 1, 5000} {
			s := newMessage(m, im, 3, 16, 16, adSize, 0)
			s.use(t, tfm)
			r := tfm.NewRequest()
			s.check(t, r, apart, []int{len(s.ad) + 16}, []int{len(s.ad) + 16})
			s.check(t, r, sameList, []int{0, len(s.ad), 0, 16}, nil)
			if len(s.ad) > 0 {
				continue
			}
			tag := make([]byte, 16)
			r.SetCrypt(nil, scatter.List{tag}, 0, s.iv)
			if err := r.Encrypt(); err != nil || !bytes.Equal(tag, s.sealed) {
				t.Errorf("Encrypt from no list: %v, tag %x", err, tag)
			}
			for _, nothing := range []scatter.List{nil, {}, {nil}, {nil, {}}} {
				r.SetCrypt(scatter.List{tag}, nothing, 16, s.iv)
				if err := r.Decrypt(); err != nil {
					t.Errorf("Decrypt to no list: %v", err)
				}
			}
		}
	})
}

// TestNeverPanics throws sizes and lists of all kinds at requests, lists that name memory twice among them. What
// comes out is not looked at.
func TestNeverPanics(t *testing.T) {
	count := 20000
	if testing.Short() {
		count = 3000
	}
	forEachDriver(t, func(t *testing.T, m *mode, im arch.Impl) {
		if im != arch.Best() && im != arch.Generic {
			t.Skip("the checks are the same for all implementations")
		}
		random := rand.New(rand.NewPCG(7, 7))
		tfm := allocKeyed(t, m.prefix+im.String())
		r := tfm.NewRequest()
		done := 0
		for range count {
			throw(t, random, r, &done)
		}
		if done < count/10 {
			t.Errorf("only %d of %d were well-formed", done, count)
		}
	})
}

// throw makes one request of anything, and counts those that were done.
func throw(t *testing.T, random *rand.Rand, r *Request, done *int) {
	memory := make([]byte, 6000)
	list := func() (l scatter.List) {
		for range random.IntN(6) {
			from := random.IntN(len(memory) / (1 + random.IntN(100)))
			l = append(l, memory[from:from+random.IntN(len(memory)-from)/(1+random.IntN(10))])
		}
		return l
	}
	size := func() int {
		switch random.IntN(12) {
		case 0:
			return -random.IntN(100)
		case 1:
			return math.MaxInt - random.IntN(40)
		case 2:
			return math.MinInt + random.IntN(40)
		case 3:
			return int(random.Uint64())
		}
		return random.IntN(20 + random.IntN(2000))
	}
	src := list()
	dst := list()
	switch random.IntN(4) {
	case 0:
		dst = src
	case 1:
		dst = append(scatter.List(nil), src...)
	case 2:
		dst = scatter.List{make([]byte, 6000)}
	}
	iv := make([]byte, r.tfm.IVSize())
	iv[0] = byte(random.IntN(8))
	adSize := size()
	if r.tfm.IVSize() == espIVSize && random.IntN(10) > 0 {
		adSize = 16
	}
	r.SetAD(adSize)
	r.SetCrypt(src, dst, size(), iv)
	defer func() {
		if reason := recover(); reason != nil {
			t.Fatalf("%d bytes of associated data, %d of text: panic: %v", adSize, r.cryptSize, reason)
		}
	}()
	var err error
	if random.IntN(2) == 0 {
		err = r.Encrypt()
	} else {
		err = r.Decrypt()
	}
	if err == nil || errors.Is(err, ErrBadMessage) {
		*done++
	}
}
