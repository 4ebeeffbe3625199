// Package timing checks what Documentation/security.md claims about time, in two ways.
//
// TestConstantTime measures: every operation that is claimed to take the same time for all keys and texts runs
// on inputs of two classes, and the times are compared (see package dudect). With LAMINA_CHECK_TIMING=1 it takes
// minutes, for every implementation that the CPU has; with LAMINA_CHECK_TIMING=short less than one, for the best
// of them and the portable one, at a coarser resolution. Otherwise it is skipped, since a machine that runs other
// tests meanwhile is no place to measure.
//
// TestCompiled reads: it disassembles the portable code, and accepts no branch and no computed address but
// those that a list gives a reason for. It runs always.
//
// Both must also find what leaks on purpose, or they fail.
package timing
