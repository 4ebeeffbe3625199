//go:build amd64 && !purego

package dirty

import "lamina/arch/amd64"

func sse()
func avx()
func avx512()

// x14 returns the low half of X14, for the test.
func x14() uint64

// Registers sets every bit of every vector register that the CPU has, and of its mask registers. Go needs some of
// them itself, so call it right before what is tested.
var Registers = func() func() {
	forms := amd64.Forms()
	switch {
	case forms[amd64.FormVAESAVX512Y].Available:
		return avx512
	case forms[amd64.FormAESNIAVX].Available:
		return avx
	}
	return sse
}()
