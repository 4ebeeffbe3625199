// Command asmsize prints the size of every function in assembly, from the object files in the archive of its package:
//
//	asmsize lamina/arch/amd64
//
// It needs the go command, and runs in a folder whose module knows the package.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// suffixes end the names of functions in assembly and tell which implementation they belong to.
var suffixes = []struct{ suffix, impl string }{
	{"VAESAVX512Z", "vaes-avx512-512"},
	{"VAESAVX512Y", "vaes-avx512-256"},
	{"VAESAVX2", "vaes-avx2"},
	{"AESNIAVX", "aesni-avx"},
	{"AESNI", "aesni"},
}

// symbol is a function or a constant in an object file.
type symbol struct {
	file  string // the assembly file without its ending
	name  string // without the package's path
	bytes int
}

// impl returns the implementation a function belongs to, and its name without that.
func (s symbol) impl() (impl, base string) {
	for _, x := range suffixes {
		if base, ok := strings.CutSuffix(s.name, x.suffix); ok {
			return x.impl, base
		}
	}
	return "shared", s.name
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: asmsize PACKAGE")
		os.Exit(2)
	}
	if err := run(os.Stdout, os.Args[1]); err != nil {
		fmt.Fprintf(os.Stderr, "asmsize: %v\n", err)
		os.Exit(1)
	}
}

func run(w io.Writer, pkg string) error {
	dir, err := os.MkdirTemp("", "asmsize")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	archive := filepath.Join(dir, "package.a")
	if _, err := goCommand("build", "-o", archive, pkg); err != nil {
		return err
	}
	out, err := goCommand("tool", "nm", "-size", archive)
	if err != nil {
		return err
	}
	text, data, err := parse(bytes.NewReader(out))
	if err != nil {
		return err
	}
	if len(text) == 0 {
		return fmt.Errorf("%s has no assembly on this GOARCH or with these tags", pkg)
	}
	return print(w, text, data)
}

// goCommand runs the go command for amd64, whatever this machine is, and returns its output.
func goCommand(args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	return out, nil
}

// parse reads the output of nm -size: lines of archive(member): address size type name. The compiler's own member is
// left out, so that only assembly is left. It returns the functions, and the bytes of constants.
func parse(r io.Reader) (text []symbol, data int, err error) {
	scanner := bufio.NewScanner(r)
	for scanner.Scan() {
		line := scanner.Text()
		start := strings.LastIndex(line, "):")
		open := strings.LastIndex(line[:max(start, 0)], "(")
		if open < 0 {
			return nil, 0, fmt.Errorf("unexpected line of nm: %q", line)
		}
		member, fields := line[open+1:start], strings.Fields(line[start+2:])
		if member == "_go_.o" || len(fields) != 4 {
			continue
		}
		size, err := strconv.Atoi(fields[1])
		if err != nil {
			return nil, 0, fmt.Errorf("unexpected size in a line of nm: %q", line)
		}
		switch fields[2] {
		case "T", "t":
			name := fields[3][strings.LastIndex(fields[3], ".")+1:]
			text = append(text, symbol{strings.TrimSuffix(member, "_amd64.o"), name, size})
		case "R", "r", "D", "d":
			data += size
		}
	}
	return text, data, scanner.Err()
}

// print writes a table for each assembly file: a line for each function, a column for each implementation, and totals.
func print(w io.Writer, text []symbol, data int) error {
	columns := []string{"shared"}
	for _, x := range suffixes {
		columns = slices.Insert(columns, 1, x.impl)
	}
	total := map[string]int{}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(first string, sizes map[string]int) {
		fmt.Fprintf(tw, "%-28s", first)
		sum := 0
		for _, c := range columns {
			sum += sizes[c]
			fmt.Fprintf(tw, "\t%d", sizes[c])
		}
		fmt.Fprintf(tw, "\t%d\t\n", sum)
	}
	fmt.Fprintf(tw, "%-28s\t%s\tall\t\n", "bytes of text", strings.Join(columns, "\t"))
	for _, file := range names(text, func(s symbol) string { return s.file }) {
		inFile := slices.DeleteFunc(slices.Clone(text), func(s symbol) bool { return s.file != file })
		fileTotal := map[string]int{}
		for _, base := range names(inFile, func(s symbol) string { _, base := s.impl(); return base }) {
			sizes := map[string]int{}
			for _, s := range inFile {
				if impl, b := s.impl(); b == base {
					sizes[impl] += s.bytes
					fileTotal[impl] += s.bytes
					total[impl] += s.bytes
				}
			}
			row(base, sizes)
		}
		row("= "+file, fileTotal)
	}
	row("= all", total)
	if err := tw.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "constants and tables: %d bytes\n", data)
	return err
}

// names returns what of gives for the symbols, sorted and each once.
func names(symbols []symbol, of func(symbol) string) []string {
	var out []string
	for _, s := range symbols {
		out = append(out, of(s))
	}
	slices.Sort(out)
	return slices.Compact(out)
}
