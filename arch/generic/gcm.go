package generic

import (
	"crypto/subtle"
	"encoding/binary"

	"lamina/arch/keys"
)

// PrepareGCM fills k from an AES key of 16, 24 or 32 bytes.
func PrepareGCM(k *keys.GCM, key []byte) {
	ExpandKey(&k.Enc, key)
	var h [keys.BlockSize]byte
	EncryptBlocks(&k.Enc, h[:], h[:])
	PrepareHash(&k.Hash, ghashKey(&h))
}

// counterXOR encrypts src to dst in GCM's counter mode, from the counter block ctr. The last block may be partial.
func counterXOR(k *keys.Enc, ctr *[16]byte, dst, src []byte) {
	c, n := *ctr, binary.BigEndian.Uint32(ctr[12:])
	var stream [16]byte
	for len(src) > 0 {
		binary.BigEndian.PutUint32(c[12:], n)
		EncryptBlocks(k, stream[:], c[:])
		done := subtle.XORBytes(dst, src, stream[:])
		dst, src = dst[done:], src[done:]
		n++
	}
}

// GCMEncrypt encrypts src to dst by GCM's counter mode and hashes dst into acc.
func GCMEncrypt(k *keys.GCM, acc *keys.Element, ctr *[16]byte, dst, src []byte) {
	counterXOR(&k.Enc, ctr, dst, src)
	GHASHBlocks(&k.Hash, acc, dst)
}

// GCMDecrypt decrypts src to dst by GCM's counter mode and hashes src into acc.
func GCMDecrypt(k *keys.GCM, acc *keys.Element, ctr *[16]byte, dst, src []byte) {
	GHASHBlocks(&k.Hash, acc, src)
	counterXOR(&k.Enc, ctr, dst, src)
}

// GCMSeal encrypts src to dst and writes the tag over ad and dst.
func GCMSeal(k *keys.GCM, tag *[16]byte, dst, src []byte, nonce *[12]byte, ad []byte) {
	var c [16]byte
	copy(c[:], nonce[:])
	c[15] = 2
	counterXOR(&k.Enc, &c, dst, src)
	gcmTag(k, tag, &c, ad, dst)
}

// GCMOpen decrypts src to dst and writes the tag over ad and src.
func GCMOpen(k *keys.GCM, tag *[16]byte, dst, src []byte, nonce *[12]byte, ad []byte) {
	var c [16]byte
	copy(c[:], nonce[:])
	c[15] = 2
	gcmTag(k, tag, &c, ad, src)
	counterXOR(&k.Enc, &c, dst, src)
}

func gcmTag(k *keys.GCM, tag *[16]byte, ctr *[16]byte, ad, text []byte) {
	var acc keys.Element
	ghashPadded(&k.Hash, &acc, ad)
	ghashPadded(&k.Hash, &acc, text)
	var b [16]byte
	binary.BigEndian.PutUint64(b[0:], uint64(len(ad))*8)
	binary.BigEndian.PutUint64(b[8:], uint64(len(text))*8)
	GHASHBlocks(&k.Hash, &acc, b[:])
	binary.BigEndian.PutUint64(b[0:], acc.Hi)
	binary.BigEndian.PutUint64(b[8:], acc.Lo)
	first := *ctr
	first[15] = 1
	counterXOR(&k.Enc, &first, tag[:], b[:])
}

func ghashPadded(h *keys.Hash, acc *keys.Element, data []byte) {
	whole := len(data) &^ 15
	GHASHBlocks(h, acc, data[:whole])
	if whole < len(data) {
		var b [16]byte
		copy(b[:], data[whole:])
		GHASHBlocks(h, acc, b[:])
	}
}
