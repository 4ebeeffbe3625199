// Command montecarlo prints the sums of long chains of messages under every mode with keys of every
// size. It computes them with modes written down plainly from their specifications, and nothing of the library.
// The tests of the library compare with what it printed:
//
//	go run ./montecarlo >../internal/montecarlo/sums.txt
package main

import (
	"fmt"

	"lamina/internal/montecarlo"
	"lamina/internal/textbook"
)

func main() { fmt.Print(table()) }

func table() (lines string) {
	for _, m := range textbook.Modes() {
		for _, size := range m.Keys {
			c := montecarlo.NewChain(m, size)
			short := c.Sum(montecarlo.Short, m.Encrypt)
			lines += montecarlo.Line(m, size, short, c.Sum(montecarlo.Long, m.Encrypt))
		}
	}
	return lines
}
