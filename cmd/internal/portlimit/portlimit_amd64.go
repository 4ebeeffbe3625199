//go:build amd64 && !purego

package portlimit

import "lamina/arch"

// chains is how many independent chains the loops have that show no latency.
const chains = 8

// rounds returns the number of rounds of AES, which are done in pairs. It reports false for keys that AES
// does not have.
func rounds(keyBits int) (int, bool) {
	switch keyBits {
	case 128, 192, 256:
		return keyBits/32 + 6, true
	}
	return 0, false
}

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

//go:noescape
func roundsXMM(pairs int)

//go:noescape
func roundsYMM(pairs int)

//go:noescape
func roundsZMM(pairs int)

//go:noescape
func chain(pairs int)

// vectorBytes is the width of the vectors that im uses, 0 where it uses none.
func vectorBytes(im arch.Impl) int {
	switch im.String() {
	case "aesni", "aesni-avx":
		return 16
	case "vaes-avx2", "vaes-avx512-256":
		return 32
	case "vaes-avx512-512":
		return 64
	}
	return 0
}

// GCM returns the loop of GCM at the vector width that im uses. keyBits is 128 or 256. It reports false where
// there is none. An Impl value proves that the CPU has the instructions.
func GCM(im arch.Impl, keyBits int) (Loop, bool) {
	width := vectorBytes(im)
	var run func(int)
	switch {
	case keyBits == 128:
		run = map[int]func(int){16: aes128XMM, 32: aes128YMM, 64: aes128ZMM}[width]
	case keyBits == 256:
		run = map[int]func(int){16: aes256XMM, 32: aes256YMM, 64: aes256ZMM}[width]
	}
	return Loop{width, chains, run}, run != nil
}

// Rounds returns the loop of AES alone at the vector width that im uses: the limit of CTR, of XTS and of CBC
// decryption. It reports false where there is none.
func Rounds(im arch.Impl, keyBits int) (Loop, bool) {
	n, ok := rounds(keyBits)
	width := vectorBytes(im)
	run := map[int]func(int){16: roundsXMM, 32: roundsYMM, 64: roundsZMM}[width]
	return Loop{width, chains, func(passes int) { run(passes * n / 2) }}, ok && run != nil
}

// Chain returns the loop of one block after the other: the limit of CBC encryption and of CBC-MAC. It reports
// false where there is none.
func Chain(im arch.Impl, keyBits int) (Loop, bool) {
	n, ok := rounds(keyBits)
	return Loop{16, 1, func(passes int) { chain(passes * n / 2) }}, ok && vectorBytes(im) > 0
}
