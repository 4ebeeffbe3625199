package generic

import "lamina/arch/keys"

// This file encrypts and decrypts whole blocks: one by table, more bit-sliced.

const (
	narrowSize = narrowBlocks * keys.BlockSize
	wideSize   = wideBlocks * keys.BlockSize
)

// EncryptBlocks encrypts each 16-byte block of src to dst. len(src) is a multiple of 16.
func EncryptBlocks(k *keys.Enc, dst, src []byte) {
	if len(src) <= keys.BlockSize {
		encryptTable(k, dst, src)
		return
	}
	if len(src) > narrowLimit*keys.BlockSize {
		var w wideKeys
		w.expandEnc(k)
		n := w.crypt(dst, src)
		dst, src = dst[n:], src[n:]
	}
	if len(src) > 0 {
		encryptNarrow(k, dst, src)
	}
}

// encryptNarrow is EncryptBlocks for few blocks, always bit-sliced.
func encryptNarrow(k *keys.Enc, dst, src []byte) {
	var n narrowKeys
	n.expandEnc(k)
	n.crypt(dst, src)
}

// DecryptBlocks decrypts each 16-byte block of src to dst. len(src) is a multiple of 16.
func DecryptBlocks(k *keys.Dec, dst, src []byte) {
	if len(src) <= keys.BlockSize {
		decryptTable(k, dst, src)
		return
	}
	if len(src) > narrowLimit*keys.BlockSize {
		var w wideKeys
		w.expandDec(k)
		n := w.crypt(dst, src)
		dst, src = dst[n:], src[n:]
	}
	if len(src) > 0 {
		decryptNarrow(k, dst, src)
	}
}

// decryptNarrow is DecryptBlocks for few blocks, always bit-sliced.
func decryptNarrow(k *keys.Dec, dst, src []byte) {
	var n narrowKeys
	n.expandDec(k)
	n.crypt(dst, src)
}

// crypt encrypts or decrypts whole blocks until so few are left that the narrow kernel does them faster, and
// returns how many bytes it did.
func (k *wideKeys) crypt(dst, src []byte) (done int) {
	var s wide
	for len(src) > narrowSize {
		var buf [wideSize]byte
		n := copy(buf[:], src)
		s.pack(&buf)
		if k.inverse {
			k.decrypt(&s)
		} else {
			k.encrypt(&s)
		}
		s.unpack(&buf)
		copy(dst, buf[:n])
		dst, src = dst[n:], src[n:]
		done += n
	}
	return done
}

// crypt encrypts or decrypts whole blocks.
func (k *narrowKeys) crypt(dst, src []byte) {
	var s narrow
	for len(src) > 0 {
		var buf [narrowSize]byte
		n := copy(buf[:], src)
		s.pack(&buf)
		if k.inverse {
			k.decrypt(&s)
		} else {
			k.encrypt(&s)
		}
		s.unpack(&buf)
		copy(dst, buf[:n])
		dst, src = dst[n:], src[n:]
	}
}
