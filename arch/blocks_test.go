package arch

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"testing"

	"lamina/arch/generic"
	"lamina/arch/keys"
	"lamina/internal/fence"
)

// maxBlocks is past twice the blocks that the widest loop takes at once, and two more.
const maxBlocks = 70

func expand(im Impl, key []byte) *keys.Key {
	k := new(keys.Key)
	for i := range k.RoundKeys {
		k.RoundKeys[i], k.Dec.RoundKeys[i] = 0xd5, 0xd5
	}
	ExpandKey(im, &k.Enc, key)
	InvertKey(im, &k.Dec, &k.Enc)
	return k
}

// TestExpandKeyKnown has the last round keys of FIPS 197, appendix A.
func TestExpandKeyKnown(t *testing.T) {
	for _, test := range []struct {
		key, last string
		rounds    uint32
	}{
		{"2b7e151628aed2a6abf7158809cf4f3c", "d014f9a8c9ee2589e13f0cc8b6630ca6", 10},
		{"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b", "e98ba06f448c773c8ecc720401002202", 12},
		{"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4", "fe4890d1e6188d0b046df344706c631e", 14},
	} {
		key, _ := hex.DecodeString(test.key)
		forEachImpl(t, func(t *testing.T, im Impl) {
			k := expand(im, key)
			if k.Rounds != test.rounds || k.Dec.Rounds != test.rounds {
				t.Errorf("key of %d bytes: rounds %d forward and %d inverse, want %d", len(key), k.Rounds, k.Dec.Rounds, test.rounds)
			}
			last := k.RoundKeys[test.rounds*16:][:16]
			if got := hex.EncodeToString(last); got != test.last {
				t.Errorf("key of %d bytes: last round key %s, want %s", len(key), got, test.last)
			}
			if !bytes.Equal(k.RoundKeys[:len(key)], key) {
				t.Errorf("key of %d bytes: the schedule does not begin with the key", len(key))
			}
			if rest := k.RoundKeys[(test.rounds+1)*16:]; !bytes.Equal(rest, make([]byte, len(rest))) {
				t.Errorf("key of %d bytes: the end of the schedule is not zero", len(key))
			}
			if first := k.Dec.RoundKeys[:16]; !bytes.Equal(first, last) {
				t.Errorf("key of %d bytes: inverse schedule begins with %x, want %x", len(key), first, last)
			}
		})
	}
}

// TestSameSchedules holds that every implementation fills the same structures with the same bytes, wherever
// the key lies.
func TestSameSchedules(t *testing.T) {
	forEachImpl(t, func(t *testing.T, im Impl) {
		for _, size := range keySizes {
			for align := range 64 {
				buf := fence.New(size, align)
				key := buf.Bytes()
				copy(key, bytesFor(uint64(size*64+align), size))
				if *expand(im, key) != *expand(Generic, key) {
					t.Fatalf("key of %d bytes at alignment %d: schedule differs from generic", size, align)
				}
				got, want := dirtyGCM(), dirtyGCM()
				PrepareGCM(im, got, key)
				generic.PrepareGCM(want, key)
				if *got != *want {
					t.Fatalf("key of %d bytes at alignment %d: PrepareGCM differs from generic", size, align)
				}
				buf.Check(t, "key")
			}
		}
	})
}

// TestBlocks encrypts and decrypts every number of blocks with every pair of implementations, one that
// prepared the key and one that uses it.
func TestBlocks(t *testing.T) {
	plain := bytesFor(1, maxBlocks*16)
	forEachImpl(t, func(t *testing.T, im Impl) {
		for _, size := range keySizes {
			key := bytesFor(uint64(size), size)
			want := make([]byte, len(plain))
			for i := 0; i < len(plain); i += 16 {
				stdBlock(t, key).Encrypt(want[i:], plain[i:])
			}
			for _, prepared := range Impls() {
				k := expand(prepared, key)
				before := *k
				for n := 0; n <= len(plain); n += 16 {
					checkBlocks(t, n, want, plain, func(dst, src []byte) { EncryptBlocks(im, &k.Enc, dst, src) })
					checkBlocks(t, n, plain, want, func(dst, src []byte) { DecryptBlocks(im, &k.Dec, dst, src) })
				}
				if *k != before {
					t.Fatalf("key prepared under %v changed by use", prepared)
				}
			}
		}
	})
}

// checkBlocks runs a hook over n bytes of in, out of place and in place, and compares with want.
func checkBlocks(t *testing.T, n int, want, in []byte, run func(dst, src []byte)) {
	t.Helper()
	dst, src := fence.New(n, n/16), fence.New(n, n/16+1)
	copy(src.Bytes(), in)
	run(dst.Bytes(), src.Bytes())
	if !bytes.Equal(dst.Bytes(), want[:n]) {
		t.Fatalf("%d bytes, out of place: got %x, want %x", n, dst.Bytes(), want[:n])
	}
	if !bytes.Equal(src.Bytes(), in[:n]) {
		t.Fatalf("%d bytes, out of place: src changed", n)
	}
	run(src.Bytes(), src.Bytes())
	if !bytes.Equal(src.Bytes(), want[:n]) {
		t.Fatalf("%d bytes, in place: got %x, want %x", n, src.Bytes(), want[:n])
	}
	dst.Check(t, "dst")
	src.Check(t, "src")
}

