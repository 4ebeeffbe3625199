package generic

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"fmt"
	"testing"

	"lamina/arch/keys"
)

func newGCM(t testing.TB, key []byte) (*keys.GCM, cipher.AEAD) {
	t.Helper()
	block, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	oracle, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	var k keys.GCM
	PrepareGCM(&k, key)
	return &k, oracle
}

// checkRecord seals and opens one record, in place and not, and compares with want, which is ciphertext and
// tag.
func checkRecord(t *testing.T, k *keys.GCM, nonce *[12]byte, plain, ad, want []byte) {
	t.Helper()
	n := len(plain)
	failed := func(what string) {
		t.Helper()
		t.Fatalf("%d rounds, %d bytes, %d bytes of associated data: %s", k.Rounds, n, len(ad), what)
	}

	var tag [16]byte
	src := bytes.Clone(plain)
	dst := newCanary(n)
	GCMSeal(k, &tag, dst.buf, src, nonce, ad)
	dst.check(t)
	switch {
	case !bytes.Equal(dst.buf, want[:n]):
		failed("wrong ciphertext")
	case !bytes.Equal(tag[:], want[n:]):
		failed("wrong tag when sealing")
	case !bytes.Equal(src, plain):
		failed("sealing changed the plaintext")
	}

	tag = [16]byte{}
	inPlace := newCanary(n)
	copy(inPlace.buf, plain)
	GCMSeal(k, &tag, inPlace.buf, inPlace.buf, nonce, ad)
	inPlace.check(t)
	if !bytes.Equal(inPlace.buf, want[:n]) || !bytes.Equal(tag[:], want[n:]) {
		failed("wrong result when sealing in place")
	}

	tag = [16]byte{}
	opened := newCanary(n)
	GCMOpen(k, &tag, opened.buf, dst.buf, nonce, ad)
	opened.check(t)
	switch {
	case !bytes.Equal(opened.buf, plain):
		failed("wrong plaintext")
	case !bytes.Equal(tag[:], want[n:]):
		failed("wrong tag when opening")
	case !bytes.Equal(dst.buf, want[:n]):
		failed("opening changed the ciphertext")
	}

	tag = [16]byte{}
	GCMOpen(k, &tag, inPlace.buf, inPlace.buf, nonce, ad)
	inPlace.check(t)
	if !bytes.Equal(inPlace.buf, plain) || !bytes.Equal(tag[:], want[n:]) {
		failed("wrong result when opening in place")
	}
}

// Test cases with 12-byte nonces of McGrew and Viega's specification of GCM, on which SP 800-38D is based.
func TestGCMKnownAnswers(t *testing.T) {
	const (
		key    = "feffe9928665731c6d6a8f9467308308"
		plain  = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
		ad     = "feedfacedeadbeeffeedfacedeadbeefabaddad2"
		nonce  = "cafebabefacedbaddecaf888"
		zeros  = "00000000000000000000000000000000"
		zeros8 = "0000000000000000"
	)
	for _, v := range []struct{ key, nonce, plain, ad, cipher, tag string }{
		{zeros, zeros[:24], "", "", "", "58e2fccefa7e3061367f1d57a4e7455a"},
		{zeros, zeros[:24], zeros, "", "0388dace60b6a392f328c2b971b2fe78", "ab6e47d42cec13bdf53a67b21257bddf"},
		{key, nonce, plain, ad,
			"42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091",
			"5bc94fbc3221a5db94fae95ae7121a47"},
		{zeros + zeros8, zeros[:24], "", "", "", "cd33b28ac773f74ba00ed1f312572435"},
		{zeros + zeros8, zeros[:24], zeros, "", "98e7247c07f0fe411c267e4384b0f600", "2ff58d80033927ab8ef4d4587514f0fb"},
		{key + key[:16], nonce, plain, ad,
			"3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c7d773d00c144c525ac619d18c84a3f4718e2448b2fe324d9ccda2710",
			"2519498e80f1478f37ba55bd6d27618c"},
		{zeros + zeros, zeros[:24], "", "", "", "530f8afbc74536b9a963b4f1c4cb738b"},
		{zeros + zeros, zeros[:24], zeros, "", "cea7403d4d606b6e074ec5d3baf39d18", "d0d1c8a799996bf0265b98b5d48ab919"},
		{key + key, nonce, plain, ad,
			"522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
			"76fc6ece0f4e1768cddf8853bb2d551b"},
	} {
		var k keys.GCM
		PrepareGCM(&k, unhex(t, v.key))
		nonce := [12]byte(unhex(t, v.nonce))
		checkRecord(t, &k, &nonce, unhex(t, v.plain), unhex(t, v.ad), unhex(t, v.cipher+v.tag))
	}
}

func TestGCMAgainstStandardLibrary(t *testing.T) {
	const maxLength = 1100
	text := randomBytes(1, maxLength)
	more := randomBytes(2, maxLength)
	for _, size := range keySizes {
		k, oracle := newGCM(t, randomBytes(uint64(size), size))
		check := func(n, adLength int) {
			t.Helper()
			nonce := [12]byte(randomBytes(uint64(n)<<32|uint64(adLength), 12))
			checkRecord(t, k, &nonce, text[:n], more[:adLength], oracle.Seal(nil, nonce[:], text[:n], more[:adLength]))
		}
		for n := range maxLength + 1 {
			check(n, n*7%53)
		}
		for n := range maxLength + 1 {
			check(n*5%37, n)
		}
	}
}

