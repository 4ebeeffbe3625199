package arch

import (
	"crypto/subtle"
	"encoding/binary"

	"lamina/arch/generic"
	"lamina/arch/keys"
)

// This file composes GCM (NIST SP 800-38D) of the block hooks, for an architecture that has these and no
// more: what a port calls from its arch_GOARCH.go until it has something better. No architecture here is in
// that state; the tests hold it to the contract.
//
// The counter blocks of a batch are written to the stack and encrypted in one call, so that the block hook
// has enough independent blocks to keep its pipeline full. The batch is a multiple of every number of blocks
// that an implementation is likely to work on at once, and small beside the first-level cache.

const (
	composeBlocks = 32
	composeBatch  = composeBlocks * keys.BlockSize
)

// GHASHKey returns the first power of the hash key of GHASH, in the representation of keys.Hash:
// mulX_POLYVAL(ByteReverse(h)) of RFC 8452, appendix A. It is what PrepareHash wants as base; for POLYVAL
// that is the hash key as it stands.
func GHASHKey(h *[16]byte) keys.Element { return generic.GHASHKey(h) }

func composePrepareGCM(im Impl, k *keys.GCM, key []byte) {
	ExpandKey(im, &k.Enc, key)
	var h [16]byte
	EncryptBlocks(im, &k.Enc, h[:], h[:])
	PrepareHash(im, &k.Hash, GHASHKey(&h))
	clear(h[:])
}

func composeGCMEncrypt(im Impl, k *keys.GCM, acc *keys.Element, ctr *[16]byte, dst, src []byte) {
	composeCTR(im, &k.Enc, ctr, dst, src)
	GHASHBlocks(im, &k.Hash, acc, dst)
}

func composeGCMDecrypt(im Impl, k *keys.GCM, acc *keys.Element, ctr *[16]byte, dst, src []byte) {
	// First, because decryption in place overwrites what is to be hashed.
	GHASHBlocks(im, &k.Hash, acc, src)
	composeCTR(im, &k.Enc, ctr, dst, src)
}

func composeGCMSeal(im Impl, k *keys.GCM, tag *[16]byte, dst, src []byte, nonce *[12]byte, ad []byte) {
	var ctr, mask [16]byte
	composeStart(im, k, &ctr, &mask, nonce)
	var acc keys.Element
	composeHash(im, &k.Hash, &acc, ad)
	composeCTR(im, &k.Enc, &ctr, dst, src)
	composeHash(im, &k.Hash, &acc, dst)
	composeTag(im, k, tag, &acc, &mask, len(ad), len(dst))
}

func composeGCMOpen(im Impl, k *keys.GCM, tag *[16]byte, dst, src []byte, nonce *[12]byte, ad []byte) {
	var ctr, mask [16]byte
	composeStart(im, k, &ctr, &mask, nonce)
	var acc keys.Element
	composeHash(im, &k.Hash, &acc, ad)
	composeHash(im, &k.Hash, &acc, src)
	composeCTR(im, &k.Enc, &ctr, dst, src)
	composeTag(im, k, tag, &acc, &mask, len(ad), len(src))
}

// composeStart sets ctr to the first counter block of the text, and mask to the encryption of the block
// before it, which covers the tag.
func composeStart(im Impl, k *keys.GCM, ctr, mask *[16]byte, nonce *[12]byte) {
	copy(ctr[:], nonce[:])
	ctr[15] = 1
	EncryptBlocks(im, &k.Enc, mask[:], ctr[:])
	ctr[15] = 2
}

// composeCTR encrypts src, of any length, to dst by counter mode with GCM's 32-bit counter. ctr is only read.
func composeCTR(im Impl, k *keys.Enc, ctr *[16]byte, dst, src []byte) {
	var stream [composeBatch]byte
	n := binary.BigEndian.Uint32(ctr[12:])
	for len(src) > 0 {
		size := min(len(src), composeBatch)
		blocks := stream[:(size+keys.BlockSize-1)&^(keys.BlockSize-1)]
		for b := blocks; len(b) > 0; b = b[keys.BlockSize:] {
			copy(b, ctr[:12])
			binary.BigEndian.PutUint32(b[12:], n)
			n++
		}
		EncryptBlocks(im, k, blocks, blocks)
		subtle.XORBytes(dst[:size], src[:size], blocks[:size])
		dst, src = dst[size:], src[size:]
	}
	clear(stream[:])
}

// composeHash hashes data into acc, the last block filled up with zeros.
func composeHash(im Impl, h *keys.Hash, acc *keys.Element, data []byte) {
	whole := len(data) &^ (keys.BlockSize - 1)
	GHASHBlocks(im, h, acc, data[:whole])
	if whole < len(data) {
		var last [16]byte
		copy(last[:], data[whole:])
		GHASHBlocks(im, h, acc, last[:])
	}
}

// composeTag hashes the block of the two lengths, in bits, and covers the result with mask. The accumulator is
// byte-reversed with respect to GHASH.
func composeTag(im Impl, k *keys.GCM, tag *[16]byte, acc *keys.Element, mask *[16]byte, adLen, textLen int) {
	var lengths [16]byte
	binary.BigEndian.PutUint64(lengths[:8], uint64(adLen)*8)
	binary.BigEndian.PutUint64(lengths[8:], uint64(textLen)*8)
	GHASHBlocks(im, &k.Hash, acc, lengths[:])
	binary.BigEndian.PutUint64(tag[:8], acc.Hi)
	binary.BigEndian.PutUint64(tag[8:], acc.Lo)
	subtle.XORBytes(tag[:], tag[:], mask[:])
}
