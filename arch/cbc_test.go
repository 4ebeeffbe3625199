package arch

import (
	"bytes"
	"crypto/cipher"
	"encoding/binary"
	"fmt"
	"testing"

	"lamina/arch/keys"
	"lamina/internal/fence"
)

// refMAC returns the chain of CBC-MAC over data, from acc: entry n is what n blocks make of it.
func refMAC(b cipher.Block, acc [16]byte, data []byte) (chain [][16]byte) {
	chain = append(chain, acc)
	for ; len(data) > 0; data = data[16:] {
		for i := range acc {
			acc[i] ^= data[i]
		}
		b.Encrypt(acc[:], acc[:])
		chain = append(chain, acc)
	}
	return chain
}

// count64 is ctr with n added to its last eight bytes.
func count64(ctr [16]byte, n int) [16]byte {
	binary.BigEndian.PutUint64(ctr[8:], binary.BigEndian.Uint64(ctr[8:])+uint64(n))
	return ctr
}

// refCounter encrypts src by counter mode with a counter of 64 bits.
func refCounter(b cipher.Block, ctr [16]byte, src []byte) []byte {
	out := make([]byte, len(src))
	for i := 0; i < len(src); i += 16 {
		block := count64(ctr, i/16)
		b.Encrypt(out[i:], block[:])
	}
	for i := range out {
		out[i] ^= src[i]
	}
	return out
}

// chainedBlocks returns every number of blocks up to the most that the other tests use, and some around later
// boundaries of the loop of eight vectors.
func chainedBlocks() (ns []int) {
	for n := range maxBlocks + 1 {
		ns = append(ns, n)
	}
	return append(ns, 95, 96, 97, 127, 128, 129, 1024)
}

// TestCBC encrypts and decrypts every number of blocks with every pair of implementations, one that prepared
// the key and one that uses it.
func TestCBC(t *testing.T) {
	plain, start := bytesFor(80, 1024*16), [16]byte(bytesFor(81, 16))
	forEachImpl(t, func(t *testing.T, im Impl) {
		for _, size := range keySizes {
			key := bytesFor(uint64(82+size), size)
			want := make([]byte, len(plain))
			cipher.NewCBCEncrypter(stdBlock(t, key), start[:]).CryptBlocks(want, plain)
			for _, prepared := range Impls() {
				k := expand(prepared, key)
				before := *k
				for _, blocks := range chainedBlocks() {
					n := blocks * 16
					after := start
					if n > 0 {
						after = [16]byte(want[n-16:])
					}
					run := func(name string, out, in []byte, hook func(iv *[16]byte, dst, src []byte)) {
						t.Helper()
						checkBlocks(t, n, out, in, func(dst, src []byte) {
							iv := fence.New(16, blocks)
							copy(iv.Bytes(), start[:])
							hook((*[16]byte)(iv.Bytes()), dst, src)
							if !bytes.Equal(iv.Bytes(), after[:]) {
								t.Fatalf("%s of %d bytes: iv becomes %x, want %x", name, n, iv.Bytes(), after)
							}
							iv.Check(t, "iv")
						})
					}
					run("CBCEncrypt", want, plain, func(iv *[16]byte, dst, src []byte) { CBCEncrypt(im, &k.Enc, iv, dst, src) })
					run("CBCDecrypt", plain, want, func(iv *[16]byte, dst, src []byte) { CBCDecrypt(im, &k.Dec, iv, dst, src) })
				}
				if *k != before {
					t.Fatalf("key prepared under %v changed by use", prepared)
				}
			}
		}
	})
}

func TestCBCMAC(t *testing.T) {
	data, start := bytesFor(86, 1024*16), [16]byte(bytesFor(87, 16))
	forEachImpl(t, func(t *testing.T, im Impl) {
		for _, size := range keySizes {
			key := bytesFor(88, size)
			chain := refMAC(stdBlock(t, key), start, data)
			for _, prepared := range Impls() {
				k := expand(prepared, key)
				for _, blocks := range chainedBlocks() {
					in, acc := fence.New(blocks*16, blocks), fence.New(16, 64-blocks%64)
					copy(in.Bytes(), data)
					copy(acc.Bytes(), start[:])
					CBCMAC(im, &k.Enc, (*[16]byte)(acc.Bytes()), in.Bytes())
					if !bytes.Equal(acc.Bytes(), chain[blocks][:]) {
						t.Fatalf("CBCMAC of %d blocks: got %x, want %x", blocks, acc.Bytes(), chain[blocks])
					}
					if !bytes.Equal(in.Bytes(), data[:blocks*16]) {
						t.Fatalf("CBCMAC of %d blocks changed data", blocks)
					}
					acc.Check(t, "acc")
				}
			}
		}
	})
}

