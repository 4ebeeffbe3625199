package generic

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"testing"

	"lamina/arch/keys"
)

var keySizes = []int{16, 24, 32}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// randomBytes returns n bytes that depend on seed alone.
func randomBytes(seed uint64, n int) []byte {
	b := make([]byte, n)
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	rand.NewChaCha8(key).Read(b)
	return b
}

func newKey(t testing.TB, key []byte) (*keys.Key, cipher.Block) {
	t.Helper()
	oracle, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	var k keys.Key
	ExpandKey(&k.Enc, key)
	InvertKey(&k.Dec, &k.Enc)
	return &k, oracle
}

// canary surrounds a buffer, and tells whether anything beside the buffer was written. The capacity of the buffer
// goes on past its end, so that nothing else stops a write there.
type canary struct{ all, buf []byte }

func newCanary(n int) canary {
	const margin = 64
	all := bytes.Repeat([]byte{0xa5}, margin+n+margin)
	return canary{all, all[margin : margin+n]}
}

func (c canary) check(t testing.TB) {
	t.Helper()
	margin := (len(c.all) - len(c.buf)) / 2
	for i, b := range c.all {
		if (i < margin || i >= margin+len(c.buf)) && b != 0xa5 {
			t.Fatalf("byte %d relative to a buffer of %d was written", i-margin, len(c.buf))
		}
	}
}

// FIPS 197, appendix C.
func TestFIPS197(t *testing.T) {
	plain := unhex(t, "00112233445566778899aabbccddeeff")
	for _, v := range []struct{ key, cipher string }{
		{"000102030405060708090a0b0c0d0e0f", "69c4e0d86a7b0430d8cdb78070b4c55a"},
		{"000102030405060708090a0b0c0d0e0f1011121314151617", "dda97ca4864cdfe06eaf70a0ec0d7191"},
		{"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", "8ea2b7ca516745bfeafc49904b496089"},
	} {
		k, _ := newKey(t, unhex(t, v.key))
		for _, blocks := range []int{1, 2, 16} { // by table, narrow, wide
			src := bytes.Repeat(plain, blocks)
			want := bytes.Repeat(unhex(t, v.cipher), blocks)
			got := make([]byte, len(src))
			EncryptBlocks(&k.Enc, got, src)
			if !bytes.Equal(got, want) {
				t.Errorf("%d rounds, %d blocks: encrypted to %x, want %x", k.Rounds, blocks, got, want)
			}
			DecryptBlocks(&k.Dec, got, want)
			if !bytes.Equal(got, src) {
				t.Errorf("%d rounds, %d blocks: decrypted to %x, want %x", k.Rounds, blocks, got, src)
			}
		}
	}
}

// FIPS 197, appendix A: the last round key of each example. Schedules are complete if decryption works.
func TestExpandKey(t *testing.T) {
	for _, v := range []struct{ key, last string }{
		{"2b7e151628aed2a6abf7158809cf4f3c", "d014f9a8c9ee2589e13f0cc8b6630ca6"},
		{"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b", "e98ba06f448c773c8ecc720401002202"},
		{"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4", "fe4890d1e6188d0b046df344706c631e"},
	} {
		k := keys.Enc{Rounds: 77}
		for i := range k.RoundKeys {
			k.RoundKeys[i] = 0xff
		}
		key := unhex(t, v.key)
		ExpandKey(&k, key)
		if want := uint32(len(key)/4 + 6); k.Rounds != want {
			t.Fatalf("%d rounds, want %d", k.Rounds, want)
		}
		if !bytes.Equal(k.RoundKeys[:len(key)], key) {
			t.Errorf("%d rounds: schedule starts with %x, want the key", k.Rounds, k.RoundKeys[:len(key)])
		}
		end := int(k.Rounds+1) * keys.BlockSize
		if got := k.RoundKeys[end-keys.BlockSize : end]; !bytes.Equal(got, unhex(t, v.last)) {
			t.Errorf("%d rounds: last round key %x, want %s", k.Rounds, got, v.last)
		}
		if rest := k.RoundKeys[end:]; !bytes.Equal(rest, make([]byte, len(rest))) {
			t.Errorf("%d rounds: the end of the schedule is not zero: %x", k.Rounds, rest)
		}
		d := keys.Dec{Rounds: 77}
		for i := range d.RoundKeys {
			d.RoundKeys[i] = 0xff
		}
		InvertKey(&d, &k)
		if rest := d.RoundKeys[end:]; d.Rounds != k.Rounds || !bytes.Equal(rest, make([]byte, len(rest))) {
			t.Errorf("%d rounds: inverse schedule has %d, and ends in %x", k.Rounds, d.Rounds, rest)
		}
	}
}

