package arch

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"lamina/arch/keys"
)

// This file has the hooks of counter modes, with the contracts of hooks.go. An architecture supplies one
// function for both, counterMode, whose counter has 64 bits and does not wrap; the carry out of them is here,
// once for all.
//
// counterMode adds to the n bytes at src the key stream E(B_c), E(B_(c+1)), ... and writes them to dst. Block
// B_i is base0 and base1, little-endian, XOR the counter i: if last is set, big-endian in the last eight
// bytes, and otherwise little-endian in the first eight. With last set base1 is 0. n is any length, 0
// included, and c plus the number of blocks is at most 2^64. Optional: composeCounterMode is made of the
// block hooks.

// CTR encrypts or decrypts src to dst by counter mode (NIST SP 800-38A, section 6.5). len(src) is any length,
// 0 included. ctr is the counter block of the first block, a 128-bit big-endian integer that wraps. It is
// advanced by the number of blocks, a partial last one counted too, after dst is written.
func CTR(im Impl, k *keys.Enc, ctr *[16]byte, dst, src []byte) {
	hi, lo := binary.BigEndian.Uint64(ctr[:8]), binary.BigEndian.Uint64(ctr[8:])
	end, carry := bits.Add64(lo, countBlocks(len(src)), 0)
	d, s, n := unsafe.SliceData(dst), unsafe.SliceData(src), len(src)
	if carry != 0 {
		m := beforeWrap(lo, n)
		counterMode(im, k, true, bits.ReverseBytes64(hi), 0, lo, d, s, m)
		d, s, n = unsafe.SliceData(dst[m:]), unsafe.SliceData(src[m:]), n-m
		hi, lo = hi+1, 0
	}
	counterMode(im, k, true, bits.ReverseBytes64(hi), 0, lo, d, s, n)
	binary.BigEndian.PutUint64(ctr[:8], hi)
	binary.BigEndian.PutUint64(ctr[8:], end)
}

// XCTR encrypts or decrypts src to dst by XCTR (Crowley, Huckleberry and Biggers, "Length-preserving
// encryption with HCTR2", section 2). len(src) is any length, 0 included. Block i of key stream is the
// encryption of iv XOR i, a 64-bit little-endian integer in the first eight bytes that wraps. counter is the
// first block's i, which is 1 at the start of a message. It is advanced by the number of blocks, a partial
// last one counted too, after dst is written.
func XCTR(im Impl, k *keys.Enc, counter *uint64, iv *[16]byte, dst, src []byte) {
	base0, base1 := binary.LittleEndian.Uint64(iv[:8]), binary.LittleEndian.Uint64(iv[8:])
	first := *counter
	end, carry := bits.Add64(first, countBlocks(len(src)), 0)
	d, s, n := unsafe.SliceData(dst), unsafe.SliceData(src), len(src)
	if carry != 0 {
		m := beforeWrap(first, n)
		counterMode(im, k, false, base0, base1, first, d, s, m)
		d, s, n = unsafe.SliceData(dst[m:]), unsafe.SliceData(src[m:]), n-m
		first = 0
	}
	counterMode(im, k, false, base0, base1, first, d, s, n)
	*counter = end
}

// countBlocks counts the blocks of n bytes, a partial last one too.
func countBlocks(n int) uint64 { return (uint64(n) + keys.BlockSize - 1) / keys.BlockSize }

// beforeWrap is how many of n bytes come before the counter wraps, which it does in their blocks or right after.
func beforeWrap(counter uint64, n int) int {
	return int(min(-counter*keys.BlockSize, uint64(n)))
}
