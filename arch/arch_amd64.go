//go:build amd64 && !purego

package arch

import (
	"cmp"
	"slices"
	"unsafe"

	"lamina/arch/amd64"
	"lamina/arch/generic"
	"lamina/arch/keys"
)

// The ids of implementations: 0 is portable Go, and the forms of package amd64 follow.
const (
	aesni         = 1 + amd64.FormAESNI
	aesniAVX      = 1 + amd64.FormAESNIAVX
	vaesAVX2      = 1 + amd64.FormVAESAVX2
	vaesAVX512256 = 1 + amd64.FormVAESAVX512Y
	vaesAVX512512 = 1 + amd64.FormVAESAVX512Z
)

// implementations holds all of them, by id.
var implementations = append([]Info{{Name: "generic", Needs: "nothing", Priority: 100, Available: true}}, amd64Infos()...)

var (
	implNames = names()
	available = ranked()
)

func amd64Infos() []Info {
	var infos []Info
	for _, f := range amd64.Forms() {
		infos = append(infos, Info{Name: f.Name, Needs: f.Needs.String(), Priority: f.Priority, Available: f.Available})
	}
	return infos
}

func names() []string {
	var list []string
	for _, info := range implementations {
		list = append(list, info.Name)
	}
	return list
}

// ranked returns what this CPU can run, the highest priority first.
func ranked() []Impl {
	var list []Impl
	for id, info := range implementations {
		if info.Available {
			list = append(list, Impl{uint8(id)})
		}
	}
	slices.SortFunc(list, func(a, b Impl) int {
		return cmp.Compare(implementations[b.id].Priority, implementations[a.id].Priority)
	})
	return list
}

func describe() []Info {
	list := slices.Clone(implementations)
	slices.SortFunc(list, func(a, b Info) int { return cmp.Compare(b.Priority, a.Priority) })
	return list
}

// byteReversal is the order of bytes that takes a block of GHASH into the representation of POLYVAL, and byteIdentity
// the one for POLYVAL itself.
var (
	byteReversal = [16]byte{15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}
	byteIdentity = [16]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
)

// The hooks. Slices may be empty, so their addresses are taken without an index.

func expandKey(im Impl, k *keys.Enc, key []byte) {
	p := unsafe.SliceData(key)
	switch im.id {
	case 0:
		generic.ExpandKey(k, key)
	case aesni:
		amd64.ExpandKeyAESNI(k, p, len(key))
	default:
		amd64.ExpandKeyAESNIAVX(k, p, len(key))
	}
}

func invertKey(im Impl, d *keys.Dec, k *keys.Enc) {
	switch im.id {
	case 0:
		generic.InvertKey(d, k)
	case aesni:
		amd64.InvertKeyAESNI(d, k)
	default:
		amd64.InvertKeyAESNIAVX(d, k)
	}
}

func encryptBlocks(im Impl, k *keys.Enc, dst, src []byte) {
	d, s, n := unsafe.SliceData(dst), unsafe.SliceData(src), len(src)/keys.BlockSize
	switch im.id {
	case aesni:
		amd64.EncryptBlocksAESNI(k, d, s, n)
	case aesniAVX:
		amd64.EncryptBlocksAESNIAVX(k, d, s, n)
	case vaesAVX2:
		amd64.EncryptBlocksVAESAVX2(k, d, s, n)
	case vaesAVX512256:
		amd64.EncryptBlocksVAESAVX512Y(k, d, s, n)
	case vaesAVX512512:
		amd64.EncryptBlocksVAESAVX512Z(k, d, s, n)
	default:
		generic.EncryptBlocks(k, dst, src)
	}
}

func decryptBlocks(im Impl, k *keys.Dec, dst, src []byte) {
	d, s, n := unsafe.SliceData(dst), unsafe.SliceData(src), len(src)/keys.BlockSize
	switch im.id {
	case aesni:
		amd64.DecryptBlocksAESNI(k, d, s, n)
	case aesniAVX:
		amd64.DecryptBlocksAESNIAVX(k, d, s, n)
	case vaesAVX2:
		amd64.DecryptBlocksVAESAVX2(k, d, s, n)
	case vaesAVX512256:
		amd64.DecryptBlocksVAESAVX512Y(k, d, s, n)
	case vaesAVX512512:
		amd64.DecryptBlocksVAESAVX512Z(k, d, s, n)
	default:
		generic.DecryptBlocks(k, dst, src)
	}
}

func prepareHash(im Impl, h *keys.Hash, base keys.Element) {
	switch im.id {
	case aesni:
		amd64.PrepareHashAESNI(h, &base)
	case aesniAVX:
		amd64.PrepareHashAESNIAVX(h, &base)
	case vaesAVX2, vaesAVX512256:
		amd64.PrepareHashVAESAVX2(h, &base)
	case vaesAVX512512:
		amd64.PrepareHashVAESAVX512Z(h, &base)
	default:
		generic.PrepareHash(h, base)
	}
}

