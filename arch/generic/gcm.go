package generic

import (
	"encoding/binary"

	"lamina/arch/keys"
)

// PrepareGCM fills k from an AES key of 16, 24 or 32 bytes.
func PrepareGCM(k *keys.GCM, key []byte) {
	ExpandKey(&k.Enc, key)
	var h [keys.BlockSize]byte
	encryptNarrow(&k.Enc, h[:], h[:])
	PrepareHash(&k.Hash, GHASHKey(&h))
	clear(h[:])
}

// GCMEncrypt encrypts src to dst by GCM's counter mode and hashes dst into acc.
func GCMEncrypt(k *keys.GCM, acc *keys.Element, ctr *[16]byte, dst, src []byte) {
	c := startCounters(&k.Enc, ctr)
	c.xor(nil, dst, src)
	GHASHBlocks(&k.Hash, acc, dst)
}

// GCMDecrypt decrypts src to dst by GCM's counter mode and hashes src into acc.
func GCMDecrypt(k *keys.GCM, acc *keys.Element, ctr *[16]byte, dst, src []byte) {
	GHASHBlocks(&k.Hash, acc, src)
	c := startCounters(&k.Enc, ctr)
	c.xor(nil, dst, src)
}

// GCMSeal encrypts src to dst and writes to tag the tag over ad and dst.
func GCMSeal(k *keys.GCM, tag *[16]byte, dst, src []byte, nonce *[12]byte, ad []byte) {
	gcmCrypt(k, tag, dst, src, nonce)
	addHash(k, tag, dst, ad)
}

// GCMOpen decrypts src to dst and writes to tag the tag over ad and src.
func GCMOpen(k *keys.GCM, tag *[16]byte, dst, src []byte, nonce *[12]byte, ad []byte) {
	var hash [16]byte
	addHash(k, &hash, src, ad)
	gcmCrypt(k, tag, dst, src, nonce)
	for i := range tag {
		tag[i] ^= hash[i]
	}
}

// gcmCrypt encrypts or decrypts src to dst, and writes to mask what is added to the hash to make the tag. The
// counter block for that, J0 (SP 800-38D, section 7.1), comes right before those of the text.
func gcmCrypt(k *keys.GCM, mask *[16]byte, dst, src []byte, nonce *[12]byte) {
	first := [keys.BlockSize]byte{15: 1}
	copy(first[:], nonce[:])
	c := startCounters(&k.Enc, &first)
	c.xor(mask, dst, src)
}

// addHash adds to tag the hash of ad and text, each padded to whole blocks, and of their lengths.
func addHash(k *keys.GCM, tag *[16]byte, text, ad []byte) {
	var s hasher
	s.init(&k.Hash, keys.Element{}, countBlocks(ad)+countBlocks(text)+1)
	s.addPadded(ad)
	s.addPadded(text)
	s.add(uint64(len(text))*8, uint64(len(ad))*8)
	binary.BigEndian.PutUint64(tag[0:], binary.BigEndian.Uint64(tag[0:])^s.acc.Hi)
	binary.BigEndian.PutUint64(tag[8:], binary.BigEndian.Uint64(tag[8:])^s.acc.Lo)
}

// addPadded hashes data padded with zeros to whole blocks.
func (s *hasher) addPadded(data []byte) {
	s.addGHASH(data)
	if n := len(data) % keys.BlockSize; n > 0 {
		var last [keys.BlockSize]byte
		copy(last[:], data[len(data)-n:])
		s.addGHASH(last[:])
	}
}
