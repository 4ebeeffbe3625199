package ctscan

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func load(t *testing.T, goarch, path string) *Package {
	t.Helper()
	p, err := Load(goarch, path)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestLeaky holds what is found in functions that leak, and that nothing else is.
func TestLeaky(t *testing.T) {
	const path = "lamina/conformance/internal/leaky"
	for _, goarch := range []string{"amd64", "arm64"} {
		p := load(t, goarch, path)
		compare(t, goarch+", source", p.Source(), []string{
			"Choose: conversion: int(secret)",
			"EqualUntil: comparison: a[i] != b[i]",
			"Modulus: division: a % m",
			"MultiplyBits: comparison: a >> 63 != 0",
			"MultiplyBits: comparison: b & 1 != 0",
			"MultiplyBits: comparison: b != 0",
			"Substitute: division: state % uint32(len(table))",
			"Substitute: index: table[state % uint32(len(table))]",
		})
		want := []string{
			"Modulus: division: return a % m",
			"Same: branch: ", // the comparison of lengths, in another package
			"Same: call: runtime.memequal",
			"Substitute: data: table",
		}
		if goarch == "amd64" { // arm64 has instructions for both
			want = append(want, "Convert: branch: return float64(word)", "Reverse: address: ", "Reverse: data: go:string")
		}
		compare(t, goarch+", code", p.Compiled(), want)
	}
}

func compare(t *testing.T, what string, found []Finding, want []string) {
	t.Helper()
	var got []string
	for _, f := range found {
		got = append(got, fmt.Sprintf("%s: %s: %s", f.Function, f.Kind, f.Text))
	}
	slices.Sort(got)
	slices.Sort(want)
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("%s: found\n\t%s\nwant\n\t%s", what, strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// TestCode has code in which branches go where they may, and where they may not.
func TestCode(t *testing.T) {
	const head = "TEXT p.f(SB) f.go\n"
	for name, test := range map[string]struct {
		goarch, code string
		leaves       bool
	}{
		"to a panic": {"amd64", "  f.go:1 0x10 75 JNE 0x13\n  f.go:1 0x12 c3 RET\n  f.go:1 0x13 90 NOPL\n" +
			"  f.go:1 0x14 e8 CALL 0x19 [1:5]R_CALL:runtime.panicBounds\n", true},
		"over a panic": {"amd64", "  f.go:1 0x10 75 JNE 0x17\n" +
			"  f.go:1 0x12 e8 CALL 0x17 [1:5]R_CALL:runtime.panicBounds\n  f.go:1 0x17 c3 RET\n", true},
		"to a panic by a jump": {"amd64", "  f.go:1 0x10 75 JNE 0x13\n  f.go:1 0x12 c3 RET\n  f.go:1 0x13 eb JMP 0x20\n" +
			"  f.go:1 0x20 e8 CALL 0x25 [1:5]R_CALL:runtime.panicBounds\n", true},
		"to the growth of the stack": {"arm64", "  f.go:1 0x10 54 BLS 2(PC)\n  f.go:1 0x14 d6 RET\n" +
			"  f.go:1 0x18 94 CALL 0(PC) [0:4]R_CALLARM64:runtime.morestack_noctxt\n", true},
		"to a return": {"amd64", "  f.go:1 0x10 75 JNE 0x13\n  f.go:1 0x12 90 NOPL\n  f.go:1 0x13 c3 RET\n", false},
		"to another branch": {"amd64", "  f.go:1 0x10 75 JNE 0x14\n  f.go:1 0x12 75 JNE 0x14\n" +
			"  f.go:1 0x14 75 JNE 0x16\n  f.go:1 0x16 e8 CALL 0x1b [1:5]R_CALL:runtime.panicBounds\n", false},
		"to another function": {"arm64", "  f.go:1 0x10 b4 CBZ R0, 2(PC)\n  f.go:1 0x14 d6 RET\n" +
			"  f.go:1 0x18 94 CALL 0(PC) [0:4]R_CALLARM64:p.g\n", false},
		"round and round": {"amd64", "  f.go:1 0x10 75 JNE 0x12\n  f.go:1 0x12 eb JMP 0x12\n", false},
	} {
		code, err := parseCode(head+test.code, isas[test.goarch])
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		f := &code[0]
		if !f.branches(&f.code[0]) {
			t.Errorf("%s: %q is no branch", name, f.code[0].text)
		}
		if got := f.leaves(0); got != test.leaves {
			t.Errorf("%s: never returns: %v", name, got)
		}
	}
}

// TestOperands holds which operands are addresses with an index.
func TestOperands(t *testing.T) {
	for goarch, texts := range map[string]map[string]bool{
		"amd64": {
			"MOVL 0(AX)(CX*4), DX": true, "XORQ DX, -0x8(AX)(R10*1)": true, "MOVL 0x10(AX), DX": false, "ADDQ AX, CX": false,
		},
		"arm64": {
			"MOVWU (R0)(R1<<2), R3": true, "MOVBU (R0)(R1), R3": true, "MOVD R3, (R0)(R1.UXTW<<3)": true, "MOVD 8(R0), R1": false,
			"LDP (R0), (R1, R2)": false, "ORR R1<<32, R3, R0": false,
		},
	} {
		for text, want := range texts {
			if got := isas[goarch].indexed.MatchString(text); got != want {
				t.Errorf("%s: %s has an index: %v", goarch, text, got)
			}
		}
	}
}

// TestErrors holds that what is not understood is an error, not an absence of findings.
func TestErrors(t *testing.T) {
	for _, text := range []string{"", "TEXT p.f(SB) f.go\n  what is this\n"} {
		if _, err := parseCode(text, isas["amd64"]); err == nil {
			t.Errorf("no error for %q", text)
		}
	}
	if _, err := Load("mips", "lamina/conformance/internal/leaky"); err == nil {
		t.Error("no error for a GOARCH that is not supported")
	}
	if _, err := Load("amd64", "lamina/conformance/internal/nothing"); err == nil {
		t.Error("no error for a package that is not there")
	}
}