func TestBlocksAgainstStandardLibrary(t *testing.T) {
	for _, size := range keySizes {
		k, oracle := newKey(t, randomBytes(uint64(size), size))
		for blocks := range 71 {
			plain := randomBytes(uint64(blocks), blocks*keys.BlockSize)
			want := make([]byte, len(plain))
			for i := 0; i < len(plain); i += keys.BlockSize {
				oracle.Encrypt(want[i:], plain[i:])
			}
			src := bytes.Clone(plain)
			dst := newCanary(len(src))
			EncryptBlocks(&k.Enc, dst.buf, src)
			dst.check(t)
			if !bytes.Equal(dst.buf, want) || !bytes.Equal(src, plain) {
				t.Fatalf("key of %d bytes, %d blocks: wrong encryption", size, blocks)
			}
			EncryptBlocks(&k.Enc, src, src)
			if !bytes.Equal(src, want) {
				t.Fatalf("key of %d bytes, %d blocks: wrong encryption in place", size, blocks)
			}
			DecryptBlocks(&k.Dec, dst.buf, src)
			dst.check(t)
			if !bytes.Equal(dst.buf, plain) || !bytes.Equal(src, want) {
				t.Fatalf("key of %d bytes, %d blocks: wrong decryption", size, blocks)
			}
			DecryptBlocks(&k.Dec, src, src)
			if !bytes.Equal(src, plain) {
				t.Fatalf("key of %d bytes, %d blocks: wrong decryption in place", size, blocks)
			}
		}
	}
}

// The table code is written for any number of blocks, and the kernels for any that fit, whatever
// EncryptBlocks prefers.
func TestEveryKernel(t *testing.T) {
	for _, size := range keySizes {
		k, oracle := newKey(t, randomBytes(uint64(size), size))
		var narrowEnc, narrowDec narrowKeys
		var wideEnc, wideDec wideKeys
		narrowEnc.expandEnc(&k.Enc)
		narrowDec.expandDec(&k.Dec)
		wideEnc.expandEnc(&k.Enc)
		wideDec.expandDec(&k.Dec)
		for blocks := 1; blocks <= 2*wideBlocks+1; blocks++ {
			plain := randomBytes(uint64(blocks), blocks*keys.BlockSize)
			cipher := make([]byte, len(plain))
			for i := 0; i < len(plain); i += keys.BlockSize {
				oracle.Encrypt(cipher[i:], plain[i:])
			}
			for _, f := range []struct {
				name      string
				run       func(dst, src []byte) int
				src, want []byte
			}{
				{"encryption by table", func(dst, src []byte) int { encryptTable(&k.Enc, dst, src); return len(src) }, plain, cipher},
				{"decryption by table", func(dst, src []byte) int { decryptTable(&k.Dec, dst, src); return len(src) }, cipher, plain},
				{"narrow encryption", func(dst, src []byte) int { narrowEnc.crypt(dst, src); return len(src) }, plain, cipher},
				{"narrow decryption", func(dst, src []byte) int { narrowDec.crypt(dst, src); return len(src) }, cipher, plain},
				{"wide encryption", wideEnc.crypt, plain, cipher},
				{"wide decryption", wideDec.crypt, cipher, plain},
			} {
				got := newCanary(len(f.src))
				n := f.run(got.buf, f.src)
				got.check(t)
				if !bytes.Equal(got.buf[:n], f.want[:n]) {
					t.Fatalf("%s, key of %d bytes, %d blocks: wrong", f.name, size, blocks)
				}
			}
		}
	}
}

// fieldDouble and fieldMul are the arithmetic of FIPS 197, section 4, in its plainest form.
func fieldDouble(a byte) byte {
	if a&0x80 != 0 {
		return a<<1 ^ 0x1b
	}
	return a << 1
}

func fieldMul(a, b byte) (p byte) {
	for ; b != 0; a, b = fieldDouble(a), b>>1 {
		if b&1 != 0 {
			p ^= a
		}
	}
	return p
}

