package aesxts

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"testing"
	"unsafe"

	"lamina/arch"
)

// TestSectors compares calls of any number of sectors with one call a sector.
func TestSectors(t *testing.T) {
	key := bytesFor(11, 64)
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		k := newKey(t, im, key)
		for _, size := range []int{16, 17, 31, 64, 100, 512, 520} {
			for _, count := range []int{0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 39, 40, 41, 64, 70} {
				text := bytesFor(uint64(size), size*count)
				for _, first := range []uint64{0, 250, 65530, 1<<32 - 3, 1<<40 - 9, 1<<64 - 5} {
					want := make([]byte, 0, len(text))
					for i := range count {
						tweak := tweakOf(first + uint64(i))
						if first+uint64(i) < first {
							tweak[8] = 1
						}
						want = append(want, reference(key, tweak, text[i*size:][:size])...)
					}
					got := make([]byte, len(text))
					if k.EncryptSectors(got, text, first, size); !bytes.Equal(got, want) {
						t.Fatalf("%d sectors of %d bytes from %d on: encryption differs", count, size, first)
					}
					if k.DecryptSectors(got, got, first, size); !bytes.Equal(got, text) {
						t.Fatalf("%d sectors of %d bytes from %d on: decryption in place differs", count, size, first)
					}
					if testing.Short() && first > 0 {
						break
					}
				}
			}
		}
	})
}

// TestSectorNumbers holds that the number is one of 128 bits, whose carry goes over every byte.
func TestSectorNumbers(t *testing.T) {
	for _, test := range []struct {
		from, want sectorNumber
		tweak      string
	}{
		{sectorNumber{0xff, 0}, sectorNumber{0x100, 0}, "ff000000000000000000000000000000"},
		{sectorNumber{0xffffffff, 0}, sectorNumber{1 << 32, 0}, "ffffffff000000000000000000000000"},
		{sectorNumber{1<<56 - 1, 0}, sectorNumber{1 << 56, 0}, "ffffffffffffff000000000000000000"},
		{sectorNumber{1<<64 - 1, 0}, sectorNumber{0, 1}, "ffffffffffffffff0000000000000000"},
		{sectorNumber{1<<64 - 1, 0xff}, sectorNumber{0, 0x100}, "ffffffffffffffffff00000000000000"},
	} {
		n := test.from
		if got := n.list(make([]byte, 16), 5); !bytes.Equal(got, unhex(test.tweak)) {
			t.Errorf("tweak of %x is %x, want %s", test.from, got, test.tweak)
		}
		if n != test.want {
			t.Errorf("after %x comes %x, want %x", test.from, n, test.want)
		}
	}
}

func TestKeySizes(t *testing.T) {
	for n := range 130 {
		good := n == 32 || n == 48 || n == 64
		want := fmt.Sprintf("aesxts: key of %d bytes; it must have 32, 48 or 64, two AES keys of equal size", n)
		var k Key
		_, errNew := New(bytesFor(12, n))
		for name, err := range map[string]error{
			"New": errNew, "Init": k.Init(bytesFor(12, n)), "InitAllowWeak": k.InitAllowWeak(bytesFor(12, n)),
		} {
			var size KeySizeError
			switch {
			case good && err != nil:
				t.Errorf("%s with %d bytes: %v", name, n, err)
			case !good && (!errors.As(err, &size) || int(size) != n || err.Error() != want):
				t.Errorf("%s with %d bytes: error %v, want %s", name, n, err, want)
			}
		}
		if !good && k != (Key{}) {
			t.Errorf("a refused key of %d bytes changed something", n)
		}
	}
}

// TestWeakKeys holds that equal halves are refused, but for one way, and halves that differ in any one bit are
// not.
func TestWeakKeys(t *testing.T) {
	for _, size := range keySizes {
		half := bytesFor(13, size/2)
		weak := append(bytes.Clone(half), half...)
		forEachImpl(t, func(t *testing.T, im arch.Impl) {
			var k Key
			if err := k.InitImpl(im, weak); err != ErrWeakKey || k != (Key{}) {
				t.Errorf("InitImpl with equal halves: %v, key changed: %v; want ErrWeakKey and no change", err, k != Key{})
			}
			if err := k.InitAllowWeakImpl(im, weak); err != nil {
				t.Errorf("InitAllowWeakImpl: %v", err)
			}
			buf, tweak := bytesFor(14, 47), tweakOf(3)
			want := reference(weak, tweak, buf)
			if k.Encrypt(buf, buf, &tweak); !bytes.Equal(buf, want) {
				t.Error("a weak key encrypts wrongly")
			}
			for bit := range 8 * size {
				weak[bit/8] ^= 1 << (bit % 8)
				if err := k.InitImpl(im, weak); err != nil {
					t.Fatalf("halves that differ in bit %d: %v", bit, err)
				}
				weak[bit/8] ^= 1 << (bit % 8)
			}
		})
		if _, err := New(weak); err != ErrWeakKey {
			t.Errorf("New with equal halves: %v, want ErrWeakKey", err)
		}
		var k Key
		if err := k.Init(weak); err != ErrWeakKey {
			t.Errorf("Init with equal halves: %v, want ErrWeakKey", err)
		}
		if err := k.InitAllowWeak(weak); err != nil {
			t.Errorf("InitAllowWeak with equal halves: %v", err)
		}
	}
}

