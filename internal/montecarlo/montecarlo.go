// Package montecarlo condenses a long chain of messages into one number that can be written down: each message's
// key, nonce, associated data and text are made of what came out of the one before, so that any error anywhere
// changes all that follows.
//
// The numbers in sums.txt come from package textbook, by the program conformance/montecarlo, without the library.
// The tests of the library run the same chains under every implementation.
package montecarlo

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"hash"
	"math/rand/v2"
	"slices"
	"strings"

	"lamina/internal/textbook"
)

// Short and Long are after how many messages the sum of a chain is in the table.
const (
	Short = 200
	Long  = 10000
)

//go:embed sums.txt
var table string

// Table is what the program printed when it was last run.
func Table() string { return table }

// Line is the line of the table for one chain.
func Line(m textbook.Mode, keySize int, short, long string) string {
	return fmt.Sprintf("%s-%d %s %s\n", m.Name, keySize*8, short, long)
}

// Want returns the sums in the table for a mode with keys of one size, and empty ones if there are none.
func Want(m textbook.Mode, keySize int) (short, long string) {
	for line := range strings.Lines(table) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == fmt.Sprintf("%s-%d", m.Name, keySize*8) {
			return f[1], f[2]
		}
	}
	return "", ""
}

// Chain is a chain of messages under one mode with keys of one size. It begins with NewChain.
type Chain struct {
	mode              textbook.Mode
	count             int
	key, iv, text, ad []byte
	transcript        hash.Hash
}

// NewChain begins a chain.
func NewChain(m textbook.Mode, keySize int) *Chain {
	c := &Chain{mode: m, key: make([]byte, keySize), transcript: sha256.New()}
	c.compose(nil)
	return c
}

// Sum goes on until the chain has n messages, and returns the SHA-256 of all that came out. encrypt encrypts one
// message, as textbook.Mode.Encrypt.
func (c *Chain) Sum(n int, encrypt func(key, iv, text, ad []byte, tagSize int) (out, tag, next []byte)) string {
	for c.count < n {
		out, tag, next := encrypt(c.key, c.iv, c.text, c.ad, pick(c.mode.Tags, c.count/3))
		all := slices.Concat(out, tag, next)
		c.transcript.Write(all)
		c.count++
		c.compose(all)
	}
	return hex.EncodeToString(c.transcript.Sum(nil))
}

// compose makes the next message of all that came out of the last one.
func (c *Chain) compose(last []byte) {
	stream := rand.NewChaCha8(sha256.Sum256(last))
	some := func(n int) []byte {
		b := make([]byte, n)
		stream.Read(b)
		return b
	}
	c.key = some(len(c.key))
	c.iv = some(pick(c.mode.IVs, c.count))
	c.text = some(max(c.mode.MinText, c.mode.Fits(c.length(37))))
	if c.mode.AD {
		c.ad = some(c.length(23))
	}
}

// length is a length of up to 1100 bytes, and for one message in 50 of up to 5000. In time all come up, for step
// has no divisor in common with the moduli.
func (c *Chain) length(step int) int {
	if c.count%50 == 49 {
		return c.count * step % 5001
	}
	return c.count * step % 1101
}

// pick takes sizes in turn, and 0 where there are none.
func pick(sizes []int, i int) int {
	if len(sizes) == 0 {
		return 0
	}
	return sizes[i%len(sizes)]
}
