package arch

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"lamina/arch/keys"
	"lamina/internal/fence"
)

// refXTS is XTS as IEEE 1619-2018, section 5, writes it down, block by block, from an encrypted tweak.
func refXTS(t testing.TB, key []byte, decrypt bool, tweak [16]byte, src []byte) (dst []byte, next [16]byte) {
	t.Helper()
	block := stdBlock(t, key)
	one := func(b []byte, tweak [16]byte) []byte {
		out := make([]byte, 16)
		for i := range out {
			out[i] = b[i] ^ tweak[i]
		}
		if decrypt {
			block.Decrypt(out, out)
		} else {
			block.Encrypt(out, out)
		}
		for i := range out {
			out[i] ^= tweak[i]
		}
		return out
	}
	whole, rest := len(src)/16, len(src)%16
	if rest > 0 {
		whole--
	}
	for range whole {
		dst = append(dst, one(src, tweak)...)
		src, tweak = src[16:], refTimesX(tweak)
	}
	if rest == 0 {
		return dst, tweak
	}
	first, second := tweak, refTimesX(tweak)
	next = refTimesX(second)
	if decrypt {
		first, second = second, first
	}
	cut := one(src[:16], first)
	dst = append(dst, one(append(bytes.Clone(src[16:]), cut[rest:]...), second)...)
	return append(dst, cut[:rest]...), next
}

// refTimesX multiplies a tweak by x, byte by byte.
func refTimesX(tweak [16]byte) (r [16]byte) {
	carry := byte(0)
	for i, b := range tweak {
		r[i] = b<<1 | carry
		carry = b >> 7
	}
	r[0] ^= 0x87 * carry
	return r
}

// xtsHooks are the hooks of XTS, direct or composed.
type xtsHooks struct {
	encrypt func(im Impl, k *keys.Enc, tweak *[16]byte, dst, src []byte)
	decrypt func(im Impl, k *keys.Dec, tweak *[16]byte, dst, src []byte)
}

var (
	directXTS   = xtsHooks{XTSEncrypt, XTSDecrypt}
	composedXTS = xtsHooks{composeXTSEncrypt, composeXTSDecrypt}
)

// run runs a hook over src, out of place and in place, and compares with want.
func (h xtsHooks) run(t *testing.T, im Impl, k *keys.Key, decrypt bool, tweak, wantNext [16]byte, src, want []byte,
	align int) {
	t.Helper()
	name := "XTSEncrypt"
	if decrypt {
		name = "XTSDecrypt"
	}
	out, in := fence.New(len(src), align), fence.New(len(src), align*7)
	copy(in.Bytes(), src)
	for _, dst := range []*fence.Buffer{out, in} {
		next := tweak
		if decrypt {
			h.decrypt(im, &k.Dec, &next, dst.Bytes(), in.Bytes())
		} else {
			h.encrypt(im, &k.Enc, &next, dst.Bytes(), in.Bytes())
		}
		how := fmt.Sprintf("%s of %d bytes, alignment %d, tweak %x, in place: %v",
			name, len(src), align, tweak, dst == in)
		if !bytes.Equal(dst.Bytes(), want) {
			t.Fatalf("%s: differs from byte %d on", how, differsAt(dst.Bytes(), want))
		}
		if next != wantNext {
			t.Fatalf("%s: next tweak %x, want %x", how, next, wantNext)
		}
		if dst == out && !bytes.Equal(in.Bytes(), src) {
			t.Fatalf("%s: src changed", how)
		}
		dst.Check(t, how)
	}
}

// xtsTweaks are tweaks whose carries run through every half, and a random one.
func xtsTweaks() (list [][16]byte) {
	list = append(list, [16]byte{}, [16]byte{0: 1}, [16]byte{15: 0x80}, [16]byte{7: 0x80}, [16]byte{8: 1})
	var ones [16]byte
	for i := range ones {
		ones[i] = 0xff
	}
	return append(list, ones, [16]byte(bytesFor(81, 16)))
}