// TestMisuse holds that mistakes panic, with a message that says what is wrong, and before a byte is written.
func TestMisuse(t *testing.T) {
	k := newKey(t, arch.Best(), bytesFor(15, 32))
	buf := make([]byte, 200)
	var tweak [16]byte
	inside := (*[16]byte)(buf[40:])
	wiped := *k
	if wiped.Wipe(); wiped != (Key{}) {
		t.Error("Wipe left something")
	}
	const (
		same    = "both must have the same length, at least 16"
		overlap = "dst and src overlap without being the same memory"
		unset   = "aesxts: key used before Init or after Wipe"
		sectors = "both must have the same length, a multiple of the sector size "
	)
	for _, test := range []struct {
		want string
		f    func()
	}{
		{"aesxts: Encrypt: dst of 15 bytes and src of 15; " + same, func() {
			k.Encrypt(buf[:15], buf[:15], &tweak)
		}},
		{"aesxts: Decrypt: dst of 15 bytes and src of 15; " + same, func() {
			k.Decrypt(buf[:15], buf[:15], &tweak)
		}},
		{"aesxts: Encrypt: dst of 0 bytes and src of 0; " + same, func() { k.Encrypt(nil, nil, &tweak) }},
		{"aesxts: Encrypt: dst of 32 bytes and src of 33; " + same, func() {
			k.Encrypt(buf[:32], buf[:33], &tweak)
		}},
		{"aesxts: Decrypt: dst of 34 bytes and src of 33; " + same, func() {
			k.Decrypt(buf[:34], buf[:33], &tweak)
		}},
		{"aesxts: Encrypt: " + overlap, func() { k.Encrypt(buf[1:33], buf[:32], &tweak) }},
		{"aesxts: Decrypt: " + overlap, func() { k.Decrypt(buf[:32], buf[31:63], &tweak) }},
		{"aesxts: Encrypt: tweak overlaps dst or src", func() { k.Encrypt(buf[:41], buf[:41], inside) }},
		{"aesxts: Decrypt: tweak overlaps dst or src", func() { k.Decrypt(buf[100:132], buf[55:87], inside) }},
		{"aesxts: EncryptSectors: sectors of 15 bytes; they must have at least 16", func() {
			k.EncryptSectors(buf[:30], buf[:30], 0, 15)
		}},
		{"aesxts: DecryptSectors: sectors of 0 bytes; they must have at least 16", func() {
			k.DecryptSectors(nil, nil, 0, 0)
		}},
		{"aesxts: DecryptSectors: sectors of -16 bytes; they must have at least 16", func() {
			k.DecryptSectors(buf[:32], buf[:32], 0, -16)
		}},
		{"aesxts: EncryptSectors: dst of 40 bytes and src of 40; " + sectors + "16", func() {
			k.EncryptSectors(buf[:40], buf[:40], 0, 16)
		}},
		{"aesxts: DecryptSectors: dst of 64 bytes and src of 32; " + sectors + "32", func() {
			k.DecryptSectors(buf[:64], buf[:32], 0, 32)
		}},
		{sectors + "9223372036854775", func() { k.EncryptSectors(buf, buf, 0, int(^uint(0)>>1)) }},
		{"aesxts: EncryptSectors: " + overlap, func() { k.EncryptSectors(buf[16:80], buf[:64], 0, 16) }},
		{"aesxts: DecryptSectors: " + overlap, func() { k.DecryptSectors(buf[:64], buf[63:127], 0, 32) }},
		{unset, func() { wiped.Encrypt(buf[:16], buf[:16], &tweak) }},
		{unset, func() { wiped.Decrypt(buf[:16], buf[:16], &tweak) }},
		{unset, func() { wiped.EncryptSectors(nil, nil, 0, 16) }},
		{unset, func() { wiped.DecryptSectors(nil, nil, 0, 16) }},
	} {
		want := test.want
		if ^uint(0)>>63 == 0 && want == sectors+"9223372036854775" {
			want = sectors + "2147483647"
		}
		mustPanic(t, want, test.f)
		if !bytes.Equal(buf, make([]byte, len(buf))) || tweak != [16]byte{} {
			t.Fatalf("%s: written to before the panic", test.want)
		}
	}
	k.Encrypt(buf[:40], buf[:40], inside) // a tweak right behind the text
}

// TestNoAllocations has all keys and buffers as local variables, so it also holds that none escapes.
func TestNoAllocations(t *testing.T) {
	ims := arch.Impls()
	if n := testing.AllocsPerRun(20, func() {
		key := [64]byte{1}
		var tweak [16]byte
		var buf [1040]byte
		k, err := New(key[:])
		if err != nil {
			t.Fatal(err)
		}
		k.Encrypt(buf[:], buf[:], &tweak)
		k.Wipe()
		for _, im := range ims {
			var k Key
			if err := k.InitImpl(im, key[:]); err != nil {
				t.Fatal(err)
			}
			k.Encrypt(buf[:], buf[:], &tweak)
			k.Decrypt(buf[:77], buf[:77], &tweak)
			k.EncryptSectors(buf[:], buf[:], 5, 104)
			k.DecryptSectors(buf[:], buf[:], 5, 520)
		}
	}); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

func TestSize(t *testing.T) {
	if n := unsafe.Sizeof(Key{}); n > 1024 {
		t.Errorf("Key has %d bytes, want at most 1024", n)
	}
}

func TestConcurrent(t *testing.T) {
	key, text := bytesFor(16, 64), bytesFor(17, 3000)
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		k := newKey(t, im, key)
		var wg sync.WaitGroup
		for g := range uint64(8) {
			wg.Go(func() {
				for range 10 {
					buf := bytes.Clone(text)
					k.EncryptSectors(buf, buf, g, 300)
					tweak := tweakOf(g + 9)
					k.Decrypt(buf[2700:], buf[2700:], &tweak)
					k.DecryptSectors(buf[:2700], buf[:2700], g, 300)
					if !bytes.Equal(buf, text) {
						t.Error("wrong result under concurrent use")
						return
					}
				}
			})
		}
		wg.Wait()
	})
}