func ghashBlocks(im Impl, h *keys.Hash, acc *keys.Element, data []byte) {
	if im.id == 0 {
		generic.GHASHBlocks(h, acc, data)
		return
	}
	hashBlocks(im, h, acc, data, &byteReversal)
}

func polyvalBlocks(im Impl, h *keys.Hash, acc *keys.Element, data []byte) {
	if im.id == 0 {
		generic.POLYVALBlocks(h, acc, data)
		return
	}
	hashBlocks(im, h, acc, data, &byteIdentity)
}

func hashBlocks(im Impl, h *keys.Hash, acc *keys.Element, data []byte, control *[16]byte) {
	p, n := unsafe.SliceData(data), len(data)/keys.BlockSize
	switch im.id {
	case aesni:
		amd64.HashBlocksAESNI(h, acc, p, n, control)
	case aesniAVX:
		amd64.HashBlocksAESNIAVX(h, acc, p, n, control)
	case vaesAVX2:
		amd64.HashBlocksVAESAVX2(h, acc, p, n, control)
	case vaesAVX512256:
		amd64.HashBlocksVAESAVX512Y(h, acc, p, n, control)
	case vaesAVX512512:
		amd64.HashBlocksVAESAVX512Z(h, acc, p, n, control)
	}
}

func prepareGCM(im Impl, k *keys.GCM, key []byte) {
	p, n := unsafe.SliceData(key), len(key)
	switch im.id {
	case aesni:
		amd64.PrepareGCMAESNI(k, p, n)
	case aesniAVX:
		amd64.PrepareGCMAESNIAVX(k, p, n)
	case vaesAVX2, vaesAVX512256:
		amd64.PrepareGCMVAESAVX2(k, p, n)
	case vaesAVX512512:
		amd64.PrepareGCMVAESAVX512Z(k, p, n)
	default:
		generic.PrepareGCM(k, key)
	}
}

func gcmEncrypt(im Impl, k *keys.GCM, acc *keys.Element, ctr *[16]byte, dst, src []byte) {
	d, s, n := unsafe.SliceData(dst), unsafe.SliceData(src), len(src)
	switch im.id {
	case aesni:
		amd64.GCMEncryptAESNI(k, acc, ctr, d, s, n)
	case aesniAVX:
		amd64.GCMEncryptAESNIAVX(k, acc, ctr, d, s, n)
	case vaesAVX2:
		amd64.GCMEncryptVAESAVX2(k, acc, ctr, d, s, n)
	case vaesAVX512256:
		amd64.GCMEncryptVAESAVX512Y(k, acc, ctr, d, s, n)
	case vaesAVX512512:
		amd64.GCMEncryptVAESAVX512Z(k, acc, ctr, d, s, n)
	default:
		generic.GCMEncrypt(k, acc, ctr, dst, src)
	}
}

func gcmDecrypt(im Impl, k *keys.GCM, acc *keys.Element, ctr *[16]byte, dst, src []byte) {
	d, s, n := unsafe.SliceData(dst), unsafe.SliceData(src), len(src)
	switch im.id {
	case aesni:
		amd64.GCMDecryptAESNI(k, acc, ctr, d, s, n)
	case aesniAVX:
		amd64.GCMDecryptAESNIAVX(k, acc, ctr, d, s, n)
	case vaesAVX2:
		amd64.GCMDecryptVAESAVX2(k, acc, ctr, d, s, n)
	case vaesAVX512256:
		amd64.GCMDecryptVAESAVX512Y(k, acc, ctr, d, s, n)
	case vaesAVX512512:
		amd64.GCMDecryptVAESAVX512Z(k, acc, ctr, d, s, n)
	default:
		generic.GCMDecrypt(k, acc, ctr, dst, src)
	}
}

// narrowText is the longest text in bytes that vectors of 512 bits are too wide for. With its tag's mask it takes two
// vectors of 256 bits, and those run on more ports: 15.4 against 19.7 ns for 16 bytes, as fast from 48 bytes on.
const narrowText = 32

