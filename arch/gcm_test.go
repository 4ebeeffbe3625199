package arch

import (
	"bytes"
	"encoding/binary"
	"testing"

	"lamina/arch/generic"
	"lamina/arch/keys"
	"lamina/internal/fence"
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

// checkRecord seals and opens one record, out of place and in place, and compares with want, which is text
// and tag.
func checkRecord(t *testing.T, hooks gcmHooks, im Impl, k *keys.GCM, nonce [12]byte, text, ad, want []byte) {
	t.Helper()
	n := len(text)
	wantText, wantTag := want[:n], want[n:]
	dst, src := fence.New(n, n), fence.New(n, n+7)
	for _, step := range []struct {
		name     string
		hook     func(Impl, *keys.GCM, *[16]byte, []byte, []byte, *[12]byte, []byte)
		dst, src []byte
		in, out  []byte
	}{
		{"GCMSeal", hooks.seal, dst.Bytes(), src.Bytes(), text, wantText},
		{"GCMSeal in place", hooks.seal, src.Bytes(), src.Bytes(), text, wantText},
		{"GCMOpen", hooks.open, dst.Bytes(), src.Bytes(), wantText, text},
		{"GCMOpen in place", hooks.open, src.Bytes(), src.Bytes(), wantText, text},
	} {
		copy(step.src, step.in)
		tag := fence.New(16, n)
		copy(tag.Bytes(), bytes.Repeat([]byte{0xd5}, 16))
		nonceBefore := nonce
		step.hook(im, k, (*[16]byte)(tag.Bytes()), step.dst, step.src, &nonce, ad)
		if !bytes.Equal(step.dst, step.out) {
			t.Fatalf("%v: %s of %d bytes, %d of ad: text is wrong from byte %d", im, step.name, n, len(ad), differsAt(step.dst, step.out))
		}
		if !bytes.Equal(tag.Bytes(), wantTag) {
			t.Fatalf("%v: %s of %d bytes, %d of ad: tag %x, want %x", im, step.name, n, len(ad), tag.Bytes(), wantTag)
		}
		if n > 0 && &step.dst[0] != &step.src[0] && !bytes.Equal(step.src, step.in) {
			t.Fatalf("%v: %s of %d bytes changed src", im, step.name, n)
		}
		if nonce != nonceBefore {
			t.Fatalf("%v: %s changed the nonce", im, step.name)
		}
		tag.Check(t, "tag")
	}
	dst.Check(t, "dst")
	src.Check(t, "src")
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
