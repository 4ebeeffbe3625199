//go:build amd64 && !purego

package amd64

import (
	"slices"
	"testing"
)

// Words of CPUID, made of the bits that matter here.
const (
	westmereECX = 1<<1 | 1<<9 | 1<<19 | 1<<25
	osECX       = 1<<26 | osxsave // XSAVE, and that the operating system uses it
	avxECX      = westmereECX | osECX | 1<<28

	haswellEBX  = 1<<5 | 1<<8
	skylakeXEBX = haswellEBX | 1<<16 | 1<<17 | 1<<28 | 1<<30 | 1<<31
	vaesECX     = 1<<9 | 1<<10

	xcr0SSE = 1<<0 | 1<<1
	xcr0AVX = xcr0SSE | 1<<2
	xcr0ZMM = xcr0AVX | 1<<5 | 1<<6 | 1<<7

	intel = "GenuineIntel"
	amd   = "AuthenticAMD"
)

func TestForms(t *testing.T) {
	all := []string{"aesni", "aesni-avx", "vaes-avx2", "vaes-avx512-256", "vaes-avx512-512"}
	icelakeWith := func(model uint32) cpuWords {
		version := uint32(0x600) | model&15<<4 | model>>4<<16
		return cpuWords{0x1b, intel, version, avxECX, skylakeXEBX, vaesECX, xcr0ZMM}
	}
	without := func(w cpuWords, leaf1ECX, leaf7EBX, leaf7ECX uint32) cpuWords {
		w.leaf1ECX &^= leaf1ECX
		w.leaf7EBX &^= leaf7EBX
		w.leaf7ECX &^= leaf7ECX
		return w
	}
	sapphireRapids := icelakeWith(0x8f)
	withXCR0 := func(w cpuWords, xcr0 uint32) cpuWords {
		w.xcr0 = xcr0
		return w
	}
	for _, test := range []struct {
		name string
		cpu  cpuWords
		want []string // what it can run, the narrowest form first
		best string   // generic if nothing has a higher priority than portable code
	}{
		{"no AES (Nehalem)", cpuWords{0xb, intel, 0x106a5, 1<<9 | 1<<19, 0, 0, 0}, nil, "generic"},
		{"AES and no PCLMULQDQ", cpuWords{0xb, intel, 0x206c2, westmereECX &^ (1 << 1), 0, 0, 0}, nil, "generic"},
		{"Westmere", cpuWords{0xb, intel, 0x206c2, westmereECX, 0, 0, 0}, all[:1], "aesni"},
		{"Tremont", cpuWords{0x1b, intel, 0x90661, westmereECX | osECX, 0, 0, xcr0SSE}, all[:1], "aesni"},
		{"Sandy Bridge", cpuWords{0xd, intel, 0x206a7, avxECX, 0, 0, xcr0AVX}, all[:2], "aesni-avx"},
		{"Haswell", cpuWords{0xd, intel, 0x306c3, avxECX, haswellEBX, 0, xcr0AVX}, all[:2], "aesni-avx"},
		{"Skylake-X", cpuWords{0x16, intel, 0x50654, avxECX, skylakeXEBX, 0, xcr0ZMM}, all[:2], "aesni-avx"},
		{"Zen 2", cpuWords{0x10, amd, 0x830f10, avxECX, haswellEBX, 0, xcr0AVX}, all[:2], "aesni-avx"},
		{"Zen 3", cpuWords{0x10, amd, 0xa20f10, avxECX, haswellEBX, vaesECX, xcr0AVX}, all[:3], "vaes-avx2"},
		{"Alder Lake", cpuWords{0x20, intel, 0x90672, avxECX, haswellEBX, vaesECX, xcr0AVX}, all[:3], "vaes-avx2"},
		{"Ice Lake", icelakeWith(0x7e), all, "vaes-avx512-256"},
		{"Ice Lake server", icelakeWith(0x6a), all, "vaes-avx512-256"},
		{"Ice Lake D", icelakeWith(0x6c), all, "vaes-avx512-256"},
		{"Tiger Lake", icelakeWith(0x8c), all, "vaes-avx512-256"},
		{"Tiger Lake H", icelakeWith(0x8d), all, "vaes-avx512-256"},
		{"Rocket Lake", icelakeWith(0xa7), all, "vaes-avx512-512"},
		{"Sapphire Rapids", sapphireRapids, all, "vaes-avx512-512"},
		{"Zen 4", cpuWords{0x10, amd, 0xa60f12, avxECX, skylakeXEBX, vaesECX, xcr0ZMM}, all, "vaes-avx512-512"},
		{"Zen 5", cpuWords{0x10, amd, 0xb40f40, avxECX, skylakeXEBX, vaesECX, xcr0ZMM}, all, "vaes-avx512-512"},
		{"AMD with a model number of Ice Lake", cpuWords{0x10, amd, 0x606a0, avxECX, skylakeXEBX, vaesECX, xcr0ZMM}, all, "vaes-avx512-512"},

		{"XSAVE off", withXCR0(without(sapphireRapids, osxsave, 0, 0), 0), all[:1], "aesni"},
		{"XSAVE off, and a stray XCR0", without(sapphireRapids, osxsave, 0, 0), all[:1], "aesni"},
		{"AVX off in the operating system", withXCR0(sapphireRapids, xcr0SSE), all[:1], "aesni"},
		{"XCR0 with YMM and without XMM", withXCR0(sapphireRapids, 1|1<<2), all[:1], "aesni"},
		{"AVX-512 off in the operating system", withXCR0(sapphireRapids, xcr0AVX), all[:3], "vaes-avx2"},
		{"masks and no ZMM", withXCR0(sapphireRapids, xcr0AVX|1<<5), all[:3], "vaes-avx2"},
		{"only the upper ZMM registers off", withXCR0(sapphireRapids, xcr0ZMM&^(1<<7)), all[:3], "vaes-avx2"},
		{"no AVX bit", without(sapphireRapids, 1<<28, 0, 0), all[:1], "aesni"},
		{"no SSSE3", without(sapphireRapids, 1<<9, 0, 0), nil, "generic"},
		{"no AVX2", without(sapphireRapids, 0, 1<<5, 0), all[:2], "aesni-avx"},
		{"no BMI2", without(sapphireRapids, 0, 1<<8, 0), all[:3], "vaes-avx2"},
		{"no AVX512BW", without(sapphireRapids, 0, 1<<30, 0), all[:3], "vaes-avx2"},
		{"no AVX512VL", without(sapphireRapids, 0, 1<<31, 0), all[:3], "vaes-avx2"},
		{"no VPCLMULQDQ", without(sapphireRapids, 0, 0, 1<<10), all[:2], "aesni-avx"},
		{"leaf 7 beyond the last leaf", cpuWords{6, intel, 0x806f8, avxECX, skylakeXEBX, vaesECX, xcr0ZMM}, all[:2], "aesni-avx"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			best, priority := "generic", 100
			for _, f := range forms(test.cpu) {
				if !f.Available {
					continue
				}
				got = append(got, f.Name)
				if f.Priority > priority {
					best, priority = f.Name, f.Priority
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("can run %v, want %v", got, test.want)
			}
			if best != test.best {
				t.Errorf("the best is %s, want %s", best, test.best)
			}
		})
	}
}

func TestFeatureNames(t *testing.T) {
	if n := len(featureNames); AVX512VL != 1<<(n-1) {
		t.Errorf("%d names, which does not reach to AVX512VL", n)
	}
	if got, want := needsAESNI.String(), "AES, PCLMULQDQ, SSSE3, SSE4.1"; got != want {
		t.Errorf("needsAESNI is %q, want %q", got, want)
	}
}

// The registers of CPUID leaf 0 spell the vendor in the order EBX, EDX, ECX.
func TestVendor(t *testing.T) {
	if got := vendor(0x756e6547, 0x49656e69, 0x6c65746e); got != intel {
		t.Errorf("vendor is %q, want %q", got, intel)
	}
}
