package arch

import (
	"bytes"
	"crypto/cipher"
	"encoding/binary"
	"testing"
	"unsafe"

	"lamina/arch/generic"
	"lamina/arch/keys"
)

// gcmHooks are the four GCM hooks, so that the same tests serve for what is composed of other hooks.
type gcmHooks struct {
	prepare          func(im Impl, k *keys.GCM, key []byte)
	encrypt, decrypt func(im Impl, k *keys.GCM, acc *keys.Element, ctr *[16]byte, dst, src []byte)
	seal, open       func(im Impl, k *keys.GCM, tag *[16]byte, dst, src []byte, nonce *[12]byte, ad []byte)
}

var directHooks = gcmHooks{PrepareGCM, GCMEncrypt, GCMDecrypt, GCMSeal, GCMOpen}

func prepared(hooks gcmHooks, im Impl, key []byte) *keys.GCM {
	k := dirtyGCM()
	hooks.prepare(im, k, key)
	return k
}

// counterBlocks returns n counter blocks from ctr, with GCM's 32-bit increment.
func counterBlocks(ctr [16]byte, n int) []byte {
	out := make([]byte, 0, n*16)
	for range n {
		out = append(out, ctr[:]...)
		binary.BigEndian.PutUint32(ctr[12:], binary.BigEndian.Uint32(ctr[12:])+1)
	}
	return out
}

func TestGCMUpdate(t *testing.T) { testGCMUpdate(t, directHooks, !testing.Short()) }

// testGCMUpdate runs GCMEncrypt and GCMDecrypt over every number of blocks, with the counter wrapping at
// every position and at none, from an accumulator that is not zero, in place and not. With thorough it tries
// every number of blocks with every place of the wrap, for one size of key; otherwise, and for the other
// sizes, a few of these pairs.
func testGCMUpdate(t *testing.T, hooks gcmHooks, thorough bool) {
	plain := bytesFor(20, maxBlocks*16)
	start := elementOf([16]byte(bytesFor(21, 16)))
	for _, size := range keySizes {
		key := bytesFor(uint64(22+size), size)
		block := stdBlock(t, key)
		for wrapAt := -1; wrapAt <= maxBlocks; wrapAt++ {
			// The counter is 0 at block wrapAt: it wraps before block 0, never, and between all others.
			ctr := [16]byte(bytesFor(23, 16))
			// Ones in the bytes above show a carry that leaves the 32 bits.
			copy(ctr[4:12], bytes.Repeat([]byte{0xff}, 8))
			binary.BigEndian.PutUint32(ctr[12:], uint32(-wrapAt))
			if wrapAt < 0 {
				binary.BigEndian.PutUint32(ctr[12:], 0x00fffff0) // carries between bytes, no wrap
			}
			counts := []int{wrapAt, wrapAt + 1, wrapAt + 17, maxBlocks}
			if wrapAt < 0 || wrapAt == 33 || size == 32 && thorough {
				counts = nil
				for n := range maxBlocks + 1 {
					counts = append(counts, n)
				}
			}
			cipherText := counterBlocks(ctr, maxBlocks)
			for i := 0; i < len(cipherText); i += 16 {
				block.Encrypt(cipherText[i:], cipherText[i:])
			}
			for i := range cipherText {
				cipherText[i] ^= plain[i]
			}
			forEachImplQuietly(func(im Impl) {
				k := prepared(hooks, im, key)
				for _, n := range counts {
					if n > maxBlocks {
						continue
					}
					want := start
					generic.GHASHBlocks(&k.Hash, &want, cipherText[:n*16])
					run := func(name string, hook func(Impl, *keys.GCM, *keys.Element, *[16]byte, []byte, []byte), out, in []byte) {
						checkBlocks(t, n*16, out, in, func(dst, src []byte) {
							acc, c := start, ctr
							hook(im, k, &acc, &c, dst, src)
							if acc != want {
								t.Fatalf("%v: %s of %d blocks, wrap at %d: accumulator %x, want %x", im, name, n, wrapAt, acc, want)
							}
							if c != ctr {
								t.Fatalf("%v: %s changed the counter", im, name)
							}
						})
					}
					run("GCMEncrypt", hooks.encrypt, cipherText, plain)
					run("GCMDecrypt", hooks.decrypt, plain, cipherText)
				}
			})
		}
	}
}

func forEachImplQuietly(f func(im Impl)) {
	for _, im := range Impls() {
		f(im)
	}
}