func testXTS(t *testing.T, h xtsHooks) {
	const longest = 1100
	var lengths []int
	for n := 16; n <= longest; n++ {
		if !testing.Short() || n < 200 || n%5 == 0 {
			lengths = append(lengths, n)
		}
	}
	// Past two batches of the widest loop, at every number of blocks of the rest and with stealing.
	for n := 2048; n < 2048+600; n += 16 {
		lengths = append(lengths, n, n+n/16%15+1)
	}
	lengths = append(lengths, 4095, 4096, 16384, 16399)
	tweaks := xtsTweaks()
	for _, size := range keySizes {
		key := bytesFor(uint64(80+size), size)
		src := bytesFor(82, 16399)
		type answer struct {
			tweak, nextE, nextD [16]byte
			enc, dec            []byte
		}
		answers := make([]answer, len(lengths))
		for i, n := range lengths {
			a := &answers[i]
			a.tweak = tweaks[i%len(tweaks)]
			a.enc, a.nextE = refXTS(t, key, false, a.tweak, src[:n])
			a.dec, a.nextD = refXTS(t, key, true, a.tweak, src[:n])
		}
		forEachImpl(t, func(t *testing.T, im Impl) {
			for j, prepared := range Impls() {
				k := expand(prepared, key)
				before := *k
				if testing.Short() && prepared != im {
					continue
				}
				for i, n := range lengths {
					if (i+j)%len(Impls()) != 0 && prepared != im {
						continue // other pairs of implementations share the lengths
					}
					a := &answers[i]
					h.run(t, im, k, false, a.tweak, a.nextE, src[:n], a.enc, i%64)
					h.run(t, im, k, true, a.tweak, a.nextD, src[:n], a.dec, i%64)
				}
				if *k != before {
					t.Fatalf("key prepared under %v changed by use", prepared)
				}
			}
		})
	}
}

func TestXTS(t *testing.T) { testXTS(t, directXTS) }

func TestComposedXTS(t *testing.T) { testXTS(t, composedXTS) }

// TestXTSTweaks runs lengths with every kind of end under every tweak with a single bit, so that each carry of
// each lane shows.
func TestXTSTweaks(t *testing.T) {
	key := bytesFor(83, 16)
	for _, n := range []int{31, 16 * 9, 512 + 512 + 256 + 128 + 64 + 32 + 16 + 7} {
		src := bytesFor(84, n)
		for bit := range 128 {
			var tweak [16]byte
			tweak[bit/8] = 1 << (bit % 8)
			enc, nextE := refXTS(t, key, false, tweak, src)
			dec, nextD := refXTS(t, key, true, tweak, src)
			for _, im := range Impls() {
				k := expand(im, key)
				directXTS.run(t, im, k, false, tweak, nextE, src, enc, bit%64)
				directXTS.run(t, im, k, true, tweak, nextD, src, dec, bit%64)
			}
		}
	}
}

// TestTweaks compares the hooks for tweaks with the block cipher.
func TestTweaks(t *testing.T) {
	forEachImpl(t, func(t *testing.T, im Impl) {
		for i := range 60 {
			key := bytesFor(uint64(i), keySizes[i%3])
			k := expand(im, key)
			plain := [16]byte(bytesFor(uint64(88+i), 16))
			var want [16]byte
			stdBlock(t, key).Encrypt(want[:], plain[:])
			got := fence.New(16, i)
			tweak := (*[16]byte)(got.Bytes())
			lo, hi := binary.LittleEndian.Uint64(plain[:8]), binary.LittleEndian.Uint64(plain[8:])
			EncryptTweak(im, &k.Enc, tweak, lo, hi)
			if *tweak != want {
				t.Fatalf("key of %d bytes, EncryptTweak: got %x, want %x", len(key), *tweak, want)
			}
			if DecryptTweak(im, &k.Dec, tweak); *tweak != plain {
				t.Fatalf("key of %d bytes, DecryptTweak: got %x, want %x", len(key), *tweak, plain)
			}
			got.Check(t, "tweak")
		}
	})
}

func TestXTSNoAllocations(t *testing.T) {
	forEachImpl(t, func(t *testing.T, im Impl) {
		n := testing.AllocsPerRun(20, func() {
			var key [32]byte
			var tweak [16]byte
			var text [1000]byte
			var k keys.Key
			ExpandKey(im, &k.Enc, key[:])
			InvertKey(im, &k.Dec, &k.Enc)
			EncryptTweak(im, &k.Enc, &tweak, 1, 2)
			DecryptTweak(im, &k.Dec, &tweak)
			XTSEncrypt(im, &k.Enc, &tweak, text[:], text[:])
			XTSDecrypt(im, &k.Dec, &tweak, text[:], text[:])
			composeXTSEncrypt(im, &k.Enc, &tweak, text[:], text[:])
			composeXTSDecrypt(im, &k.Dec, &tweak, text[:], text[:])
		})
		if n != 0 {
			t.Errorf("%v allocations, want 0", n)
		}
	})
}