// plainGCMCounter is GCM's counter mode, one block at a time.
func plainGCMCounter(block cipher.Block, counter [16]byte, src []byte) []byte {
	dst := make([]byte, len(src))
	n := binary.BigEndian.Uint32(counter[12:])
	for i := range src {
		var stream [16]byte
		binary.BigEndian.PutUint32(counter[12:], n+uint32(i/16))
		block.Encrypt(stream[:], counter[:])
		dst[i] = src[i] ^ stream[i%16]
	}
	return dst
}

// Counters that pass the end of a byte, and of the 32 bits, at every position of a batch.
func TestGCMCounterWrap(t *testing.T) {
	const maxBlocks = 2*wideBlocks + narrowLimit + 1
	text := randomBytes(3, maxBlocks*16)
	for _, size := range keySizes {
		key := randomBytes(uint64(size), size)
		block, err := aes.NewCipher(key)
		if err != nil {
			t.Fatal(err)
		}
		k, _ := newGCM(t, key)
		base := k.Powers[len(k.Powers)-1]
		for _, end := range []uint32{0, 0x100, 0x10000, 0x1000000, 0x80000000} {
			for before := range uint32(2*wideBlocks + 2) {
				counter := [16]byte(randomBytes(uint64(end-before), 16))
				binary.BigEndian.PutUint32(counter[12:], end-before)
				for blocks := 0; blocks <= maxBlocks; blocks += 1 + blocks/5 {
					plain := text[:16*blocks]
					cipher := plainGCMCounter(block, counter, plain)
					start := keys.Element{Lo: 1, Hi: 2}
					sum := plainPOLYVAL(base, start, reverseBlocks(cipher))

					got, acc, ctr := newCanary(len(plain)), start, counter
					GCMEncrypt(k, &acc, &ctr, got.buf, plain)
					got.check(t)
					if !bytes.Equal(got.buf, cipher) || acc != sum || ctr != counter {
						t.Fatalf("key of %d bytes, counter %#x, %d blocks: wrong encryption", size, end-before, blocks)
					}
					acc = start
					GCMDecrypt(k, &acc, &ctr, got.buf, got.buf)
					got.check(t)
					if !bytes.Equal(got.buf, plain) || acc != sum || ctr != counter {
						t.Fatalf("key of %d bytes, counter %#x, %d blocks: wrong decryption in place", size, end-before, blocks)
					}
				}
			}
		}
	}
}

func TestAllocations(t *testing.T) {
	key := make([]byte, 32)
	big := make([]byte, 1500)
	for _, n := range []int{0, 16, 64, 1488} {
		if got := testing.AllocsPerRun(10, func() {
			var k keys.Key
			var g keys.GCM
			var h keys.Hash
			var acc keys.Element
			var tag, counter [16]byte
			var nonce [12]byte
			var small [64]byte
			buf := small[:min(n, len(small))]
			if n > len(small) {
				buf = big[:n]
			}
			ExpandKey(&k.Enc, key)
			InvertKey(&k.Dec, &k.Enc)
			EncryptBlocks(&k.Enc, buf, buf)
			DecryptBlocks(&k.Dec, buf, buf)
			PrepareHash(&h, acc)
			GHASHBlocks(&h, &acc, buf)
			POLYVALBlocks(&h, &acc, buf)
			PrepareGCM(&g, key)
			GCMEncrypt(&g, &acc, &counter, buf, buf)
			GCMDecrypt(&g, &acc, &counter, buf, buf)
			GCMSeal(&g, &tag, buf, buf, &nonce, buf[:0])
			GCMOpen(&g, &tag, buf, buf, &nonce, buf[:0])
		}); got != 0 {
			t.Errorf("%d bytes: %v allocations, want none", n, got)
		}
	}
}

// Compare with crypto/cipher's tables by -tags purego.
func BenchmarkGCM(b *testing.B) {
	ad := make([]byte, 13)
	for _, size := range keySizes {
		k, oracle := newGCM(b, make([]byte, size))
		for _, n := range []int{0, 16, 64, 256, 512, 1024, 1420, 4096, 16384} {
			buf := make([]byte, n, n+16)
			var nonce [12]byte
			var tag [16]byte
			run := func(what string, f func()) {
				b.Run(fmt.Sprintf("%s/AES-%d/%d", what, 8*size, n), func(b *testing.B) {
					b.SetBytes(int64(n))
					for b.Loop() {
						f()
					}
				})
			}
			run("seal", func() { GCMSeal(k, &tag, buf, buf, &nonce, ad) })
			run("open", func() { GCMOpen(k, &tag, buf, buf, &nonce, ad) })
			run("crypto", func() { oracle.Seal(buf[:0], nonce[:], buf, ad) })
		}
	}
}

func BenchmarkPrepareGCM(b *testing.B) {
	for _, size := range keySizes {
		key := make([]byte, size)
		var k keys.GCM
		b.Run(fmt.Sprintf("AES-%d", 8*size), func(b *testing.B) {
			for b.Loop() {
				PrepareGCM(&k, key)
			}
		})
	}
}
