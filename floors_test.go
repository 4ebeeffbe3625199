package lamina_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The house has floors: from the ground arch/keys, arch/generic and arch/GOARCH, arch, lib, api, cmd. Nobody
// imports upwards, and only arch knows what is under it. These tests hold that.

// floors gives for each group of packages what it may import of this module. A pattern ends in /... for a
// whole tree. The first group that a package is in counts.
var floors = []struct {
	group   string
	imports []string
}{
	{"lamina", nil},
	{"lamina/internal/dirty", []string{"lamina/arch/amd64"}},
	{"lamina/internal/suite", []string{"lamina/arch", "lamina/internal/..."}},
	{"lamina/internal/...", []string{"lamina/internal/..."}}, // support of tests, which only these import
	{"lamina/arch/keys", nil},
	{"lamina/arch/generic", []string{"lamina/arch/keys"}},
	{"lamina/arch", []string{"lamina/arch/..."}},
	{"lamina/arch/...", []string{"lamina/arch/keys"}}, // the packages of architectures
	{"lamina/lib/internal/...", nil},
	{"lamina/lib/...", []string{"lamina/arch", "lamina/arch/keys", "lamina/lib/..."}},
	{"lamina/api/...", []string{"lamina/arch", "lamina/lib/...", "lamina/api/..."}},
	{"lamina/cmd/...", []string{"lamina/arch", "lamina/lib/...", "lamina/api/...", "lamina/cmd/..."}},
	// What the tests of the library compare with must not come from the library.
	{"lamina/conformance/montecarlo", []string{"lamina/internal/montecarlo", "lamina/internal/textbook"}},
	{"lamina/conformance/...", []string{"lamina/arch", "lamina/lib/...", "lamina/api/...", "lamina/conformance/..."}},
}

func matches(pattern, path string) bool {
	tree, isTree := strings.CutSuffix(pattern, "/...")
	return path == tree || isTree && strings.HasPrefix(path, tree+"/")
}

// allowed returns what the package at path may import of this module, and whether it is in any group.
func allowed(path string) (imports []string, known bool) {
	for _, f := range floors {
		if matches(f.group, path) {
			return f.imports, true
		}
	}
	return nil, false
}

func checkImport(t *testing.T, where, path, imported string) {
	t.Helper()
	if !matches("lamina/...", imported) {
		return
	}
	may, known := allowed(path)
	if !known {
		t.Errorf("%s: package %s is on no floor; add it to the list", where, path)
	}
	if !slices.ContainsFunc(may, func(pattern string) bool { return matches(pattern, imported) }) {
		t.Errorf("%s: %s imports %s; it may import %v of this module", where, path, imported, may)
	}
}

type listed struct {
	ImportPath   string
	Imports      []string
	TestImports  []string
	XTestImports []string
}

// goList runs go list in dir and returns the packages it finds.
func goList(t *testing.T, dir string, env, args []string) (packages []listed) {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-e", "-json=ImportPath,Imports,TestImports,XTestImports"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list in %s: %v", dir, err)
	}
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p listed
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	return packages
}

// build is one of the builds whose imports are looked at.
type build struct{ env, args []string }

// builds are every architecture that has a file of hooks of its own, one that has none, and the tag purego. What
// is built for one architecture only, go list shows for that one only.
func builds(t *testing.T) map[string]build {
	t.Helper()
	files, err := filepath.Glob("arch/arch_*.go")
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]build{
		"amd64, purego": {[]string{"GOARCH=amd64"}, []string{"-tags=purego", "./..."}},
		"mips64":        {[]string{"GOARCH=mips64"}, []string{"./..."}},
	}
	for _, file := range files {
		goarch := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "arch_"), ".go")
		if goarch != "other" && goarch != "test" {
			list[goarch] = build{[]string{"GOARCH=" + goarch}, []string{"./..."}}
		}
	}
	if _, ok := list["amd64"]; !ok {
		t.Fatalf("no file of hooks for amd64 among %v", files)
	}
	return list
}

// TestFloors asks go list for every import, in every one of the builds.
func TestFloors(t *testing.T) {
	for name, build := range builds(t) {
		for _, dir := range []string{".", "cmd", "conformance"} {
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
				continue // a copy of the library alone, from a module cache
			}
			packages := goList(t, dir, build.env, build.args)
			if dir == "." && len(packages) < 8 {
				t.Fatalf("%s: go list found %d packages only", name, len(packages))
			}
			for _, p := range packages {
				for _, imported := range p.Imports {
					checkImport(t, name, p.ImportPath, imported)
				}
				for _, imported := range slices.Concat(p.TestImports, p.XTestImports) {
					if imported != p.ImportPath {
						checkTestImport(t, name, p.ImportPath, imported)
					}
				}
			}
		}
	}
}

// checkTestImport allows tests what their package may import, the packages that support tests, and tests of an
// architecture the portable package to compare with.
func checkTestImport(t *testing.T, where, path, imported string) {
	t.Helper()
	if matches("lamina/internal/...", imported) || imported == "lamina/arch/generic" && matches("lamina/arch/...", path) {
		return
	}
	checkImport(t, where+", tests", path, imported)
}