func gcmSeal(im Impl, k *keys.GCM, tag *[16]byte, dst, src *byte, n int, nonce *[12]byte, ad *byte, adLen int) {
	switch im.id {
	case aesni:
		amd64.GCMSealAESNI(k, tag, dst, src, n, nonce, ad, adLen)
	case aesniAVX:
		amd64.GCMSealAESNIAVX(k, tag, dst, src, n, nonce, ad, adLen)
	case vaesAVX2:
		amd64.GCMSealVAESAVX2(k, tag, dst, src, n, nonce, ad, adLen)
	case vaesAVX512256:
		amd64.GCMSealVAESAVX512Y(k, tag, dst, src, n, nonce, ad, adLen)
	case vaesAVX512512:
		if n <= narrowText {
			amd64.GCMSealVAESAVX512Y(k, tag, dst, src, n, nonce, ad, adLen)
		} else {
			amd64.GCMSealVAESAVX512Z(k, tag, dst, src, n, nonce, ad, adLen)
		}
	default:
		generic.GCMSeal(k, tag, unsafe.Slice(dst, n), unsafe.Slice(src, n), nonce, unsafe.Slice(ad, adLen))
	}
}

func gcmOpen(im Impl, k *keys.GCM, tag *[16]byte, dst, src *byte, n int, nonce *[12]byte, ad *byte, adLen int) {
	switch im.id {
	case aesni:
		amd64.GCMOpenAESNI(k, tag, dst, src, n, nonce, ad, adLen)
	case aesniAVX:
		amd64.GCMOpenAESNIAVX(k, tag, dst, src, n, nonce, ad, adLen)
	case vaesAVX2:
		amd64.GCMOpenVAESAVX2(k, tag, dst, src, n, nonce, ad, adLen)
	case vaesAVX512256:
		amd64.GCMOpenVAESAVX512Y(k, tag, dst, src, n, nonce, ad, adLen)
	case vaesAVX512512:
		if n <= narrowText {
			amd64.GCMOpenVAESAVX512Y(k, tag, dst, src, n, nonce, ad, adLen)
		} else {
			amd64.GCMOpenVAESAVX512Z(k, tag, dst, src, n, nonce, ad, adLen)
		}
	default:
		generic.GCMOpen(k, tag, unsafe.Slice(dst, n), unsafe.Slice(src, n), nonce, unsafe.Slice(ad, adLen))
	}
}

// counterFirst and counterLast are the order of bytes that takes a little-endian counter into the first half of a block as it
// stands, or byte-reversed into the last, and clears the other half.
var (
	counterFirst = [16]byte{0, 1, 2, 3, 4, 5, 6, 7, 128, 128, 128, 128, 128, 128, 128, 128}
	counterLast  = [16]byte{128, 128, 128, 128, 128, 128, 128, 128, 7, 6, 5, 4, 3, 2, 1, 0}
)

func counterMode(im Impl, k *keys.Enc, last bool, base0, base1, counter uint64, dst, src *byte, n int) {
	order := &counterFirst
	if last {
		order = &counterLast
	}
	switch im.id {
	case aesni:
		amd64.CountAESNI(k, order, base0, base1, counter, dst, src, n)
	case aesniAVX:
		amd64.CountAESNIAVX(k, order, base0, base1, counter, dst, src, n)
	case vaesAVX2:
		if n <= keys.BlockSize {
			// Where a vector is half empty it has to be put together of pieces: 15 against 20 ns for 16 bytes.
			amd64.CountAESNIAVX(k, order, base0, base1, counter, dst, src, n)
		} else {
			amd64.CountVAESAVX2(k, order, base0, base1, counter, dst, src, n)
		}
	case vaesAVX512256:
		amd64.CountVAESAVX512Y(k, order, base0, base1, counter, dst, src, n)
	case vaesAVX512512:
		amd64.CountVAESAVX512Z(k, order, base0, base1, counter, dst, src, n)
	default:
		generic.CounterMode(k, last, base0, base1, counter, unsafe.Slice(dst, n), unsafe.Slice(src, n))
	}
}

// narrowXTS is the shortest text in bytes for which XTS takes vectors of 512 bits. Below there is no whole vector, and
// those of 256 bits run on more ports: 40 against 48 ns for 63 bytes.
const narrowXTS = 64

func xtsEncrypt(im Impl, k *keys.Enc, tweak *[16]byte, dst, src []byte) {
	d, s, n := unsafe.SliceData(dst), unsafe.SliceData(src), len(src)
	switch im.id {
	case aesni:
		amd64.XTSEncryptAESNI(k, tweak, d, s, n)
	case aesniAVX:
		amd64.XTSEncryptAESNIAVX(k, tweak, d, s, n)
	case vaesAVX2:
		amd64.XTSEncryptVAESAVX2(k, tweak, d, s, n)
	case vaesAVX512256:
		amd64.XTSEncryptVAESAVX512Y(k, tweak, d, s, n)
	case vaesAVX512512:
		if n < narrowXTS {
			amd64.XTSEncryptVAESAVX512Y(k, tweak, d, s, n)
		} else {
			amd64.XTSEncryptVAESAVX512Z(k, tweak, d, s, n)
		}
	default:
		generic.XTSEncrypt(k, tweak, dst, src)
	}
}

