package lamina_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// The documents show programs and commands. These tests compile and run the programs, which are all blocks
// marked "go", and run the commands that are marked "sh run".

// block is a fenced block of a document.
type block struct {
	where string // file and line, for messages
	info  string // what follows the fence: "go", "sh run", or nothing
	text  string
}

// documents returns the paths of all documents.
func documents(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("Documentation/*.md")
	if err != nil {
		t.Fatal(err)
	}
	return append(paths, more...)
}

// blocks returns the fenced blocks of a document.
func blocks(t *testing.T, path string) (found []block) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var open *block
	for i, line := range strings.Split(string(data), "\n") {
		info, isFence := strings.CutPrefix(line, "```")
		switch {
		case isFence && open == nil:
			open = &block{where: fmt.Sprintf("%s:%d", path, i+1), info: info}
		case isFence:
			found = append(found, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	if open != nil {
		t.Errorf("%s: the block does not end", open.where)
	}
	return found
}

// TestDocumentedPrograms compiles every Go block as a package of a module that uses this one, as a reader would,
// and runs those that are programs. A comment "// Output:" at the end says what one prints.
func TestDocumentedPrograms(t *testing.T) {
	skipWhereSlow(t)
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var programs []block
	for _, path := range documents(t) {
		for _, b := range blocks(t, path) {
			if b.info != "go" {
				continue
			}
			if !strings.HasPrefix(b.text, "package ") {
				t.Errorf("%s: not a complete Go file: it does not begin with a package clause", b.where)
				continue
			}
			write(t, filepath.Join(dir, fmt.Sprintf("p%d", len(programs)), "main.go"), b.text)
			programs = append(programs, b)
		}
	}
	if len(programs) < 5 {
		t.Fatalf("found %d Go blocks only", len(programs))
	}
	run(t, dir, "go", "mod", "init", "documents")
	run(t, dir, "go", "mod", "edit", "-require=lamina@v0.0.0", "-replace=lamina="+root)
	run(t, dir, "go", "mod", "edit", "-require=golang.org/x/crypto@"+requiredVersion(t, "golang.org/x/crypto"))
	copyFile(t, "go.sum", filepath.Join(dir, "go.sum"))
	run(t, dir, "go", "mod", "tidy")
	out, err := command(dir, "go", "vet", "./...").CombinedOutput()
	if err != nil {
		t.Errorf("go vet: %v\n%s", err, named(string(out), programs))
	}
	for i, b := range programs {
		if !strings.HasPrefix(b.text, "package main\n") {
			continue
		}
		out, err := command(dir, "go", "run", fmt.Sprintf("./p%d", i)).CombinedOutput()
		if err != nil {
			t.Errorf("%s: go run: %v\n%s", b.where, err, out)
			continue
		}
		if want, ok := wantOutput(b.text); ok && strings.TrimSpace(string(out)) != want {
			t.Errorf("%s: it prints\n%s\nand says that it prints\n%s", b.where, out, want)
		}
	}
}

// TestDocumentedCommands runs the shell blocks marked as runnable, in a copy of the repository and in the order
// of the document.
func TestDocumentedCommands(t *testing.T) {
	skipWhereSlow(t)
	if _, err := os.Stat("cmd/go.mod"); err != nil {
		t.Skip("the program is not here: this is a copy of the library alone")
	}
	ran := 0
	for _, path := range documents(t) {
		dir := ""
		for _, b := range blocks(t, path) {
			if b.info != "sh run" {
				continue
			}
			if dir == "" {
				dir = copyRepository(t)
			}
			ran++
			cmd := command(dir, "bash", "-euo", "pipefail", "-c", b.text)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s\nprinted:\n%s", b.where, err, b.text, out)
			}
		}
	}
	if ran < 3 {
		t.Fatalf("found %d runnable shell blocks only", ran)
	}
}

// TestDocumentLinks holds that relative links lead to files.
func TestDocumentLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	for _, path := range documents(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(data), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), m[1])); err != nil {
				t.Errorf("%s: the link to %s leads nowhere", path, m[1])
			}
		}
	}
}

// skipWhereSlow skips tests that run the go command many times, where this is not the machine to do so.
func skipWhereSlow(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("short: compiles and runs many programs")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a Unix shell")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the go command is not here")
	}
}

// wantOutput returns what a program says at its end that it prints.
func wantOutput(text string) (string, bool) {
	_, comment, ok := strings.Cut(text, "// Output:\n")
	if !ok {
		return "", false
	}
	var lines []string
	for line := range strings.Lines(comment) {
		lines = append(lines, strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(line), "//"), " "))
	}
	return strings.TrimSpace(strings.Join(lines, "\n")), true
}

// named puts the place in the documents beside each package in the output of a command.
func named(out string, programs []block) string {
	for i := len(programs) - 1; i >= 0; i-- {
		out = strings.ReplaceAll(out, fmt.Sprintf("p%d/main.go", i), programs[i].where+": main.go")
	}
	return out
}

// requiredVersion returns the version of a module that go.mod requires.
func requiredVersion(t *testing.T, module string) string {
	t.Helper()
	data, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(regexp.QuoteMeta(module) + ` (v\S+)`).FindSubmatch(data)
	if m == nil {
		t.Fatalf("go.mod does not require %s", module)
	}
	return string(m[1])
}

// copyRepository copies everything but the repository's own data and what is built to a new folder.
func copyRepository(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "lamina")
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || path == "bin"):
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(dir, path), 0o777)
		case d.Type().IsRegular():
			copyFile(t, path, filepath.Join(dir, path))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	write(t, to, string(data))
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
}

// command returns a command that runs in dir as if it were started there by hand.
func command(dir, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod -buildvcs=false")
	return cmd
}

func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	if out, err := command(dir, name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}
