// Package coreclock counts cycles of the core's clock by something that takes a known number of them: a chain of
// additions, each of which waits for the one before. Adding two registers takes one cycle on every CPU.
//
// The time stamp counter would not do: it runs at one speed, whatever the clock of the core.
package coreclock

// CyclesPerTurn is how many cycles one turn of the chain takes.
const CyclesPerTurn = 64
