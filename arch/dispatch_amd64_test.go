//go:build amd64 && !purego && dispatch

package arch

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lamina/arch/amd64"
	"lamina/arch/keys"
)

// All implementations compute the same, so no other test sees it where a hook runs the wrong one: a slower one, or
// one that this CPU happens to have and another lacks. Under the tag dispatch assembly tells what ran, and these
// tests hold exactly what must.

// suffixes ends the name of a function, for each implementation in the order of suffixed.
type suffixes [5]string

var suffixed = []string{"aesni", "aesni-avx", "vaes-avx2", "vaes-avx512-256", "vaes-avx512-512"}

var (
	// own is for functions of which every implementation has one.
	own = suffixes{"AESNI", "AESNIAVX", "VAESAVX2", "VAESAVX512Y", "VAESAVX512Z"}
	// serial is for work on one block at a time.
	serial = suffixes{"AESNI", "AESNIAVX", "AESNIAVX", "AESNIAVX", "AESNIAVX"}
	// powers is for preparing hash keys, where 32 registers have no use.
	powers = suffixes{"AESNI", "AESNIAVX", "VAESAVX2", "VAESAVX2", "VAESAVX512Z"}
	// narrow is for texts that are too short for vectors of 512 bits.
	narrow = suffixes{"AESNI", "AESNIAVX", "VAESAVX2", "VAESAVX512Y", "VAESAVX512Y"}
	// counted is for counter mode of one block, which AVX2 has no masks for.
	counted = suffixes{"AESNI", "AESNIAVX", "AESNIAVX", "VAESAVX512Y", "VAESAVX512Z"}
)

// call is one call of a function, under its name without suffix.
type call struct {
	function string
	suffixes suffixes
}

// operation is a hook with arguments, and what it must call, in this order.
type operation struct {
	name string
	run  func(im Impl)
	want []call
}

// names returns the functions that must run under an implementation: none under the portable one.
func (op operation) names(im Impl) []string {
	names := []string{}
	if i := slices.Index(suffixed, im.String()); i >= 0 {
		for _, c := range op.want {
			names = append(names, c.function+c.suffixes[i])
		}
	}
	return names
}

