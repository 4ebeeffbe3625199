package generic

import (
	"crypto/subtle"

	"lamina/arch/keys"
)

// CBCEncrypt encrypts the whole blocks of src to dst in CBC mode, by table, and advances iv.
func CBCEncrypt(k *keys.Enc, iv *[16]byte, dst, src []byte) {
	for len(src) > 0 {
		zero := warm(&encTable)
		n := min(len(src), serialSize)
		for i := 0; i < n; i += keys.BlockSize {
			encryptChained(k, iv, src[i:], zero)
			copy(dst[i:], iv[:])
		}
		dst, src = dst[n:], src[n:]
	}
}

// CBCMAC adds the whole blocks of data to acc, one after the other, and encrypts it after each, by table.
func CBCMAC(k *keys.Enc, acc *[16]byte, data []byte) {
	for len(data) > 0 {
		zero := warm(&encTable)
		n := min(len(data), serialSize)
		for i := 0; i < n; i += keys.BlockSize {
			encryptChained(k, acc, data[i:], zero)
		}
		data = data[n:]
	}
}

// serialSize is how many bytes are encrypted by table before the table is read anew. It makes the reading
// cheap beside the blocks, and the time short in which another program could evict lines of the table.
const serialSize = 16 * keys.BlockSize

func encryptChained(k *keys.Enc, chain *[16]byte, src []byte, zero uint32) {
	subtle.XORBytes(chain[:], chain[:], src[:keys.BlockSize])
	encryptBlockTable(k, chain, chain, zero)
}

// CBCDecrypt decrypts the whole blocks of src to dst in CBC mode, bit-sliced, and advances iv.
func CBCDecrypt(d *keys.Dec, iv *[16]byte, dst, src []byte) {
	if len(src) > narrowLimit*keys.BlockSize {
		n := cbcDecryptWide(d, iv, dst, src)
		dst, src = dst[n:], src[n:]
	}
	if len(src) == 0 {
		return
	}
	var k narrowKeys
	k.expandDec(d)
	for len(src) > 0 {
		var buf [narrowSize]byte
		n := copy(buf[:], src)
		var s narrow
		s.pack(&buf)
		k.decrypt(&s)
		s.unpack(&buf)
		addChain(iv, buf[:n], src)
		copy(dst, buf[:n])
		dst, src = dst[n:], src[n:]
	}
}

// cbcDecryptWide is CBCDecrypt until so few blocks are left that the narrow kernel does them faster. It
// returns how many bytes it did.
func cbcDecryptWide(d *keys.Dec, iv *[16]byte, dst, src []byte) (done int) {
	var k wideKeys
	k.expandDec(d)
	for len(src) > narrowSize {
		var buf [wideSize]byte
		n := copy(buf[:], src)
		var s wide
		s.pack(&buf)
		k.decrypt(&s)
		s.unpack(&buf)
		addChain(iv, buf[:n], src)
		copy(dst, buf[:n])
		dst, src = dst[n:], src[n:]
		done += n
	}
	return done
}

// addChain adds to each block of buf, which is ciphertext decrypted, the block of ciphertext before it, and
// makes iv the last one. All of them are read before the first is overwritten in place.
func addChain(iv *[16]byte, buf, ciphertext []byte) {
	last := len(buf) - keys.BlockSize
	subtle.XORBytes(buf, buf[:keys.BlockSize], iv[:])
	subtle.XORBytes(buf[keys.BlockSize:], buf[keys.BlockSize:], ciphertext[:last])
	copy(iv[:], ciphertext[last:])
}
