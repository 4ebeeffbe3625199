package aead

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"net"
	"slices"
	"testing"

	"lamina/arch"
	"lamina/lib/aesgcm"
)

const recordHeader = 5

func newRecords(t testing.TB, tfm *Transform, iv []byte) *Records {
	t.Helper()
	s, err := tfm.NewRecords(iv)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// plainRecord returns a record of a header, n bytes of text and room for a tag, in memory with poison around its
// segments.
func plainRecord(seed uint64, n, authSize int) *arena {
	a := newArena([]int{recordHeader - 2, 2 + n/3, 0, n - n/3 + authSize - 1, 1})
	a.put(append(bytesFor(seed, recordHeader+n), bytes.Repeat([]byte{poison}, authSize)...))
	return a
}

func (a *arena) bytes() []byte { return bytes.Join(a.list, nil) }

// TestRecords seals and opens records under every driver, and compares with direct calls under nonces from the
// definition: the number, padded on the left with zeros to the IV's length, XORed to it.
func TestRecords(t *testing.T) {
	for _, im := range arch.Impls() {
		for _, name := range []string{"gcm-aes-" + im.String(), cryptdOf(modes[0], im)} {
			for _, authSize := range []int{12, 16} {
				tfm := allocKeyed(t, name)
				if err := tfm.SetAuthSize(authSize); err != nil {
					t.Fatal(err)
				}
				var key aesgcm.Key
				if err := key.Init(bytesFor(1, 16), authSize); err != nil {
					t.Fatal(err)
				}
				iv := bytesFor(9, 12)
				sealer, opener := newRecords(t, tfm, iv), newRecords(t, tfm, iv)
				sealerAt, openerAt := newRecords(t, tfm, iv), newRecords(t, tfm, iv)
				for i, n := range []int{0, 1, 16, 1420, 5000, 2} {
					number := uint64(i)
					record, again := plainRecord(number, n, authSize), plainRecord(number, n, authSize)
					plain := record.bytes()
					text := plain[recordHeader : recordHeader+n]
					nonce := bytes.Clone(iv)
					for k := range 8 {
						nonce[11-k] ^= byte(number >> (8 * k))
					}
					want := key.Seal(bytes.Clone(plain[:recordHeader]), nonce, text, plain[:recordHeader])

					before := record.clone()
					if err := errors.Join(sealer.Seal(record.list, recordHeader),
						sealerAt.SealAt(number, net.Buffers(again.list), recordHeader)); err != nil {
						t.Fatal(err)
					}
					record.want(t, name+": Seal", before, want)
					again.want(t, name+": SealAt", before, want)
					if err := errors.Join(opener.Open(record.list, recordHeader),
						openerAt.OpenAt(number, again.list, recordHeader)); err != nil {
						t.Fatal(err)
					}
					record.want(t, name+": Open", before, slices.Concat(plain[:recordHeader+n], want[recordHeader+n:]))
					again.want(t, name+": OpenAt", before, nil)
					if sealer.Next() != number+1 || opener.Next() != number+1 {
						t.Errorf("%s: the next are %d and %d, want %d", name, sealer.Next(), opener.Next(), number+1)
					}
				}
			}
		}
	}
}

// TestRecordNumbers has numbers all over their range, in any order.
func TestRecordNumbers(t *testing.T) {
	tfm := allocKeyed(t, "gcm(aes)")
	iv := bytesFor(3, 12)
	sealer, opener := newRecords(t, tfm, iv), newRecords(t, tfm, iv)
	var key aesgcm.Key
	if err := key.Init(bytesFor(1, 16), 16); err != nil {
		t.Fatal(err)
	}
	for _, n := range []uint64{1 << 40, 3, math.MaxUint64, 0, 1<<32 - 1, 0x0102030405060708} {
		record := plainRecord(n, 30, 16)
		plain := record.bytes()[:recordHeader+30]
		nonce := bytes.Clone(iv)
		binary.BigEndian.PutUint64(nonce[4:], binary.BigEndian.Uint64(iv[4:])^n)
		want := key.Seal(bytes.Clone(plain[:recordHeader]), nonce, plain[recordHeader:], plain[:recordHeader])
		if err := sealer.SealAt(n, record.list, recordHeader); err != nil || !bytes.Equal(record.bytes(), want) {
			t.Errorf("record %d: %v, %x, want %x", n, err, record.bytes(), want)
		}
		// Not under another number; and that zeroes the text, so on a copy.
		if err := opener.OpenAt(n+1, record.clone().list, recordHeader); !errors.Is(err, ErrBadMessage) {
			t.Errorf("record %d opened as the next: %v", n, err)
		}
		for range 2 { // a replay is opened too
			if err := opener.OpenAt(n, record.clone().list, recordHeader); err != nil {
				t.Errorf("record %d: %v", n, err)
			}
		}
	}
}

// TestRecordsStay holds that no number is used by a call that fails, and that the last one is not wrapped.
func TestRecordsStay(t *testing.T) {
	tfm := allocKeyed(t, "gcm(aes)")
	iv := make([]byte, 12)
	sealer, opener := newRecords(t, tfm, iv), newRecords(t, tfm, iv)
	good := plainRecord(1, 40, 16)
	if err := sealer.Seal(good.list, recordHeader); err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{0, 3, 20, recordHeader + 40 + 15} { // header, text, tag
		forged := good.clone()
		whole := forged.bytes()
		whole[at] ^= 4
		forged.put(whole)
		if err := opener.Open(forged.list, recordHeader); !errors.Is(err, ErrBadMessage) {
			t.Errorf("forged at %d: %v", at, err)
		}
		if text := forged.bytes()[recordHeader : recordHeader+40]; !bytes.Equal(text, make([]byte, 40)) {
			t.Errorf("forged at %d: the text is %x", at, text)
		}
	}
	for _, bad := range []struct {
		size, header int
	}{{20, 5}, {0, 0}, {15, 0}, {100, 85}, {100, 101}, {100, -1}, {100, math.MinInt}, {100, math.MaxInt}} {
		record := newArena([]int{bad.size / 2, bad.size - bad.size/2})
		before := record.clone()
		for what, err := range map[string]error{
			"Seal": sealer.Seal(record.list, bad.header), "Open": opener.Open(record.list, bad.header),
		} {
			if !errors.Is(err, ErrLength) {
				t.Errorf("%s of %d bytes, header of %d: %v, want ErrLength", what, bad.size, bad.header, err)
			}
		}
		record.want(t, "a record that is too short", before, nil)
	}
	if sealer.Next() != 1 || opener.Next() != 0 {
		t.Errorf("the next are %d and %d, want 1 and 0", sealer.Next(), opener.Next())
	}
	if err := opener.Open(good.list, recordHeader); err != nil {
		t.Error(err)
	}

	last := plainRecord(2, 10, 16)
	before := last.clone()
	sealer.next, opener.next = math.MaxUint64-1, math.MaxUint64-1
	if err := errors.Join(sealer.Seal(last.list, recordHeader), opener.Open(last.list, recordHeader)); err != nil {
		t.Error(err)
	}
	last = plainRecord(2, 10, 16)
	for range 2 {
		if err := sealer.Seal(last.list, recordHeader); err != ErrLastRecord {
			t.Errorf("Seal of the last: %v", err)
		}
		if err := opener.Open(last.list, recordHeader); err != ErrLastRecord {
			t.Errorf("Open of the last: %v", err)
		}
	}
	last.want(t, "the last", before, nil)
}

// TestRecordUse holds that a Records is used in one way only, and then for nothing else, and writes nothing.
func TestRecordUse(t *testing.T) {
	tfm := allocKeyed(t, "gcm(aes)")
	uses := []func(*Records, *arena) error{
		func(s *Records, a *arena) error { return s.Seal(a.list, recordHeader) },
		func(s *Records, a *arena) error { return s.Open(a.list, recordHeader) },
		func(s *Records, a *arena) error { return s.SealAt(7, a.list, recordHeader) },
		func(s *Records, a *arena) error { return s.OpenAt(7, a.list, recordHeader) },
	}
	for i, first := range uses {
		for k, then := range uses {
			s := newRecords(t, tfm, make([]byte, 12))
			first(s, plainRecord(1, 10, 16))
			record := plainRecord(2, 10, 16)
			before, next := record.clone(), s.Next()
			if err := then(s, record); (err == ErrRecordUse) != (i != k) {
				t.Errorf("use %d after %d: %v", k, i, err)
			} else if i != k {
				record.want(t, "another use", before, nil)
				if s.Next() != next {
					t.Errorf("use %d after %d: a number was used", k, i)
				}
			}
		}
	}
}

// TestNewRecords has transforms and IVs of wrong sizes, and transforms without a key.
func TestNewRecords(t *testing.T) {
	for _, name := range []string{"ccm(aes)", "rfc4106(gcm(aes))", "rfc4309(ccm(aes))"} {
		if _, err := alloc(t, name).NewRecords(make([]byte, 12)); !errors.Is(err, ErrIVSize) {
			t.Errorf("%s: %v, want ErrIVSize", name, err)
		}
	}
	tfm := alloc(t, "gcm(aes)")
	for _, n := range []int{0, 8, 11, 13, 16} {
		if _, err := tfm.NewRecords(make([]byte, n)); !errors.Is(err, ErrIVSize) {
			t.Errorf("base IV of %d bytes: %v, want ErrIVSize", n, err)
		}
	}
	s := newRecords(t, tfm, make([]byte, 12))
	if err := s.Seal(plainRecord(1, 10, 16).list, recordHeader); !errors.Is(err, ErrNoKey) || s.Next() != 0 {
		t.Errorf("without a key: %v, next %d", err, s.Next())
	}
}

// TestRecordsAllocateNothing counts, under a driver that works itself and under one with workers.
func TestRecordsAllocateNothing(t *testing.T) {
	for _, name := range []string{"gcm(aes)", "cryptd(gcm(aes))"} {
		tfm := allocKeyed(t, name)
		for _, n := range []int{100, 1420, 9000} {
			sealer, opener := newRecords(t, tfm, make([]byte, 12)), newRecords(t, tfm, make([]byte, 12))
			record := net.Buffers(plainRecord(1, n, 16).list)
			if count := testing.AllocsPerRun(50, func() {
				if err := sealer.Seal(record, recordHeader); err != nil {
					t.Fatal(err)
				}
				if err := opener.Open(record, recordHeader); err != nil {
					t.Fatal(err)
				}
			}); count != 0 {
				t.Errorf("%s, %d bytes: %v allocations, want 0", name, n, count)
			}
		}
	}
}
