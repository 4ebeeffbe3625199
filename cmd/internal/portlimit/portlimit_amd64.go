//go:build amd64 && !purego

package portlimit

import "lamina/arch"

//go:noescape
func aes256XMM(passes int)

//go:noescape
func aes128XMM(passes int)

//go:noescape
func aes256YMM(passes int)

//go:noescape
func aes128YMM(passes int)

//go:noescape
func aes256ZMM(passes int)

//go:noescape
func aes128ZMM(passes int)

// For returns the loop of the vector width that im uses. keyBits is 128 or 256. It reports false where there is none.
// An Impl value proves that the CPU has the instructions.
func For(im arch.Impl, keyBits int) (Loop, bool) {
	var bytes int
	var run128, run256 func(int)
	switch im.String() {
	case "aesni", "aesni-avx":
		bytes, run128, run256 = 16, aes128XMM, aes256XMM
	case "vaes-avx2", "vaes-avx512-256":
		bytes, run128, run256 = 32, aes128YMM, aes256YMM
	case "vaes-avx512-512":
		bytes, run128, run256 = 64, aes128ZMM, aes256ZMM
	default:
		return Loop{}, false
	}
	switch keyBits {
	case 128:
		return Loop{bytes, run128}, true
	case 256:
		return Loop{bytes, run256}, true
	}
	return Loop{}, false
}