// TestGCMOtherKey uses keys under another implementation than the one that prepared them.
func TestGCMOtherKey(t *testing.T) {
	text, ad, nonce := bytesFor(30, 1000), bytesFor(31, 100), [12]byte(bytesFor(32, 12))
	for _, size := range keySizes {
		key := bytesFor(33, size)
		want := stdGCM(t, key).Seal(nil, nonce[:], text, ad)
		for _, from := range Impls() {
			k := prepared(directHooks, from, key)
			before := *k
			forEachImpl(t, func(t *testing.T, im Impl) {
				checkRecord(t, directHooks, im, k, nonce, text, ad, want)
				var acc keys.Element
				var ctr [16]byte
				dst := make([]byte, 992)
				GCMEncrypt(im, k, &acc, &ctr, dst, text[:992])
				GCMDecrypt(im, k, &acc, &ctr, dst, dst)
				if !bytes.Equal(dst, text[:992]) {
					t.Errorf("key prepared under %v: GCMDecrypt does not undo GCMEncrypt", from)
				}
			})
			if *k != before {
				t.Errorf("key prepared under %v changed by use", from)
			}
		}
	}
}

// checkRecord seals and opens one record, out of place and in place, and compares with want, which is text
// and tag.
func checkRecord(t *testing.T, hooks gcmHooks, im Impl, k *keys.GCM, nonce [12]byte, text, ad, want []byte) {
	t.Helper()
	n := len(text)
	wantText, wantTag := want[:n], want[n:]
	dst, src := newCanaried(n, n), newCanaried(n, n+7)
	for _, step := range []struct {
		name     string
		hook     func(Impl, *keys.GCM, *[16]byte, []byte, []byte, *[12]byte, []byte)
		dst, src []byte
		in, out  []byte
	}{
		{"GCMSeal", hooks.seal, dst.bytes(), src.bytes(), text, wantText},
		{"GCMSeal in place", hooks.seal, src.bytes(), src.bytes(), text, wantText},
		{"GCMOpen", hooks.open, dst.bytes(), src.bytes(), wantText, text},
		{"GCMOpen in place", hooks.open, src.bytes(), src.bytes(), wantText, text},
	} {
		copy(step.src, step.in)
		tag := newCanaried(16, n)
		copy(tag.bytes(), bytes.Repeat([]byte{0xd5}, 16))
		nonceBefore := nonce
		step.hook(im, k, (*[16]byte)(tag.bytes()), step.dst, step.src, &nonce, ad)
		if !bytes.Equal(step.dst, step.out) {
			t.Fatalf("%v: %s of %d bytes, %d of ad: text is wrong from byte %d", im, step.name, n, len(ad), differsAt(step.dst, step.out))
		}
		if !bytes.Equal(tag.bytes(), wantTag) {
			t.Fatalf("%v: %s of %d bytes, %d of ad: tag %x, want %x", im, step.name, n, len(ad), tag.bytes(), wantTag)
		}
		if n > 0 && &step.dst[0] != &step.src[0] && !bytes.Equal(step.src, step.in) {
			t.Fatalf("%v: %s of %d bytes changed src", im, step.name, n)
		}
		if nonce != nonceBefore {
			t.Fatalf("%v: %s changed the nonce", im, step.name)
		}
		tag.check(t, "tag")
	}
	dst.check(t, "dst")
	src.check(t, "src")
}

func differsAt(a, b []byte) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// recordCase is one record, with what crypto/cipher makes of it.
type recordCase struct {
	textLen, adLen int
}

func TestGCMRecordLengths(t *testing.T) { testRecords(t, directHooks, textLengths()) }
func TestGCMADLengths(t *testing.T)     { testRecords(t, directHooks, adLengths()) }

// textLengths are all lengths up to 1200, and those around the boundaries of longer loops.
func textLengths() (cases []recordCase) {
	for n := range 1201 {
		cases = append(cases, recordCase{n, 13})
	}
	for _, around := range []int{2048, 4096, 16384, 65536} {
		for d := -17; d <= 17; d++ {
			// All of it at 4096; further up, where a record takes longer, the ends and the middle.
			if around <= 4096 || d%8 == 0 || d*d <= 1 {
				cases = append(cases, recordCase{around + d, d & 31})
			}
		}
	}
	return cases
}

// adLengths are lengths of associated data, each with texts that leave an implementation in a different place.
func adLengths() (cases []recordCase) {
	ads := []int{127, 128, 129, 130, 255, 256, 257, 258, 259, 260, 5000}
	for n := range 71 {
		ads = append(ads, n)
	}
	for n := 1000; n <= 1024; n++ {
		ads = append(ads, n)
	}
	for _, ad := range ads {
		for _, n := range []int{0, 1, 15, 16, 17, 64, 100, 128, 255, 256, 333, 512, 777} {
			cases = append(cases, recordCase{n, ad})
		}
	}
	return cases
}