// operations lists every hook. Where the choice depends on the length, there is one on either side of the limit.
func operations() (list []operation) {
	var (
		k       keys.Key
		g       keys.GCM
		acc     keys.Element
		iv, tag [16]byte
		nonce   [12]byte
		text    [1024]byte
	)
	ExpandKey(Generic, &k.Enc, text[:32])
	InvertKey(Generic, &k.Dec, &k.Enc)
	PrepareGCM(Generic, &g, text[:32])
	add := func(name string, run func(im Impl), want ...call) {
		list = append(list, operation{name, run, want})
	}
	// sized adds an operation on n bytes for each n.
	sized := func(name string, lengths []int, run func(im Impl, text []byte), want ...call) {
		for _, n := range lengths {
			add(fmt.Sprintf("%s of %d bytes", name, n), func(im Impl) { run(im, text[:n]) }, want...)
		}
	}
	blocks := []int{0, 16, 32, 48, 64, 256, 1024}

	for _, size := range keySizes {
		add(fmt.Sprintf("ExpandKey of %d bytes", size),
			func(im Impl) { ExpandKey(im, &keys.Enc{}, text[:size]) }, call{"ExpandKey", serial})
		add(fmt.Sprintf("PrepareGCM of %d bytes", size),
			func(im Impl) { PrepareGCM(im, &keys.GCM{}, text[:size]) }, call{"PrepareGCM", powers})
	}
	add("InvertKey", func(im Impl) { InvertKey(im, &keys.Dec{}, &k.Enc) }, call{"InvertKey", serial})
	add("PrepareHash", func(im Impl) { PrepareHash(im, &keys.Hash{}, acc) }, call{"PrepareHash", powers})

	sized("EncryptBlocks", blocks,
		func(im Impl, text []byte) { EncryptBlocks(im, &k.Enc, text, text) }, call{"EncryptBlocks", own})
	sized("DecryptBlocks", blocks,
		func(im Impl, text []byte) { DecryptBlocks(im, &k.Dec, text, text) }, call{"DecryptBlocks", own})
	sized("GHASHBlocks", blocks,
		func(im Impl, text []byte) { GHASHBlocks(im, &g.Hash, &acc, text) }, call{"HashBlocks", own})
	sized("POLYVALBlocks", blocks,
		func(im Impl, text []byte) { POLYVALBlocks(im, &g.Hash, &acc, text) }, call{"HashBlocks", own})

	sized("GCMEncrypt", blocks,
		func(im Impl, text []byte) { GCMEncrypt(im, &g, &acc, &iv, text, text) }, call{"GCMEncrypt", own})
	sized("GCMDecrypt", blocks,
		func(im Impl, text []byte) { GCMDecrypt(im, &g, &acc, &iv, text, text) }, call{"GCMDecrypt", own})
	for _, adLen := range []int{0, 13, 200} {
		seal := func(im Impl, b []byte) { GCMSeal(im, &g, &tag, b, b, &nonce, text[:adLen]) }
		open := func(im Impl, b []byte) { GCMOpen(im, &g, &tag, b, b, &nonce, text[:adLen]) }
		short, long := []int{0, 1, 16, 31, 32}, []int{33, 48, 63, 64, 1024}
		sized(fmt.Sprintf("GCMSeal with %d bytes more", adLen), short, seal, call{"GCMSeal", narrow})
		sized(fmt.Sprintf("GCMSeal with %d bytes more", adLen), long, seal, call{"GCMSeal", own})
		sized(fmt.Sprintf("GCMOpen with %d bytes more", adLen), short, open, call{"GCMOpen", narrow})
		sized(fmt.Sprintf("GCMOpen with %d bytes more", adLen), long, open, call{"GCMOpen", own})
	}

	ctr := func(im Impl, text []byte) { CTR(im, &k.Enc, new([16]byte), text, text) }
	xctr := func(im Impl, text []byte) { XCTR(im, &k.Enc, new(uint64), &iv, text, text) }
	short, long := []int{0, 1, 15, 16}, []int{17, 32, 64, 1024}
	sized("CTR", short, ctr, call{"Count", counted})
	sized("CTR", long, ctr, call{"Count", own})
	sized("XCTR", short, xctr, call{"Count", counted})
	sized("XCTR", long, xctr, call{"Count", own})
	// Where the counter wraps a text is cut in two.
	last := ^uint64(0)
	add("XCTR of one block, and four behind the wrap", func(im Impl) {
		counter := last
		XCTR(im, &k.Enc, &counter, &iv, text[:80], text[:80])
	}, call{"Count", counted}, call{"Count", own})
	add("CTR of four blocks, and one behind the wrap", func(im Impl) {
		counter := [16]byte{8: 255, 255, 255, 255, 255, 255, 255, 252}
		CTR(im, &k.Enc, &counter, text[:80], text[:80])
	}, call{"Count", own}, call{"Count", counted})

	encryptXTS := func(im Impl, text []byte) { XTSEncrypt(im, &k.Enc, &iv, text, text) }
	decryptXTS := func(im Impl, text []byte) { XTSDecrypt(im, &k.Dec, &iv, text, text) }
	short, long = []int{16, 17, 32, 63}, []int{64, 65, 512, 1024}
	sized("XTSEncrypt", short, encryptXTS, call{"XTSEncrypt", narrow})
	sized("XTSEncrypt", long, encryptXTS, call{"XTSEncrypt", own})
	sized("XTSDecrypt", short, decryptXTS, call{"XTSDecrypt", narrow})
	sized("XTSDecrypt", long, decryptXTS, call{"XTSDecrypt", own})
	add("EncryptTweak", func(im Impl) { EncryptTweak(im, &k.Enc, &iv, 1, 2) }, call{"XTSTweak", serial})
	add("DecryptTweak", func(im Impl) { DecryptTweak(im, &k.Dec, &iv) }, call{"DecryptBlocks", serial})

	sized("CBCEncrypt", blocks,
		func(im Impl, text []byte) { CBCEncrypt(im, &k.Enc, &iv, text, text) }, call{"CBCEncrypt", serial})
	sized("CBCDecrypt", blocks,
		func(im Impl, text []byte) { CBCDecrypt(im, &k.Dec, &iv, text, text) }, call{"CBCDecrypt", own})
	sized("CBCMAC", blocks,
		func(im Impl, text []byte) { CBCMAC(im, &k.Enc, &iv, text) }, call{"CBCMAC", serial})
	sized("CCMEncrypt", blocks,
		func(im Impl, text []byte) { CCMEncrypt(im, &k.Enc, &iv, &tag, text, text) }, call{"CCMEncrypt", serial})
	sized("CCMDecrypt", blocks,
		func(im Impl, text []byte) { CCMDecrypt(im, &k.Enc, &iv, &tag, text, text) }, call{"CCMDecrypt", serial})
	return list
}

func TestDispatch(t *testing.T) {
	forEachImpl(t, func(t *testing.T, im Impl) {
		if im != Generic && !slices.Contains(suffixed, im.String()) {
			t.Fatal("nothing here says what must run")
		}
		for _, op := range operations() {
			if got, want := amd64.Ran(func() { op.run(im) }), op.names(im); !slices.Equal(got, want) {
				t.Errorf("%s: %v ran, want %v", op.name, got, want)
			}
		}
	})
}

// TestDispatchReaches holds that there is an operation for every function, and so no function that nothing calls.
// It does not depend on what this CPU can run.
func TestDispatchReaches(t *testing.T) {
	reached := map[string]bool{}
	for _, op := range operations() {
		for _, c := range op.want {
			for _, suffix := range c.suffixes {
				reached[c.function+suffix] = true
			}
		}
	}
	found := find(t, "amd64/*_amd64.s", `(?m)^TEXT ·(\w+)\(SB\).*\n\tRECORD$`)
	for name := range found {
		if !reached[name] {
			t.Errorf("no operation runs %s", name)
		}
	}
	for name := range reached {
		if !found[name] {
			t.Errorf("there is no function %s", name)
		}
	}
}

// TestDispatchHooks holds that there is an operation for every hook.
func TestDispatchHooks(t *testing.T) {
	run := map[string]bool{}
	for _, op := range operations() {
		hook, _, _ := strings.Cut(op.name, " ")
		run[hook] = true
	}
	for name := range find(t, "hooks*.go", `(?m)^func ([A-Z]\w*)\(im Impl`) {
		if !run[name] {
			t.Errorf("no operation runs the hook %s", name)
		}
	}
}

// find returns what the group of pattern matches in the files.
func find(t *testing.T, files, pattern string) map[string]bool {
	t.Helper()
	names, err := filepath.Glob(files)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(text), -1) {
			found[m[1]] = true
		}
	}
	if len(found) == 0 {
		t.Fatalf("%s matches nothing in %s", pattern, files)
	}
	return found
}
