package ctscan

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// instruction is a line of the disassembly.
type instruction struct {
	file       string
	line       int
	address    uint64
	op         string
	text       string // with operands, and without relocations
	relocation string // the name of a symbol, or nothing
}

// function is a symbol of the text segment.
type function struct {
	symbol string
	code   []instruction
	isa    *isa
}

// isa is what is to be known of a GOARCH.
type isa struct {
	conditional *regexp.Regexp // the names of conditional jumps
	indexed     *regexp.Regexp // operands with a base and an index
	unused      *regexp.Regexp // instructions whose operands are no accesses
	division    *regexp.Regexp
	// target returns where a jump at an address goes, if its operands say so.
	target func(in *instruction) (address uint64, ok bool)
}

var isas = map[string]*isa{
	"amd64": {
		conditional: regexp.MustCompile(`^J[A-Z]+$`), // JMP is sorted out by its name
		indexed:     regexp.MustCompile(`\(\w+\)\(\w+\*\d\)`),
		unused:      regexp.MustCompile(`^(LEA|NOP)`),
		division:    regexp.MustCompile(`^I?DIV`),
		target: func(in *instruction) (uint64, bool) {
			_, operand, _ := strings.Cut(in.text, " ")
			address, err := strconv.ParseUint(strings.TrimSpace(operand), 0, 64)
			return address, err == nil
		},
	},
	"arm64": {
		conditional: regexp.MustCompile(`^(B(EQ|NE|LS|HI|LO|HS|CC|CS|GE|GT|LE|LT|MI|PL|VS|VC)|CBN?ZW?|TBN?Z)$`),
		indexed:     regexp.MustCompile(`\(\w+\)\(\w+(<<\d+|\.\w+(<<\d+)?)?\)`),
		unused:      regexp.MustCompile(`^NOP`),
		division:    regexp.MustCompile(`^[SU]DIV`),
		target: func(in *instruction) (uint64, bool) {
			m := relativeTarget.FindStringSubmatch(in.text)
			if m == nil {
				return 0, false
			}
			words, err := strconv.ParseInt(m[1], 10, 64)
			return in.address + uint64(4*words), err == nil
		},
	},
}

var (
	relativeTarget  = regexp.MustCompile(`(-?\d+)\(PC\)`)
	textLine        = regexp.MustCompile(`^TEXT (.*)\(SB\) `)
	instructionLine = regexp.MustCompile(`^\s+(\S+):(\d+)\s+0x([0-9a-f]+)\s+[0-9a-f]+\s+(.*?)\s*$`)
	relocationName  = regexp.MustCompile(`\s\[\d+:\d+\]R_\w+:(\S+?)(<1>)?(\+\d+)?$`)
)

// parseCode parses the output of go tool objdump.
func parseCode(text string, isa *isa) (code []function, err error) {
	for _, line := range strings.Split(text, "\n") {
		if m := textLine.FindStringSubmatch(line); m != nil {
			code = append(code, function{symbol: m[1], isa: isa})
			continue
		}
		m := instructionLine.FindStringSubmatch(line)
		if m == nil || len(code) == 0 {
			if strings.TrimSpace(line) != "" && len(code) > 0 {
				return nil, fmt.Errorf("ctscan: not understood: %s", line)
			}
			continue
		}
		in := instruction{file: m[1], text: m[4]}
		in.line, _ = strconv.Atoi(m[2])
		in.address, _ = strconv.ParseUint(m[3], 16, 64)
		if at := relocationName.FindStringSubmatchIndex(in.text); at != nil {
			in.relocation = in.text[at[2]:at[3]]
			in.text = in.text[:at[0]]
		}
		in.op, _, _ = strings.Cut(in.text, " ")
		f := &code[len(code)-1]
		f.code = append(f.code, in)
	}
	if len(code) == 0 {
		return nil, fmt.Errorf("ctscan: no code")
	}
	return code, nil
}

// name returns the function's name without the package.
func (f *function) name(path string) string { return strings.TrimPrefix(f.symbol, path+".") }

// branches reports whether an instruction is a conditional jump.
func (f *function) branches(in *instruction) bool {
	return f.isa.conditional.MatchString(in.op) && in.op != "JMP"
}

// at returns the index of the instruction at an address, and -1 if there is none.
func (f *function) at(address uint64) int {
	return slices.IndexFunc(f.code, func(in instruction) bool { return in.address == address })
}

// leads reports whether the code from index i on calls one of leaves before it branches, returns or calls
// something else.
func (f *function) leads(i int, leaves *regexp.Regexp) bool {
	for steps := 0; i >= 0 && i < len(f.code) && steps < len(f.code); steps++ {
		in := &f.code[i]
		switch {
		case in.op == "CALL":
			return leaves.MatchString(in.relocation)
		case in.op == "RET" || f.branches(in):
			return false
		case in.op == "JMP":
			target, ok := f.isa.target(in)
			if !ok {
				return false
			}
			i = f.at(target)
		default:
			i++
		}
	}
	return false
}

// neverReturns are what a program does not come back from, and the growth of the stack, which starts the function
// anew. A branch to either goes the same way every time in a program that goes on.
var neverReturns = regexp.MustCompile(`^runtime\.(panic\w*|gopanic|morestack\w*)$`)

// leaves reports whether one side of the branch at index i ends so.
func (f *function) leaves(i int) bool {
	if f.leads(i+1, neverReturns) {
		return true
	}
	target, ok := f.isa.target(&f.code[i])
	if !ok {
		return false
	}
	return f.leads(f.at(target), neverReturns)
}
