package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// result is what one command line did.
type result struct {
	status         int
	stdout, stderr string
}

// lamina runs a command line in this process.
func lamina(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status := run(args, strings.NewReader(stdin), &stdout, &stderr)
	return result{status, stdout.String(), stderr.String()}
}

func (r result) succeeds(t *testing.T) {
	t.Helper()
	if r.status != 0 {
		t.Fatalf("exit status %d: %.2000q %s", r.status, r.stdout, r.stderr)
	}
}

// fails checks that the command failed with a message that has want in it.
func (r result) fails(t *testing.T, want string) {
	t.Helper()
	if r.status == 0 {
		t.Fatalf("it succeeded; want an error with %q", want)
	}
	if !strings.Contains(r.stderr, want) {
		t.Fatalf("the error is %q; want one with %q", r.stderr, want)
	}
}

// folder is a temporary folder with a key in it.
type folder struct {
	dir, key string
}

func newFolder(t *testing.T) folder {
	t.Helper()
	dir := t.TempDir()
	f := folder{dir, filepath.Join(dir, "key")}
	lamina(t, "", "keygen", "-o", f.key).succeeds(t)
	return f
}

func (f folder) path(name string) string { return filepath.Join(f.dir, name) }

func (f folder) write(t *testing.T, name string, data []byte) string {
	t.Helper()
	if err := os.WriteFile(f.path(name), data, 0o644); err != nil {
		t.Fatal(err)
	}
	return f.path(name)
}

func (f folder) read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(f.path(name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// names returns the names of all files in the folder.
func (f folder) names(t *testing.T) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// holds checks that the folder has the key and these files, and nothing else: no temporary file either.
func (f folder) holds(t *testing.T, names ...string) {
	t.Helper()
	got := f.names(t)
	names = append(names, "key")
	slices.Sort(names)
	slices.Sort(got)
	if !slices.Equal(got, names) {
		t.Errorf("the folder holds %q; want %q", got, names)
	}
}

func TestUnknownCommand(t *testing.T) {
	lamina(t, "", "encrypt").fails(t, "unknown command")
	lamina(t, "", "seal", "--wrong").fails(t, "unknown flag")
	lamina(t, "", "list", "extra").fails(t, "unknown command")
}

func TestHelp(t *testing.T) {
	res := lamina(t, "", "--help")
	res.succeeds(t)
	for _, cmd := range newRoot().Commands() {
		if cmd.Name() == "help" {
			continue
		}
		if !strings.Contains(res.stdout, cmd.Short) {
			t.Errorf("the help does not list %s", cmd.Name())
		}
	}
}

// Long flags may have one dash.
func TestSingleDash(t *testing.T) {
	f := newFolder(t)
	name := f.write(t, "a", []byte("text"))
	lamina(t, "", "list", "-json").succeeds(t)
	lamina(t, "", "seal", "-key", f.key, "-jobs=2", "-output", f.path("b"), "-force", name).succeeds(t)
	lamina(t, "", "open", "-k"+f.key, "-j2", f.path("b"), "-ofile", "-o", f.path("c"), "-fq").succeeds(t)
	f.holds(t, "a", "b", "c")
	if got := lamina(t, "", "list", "--", "-json"); got.status == 0 {
		t.Error("a flag after -- was taken for a flag")
	}
	lamina(t, "", "completion", "bash", "-no-descriptions").succeeds(t)
}

// The value of a flag may look like a flag with one dash; it is a value all the same.
func TestValueLikeFlag(t *testing.T) {
	f := newFolder(t)
	t.Chdir(f.dir)
	f.write(t, "a", []byte("text"))
	for _, before := range [][]string{{"-o"}, {"-fo"}, {"-qfo"}, {"--output"}, {"-output"}} {
		args := append([]string{"seal", "-k", "key"}, before...)
		lamina(t, "", append(args, "-force", "a")...).succeeds(t)
		f.holds(t, "a", "-force")
		if err := os.Remove("-force"); err != nil {
			t.Fatal(err)
		}
	}
	for _, before := range [][]string{
		{"-oa"}, {"-o=a"}, {"-foa"}, {"--output=a"}, {"-output=a"}, {"-q"}, {"-fq"}, {"--quiet"}, {"-quiet=true"},
	} {
		args := append([]string{"seal", "-k", "key"}, before...)
		lamina(t, "", append(args, "-version", "b")...).fails(t, "unknown shorthand flag: 'v' in -version")
		lamina(t, "", append(args, "-force", "b")...).fails(t, "b: no such file")
	}
}

// Letters that are no flags, of one byte or more, are refused like others.
func TestOddFlags(t *testing.T) {
	for _, arg := range []string{"-é", "-qé", "-q=é", "-\xff", "-q\xff", "-=", "-q=", "--=", "---"} {
		if res := lamina(t, "", "seal", arg, "a"); res.status == 0 {
			t.Errorf("%q succeeded", arg)
		}
	}
}

func TestHelpOneDash(t *testing.T) {
	for _, args := range [][]string{nil, {"seal"}, {"speed"}, {"help"}, {"completion"}, {"completion", "bash"}} {
		one := lamina(t, "", append(args, "-help")...)
		one.succeeds(t)
		two := lamina(t, "", append(args, "--help")...)
		two.succeeds(t)
		if one != two || one.stdout == "" {
			t.Errorf("%v -help prints %q, with two dashes %q", args, one.stdout, two.stdout)
		}
	}
}
