package arch

import (
	"unsafe"

	"lamina/arch/keys"
)

// This file is the list of hooks and their contracts. Callers have checked all sizes and overlaps: dst and
// src are the same memory or do not overlap, and where a hook has both, len(dst) == len(src). No hook
// allocates, retains an argument, reads outside its inputs or writes outside its outputs. Pointers may have
// any alignment.
//
// A key that was never set, or was wiped, has 0 rounds. What a hook computes under it means nothing, but it
// returns, and writes nothing outside its outputs: no loop counts rounds until they are equal to something.
// The hooks of GCM and XTS may rely on a key that is set, for their callers check it.
//
// The function of the same name, spelled with a small letter, does the work. Each architecture has its own in
// arch_GOARCH.go: a switch over its implementations whose default is package generic. A hook that is called
// optional may be composed of the others there, by the function in compose.go. Calls are static all the way
// down, because through a function value or an interface keys and buffers would escape to the heap; and the
// hooks here are small enough to be inlined.

// ExpandKey fills k with the schedule of key. len(key) is 16, 24 or 32. Mandatory for every Impl.
func ExpandKey(im Impl, k *keys.Enc, key []byte) {
	expandKey(im, k, key)
}

// InvertKey fills d with the inverse schedule that belongs to k. Mandatory for every Impl.
func InvertKey(im Impl, d *keys.Dec, k *keys.Enc) {
	invertKey(im, d, k)
}

// EncryptBlocks encrypts each 16-byte block of src to dst. len(src) is a multiple of 16 and may be 0.
// Mandatory for every Impl.
func EncryptBlocks(im Impl, k *keys.Enc, dst, src []byte) {
	encryptBlocks(im, k, dst, src)
}

// DecryptBlocks decrypts each 16-byte block of src to dst. len(src) is a multiple of 16 and may be 0.
// Mandatory for every Impl.
func DecryptBlocks(im Impl, k *keys.Dec, dst, src []byte) {
	decryptBlocks(im, k, dst, src)
}

// PrepareHash fills h with the powers of base, the first power in the representation of POLYVAL. Optional.
func PrepareHash(im Impl, h *keys.Hash, base keys.Element) {
	prepareHash(im, h, base)
}

// GHASHBlocks replaces acc by the hash of acc and the 16-byte blocks of data: for each block X, acc = (acc +
// X) * H, where X is taken byte-reversed into the representation of POLYVAL. len(data) is a multiple of 16
// and may be 0. Optional.
func GHASHBlocks(im Impl, h *keys.Hash, acc *keys.Element, data []byte) {
	ghashBlocks(im, h, acc, data)
}

// POLYVALBlocks is GHASHBlocks for blocks that are taken as they stand, little-endian. Optional.
func POLYVALBlocks(im Impl, h *keys.Hash, acc *keys.Element, data []byte) {
	polyvalBlocks(im, h, acc, data)
}

// PrepareGCM fills k from an AES key of 16, 24 or 32 bytes: the schedule, and the powers of H = E(0). Optional.
func PrepareGCM(im Impl, k *keys.GCM, key []byte) {
	prepareGCM(im, k, key)
}

// GCMEncrypt encrypts src to dst by GCM's counter mode and hashes dst into acc. len(src) is a multiple of 16
// and may be 0. ctr is the counter block of the first block; its last four bytes count as a 32-bit big-endian
// integer that wraps, and the rest stays as it is. ctr is only read: the caller advances it. Optional.
func GCMEncrypt(im Impl, k *keys.GCM, acc *keys.Element, ctr *[16]byte, dst, src []byte) {
	gcmEncrypt(im, k, acc, ctr, dst, src)
}

// GCMDecrypt decrypts src to dst by GCM's counter mode and hashes src into acc, otherwise as GCMEncrypt.
// Optional.
func GCMDecrypt(im Impl, k *keys.GCM, acc *keys.Element, ctr *[16]byte, dst, src []byte) {
	gcmDecrypt(im, k, acc, ctr, dst, src)
}

// GCMSeal does a whole record: it encrypts src to dst and writes the 16-byte tag over ad and dst. The nonce
// has 12 bytes, so counters run from 1 and never wrap. src and ad have any length, 0 included, within GCM's
// limits. tag overlaps none of the others, except the nonce, which is read before anything is written.
// Optional.
func GCMSeal(im Impl, k *keys.GCM, tag *[16]byte, dst, src []byte, nonce *[12]byte, ad []byte) {
	// With pointers the arguments fit the registers of a call; with slices they do not.
	gcmSeal(im, k, tag, unsafe.SliceData(dst), unsafe.SliceData(src), len(src), nonce, unsafe.SliceData(ad), len(ad))
}

// GCMOpen decrypts src to dst and writes to tag what the tag over ad and src must be. It compares nothing: the
// caller compares, and zeroes dst if the record is forged. Otherwise as GCMSeal. Optional.
func GCMOpen(im Impl, k *keys.GCM, tag *[16]byte, dst, src []byte, nonce *[12]byte, ad []byte) {
	// With pointers the arguments fit the registers of a call; with slices they do not.
	gcmOpen(im, k, tag, unsafe.SliceData(dst), unsafe.SliceData(src), len(src), nonce, unsafe.SliceData(ad), len(ad))
}