// plainSbox is the S-box of FIPS 197, section 5.1.1, from its definition.
func plainSbox(a byte) (s byte) {
	inverse := byte(0)
	for b := range 256 {
		if fieldMul(a, byte(b)) == 1 {
			inverse = byte(b)
		}
	}
	for i := range 8 {
		bit := inverse>>i ^ inverse>>((i+4)%8) ^ inverse>>((i+5)%8) ^ inverse>>((i+6)%8) ^ inverse>>((i+7)%8) ^ 0x63>>i
		s |= bit & 1 << i
	}
	return s
}

func TestSbox(t *testing.T) {
	for first := 0; first < 256; first += 64 {
		var x, y [8]uint64
		for p := range 64 {
			for i := range 8 {
				x[i] |= uint64((first+p)>>i&1) << p
				y[i] |= uint64((plainSbox(byte(first+p))^0x63)>>i&1) << p
			}
		}
		got := x
		sbox(&got)
		if got != y {
			t.Errorf("S-box of bytes from %#x on: %x, want %x", first, got, y)
		}
		invSbox(&got)
		if got != x {
			t.Errorf("inverse S-box of that: %x, want %x", got, x)
		}
	}
}

func TestTables(t *testing.T) {
	for a := range 256 {
		s := plainSbox(byte(a))
		w := encTable[a]
		want := [4]byte{fieldMul(s, 2), s, s, fieldMul(s, 3)}
		if got := [4]byte{byte(w), byte(w >> 8), byte(w >> 16), byte(w >> 24)}; got != want {
			t.Errorf("encryption table at %#02x: %x, want %x", a, got, want)
		}
		w, b := decTable[s], byte(a)
		want = [4]byte{fieldMul(b, 14), fieldMul(b, 9), fieldMul(b, 13), fieldMul(b, 11)}
		if got := [4]byte{byte(w), byte(w >> 8), byte(w >> 16), byte(w >> 24)}; got != want {
			t.Errorf("decryption table at %#02x: %x, want %x", s, got, want)
		}
	}
	if w := warm(&encTable) | warm(&decTable); w != 0 {
		t.Errorf("warm returns %#x, which would go into the state; it must be zero", w)
	}
}

func TestPacking(t *testing.T) {
	var block [wideSize]byte
	copy(block[:], randomBytes(1, wideSize))
	var w wide
	w.pack(&block)
	for b := range wideBlocks {
		for i := range keys.BlockSize {
			var got byte
			for bit := range 8 {
				got |= byte(w[8*(i%4)+bit]>>(16*(i/4)+b)&1) << bit
			}
			if want := block[keys.BlockSize*b+i]; got != want {
				t.Fatalf("wide: byte %d of block %d is %#02x, want %#02x", i, b, got, want)
			}
		}
	}
	var n narrow
	n.pack((*[narrowSize]byte)(block[:]))
	for b := range narrowBlocks {
		for i := range keys.BlockSize {
			var got byte
			for bit := range 8 {
				got |= byte(n[bit]>>(16*(i%4)+4*(i/4)+b)&1) << bit
			}
			if want := block[keys.BlockSize*b+i]; got != want {
				t.Fatalf("narrow: byte %d of block %d is %#02x, want %#02x", i, b, got, want)
			}
		}
	}
	var back [wideSize]byte
	w.unpack(&back)
	if back != block {
		t.Error("wide: unpack is not the inverse of pack")
	}
	n.unpack((*[narrowSize]byte)(back[:]))
	if back != block {
		t.Error("narrow: unpack is not the inverse of pack")
	}
}

func BenchmarkBlocks(b *testing.B) {
	for _, size := range keySizes {
		k, oracle := newKey(b, make([]byte, size))
		for _, n := range []int{1, 4, 16, 64} {
			buf := make([]byte, n*keys.BlockSize)
			run := func(what string, f func()) {
				b.Run(fmt.Sprintf("%s/AES-%d/%d", what, 8*size, n), func(b *testing.B) {
					b.SetBytes(int64(len(buf)))
					for b.Loop() {
						f()
					}
				})
			}
			run("encrypt", func() { EncryptBlocks(&k.Enc, buf, buf) })
			run("decrypt", func() { DecryptBlocks(&k.Dec, buf, buf) })
			run("crypto", func() {
				for i := 0; i < len(buf); i += keys.BlockSize {
					oracle.Encrypt(buf[i:], buf[i:])
				}
			})
		}
	}
}

func BenchmarkExpandKey(b *testing.B) {
	for _, size := range keySizes {
		key := make([]byte, size)
		var k keys.Enc
		b.Run(fmt.Sprintf("AES-%d", 8*size), func(b *testing.B) {
			for b.Loop() {
				ExpandKey(&k, key)
			}
		})
	}
}
