// Package aescbc encrypts and decrypts with AES in CBC mode (NIST SP 800-38A, section 6.2), also with
// ciphertext stealing, for formats that have it.
//
// CBC does not notice changes: whoever can alter ciphertext can flip chosen bits of a block of plaintext, at
// the cost of the block before it, and a program that tells whether what it decrypted made sense can be made
// to decrypt anything. Where there is a choice use package aesgcm. Where there is none, authenticate the
// ciphertext, IV included, and check that before decrypting.
//
// # Ways to call
//
//   - [Encrypt] and [Decrypt] take whole blocks of 16 bytes. Padding is the caller's.
//   - [EncryptCTS] and [DecryptCTS] take any length from 16 bytes on, and ciphertext is as long as plaintext.
//     This is CBC-CS3 of the addendum to SP 800-38A, the mode of Kerberos (RFC 3962, section 5): the last two
//     blocks of ciphertext change places, also where nothing is stolen.
//
// Encryption of a message cannot be faster than one block after the other. Decryption does many at once.
//
// # IVs
//
// The IV of a message must be impossible to foresee by those who can choose its text: 16 random bytes, or a
// counter encrypted under another key. Functions replace the IV by the one to continue with, so that a long
// message can be done in several calls; it is not fit to begin another message.
//
// # Keys, concurrency, memory
//
// Keys come from package aes and are only read, so any number of goroutines may use one at once. Nothing here
// allocates.
//
// dst and src must have the same length and be the same memory or not overlap. iv must overlap neither. Any
// other call is a mistake of the program, as is a length that the mode does not have or a key that was not
// set: it panics before a byte is written.
package aescbc

import (
	"strconv"

	"lamina/arch"
	"lamina/lib/aes"
	"lamina/lib/internal/alias"
)

// BlockSize is the size of a block in bytes.
const BlockSize = aes.BlockSize

// Encrypt encrypts src to dst in CBC mode. The length of src is a multiple of 16 and may be 0. iv becomes the
// last block of dst; with no blocks it stays as it is.
func Encrypt(k *aes.EncKey, iv *[16]byte, dst, src []byte) {
	im, enc := k.Schedule()
	check("Encrypt", iv, dst, src)
	checkBlocks("Encrypt", src)
	arch.CBCEncrypt(im, enc, iv, dst, src)
}

// Decrypt decrypts src to dst in CBC mode. The length of src is a multiple of 16 and may be 0. iv becomes the
// last block of src; with no blocks it stays as it is.
func Decrypt(k *aes.Key, iv *[16]byte, dst, src []byte) {
	im, dec := k.InverseSchedule()
	check("Decrypt", iv, dst, src)
	checkBlocks("Decrypt", src)
	arch.CBCDecrypt(im, dec, iv, dst, src)
}

func check(name string, iv *[16]byte, dst, src []byte) {
	if len(dst) != len(src) {
		panic(wrongDst(name, dst, src))
	}
	if alias.Inexact(dst, src) {
		panic(overlap(name, "dst and src overlap without being the same memory"))
	}
	if alias.Any(iv[:], dst) || alias.Any(iv[:], src) {
		panic(overlap(name, "iv overlaps dst or src"))
	}
}

func checkBlocks(name string, src []byte) {
	if len(src)%BlockSize != 0 {
		panic(wrongLength(name, src, "a multiple of 16"))
	}
}

// The messages of panics are made outside of the functions that panic, and stay there: building them takes a
// larger frame and more registers than all else in these.

//go:noinline
func overlap(name, what string) string { return "aescbc: " + name + ": " + what }

//go:noinline
func wrongDst(name string, dst, src []byte) string {
	return "aescbc: " + name + ": dst of " + strconv.Itoa(len(dst)) + " bytes and src of " + strconv.Itoa(len(src)) +
		"; they must have the same length"
}

//go:noinline
func wrongLength(name string, src []byte, want string) string {
	return "aescbc: " + name + ": src of " + strconv.Itoa(len(src)) + " bytes; it must have " + want
}
