package arch

import (
	"crypto/subtle"
	"encoding/binary"

	"lamina/arch/keys"
)

// This file composes XTS (IEEE 1619) of the block hooks, in batches as compose.go does.

// composeXTS is XTS in one direction: one of the keys is nil.
type composeXTS struct {
	im  Impl
	enc *keys.Enc
	dec *keys.Dec
}

func composeXTSEncrypt(im Impl, k *keys.Enc, tweak *[16]byte, dst, src []byte) {
	composeXTS{im: im, enc: k}.crypt(tweak, dst, src)
}

func composeXTSDecrypt(im Impl, k *keys.Dec, tweak *[16]byte, dst, src []byte) {
	composeXTS{im: im, dec: k}.crypt(tweak, dst, src)
}

func (c composeXTS) crypt(tweak *[16]byte, dst, src []byte) {
	var tweaks [composeBatch]byte
	whole := len(src)
	if whole%keys.BlockSize != 0 {
		whole = whole&^(keys.BlockSize-1) - keys.BlockSize
	}
	for i := 0; i < whole; {
		n := min(whole-i, composeBatch)
		composeTweaks(tweaks[:n], tweak)
		c.blocks(dst[i:i+n], src[i:i+n], tweaks[:n])
		i += n
	}
	if whole < len(src) {
		composeTweaks(tweaks[:2*keys.BlockSize], tweak)
		c.steal(dst[whole:], src[whole:], tweaks[:16], tweaks[16:32])
	}
	clear(tweaks[:])
}

// blocks does whole blocks under the tweaks of the same length.
func (c composeXTS) blocks(dst, src, tweaks []byte) {
	subtle.XORBytes(dst, src, tweaks)
	if c.enc != nil {
		EncryptBlocks(c.im, c.enc, dst, dst)
	} else {
		DecryptBlocks(c.im, c.dec, dst, dst)
	}
	subtle.XORBytes(dst, dst, tweaks)
}

// steal does a whole block and a partial one. What the whole one becomes is cut: the front is the partial block
// of the output, and the rest completes that of the input. Decryption undoes it in the opposite order, with the
// tweaks exchanged.
func (c composeXTS) steal(dst, src, tweak, next []byte) {
	if c.dec != nil {
		tweak, next = next, tweak
	}
	var block, front [keys.BlockSize]byte
	c.blocks(block[:], src[:16], tweak)
	front = block
	copy(block[:], src[16:]) // all is read before anything is written, for dst may be src
	copy(dst[16:], front[:])
	c.blocks(dst[:16], block[:], next)
}

// composeTweaks fills list with consecutive tweaks from tweak on, and makes tweak the one that follows.
func composeTweaks(list []byte, tweak *[16]byte) {
	lo, hi := binary.LittleEndian.Uint64(tweak[:8]), binary.LittleEndian.Uint64(tweak[8:])
	for ; len(list) > 0; list = list[keys.BlockSize:] {
		binary.LittleEndian.PutUint64(list, lo)
		binary.LittleEndian.PutUint64(list[8:], hi)
		// Multiply by x. What leaves at x^128 returns as x^7 + x^2 + x + 1; a mask, for tweaks are secret.
		carry := -(hi >> 63)
		hi = hi<<1 | lo>>63
		lo = lo<<1 ^ carry&0x87
	}
	binary.LittleEndian.PutUint64(tweak[:8], lo)
	binary.LittleEndian.PutUint64(tweak[8:], hi)
}
