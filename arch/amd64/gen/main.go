// The program gen writes the assembly of package amd64. Each of its modes is one subject, compiled into one
// file of functions and one file of Go declarations:
//
//	go run . -mode aes -out ../aes_amd64.s -stubs ../aes_amd64.go
package main

import (
	"errors"
	"flag"
	"log"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// modes is what there is to generate. avo builds one file in one process.
var modes = map[string]func(){
	"aes":  aes,
	"cbc":  cbc,
	"ctr":  ctr,
	"gcm":  gcm,
	"hash": hash,
	"xts":  xts,
}

// readOnly is the attribute of constants.
const readOnly = attr.RODATA | attr.NOPTR

func main() {
	log.SetFlags(0)
	if runtime.GOARCH != "amd64" {
		log.Fatal("gen: run this on amd64: package keys has another layout here")
	}
	flags := flag.NewFlagSet("gen", flag.ExitOnError)
	mode := flags.String("mode", "", "what to generate")
	out := flags.String("out", "", "file of assembly to write")
	stubs := flags.String("stubs", "", "file of declarations to write")
	flags.Parse(os.Args[1:])
	generate := modes[*mode]
	if generate == nil {
		log.Fatalf("gen: -mode is %q, want one of %q", *mode, slices.Sorted(maps.Keys(modes)))
	}
	// Types come from package keys and not from amd64, which declares them under the same names: it does not
	// compile while its stubs are being changed.
	Package("lamina/arch/keys")
	ConstraintExpr("amd64")
	ConstraintExpr("!purego")
	generate()
	if err := write(*out, *stubs); err != nil {
		log.Fatalf("gen: %v", err)
	}
}

// write compiles what was built. avo empties its output files before it begins, and ends the program where it
// finds a fault, so it writes to others; the files that are asked for are only replaced when all went well.
func write(out, stubs string) error {
	dir, err := os.MkdirTemp("", "gen")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	newOut, newStubs := filepath.Join(dir, "out"), filepath.Join(dir, "stubs")
	flag.CommandLine.Parse([]string{"-pkg", "amd64", "-out", newOut, "-stubs", newStubs})
	Generate()
	return errors.Join(install(out, newOut), install(stubs, newStubs))
}

// install copies a generated file to where it belongs.
func install(to, from string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, []byte(includeRecord.Replace(string(b))), 0o666)
}

// includeRecord includes what RECORD needs: avo includes textflag.h by itself, and has no function for others.
var includeRecord = strings.NewReplacer(`#include "textflag.h"`, "#include \"record.h\"\n#include \"textflag.h\"")

// function starts a function that leaves the Go stack alone. It begins with a macro of record.h, which is empty
// but for the test of dispatch.
func function(name, signature string, doc ...string) {
	TEXT(name, attr.NOSPLIT, signature)
	Pragma("noescape")
	Doc(doc...)
	Instruction(&ir.Instruction{Opcode: "RECORD"})
}

// param loads an argument into a register.
func param(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}

// address returns where a component lies.
func address(c gotypes.Component) Mem {
	b, err := c.Resolve()
	if err != nil {
		log.Fatal(err)
	}
	return b.Addr
}
