// Package aesctr encrypts and decrypts with AES in counter mode (CTR, NIST SP 800-38A, section 6.5) and in
// XCTR, the counter mode of HCTR2 (Crowley, Huckleberry and Biggers, "Length-preserving encryption with
// HCTR2").
//
// Counter modes add a stream of key bytes to the text, so encryption and decryption are the same, texts have
// any length, and nothing notices a change: whoever alters a bit of ciphertext alters that bit of plaintext.
// To seal messages use package aesgcm. These modes are for formats that have them and authenticate by other
// means.
//
// # Counters
//
// Under one key no counter block may ever be used twice, or the XOR of two texts is plain to see. A message
// uses up as many consecutive counter blocks as it has blocks of 16 bytes, a partial last one included. Give
// every message 16 random bytes to begin with, or a number of its own in the first bytes and zeros in the
// last, enough of them for its length.
//
// The counter of CTR is the whole block, a 128-bit big-endian integer that wraps. Some protocols count in the
// last 4 bytes only; within them the two are the same until these wrap. The counter of XCTR is 64-bit,
// little-endian, starts at 1, and is XORed into the first half of the IV.
//
// # Ways to call
//
//   - [CTR] and [XCTR] do a text in one call, or in several of whole blocks: they advance the counter. They
//     are the fastest, and allocate nothing.
//   - [NewCTR] makes a [Stream], a cipher.Stream that takes a text in pieces of any length, and the text at any
//     offset of a message, also by many goroutines at once.
//
// # Keys
//
// Keys come from package aes and are only read, so any number of goroutines may use one at once. Use of a key
// that was never set, or was wiped, panics, as does any other mistake of the program: wrong sizes, and
// buffers that overlap without starting at the same byte. Then nothing was written.
package aesctr

import (
	"strconv"

	"lamina/arch"
	"lamina/lib/aes"
	"lamina/lib/internal/alias"
)

// BlockSize is the size in bytes of a block, and of counter blocks and IVs.
const BlockSize = aes.BlockSize

// CTR encrypts or decrypts src to dst by counter mode, and advances ctr, the counter block of the first
// block, by the number of blocks, a partial last one counted too.
//
// dst and src must have the same length, any, and be the same memory or not overlap; dst must not overlap
// ctr. CTR panics otherwise.
func CTR(k *aes.EncKey, ctr *[16]byte, dst, src []byte) {
	im, enc := k.Schedule()
	check("CTR", dst, src)
	if alias.Any(dst, ctr[:]) {
		panic("aesctr: CTR: dst overlaps the counter")
	}
	arch.CTR(im, enc, ctr, dst, src)
}

// XCTR encrypts or decrypts src to dst by XCTR, and advances counter, the number of the first block, by the
// number of blocks, a partial last one counted too. counter must be 1 at the start of a message. It wraps
// after 2^64 blocks. iv is only read, before dst is written.
//
// dst and src must have the same length, any, and be the same memory or not overlap. XCTR panics otherwise.
func XCTR(k *aes.EncKey, counter *uint64, iv *[16]byte, dst, src []byte) {
	im, enc := k.Schedule()
	check("XCTR", dst, src)
	arch.XCTR(im, enc, counter, iv, dst, src)
}

func check(name string, dst, src []byte) {
	if len(dst) != len(src) {
		panic(wrongSize(name, "both must have the same", dst, src))
	}
	if alias.Inexact(dst, src) {
		panic(overlap(name))
	}
}

// The messages of panics are made outside of the functions that panic, and stay there: building them takes a
// larger frame and more registers than all else in these.

//go:noinline
func wrongSize(name, want string, dst, src []byte) string {
	return "aesctr: " + name + ": dst of " + strconv.Itoa(len(dst)) + " bytes and src of " + strconv.Itoa(len(src)) + "; " + want
}

//go:noinline
func overlap(name string) string {
	return "aesctr: " + name + ": dst and src overlap without being the same memory"
}
