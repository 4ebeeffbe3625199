package aescbc

import (
	"crypto/subtle"

	"lamina/arch"
	"lamina/lib/aes"
)

// Stealing, in the terms of the comments below: a message has blocks P_1 to P_n, of which the last has m
// bytes, 1 to 16. Filled up with zeros it is encrypted by CBC to C_1 to C_n, and ciphertext is
//
//	C_1, ..., C_(n-2), C_n, the first m bytes of C_(n-1)
//
// The bytes of C_(n-1) that are left out come back when C_n is decrypted, because they met the zeros. A
// message of one block has none to steal from, and is plain CBC (RFC 3962, section 5).

// EncryptCTS encrypts src to dst in CBC mode with ciphertext stealing, CS3. src must have at least 16 bytes;
// with exactly 16, this is Encrypt. iv becomes the last block that was encrypted: the last but one of dst, or
// the only one. A message cannot be continued with it, but in formats that chain messages it begins the next.
func EncryptCTS(k *aes.EncKey, iv *[16]byte, dst, src []byte) {
	im, enc := k.Schedule()
	check("EncryptCTS", iv, dst, src)
	checkStealing("EncryptCTS", src)
	if len(src) == BlockSize {
		arch.CBCEncrypt(im, enc, iv, dst, src)
		return
	}
	whole := beforeLast(len(src))
	var last [BlockSize]byte // P_n, and then C_n
	copy(last[:], src[whole:])
	arch.CBCEncrypt(im, enc, iv, dst[:whole], src[:whole])
	copy(dst[whole:], iv[:]) // C_(n-1)
	arch.CBCEncrypt(im, enc, iv, last[:], last[:])
	copy(dst[whole-BlockSize:], last[:])
}

// DecryptCTS decrypts src to dst in CBC mode with ciphertext stealing, CS3. src must have at least 16 bytes;
// with exactly 16, this is Decrypt. iv becomes what EncryptCTS made it when it encrypted the message.
func DecryptCTS(k *aes.Key, iv *[16]byte, dst, src []byte) {
	im, dec := k.InverseSchedule()
	check("DecryptCTS", iv, dst, src)
	checkStealing("DecryptCTS", src)
	if len(src) == BlockSize {
		arch.CBCDecrypt(im, dec, iv, dst, src)
		return
	}
	whole := beforeLast(len(src))
	m := len(src) - whole
	cn := [BlockSize]byte(src[whole-BlockSize:])
	var before, last, zero [BlockSize]byte // C_(n-1); P_n + C_(n-1); no chain
	arch.CBCDecrypt(im, dec, &zero, last[:], cn[:])
	copy(before[:], src[whole:])
	copy(before[m:], last[m:])
	subtle.XORBytes(last[:], last[:], before[:])

	arch.CBCDecrypt(im, dec, iv, dst[:whole-BlockSize], src[:whole-BlockSize])
	arch.CBCDecrypt(im, dec, iv, dst[whole-BlockSize:whole], before[:])
	copy(dst[whole:], last[:m])
	*iv = cn
}

// beforeLast returns how many of n bytes lie before the last block, which may be a part of one. n is more
// than 16.
func beforeLast(n int) int { return (n - 1) &^ (BlockSize - 1) }

func checkStealing(name string, src []byte) {
	if len(src) < BlockSize {
		panic(wrongLength(name, src, "at least 16"))
	}
}