func xtsDecrypt(im Impl, k *keys.Dec, tweak *[16]byte, dst, src []byte) {
	d, s, n := unsafe.SliceData(dst), unsafe.SliceData(src), len(src)
	switch im.id {
	case aesni:
		amd64.XTSDecryptAESNI(k, tweak, d, s, n)
	case aesniAVX:
		amd64.XTSDecryptAESNIAVX(k, tweak, d, s, n)
	case vaesAVX2:
		amd64.XTSDecryptVAESAVX2(k, tweak, d, s, n)
	case vaesAVX512256:
		amd64.XTSDecryptVAESAVX512Y(k, tweak, d, s, n)
	case vaesAVX512512:
		if n < narrowXTS {
			amd64.XTSDecryptVAESAVX512Y(k, tweak, d, s, n)
		} else {
			amd64.XTSDecryptVAESAVX512Z(k, tweak, d, s, n)
		}
	default:
		generic.XTSDecrypt(k, tweak, dst, src)
	}
}

func encryptTweak(im Impl, k *keys.Enc, tweak *[16]byte, lo, hi uint64) {
	switch im.id {
	case 0:
		generic.EncryptTweak(k, tweak, lo, hi)
	case aesni:
		amd64.XTSTweakAESNI(k, tweak, lo, hi)
	default:
		amd64.XTSTweakAESNIAVX(k, tweak, lo, hi)
	}
}

func decryptTweak(im Impl, k *keys.Dec, tweak *[16]byte) {
	switch im.id {
	case 0:
		generic.DecryptTweak(k, tweak)
	case aesni:
		amd64.DecryptBlocksAESNI(k, &tweak[0], &tweak[0], 1)
	default:
		amd64.DecryptBlocksAESNIAVX(k, &tweak[0], &tweak[0], 1)
	}
}

// Of the modes in which blocks wait for each other there are two forms: wider vectors would have nothing to do.

func cbcEncrypt(im Impl, k *keys.Enc, iv *[16]byte, dst, src []byte) {
	d, s, n := unsafe.SliceData(dst), unsafe.SliceData(src), len(src)
	switch im.id {
	case 0:
		generic.CBCEncrypt(k, iv, dst, src)
	case aesni:
		amd64.CBCEncryptAESNI(k, iv, d, s, n)
	default:
		amd64.CBCEncryptAESNIAVX(k, iv, d, s, n)
	}
}

func cbcDecrypt(im Impl, k *keys.Dec, iv *[16]byte, dst, src []byte) {
	d, s, n := unsafe.SliceData(dst), unsafe.SliceData(src), len(src)
	switch im.id {
	case aesni:
		amd64.CBCDecryptAESNI(k, iv, d, s, n)
	case aesniAVX:
		amd64.CBCDecryptAESNIAVX(k, iv, d, s, n)
	case vaesAVX2:
		amd64.CBCDecryptVAESAVX2(k, iv, d, s, n)
	case vaesAVX512256:
		amd64.CBCDecryptVAESAVX512Y(k, iv, d, s, n)
	case vaesAVX512512:
		amd64.CBCDecryptVAESAVX512Z(k, iv, d, s, n)
	default:
		generic.CBCDecrypt(k, iv, dst, src)
	}
}

func cbcMAC(im Impl, k *keys.Enc, acc *[16]byte, data []byte) {
	p, n := unsafe.SliceData(data), len(data)
	switch im.id {
	case 0:
		generic.CBCMAC(k, acc, data)
	case aesni:
		amd64.CBCMACAESNI(k, acc, p, n)
	default:
		amd64.CBCMACAESNIAVX(k, acc, p, n)
	}
}

func ccmEncrypt(im Impl, k *keys.Enc, mac, ctr *[16]byte, dst, src []byte) {
	d, s, n := unsafe.SliceData(dst), unsafe.SliceData(src), len(src)
	switch im.id {
	case 0:
		generic.CCMEncrypt(k, mac, ctr, dst, src)
	case aesni:
		amd64.CCMEncryptAESNI(k, mac, ctr, d, s, n)
	default:
		amd64.CCMEncryptAESNIAVX(k, mac, ctr, d, s, n)
	}
}

func ccmDecrypt(im Impl, k *keys.Enc, mac, ctr *[16]byte, dst, src []byte) {
	d, s, n := unsafe.SliceData(dst), unsafe.SliceData(src), len(src)
	switch im.id {
	case 0:
		generic.CCMDecrypt(k, mac, ctr, dst, src)
	case aesni:
		amd64.CCMDecryptAESNI(k, mac, ctr, d, s, n)
	default:
		amd64.CCMDecryptAESNIAVX(k, mac, ctr, d, s, n)
	}
}
