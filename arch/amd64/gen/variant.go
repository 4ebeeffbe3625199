package main

// variant is one way to compile a template: which registers, how wide, in which encoding.
type variant struct {
	suffix string   // of the assembly functions' names
	width  int      // bytes in a vector: 16, 32 or 64
	enc    encoding // how instructions are spelled
}

// encoding is the instruction encoding, and with it what a register file offers.
type encoding int

const (
	sse  encoding = iota // two operands, 16 registers, memory operands must be aligned
	vex                  // three operands, 16 registers
	evex                 // three operands, 32 registers, masks, three-way logic
)

// variants lists the five forms of every template that works on many blocks, narrowest first.
var variants = []variant{
	{suffix: "AESNI", width: 16, enc: sse},
	{suffix: "AESNIAVX", width: 16, enc: vex},
	{suffix: "VAESAVX2", width: 32, enc: vex},
	{suffix: "VAESAVX512Y", width: 32, enc: evex},
	{suffix: "VAESAVX512Z", width: 64, enc: evex},
}

// lanes is how many blocks a vector holds.
func (v variant) lanes() int { return v.width / 16 }