// TestFloorsTable holds that the table says what it should, for an empty one would hold anything.
func TestFloorsTable(t *testing.T) {
	for _, test := range []struct {
		path, imported string
		want           bool
	}{
		{"lamina/arch", "lamina/arch/amd64", true},
		{"lamina/arch/amd64", "lamina/arch/keys", true},
		{"lamina/arch/amd64", "lamina/arch/generic", false},
		{"lamina/arch/amd64", "lamina/arch", false},
		{"lamina/arch/generic", "lamina/arch", false},
		{"lamina/arch/keys", "lamina/arch/generic", false},
		{"lamina/arch", "lamina/lib/aes", false},
		{"lamina/lib/aesgcm", "lamina/arch", true},
		{"lamina/lib/aesgcm", "lamina/lib/aes", true},
		{"lamina/lib/aesgcm", "lamina/arch/generic", false},
		{"lamina/lib/aesgcm", "lamina/arch/amd64", false},
		{"lamina/lib/aesgcm", "lamina/api/aead", false},
		{"lamina/api/aead", "lamina/lib/aesgcm", true},
		{"lamina/api/aead", "lamina/arch/keys", false},
		{"lamina/cmd/lamina", "lamina/api/aead", true},
		{"lamina/api/aead", "lamina/cmd/lamina", false},
		{"lamina/lib/aesgcm", "lamina/internal/suite", false},
		{"lamina/arch", "lamina/internal/fence", false},
		{"lamina/internal/suite", "lamina/arch", true},
		{"lamina/internal/textbook", "lamina/arch", false},
		{"lamina/internal/montecarlo", "lamina/arch", false},
		{"lamina/internal/montecarlo", "lamina/internal/textbook", true},
		{"lamina/conformance/montecarlo", "lamina/lib/aesgcm", false},
	} {
		may, _ := allowed(test.path)
		got := slices.ContainsFunc(may, func(pattern string) bool { return matches(pattern, test.imported) })
		if got != test.want {
			t.Errorf("may %s import %s: %v, want %v", test.path, test.imported, got, test.want)
		}
	}
}

// TestRequirements holds that the library depends on golang.org/x/sys and golang.org/x/crypto, and on nothing
// else.
func TestRequirements(t *testing.T) {
	out, err := exec.Command("go", "mod", "edit", "-json").Output()
	if err != nil {
		t.Fatalf("go mod edit: %v", err)
	}
	var mod struct {
		Module  struct{ Path string }
		Require []struct{ Path string }
		Replace []struct{ Old struct{ Path string } }
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		t.Fatal(err)
	}
	if mod.Module.Path != "lamina" {
		t.Errorf("module path %q, want lamina", mod.Module.Path)
	}
	for _, r := range mod.Require {
		if r.Path != "golang.org/x/sys" && r.Path != "golang.org/x/crypto" {
			t.Errorf("go.mod requires %s", r.Path)
		}
	}
	if len(mod.Replace) > 0 {
		t.Errorf("go.mod replaces %v", mod.Replace)
	}
}

var (
	buildTag = regexp.MustCompile(`(?m)^//\s*(go:build|\+build)\b`)
	// isaName finds names of instruction sets, of their registers and of architectures, also inside identifiers.
	isaName = regexp.MustCompile(`(?i)aes-?ni|avx|vaes|v?pclmul|gfni|\bs?sse[0-9]|bmi[12]|[xyz]mm[0-9]|\bneon\b|\bsve\b|` +
		`amd64|x86|\bi?386\b|arm64|aarch64|riscv|s390x|ppc64|loong64|mips|goarch`)
	// platform finds file names that only some platforms build. A test may need an operating system, for its
	// memory protection, say; nothing here may need an architecture.
	platform = regexp.MustCompile(`_(aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|` +
		`unix|wasip1|windows)(_test)?\.go$`)
)

// TestPortable holds that lib/ is the same Go on every machine: no build tag, no assembly, and no name of an
// instruction set, in file names, code or comments.
func TestPortable(t *testing.T) {
	seen := 0
	err := filepath.WalkDir("lib", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if strings.Contains(path, "testdata") {
			return nil
		}
		seen++
		if ext := filepath.Ext(path); ext != ".go" && ext != ".md" {
			t.Errorf("%s: neither Go nor text", path)
		}
		if m := platform.FindStringSubmatch(path); m != nil && m[2] == "" {
			t.Errorf("%s: built on %s only", path, m[1])
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if buildTag.Match(text) {
			t.Errorf("%s: has a build tag", path)
		}
		if name := isaName.FindString(path + "\n" + string(text)); name != "" {
			t.Errorf("%s: names %q", path, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 10 {
		t.Fatalf("found %d files in lib only", seen)
	}
}

// TestPortableTable holds that the patterns find what they are for, and nothing else.
func TestPortableTable(t *testing.T) {
	for _, bad := range []string{"aesni", "AES-NI", "useAVX2", "VAES", "x86-64", "file_amd64.go", "SSE4.1", "ssse3", "GOARCH", "zmm0"} {
		if !isaName.MatchString(bad) {
			t.Errorf("%q passes as portable", bad)
		}
	}
	for _, good := range []string{"message", "possess", "assess", "harmless", "summit", "commit", "necessary", "aes.New", "1386"} {
		if name := isaName.FindString(good); name != "" {
			t.Errorf("%q does not pass as portable, for %q in it", good, name)
		}
	}
	for _, bad := range []string{"//go:build linux", "package x\n//go:build !purego\n", "// +build linux"} {
		if !buildTag.MatchString(bad) {
			t.Errorf("%q is not found to be a build tag", bad)
		}
	}
}
