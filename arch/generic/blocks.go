package generic

import "lamina/arch/keys"

// This file encrypts and decrypts whole blocks, one by table and more bit-sliced.

const (
	narrowSize = narrowBlocks * keys.BlockSize
	wideSize   = wideBlocks * keys.BlockSize
)

// EncryptBlocks encrypts each 16-byte block of src to dst.
func EncryptBlocks(k *keys.Enc, dst, src []byte) {
	if len(src) <= keys.BlockSize {
		encryptTable(k, dst, src)
		return
	}
	if len(src) > narrowLimit*keys.BlockSize {
		dst, src = encryptWide(k, dst, src)
	}
	if len(src) > 0 {
		encryptNarrow(k, dst, src)
	}
}

// encryptWide encrypts blocks with the wide kernel as long as that is faster, and returns what is left.
func encryptWide(k *keys.Enc, dst, src []byte) (dstRest, srcRest []byte) {
	var w wideKeys
	w.expandEnc(k)
	var s wide
	for len(src) > narrowLimit*keys.BlockSize {
		var buf [wideSize]byte
		n := copy(buf[:], src)
		s.pack(&buf)
		w.encrypt(&s)
		s.unpack(&buf)
		copy(dst, buf[:n])
		dst, src = dst[n:], src[n:]
	}
	return dst, src
}

// encryptNarrow encrypts all blocks with the narrow kernel.
func encryptNarrow(k *keys.Enc, dst, src []byte) {
	var w narrowKeys
	w.expandEnc(k)
	var s narrow
	for len(src) > 0 {
		var buf [narrowSize]byte
		n := copy(buf[:], src)
		s.pack(&buf)
		w.encrypt(&s)
		s.unpack(&buf)
		copy(dst, buf[:n])
		dst, src = dst[n:], src[n:]
	}
}

// DecryptBlocks decrypts each 16-byte block of src to dst.
func DecryptBlocks(k *keys.Key, dst, src []byte) {
	if len(src) <= keys.BlockSize {
		decryptTable(&k.Dec, dst, src)
		return
	}
	if len(src) > narrowLimit*keys.BlockSize {
		dst, src = decryptWide(&k.Dec, dst, src)
	}
	if len(src) > 0 {
		decryptNarrow(&k.Dec, dst, src)
	}
}

// decryptWide decrypts blocks with the wide kernel as long as that is faster, and returns what is left.
func decryptWide(k *keys.Dec, dst, src []byte) (dstRest, srcRest []byte) {
	var w wideKeys
	w.expandDec(k)
	var s wide
	for len(src) > narrowLimit*keys.BlockSize {
		var buf [wideSize]byte
		n := copy(buf[:], src)
		s.pack(&buf)
		w.decrypt(&s)
		s.unpack(&buf)
		copy(dst, buf[:n])
		dst, src = dst[n:], src[n:]
	}
	return dst, src
}

// decryptNarrow decrypts all blocks with the narrow kernel.
func decryptNarrow(k *keys.Dec, dst, src []byte) {
	var w narrowKeys
	w.expandDec(k)
	var s narrow
	for len(src) > 0 {
		var buf [narrowSize]byte
		n := copy(buf[:], src)
		s.pack(&buf)
		w.decrypt(&s)
		s.unpack(&buf)
		copy(dst, buf[:n])
		dst, src = dst[n:], src[n:]
	}
}
