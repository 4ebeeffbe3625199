// Package ctscan looks for branches and addresses that depend on secrets, in the source of a package and in the
// code that the compiler makes of it.
//
// It takes types as the border between public and secret. Lengths, loop counters, indices and directions have
// the types int, uint and bool; keys, texts and all that is calculated from them are bytes and words, which have
// sizes in bits in the names of their types. So in the source a word must not become an index, an int, or an
// operand of a comparison; and as the language has no other way, nothing that is secret decides over a branch or
// an address. What a package does in that way with words that are public, it must account for, one by one.
//
// The compiler may make branches where the source has none. So in its code every conditional jump must belong to
// a line of source that has one, or go to a panic or to the growth of the stack; every operand with an index
// register must belong to a line that indexes; and no function refers to global data, where tables are.
//
// What it does not see: a branch of the compiler's own making on a line that has another one, instructions whose
// time depends on operands, other than division, and what happens in the packages that are called, of which it
// only holds that they are those on a list.
package ctscan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Kind says what was found.
type Kind string

const (
	Comparison Kind = "comparison" // source: of words
	Index      Kind = "index"      // source: a word is an index or a bound
	Conversion Kind = "conversion" // source: of a word to a type that is public
	Division   Kind = "division"   // source or code
	Unsafe     Kind = "unsafe"     // source: an import of unsafe
	Branch     Kind = "branch"     // code: where the source has none
	Address    Kind = "address"    // code: with an index register, where the source has no index
	Data       Kind = "data"       // code: global data
	Call       Kind = "call"       // code: of something that is not on the list
)

// Finding is one place.
type Finding struct {
	Function string // as the linker names it, without the path of the package
	Kind     Kind
	Text     string // the expression, the line of source, or the name of what is called or referred to
	Place    string // file and line
}

func (f Finding) String() string {
	return fmt.Sprintf("%s: %s: %s: %s", f.Place, f.Function, f.Kind, f.Text)
}

// Package is a package and its code for one GOARCH.
type Package struct {
	path  string
	fset  *token.FileSet
	files map[string]*ast.File // by the name without the directory, as the disassembler has it
	lines map[string][]string
	info  types.Info
	sizes types.Sizes
	code  []function
}

// Load compiles, type-checks and disassembles the package with the given import path for goarch, "amd64" or
// "arm64".
func Load(goarch, path string) (*Package, error) {
	isa := isas[goarch]
	if isa == nil {
		return nil, fmt.Errorf("ctscan: GOARCH %s is not supported", goarch)
	}
	env := append(os.Environ(), "GOARCH="+goarch, "CGO_ENABLED=0")
	out, err := run(env, "list", "-export", "-deps", "-json=ImportPath,Export,Dir,GoFiles", path)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	var target struct {
		ImportPath, Export, Dir string
		GoFiles                 []string
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		// The package comes after what it imports, so it is the last that is left here.
		target.GoFiles = nil
		if err := dec.Decode(&target); err != nil {
			return nil, err
		}
		exports[target.ImportPath] = target.Export
	}
	p := &Package{path: target.ImportPath, fset: token.NewFileSet(), files: map[string]*ast.File{}, lines: map[string][]string{}}
	if err := p.parse(target.Dir, target.GoFiles, goarch, exports); err != nil {
		return nil, err
	}
	text, err := run(env, "tool", "objdump", target.Export)
	if err != nil {
		return nil, err
	}
	p.code, err = parseCode(string(text), isa)
	return p, err
}

func run(env []string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Env = env
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return out, nil
}

// parse parses and type-checks the files, with the compiled packages of exports for imports.
func (p *Package) parse(dir string, names []string, goarch string, exports map[string]string) error {
	var files []*ast.File
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(p.fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, file)
		p.files[name] = file
		p.lines[name] = strings.Split(string(text), "\n")
	}
	p.sizes = types.SizesFor("gc", goarch)
	p.info = types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{
		Importer: importer.ForCompiler(p.fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }),
		Sizes:    p.sizes,
	}
	_, err := config.Check(p.path, p.fset, files, &p.info)
	return err
}

// line returns a line of source without the space around it, or nothing if it is of another package.
func (p *Package) line(file string, line int) string {
	lines := p.lines[file]
	if line < 1 || line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[line-1])
}

// FunctionNames returns the names of all functions that have code.
func (p *Package) FunctionNames() (names []string) {
	for i := range p.code {
		names = append(names, p.code[i].name(p.path))
	}
	return names
}