// refGHASH is GHASH as SP 800-38D, sections 6.3 and 6.4, writes it down, bit by bit, starting from acc.
func refGHASH(h, acc [16]byte, data []byte) [16]byte {
	for ; len(data) > 0; data = data[16:] {
		for i := range acc {
			acc[i] ^= data[i]
		}
		v := [2]uint64{binary.BigEndian.Uint64(h[:8]), binary.BigEndian.Uint64(h[8:])}
		var z [2]uint64
		for i := range 128 {
			if acc[i/8]>>(7-i%8)&1 == 1 {
				z[0], z[1] = z[0]^v[0], z[1]^v[1]
			}
			odd := v[1] & 1
			v[1] = v[1]>>1 | v[0]<<63
			v[0] = v[0]>>1 ^ odd*(0xe1<<56)
		}
		binary.BigEndian.PutUint64(acc[:8], z[0])
		binary.BigEndian.PutUint64(acc[8:], z[1])
	}
	return acc
}

func reversed(b [16]byte) (r [16]byte) {
	for i := range b {
		r[15-i] = b[i]
	}
	return r
}

// ghashBytes and elementOf turn an accumulator into GHASH's bytes, and back.
func ghashBytes(e keys.Element) (b [16]byte) {
	binary.BigEndian.PutUint64(b[:8], e.Hi)
	binary.BigEndian.PutUint64(b[8:], e.Lo)
	return b
}

func elementOf(b [16]byte) keys.Element {
	return keys.Element{Hi: binary.BigEndian.Uint64(b[:8]), Lo: binary.BigEndian.Uint64(b[8:])}
}

// hashKeys are hash keys of GHASH: random ones, and those where a carry or a reduction is easily forgotten.
func hashKeys() (hs [][16]byte) {
	hs = append(hs, [16]byte{}, [16]byte{0x80}, [16]byte{15: 1}, [16]byte{0: 1, 15: 0x80})
	var ones [16]byte
	for i := range ones {
		ones[i] = 0xff
	}
	hs = append(hs, ones)
	for i := range 3 {
		hs = append(hs, [16]byte(bytesFor(uint64(100+i), 16)))
	}
	return hs
}

// TestGHASH hashes every number of blocks from an accumulator that is not zero, with every pair of
// implementations.
func TestGHASH(t *testing.T) {
	data := bytesFor(5, maxBlocks*16)
	copy(data, bytes.Repeat([]byte{0xff}, 32))
	for _, h := range hashKeys() {
		start := [16]byte(bytesFor(6, 16))
		wants := [][16]byte{start}
		for i := range maxBlocks {
			wants = append(wants, refGHASH(h, wants[i], data[i*16:][:16]))
		}
		forEachImpl(t, func(t *testing.T, im Impl) {
			for _, prepared := range Impls() {
				k := &dirtyGCM().Hash
				PrepareHash(prepared, k, GHASHKey(&h))
				before := *k
				for n, want := range wants {
					acc, in := elementOf(start), fence.New(n*16, n)
					copy(in.Bytes(), data)
					GHASHBlocks(im, k, &acc, in.Bytes())
					if got := ghashBytes(acc); got != want {
						t.Fatalf("H %x prepared under %v, %d blocks: got %x, want %x", h, prepared, n, got, want)
					}
					if !bytes.Equal(in.Bytes(), data[:n*16]) {
						t.Fatalf("%d blocks: data changed", n)
					}
				}
				if *k != before {
					t.Fatalf("key prepared under %v changed by use", prepared)
				}
			}
		})
	}
}

// TestPOLYVAL checks POLYVAL by its relation to GHASH, RFC 8452, appendix A: POLYVAL with key h over blocks X
// is the byte-reversed GHASH with key mulX_GHASH(ByteReverse(h)) over the byte-reversed X.
func TestPOLYVAL(t *testing.T) {
	data := bytesFor(7, maxBlocks*16)
	for _, h := range hashKeys() {
		base := elementOf(reversed(h))
		// mulX_GHASH: a multiplication by x in GHASH's order of bits is a GHASH of one block.
		hx := refGHASH(reversed(h), [16]byte{}, append([]byte{0x40}, make([]byte, 15)...))
		acc := [16]byte(bytesFor(8, 16))
		start := elementOf(acc)
		wants := [][16]byte{acc}
		for i := range maxBlocks {
			block := reversed([16]byte(data[i*16:]))
			wants = append(wants, refGHASH(hx, wants[i], block[:]))
		}
		forEachImpl(t, func(t *testing.T, im Impl) {
			k := &dirtyGCM().Hash
			PrepareHash(im, k, base)
			for n, want := range wants {
				acc := start
				POLYVALBlocks(im, k, &acc, data[:n*16])
				if got := ghashBytes(acc); got != want {
					t.Fatalf("key %x, %d blocks: got %x, want %x", h, n, got, want)
				}
			}
		})
	}
}

// TestPreparedHash holds that every implementation fills keys.Hash with the same elements.
func TestPreparedHash(t *testing.T) {
	forEachImpl(t, func(t *testing.T, im Impl) {
		for _, h := range hashKeys() {
			got, want := &dirtyGCM().Hash, &dirtyGCM().Hash
			PrepareHash(im, got, GHASHKey(&h))
			generic.PrepareHash(want, GHASHKey(&h))
			if *got != *want {
				t.Errorf("H %x: PrepareHash differs from generic", h)
			}
		}
	})
}
