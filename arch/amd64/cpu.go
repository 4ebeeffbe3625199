//go:build amd64 && !purego

package amd64

import "strings"

// This file decides what this CPU can run and what it should run. CPUID and XCR0 are read in one place, and
// everything else follows from what was read by pure functions.

// Features is a set of instruction sets that the CPU has and the operating system lets programs use.
type Features uint32

// The instruction sets that some form needs, beyond what every amd64 CPU has.
const (
	AES Features = 1 << iota
	PCLMULQDQ
	SSSE3
	SSE41
	AVX
	AVX2
	BMI2
	VAES
	VPCLMULQDQ
	AVX512F
	AVX512BW
	AVX512VL
)

// featureNames are the manufacturers' names, in the order of the constants.
var featureNames = [...]string{
	"AES", "PCLMULQDQ", "SSSE3", "SSE4.1", "AVX", "AVX2", "BMI2", "VAES", "VPCLMULQDQ", "AVX512F", "AVX512BW", "AVX512VL",
}

// String lists the instruction sets by name.
func (f Features) String() string {
	var names []string
	for i, name := range featureNames {
		if f>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// The forms, as indices of what Forms returns.
const (
	FormAESNI = iota
	FormAESNIAVX
	FormVAESAVX2
	FormVAESAVX512Y
	FormVAESAVX512Z
)

// Form is one of the forms that the templates are compiled into.
type Form struct {
	Name      string   // of the implementation
	Suffix    string   // of its functions
	Needs     Features // what they use
	Priority  int      // the highest that is Available is the best
	Available bool     // whether this CPU, under this operating system, can run it
}

// Forms describes every form, the narrowest first, and says which of them this CPU can run.
func Forms() []Form { return forms(readCPU()) }

const (
	needsAESNI  = AES | PCLMULQDQ | SSSE3 | SSE41
	needsAVX2   = needsAESNI | AVX | AVX2 | VAES | VPCLMULQDQ
	needsAVX512 = needsAVX2 | BMI2 | AVX512F | AVX512BW | AVX512VL
)

// avoided is the priority of a form that works and is not worth having. It is below that of portable code so
// that nothing takes it unless told to.
const avoided = 1

func forms(w cpuWords) []Form {
	zmm := 800
	if avoidZMM(w) {
		zmm = avoided
	}
	list := []Form{
		FormAESNI:       {Name: "aesni", Suffix: "AESNI", Needs: needsAESNI, Priority: 400},
		FormAESNIAVX:    {Name: "aesni-avx", Suffix: "AESNIAVX", Needs: needsAESNI | AVX, Priority: 500},
		FormVAESAVX2:    {Name: "vaes-avx2", Suffix: "VAESAVX2", Needs: needsAVX2, Priority: 600},
		FormVAESAVX512Y: {Name: "vaes-avx512-256", Suffix: "VAESAVX512Y", Needs: needsAVX512, Priority: 700},
		FormVAESAVX512Z: {Name: "vaes-avx512-512", Suffix: "VAESAVX512Z", Needs: needsAVX512, Priority: zmm},
	}
	have := features(w)
	for i := range list {
		list[i].Available = list[i].Needs&^have == 0
	}
	return list
}

// cpuWords is what the CPU and the operating system say, as read.
type cpuWords struct {
	maxLeaf  uint32 // leaf 0, EAX
	vendor   string // leaf 0, EBX, EDX and ECX
	version  uint32 // leaf 1, EAX: family, model and stepping
	leaf1ECX uint32
	leaf7EBX uint32
	leaf7ECX uint32
	xcr0     uint32 // which registers the operating system saves; 0 if it does not say
}

func cpuid(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)

func xgetbv() uint32

func readCPU() cpuWords {
	var w cpuWords
	var b, c, d uint32
	w.maxLeaf, b, c, d = cpuid(0, 0)
	w.vendor = vendor(b, d, c)
	w.version, _, w.leaf1ECX, _ = cpuid(1, 0)
	if w.maxLeaf >= 7 {
		_, w.leaf7EBX, w.leaf7ECX, _ = cpuid(7, 0)
	}
	if w.leaf1ECX&osxsave != 0 {
		w.xcr0 = xgetbv()
	}
	return w
}

// vendor spells the twelve characters of leaf 0.
func vendor(words ...uint32) string {
	var s []byte
	for _, w := range words {
		s = append(s, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
	}
	return string(s)
}

const (
	osxsave = 1 << 27 // in leaf1ECX: XGETBV may be used

	// Bits of XCR0. Vectors of 256 bits need the first two, those of 512 bits and masks all.
	saveYMM = 1<<1 | 1<<2
	saveZMM = saveYMM | 1<<5 | 1<<6 | 1<<7
)

// features returns the usable instruction sets. An instruction set on registers that the operating system
// does not save counts as missing, whatever CPUID says. VAES and VPCLMULQDQ need AVX and not AVX-512: Zen 3
// and Alder Lake have them for 256 bits only. (A system that turns AVX-512 on at its first use, as macOS
// does, shows too little here; then 256 bits are used.)
func features(w cpuWords) Features {
	var f Features
	add := func(word uint32, bit int, one Features) {
		if word>>bit&1 != 0 {
			f |= one
		}
	}
	add(w.leaf1ECX, 1, PCLMULQDQ)
	add(w.leaf1ECX, 9, SSSE3)
	add(w.leaf1ECX, 19, SSE41)
	add(w.leaf1ECX, 25, AES)
	hasLeaf7 := w.maxLeaf >= 7
	if hasLeaf7 {
		add(w.leaf7EBX, 8, BMI2)
	}
	if w.leaf1ECX&osxsave == 0 || w.xcr0&saveYMM != saveYMM {
		return f
	}
	add(w.leaf1ECX, 28, AVX)
	if !hasLeaf7 || f&AVX == 0 {
		return f
	}
	add(w.leaf7EBX, 5, AVX2)
	add(w.leaf7ECX, 9, VAES)
	add(w.leaf7ECX, 10, VPCLMULQDQ)
	if w.xcr0&saveZMM != saveZMM {
		return f
	}
	add(w.leaf7EBX, 16, AVX512F)
	add(w.leaf7EBX, 30, AVX512BW)
	add(w.leaf7EBX, 31, AVX512VL)
	return f
}

// zmmLowersClock lists the models of Intel's family 6 on which a use of 512-bit vectors lowers the clock of
// the core so much, and for so long, that the code around it loses more than wide vectors gain. Rocket Lake,
// Sapphire Rapids and what came later do not, nor does AMD.
var zmmLowersClock = map[uint32]string{
	0x55: "Skylake-X, Cascade Lake, Cooper Lake",
	0x6a: "Ice Lake server",
	0x6c: "Ice Lake D",
	0x7d: "Ice Lake",
	0x7e: "Ice Lake L",
	0x9d: "Ice Lake NNPI",
	0x8c: "Tiger Lake L",
	0x8d: "Tiger Lake",
}

// avoidZMM reports whether 512-bit vectors cost more than they gain.
func avoidZMM(w cpuWords) bool {
	family := w.version >> 8 & 15
	model := w.version>>4&15 | w.version>>16&15<<4
	return w.vendor == "GenuineIntel" && family == 6 && zmmLowersClock[model] != ""
}
