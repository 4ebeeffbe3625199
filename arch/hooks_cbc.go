package arch

import "lamina/arch/keys"

// The hooks of CBC, CBC-MAC and CCM, under the rules of hooks.go. They take whole blocks and may be called
// with none. State that is carried from call to call, 16 bytes each, is read and written; it overlaps nothing
// else. Stealing, padding, subkeys and the format of CCM's blocks are the caller's.

// CBCEncrypt encrypts src to dst in CBC mode (NIST SP 800-38A, section 6.2). iv is added to the first block,
// and becomes the last block of dst. Optional.
func CBCEncrypt(im Impl, k *keys.Enc, iv *[16]byte, dst, src []byte) {
	cbcEncrypt(im, k, iv, dst, src)
}

// CBCDecrypt decrypts src to dst in CBC mode. iv is added to the first block of plaintext, and becomes the
// last block of src, also where that is overwritten. Optional.
func CBCDecrypt(im Impl, k *keys.Dec, iv *[16]byte, dst, src []byte) {
	cbcDecrypt(im, k, iv, dst, src)
}

// CBCMAC adds each block of data in turn to acc and encrypts acc. Optional.
func CBCMAC(im Impl, k *keys.Enc, acc *[16]byte, data []byte) {
	cbcMAC(im, k, acc, data)
}

// CCMEncrypt encrypts src to dst by counter mode, and does CBCMAC of src with mac. ctr is the counter block
// of the first block. Its last eight bytes count as a 64-bit big-endian integer, and the rest stays as it is;
// CCM's own counters are as short or shorter, and the lengths that it allows let none of them wrap. It
// becomes the counter block of the next block. Optional.
func CCMEncrypt(im Impl, k *keys.Enc, mac, ctr *[16]byte, dst, src []byte) {
	ccmEncrypt(im, k, mac, ctr, dst, src)
}

// CCMDecrypt decrypts src to dst by counter mode, and does CBCMAC of dst with mac, otherwise as CCMEncrypt.
// Optional.
func CCMDecrypt(im Impl, k *keys.Enc, mac, ctr *[16]byte, dst, src []byte) {
	ccmDecrypt(im, k, mac, ctr, dst, src)
}
