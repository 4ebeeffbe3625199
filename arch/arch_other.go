//go:build !amd64 || purego

package arch

import (
	"unsafe"

	"lamina/arch/generic"
	"lamina/arch/keys"
)

// This architecture has the portable implementation only.

var (
	implNames = [...]string{"generic"}
	available = []Impl{Generic}
)

func describe() []Info {
	return []Info{{Name: "generic", Needs: "nothing", Priority: 100, Available: true}}
}

func expandKey(_ Impl, k *keys.Enc, key []byte) { generic.ExpandKey(k, key) }

func invertKey(_ Impl, d *keys.Dec, k *keys.Enc) { generic.InvertKey(d, k) }

func encryptBlocks(_ Impl, k *keys.Enc, dst, src []byte) { generic.EncryptBlocks(k, dst, src) }

func decryptBlocks(_ Impl, k *keys.Dec, dst, src []byte) { generic.DecryptBlocks(k, dst, src) }

func prepareHash(_ Impl, h *keys.Hash, base keys.Element) { generic.PrepareHash(h, base) }

func ghashBlocks(_ Impl, h *keys.Hash, acc *keys.Element, data []byte) {
	generic.GHASHBlocks(h, acc, data)
}

func polyvalBlocks(_ Impl, h *keys.Hash, acc *keys.Element, data []byte) {
	generic.POLYVALBlocks(h, acc, data)
}

func prepareGCM(_ Impl, k *keys.GCM, key []byte) { generic.PrepareGCM(k, key) }

func gcmEncrypt(_ Impl, k *keys.GCM, acc *keys.Element, ctr *[16]byte, dst, src []byte) {
	generic.GCMEncrypt(k, acc, ctr, dst, src)
}

func gcmDecrypt(_ Impl, k *keys.GCM, acc *keys.Element, ctr *[16]byte, dst, src []byte) {
	generic.GCMDecrypt(k, acc, ctr, dst, src)
}

func gcmSeal(_ Impl, k *keys.GCM, tag *[16]byte, dst, src *byte, n int, nonce *[12]byte, ad *byte, adLen int) {
	generic.GCMSeal(k, tag, unsafe.Slice(dst, n), unsafe.Slice(src, n), nonce, unsafe.Slice(ad, adLen))
}

func gcmOpen(_ Impl, k *keys.GCM, tag *[16]byte, dst, src *byte, n int, nonce *[12]byte, ad *byte, adLen int) {
	generic.GCMOpen(k, tag, unsafe.Slice(dst, n), unsafe.Slice(src, n), nonce, unsafe.Slice(ad, adLen))
}

func counterMode(_ Impl, k *keys.Enc, last bool, base0, base1, counter uint64, dst, src *byte, n int) {
	generic.CounterMode(k, last, base0, base1, counter, unsafe.Slice(dst, n), unsafe.Slice(src, n))
}

func xtsEncrypt(_ Impl, k *keys.Enc, tweak *[16]byte, dst, src []byte) {
	generic.XTSEncrypt(k, tweak, dst, src)
}

func xtsDecrypt(_ Impl, k *keys.Dec, tweak *[16]byte, dst, src []byte) {
	generic.XTSDecrypt(k, tweak, dst, src)
}

func encryptTweak(_ Impl, k *keys.Enc, tweak *[16]byte, lo, hi uint64) {
	generic.EncryptTweak(k, tweak, lo, hi)
}

func decryptTweak(_ Impl, k *keys.Dec, tweak *[16]byte) { generic.DecryptTweak(k, tweak) }

func cbcEncrypt(_ Impl, k *keys.Enc, iv *[16]byte, dst, src []byte) {
	generic.CBCEncrypt(k, iv, dst, src)
}

func cbcDecrypt(_ Impl, k *keys.Dec, iv *[16]byte, dst, src []byte) {
	generic.CBCDecrypt(k, iv, dst, src)
}

func cbcMAC(_ Impl, k *keys.Enc, acc *[16]byte, data []byte) { generic.CBCMAC(k, acc, data) }

func ccmEncrypt(_ Impl, k *keys.Enc, mac, ctr *[16]byte, dst, src []byte) {
	generic.CCMEncrypt(k, mac, ctr, dst, src)
}

func ccmDecrypt(_ Impl, k *keys.Enc, mac, ctr *[16]byte, dst, src []byte) {
	generic.CCMDecrypt(k, mac, ctr, dst, src)
}