// ccmCounters are counter blocks from which some number wraps: none, each byte, the lower 32 bits and all 64,
// next to bytes that must stay.
func ccmCounters() (list [][16]byte) {
	list = append(list, [16]byte(bytesFor(89, 16)))
	for _, ones := range []int{1, 2, 3, 4, 5, 7, 8, 9, 16} {
		c := [16]byte(bytesFor(uint64(90+ones), 16))
		copy(c[16-ones:], bytes.Repeat([]byte{0xff}, ones))
		c[15] = 0xf0
		list = append(list, c)
	}
	return list
}

// TestCCM encrypts and decrypts every number of blocks, from counters that wrap and from others, in place and
// not.
func TestCCM(t *testing.T) {
	plain, start := bytesFor(110, 1024*16), [16]byte(bytesFor(111, 16))
	for _, size := range keySizes {
		key := bytesFor(uint64(112+size), size)
		block := stdBlock(t, key)
		chain := refMAC(block, start, plain)
		for at, ctr := range ccmCounters() {
			cipherText := refCounter(block, ctr, plain)
			forEachImplQuietly(func(im Impl) {
				k := expand(Best(), key)
				for i, blocks := range chainedBlocks() {
					if at > 0 && testing.Short() && i%5 != at%5 {
						continue
					}
					run := func(name string, hook func(Impl, *keys.Enc, *[16]byte, *[16]byte, []byte, []byte), out, in []byte) {
						checkBlocks(t, blocks*16, out, in, func(dst, src []byte) {
							mac, c := start, ctr
							hook(im, &k.Enc, &mac, &c, dst, src)
							if mac != chain[blocks] {
								t.Fatalf("%v: %s of %d blocks: MAC %x, want %x", im, name, blocks, mac, chain[blocks])
							}
							if want := count64(ctr, blocks); c != want {
								t.Fatalf("%v: %s of %d blocks: counter %x becomes %x, want %x", im, name, blocks, ctr, c, want)
							}
						})
					}
					run("CCMEncrypt", CCMEncrypt, cipherText, plain)
					run("CCMDecrypt", CCMDecrypt, plain, cipherText)
				}
			})
		}
	}
}

// TestChainedNoAllocations holds for these hooks that nothing is allocated, and so that what they are given
// does not escape.
func TestChainedNoAllocations(t *testing.T) {
	forEachImpl(t, func(t *testing.T, im Impl) {
		n := testing.AllocsPerRun(20, func() {
			var key [32]byte
			var iv, ctr [16]byte
			var text [512]byte
			var k keys.Key
			ExpandKey(im, &k.Enc, key[:])
			InvertKey(im, &k.Dec, &k.Enc)
			CBCEncrypt(im, &k.Enc, &iv, text[:], text[:])
			CBCDecrypt(im, &k.Dec, &iv, text[:], text[:])
			CBCMAC(im, &k.Enc, &iv, text[:])
			CCMEncrypt(im, &k.Enc, &iv, &ctr, text[:], text[:])
			CCMDecrypt(im, &k.Enc, &iv, &ctr, text[:], text[:])
		})
		if n != 0 {
			t.Errorf("%v allocations a round of all hooks, want 0", n)
		}
	})
}

// BenchmarkChained is the speed of the hooks.
func BenchmarkChained(b *testing.B) {
	for _, im := range Impls() {
		for _, size := range []int{16, 32} {
			k := expand(im, make([]byte, size))
			for _, n := range []int{16, 64, 512, 1408, 4096, 16384} {
				buf := make([]byte, n)
				var iv, ctr [16]byte
				for _, hook := range []struct {
					name string
					run  func()
				}{
					{"CBCEncrypt", func() { CBCEncrypt(im, &k.Enc, &iv, buf, buf) }},
					{"CBCDecrypt", func() { CBCDecrypt(im, &k.Dec, &iv, buf, buf) }},
					{"CBCMAC", func() { CBCMAC(im, &k.Enc, &iv, buf) }},
					{"CCMEncrypt", func() { CCMEncrypt(im, &k.Enc, &iv, &ctr, buf, buf) }},
					{"CCMDecrypt", func() { CCMDecrypt(im, &k.Enc, &iv, &ctr, buf, buf) }},
				} {
					b.Run(fmt.Sprintf("%s/%v/%d/%d", hook.name, im, size*8, n), func(b *testing.B) {
						b.SetBytes(int64(n))
						for b.Loop() {
							hook.run()
						}
					})
				}
			}
		}
	}
}