func testRecords(t *testing.T, hooks gcmHooks, cases []recordCase) {
	text, ad := bytesFor(40, 1<<17), bytesFor(41, 1<<13)
	for _, size := range keySizes {
		key := bytesFor(uint64(42+size), size)
		std := stdGCM(t, key)
		ks := map[Impl]*keys.GCM{}
		for _, im := range Impls() {
			ks[im] = prepared(hooks, im, key)
		}
		var want []byte
		for i, c := range cases {
			if testing.Short() && size != 32 && i%3 != size/8%3 {
				continue
			}
			nonce := [12]byte(bytesFor(uint64(i), 12))
			text, ad := text[i%64:][:c.textLen], ad[i%61:][:c.adLen]
			want = std.Seal(want[:0], nonce[:], text, ad)
			for _, im := range Impls() {
				checkRecord(t, hooks, im, ks[im], nonce, text, ad, want)
			}
		}
	}
}

// TestGCMAligned moves every pointer of the one-shot hooks over every alignment, and the others over a few.
func TestGCMAligned(t *testing.T) {
	key := bytesFor(50, 32)
	std := stdGCM(t, key)
	forEachImpl(t, func(t *testing.T, im Impl) {
		for _, c := range []recordCase{{1, 0}, {16, 13}, {77, 20}, {256, 64}, {601, 33}} {
			text, ad, nonce := bytesFor(51, c.textLen), bytesFor(52, c.adLen), bytesFor(53, 12)
			for align := range 64 {
				for moved := range 6 {
					at := [6]int{3, 3, 3, 3, 3, 0}
					at[moved] = align
					if moved == 5 && align%8 != 0 {
						continue // a key is 8-aligned always
					}
					checkAligned(t, im, std, alignedKey(im, key, at[5]), at, text, ad, nonce)
				}
			}
		}
	})
}

// alignedKey prepares a key at a distance of align bytes, a multiple of 8, from a multiple of 64.
func alignedKey(im Impl, key []byte, align int) *keys.GCM {
	room := make([]uint64, unsafe.Sizeof(keys.GCM{})/8+16)
	for address := unsafe.Pointer(&room[0]); ; address = unsafe.Add(address, 8) {
		if int(uintptr(address)%64) == align {
			k := (*keys.GCM)(address)
			PrepareGCM(im, k, key)
			return k
		}
	}
}

func checkAligned(t *testing.T, im Impl, std cipher.AEAD, k *keys.GCM, at [6]int, text, ad, nonce []byte) {
	t.Helper()
	dst, src := newCanaried(len(text), at[0]), newCanaried(len(text), at[1])
	adBuf, nonceBuf, tag := newCanaried(len(ad), at[2]), newCanaried(12, at[3]), newCanaried(16, at[4])
	copy(src.bytes(), text)
	copy(adBuf.bytes(), ad)
	copy(nonceBuf.bytes(), nonce)
	want := std.Seal(nil, nonce, text, ad)
	got := func() []byte { return append(append([]byte{}, dst.bytes()...), tag.bytes()...) }

	GCMSeal(im, k, (*[16]byte)(tag.bytes()), dst.bytes(), src.bytes(), (*[12]byte)(nonceBuf.bytes()), adBuf.bytes())
	if !bytes.Equal(got(), want) {
		t.Fatalf("GCMSeal of %d bytes with dst, src, ad, nonce, tag, key at %v: got %x, want %x", len(text), at, got(), want)
	}
	copy(src.bytes(), want)
	GCMOpen(im, k, (*[16]byte)(tag.bytes()), dst.bytes(), src.bytes(), (*[12]byte)(nonceBuf.bytes()), adBuf.bytes())
	if !bytes.Equal(dst.bytes(), text) || !bytes.Equal(tag.bytes(), want[len(text):]) {
		t.Fatalf("GCMOpen of %d bytes wrong with dst, src, ad, nonce, tag, key at %v", len(text), at)
	}
	whole := len(text) &^ 15
	var acc, wantAcc keys.Element
	ctr := [16]byte(bytesFor(54, 16))
	GCMEncrypt(im, k, &acc, &ctr, dst.bytes()[:whole], src.bytes()[:whole])
	mid := append([]byte{}, dst.bytes()[:whole]...)
	generic.GHASHBlocks(&k.Hash, &wantAcc, mid)
	GCMDecrypt(im, k, &acc, &ctr, src.bytes()[:whole], dst.bytes()[:whole])
	generic.GHASHBlocks(&k.Hash, &wantAcc, mid)
	if !bytes.Equal(src.bytes()[:whole], want[:whole]) || acc != wantAcc {
		t.Fatalf("GCMEncrypt or GCMDecrypt of %d bytes wrong with dst, src, key at %v", whole, at)
	}
	for name, c := range map[string]*canaried{"dst": dst, "src": src, "ad": adBuf, "nonce": nonceBuf, "tag": tag} {
		c.check(t, name)
	}
}
