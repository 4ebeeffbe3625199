// Package ghash computes GHASH (NIST SP 800-38D, section 6.4) and POLYVAL (RFC 8452, section 3).
//
// They are universal hash functions: whoever sees one hash of a known message learns the key. They serve
// inside modes that encrypt the result, such as GCM, GMAC, GCM-SIV and HCTR2, and are not message
// authentication codes by themselves.
//
// A Key is a value type of about 600 bytes, safe for concurrent use after it is set. A Hash is the state of
// one message, for one goroutine. Use of a Key or a Hash that was never set, or was wiped, panics.
package ghash

import (
	"encoding/binary"

	"lamina/arch"
	"lamina/arch/keys"
)

// BlockSize is the size of a block, of a key and of a hash in bytes.
const BlockSize = keys.BlockSize

type function uint8

const (
	unset function = iota
	ghash
	polyval
)

// Key is the key of GHASH or of POLYVAL: the hash key's powers.
type Key struct {
	hash keys.Hash
	im   arch.Impl
	f    function
}

// Init makes k the key of GHASH with the hash key h, under the best implementation that this CPU has.
func (k *Key) Init(h *[16]byte) { k.InitImpl(arch.Best(), h) }

// InitImpl is Init under the implementation im.
func (k *Key) InitImpl(im arch.Impl, h *[16]byte) { k.init(im, ghash, arch.GHASHKey(h)) }

// InitPOLYVAL makes k the key of POLYVAL with the hash key h, under the best implementation that this CPU has.
func (k *Key) InitPOLYVAL(h *[16]byte) { k.InitPOLYVALImpl(arch.Best(), h) }

// InitPOLYVALImpl is InitPOLYVAL under the implementation im.
func (k *Key) InitPOLYVALImpl(im arch.Impl, h *[16]byte) {
	k.init(im, polyval, keys.Element{
		Lo: binary.LittleEndian.Uint64(h[:8]),
		Hi: binary.LittleEndian.Uint64(h[8:]),
	})
}

func (k *Key) init(im arch.Impl, f function, base keys.Element) {
	k.im, k.f = im, f
	arch.PrepareHash(im, &k.hash, base)
}

// Wipe overwrites the key with zeros. Any later use but Init or InitPOLYVAL panics, and so does use of a Hash
// that was begun with the key.
func (k *Key) Wipe() { *k = Key{} }

func (k *Key) check() {
	if k.f == unset {
		panic("ghash: key used before Init or after Wipe")
	}
}

// update hashes whole blocks into acc.
func (k *Key) update(acc *keys.Element, blocks []byte) {
	if k.f == ghash {
		arch.GHASHBlocks(k.im, &k.hash, acc, blocks)
		return
	}
	arch.POLYVALBlocks(k.im, &k.hash, acc, blocks)
}

// sum writes acc to out, as the function of k orders bytes.
func (k *Key) sum(out *[16]byte, acc *keys.Element) {
	if k.f == ghash {
		binary.BigEndian.PutUint64(out[:8], acc.Hi)
		binary.BigEndian.PutUint64(out[8:], acc.Lo)
		return
	}
	binary.LittleEndian.PutUint64(out[:8], acc.Lo)
	binary.LittleEndian.PutUint64(out[8:], acc.Hi)
}
