package arch

import "lamina/arch/keys"

// The hooks of AES-XTS (IEEE 1619). A tweak here is one that has been encrypted: a little-endian number of 128
// bits that stands for a polynomial over GF(2) modulo x^128 + x^7 + x^2 + x + 1.

// XTSEncrypt encrypts src, of at least 16 bytes, to dst. tweak is the tweak of the first block; that of each
// block after it is the one before times x. Where len(src) is no multiple of 16, the last two blocks are done
// with ciphertext stealing, and the message ends with them.
//
// tweak becomes the tweak of the block behind src: it is multiplied by x to the number of blocks, a partial one
// counted. So where len(src) is a multiple of 16, the next call with the same tweak continues the message.
// tweak does not overlap dst or src. Optional.
func XTSEncrypt(im Impl, k *keys.Enc, tweak *[16]byte, dst, src []byte) {
	xtsEncrypt(im, k, tweak, dst, src)
}

// XTSDecrypt decrypts src to dst, otherwise as XTSEncrypt.
func XTSDecrypt(im Impl, k *keys.Dec, tweak *[16]byte, dst, src []byte) {
	xtsDecrypt(im, k, tweak, dst, src)
}

// EncryptTweak sets tweak to the encryption of the number hi:lo, of 128 bits and little-endian. It takes
// numbers because that is faster than to read back 16 bytes that were written as two numbers just before. No
// implementation looks anything up in a table here, as EncryptBlocks may for a single block. Optional.
func EncryptTweak(im Impl, k *keys.Enc, tweak *[16]byte, lo, hi uint64) {
	encryptTweak(im, k, tweak, lo, hi)
}

// DecryptTweak decrypts tweak in place, without a table. Optional.
func DecryptTweak(im Impl, k *keys.Dec, tweak *[16]byte) {
	decryptTweak(im, k, tweak)
}
