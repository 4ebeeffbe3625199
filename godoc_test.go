package lamina_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestGodoc holds that every package has a comment that says what it is for, that every exported name of it has
// one too, and that every package which programs import has examples.
func TestGodoc(t *testing.T) {
	checked := 0
	for _, root := range []string{".", "arch", "lib", "api"} {
		for _, dir := range packageDirs(t, root) {
			checked++
			checkGodoc(t, dir)
		}
	}
	if checked < 15 {
		t.Fatalf("found %d packages only", checked)
	}
}

// packageDirs returns the folders under root that hold Go packages of this module; for "." that folder alone.
func packageDirs(t *testing.T, root string) (dirs []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		nested, err := filepath.Glob(filepath.Join(path, "go.mod"))
		if err != nil || root != "." && len(nested) > 0 || root == "." && path != "." {
			return filepath.SkipDir
		}
		files, err := filepath.Glob(filepath.Join(path, "*.go"))
		if slices.ContainsFunc(files, func(f string) bool { return !strings.HasSuffix(f, "_test.go") }) {
			dirs = append(dirs, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

func checkGodoc(t *testing.T, dir string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, path := range paths {
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	p, err := doc.NewFromFiles(set, files, "lamina/"+filepath.ToSlash(dir))
	if err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	if !strings.HasPrefix(p.Doc, "Package "+p.Name+" ") {
		t.Errorf("%s: the package comment does not begin with \"Package %s\"", dir, p.Name)
	}
	missing := func(name string) { t.Errorf("%s: %s has no comment", dir, name) }
	checkValues(slices.Concat(p.Consts, p.Vars), missing)
	checkFuncs("", p.Funcs, missing)
	examples := len(p.Examples)
	for _, typ := range p.Types {
		if typ.Doc == "" {
			missing(typ.Name)
		}
		checkFields(typ, missing)
		checkValues(slices.Concat(typ.Consts, typ.Vars), missing)
		checkFuncs("", typ.Funcs, missing)
		checkFuncs(typ.Name+".", typ.Methods, missing)
		examples += len(typ.Examples)
		for _, f := range slices.Concat(typ.Funcs, typ.Methods) {
			examples += len(f.Examples)
		}
	}
	for _, f := range p.Funcs {
		examples += len(f.Examples)
	}
	if !strings.Contains(dir, "internal") && !strings.HasPrefix(dir, "arch"+string(filepath.Separator)) && dir != "." && examples == 0 {
		t.Errorf("%s: no example", dir)
	}
}

// ofStandard are methods whose meaning is that of the interface they implement.
var ofStandard = []string{"Error", "String", "Unwrap"}

func checkFuncs(prefix string, funcs []*doc.Func, missing func(string)) {
	for _, f := range funcs {
		if f.Doc == "" && !slices.Contains(ofStandard, f.Name) {
			missing(prefix + f.Name)
		}
	}
}

// checkValues wants a comment for each constant and variable, or for the group that it is in.
func checkValues(values []*doc.Value, missing func(string)) {
	for _, v := range values {
		for _, spec := range v.Decl.Specs {
			s := spec.(*ast.ValueSpec)
			for _, name := range s.Names {
				if name.IsExported() && v.Doc == "" && s.Doc == nil && s.Comment == nil {
					missing(name.Name)
				}
			}
		}
	}
}

// checkFields wants a comment for each exported field, or its name in the comment of the type.
func checkFields(typ *doc.Type, missing func(string)) {
	for _, spec := range typ.Decl.Specs {
		s, ok := spec.(*ast.TypeSpec).Type.(*ast.StructType)
		if !ok {
			continue
		}
		for _, field := range s.Fields.List {
			for _, name := range field.Names {
				if name.IsExported() && field.Doc == nil && field.Comment == nil && !strings.Contains(typ.Doc, name.Name) {
					missing(typ.Name + "." + name.Name)
				}
			}
		}
	}
}
