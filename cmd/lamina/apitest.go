package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"lamina/api/registry"
	"lamina/api/scatter"
	"lamina/arch"
)

// messageChecks holds the requests of a driver against direct calls of the library, by the type of the driver, and
// returns how many messages it compared.
var messageChecks = map[registry.Type]func(registry.Algorithm) (int, error){
	registry.AEAD:     checkAEADMessages,
	registry.SKCipher: checkSKCipherMessages,
}

// testDrivers reports the self-test of every driver of these implementations, and compares what their requests do
// with direct calls.
func testDrivers(w io.Writer, impls []arch.Impl) error {
	drivers, failed, messages := 0, 0, 0
	for _, e := range registry.List() {
		if e.Internal || !isOf(e.Algorithm, impls) {
			continue
		}
		drivers++
		n, err := testDriver(e)
		messages += n
		line := fmt.Sprintf("ok    %-32s  self-test, %d messages compared\n", e.Algorithm.Driver, n)
		if err != nil {
			failed++
			line = fmt.Sprintf("FAIL  %-32s  %v\n", e.Algorithm.Driver, err)
		}
		if _, err := io.WriteString(w, line); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d drivers are wrong: do not use this program on this machine", failed, drivers)
	}
	_, err := fmt.Fprintf(w, "%d drivers passed, %d messages are what direct calls make of them\n", drivers, messages)
	return err
}

// isOf reports whether the driver is one of impls for requests: its name ends in that of the implementation. Those of
// workers, "cryptd(...)", do not; they are tested with the driver that they use.
func isOf(a registry.Algorithm, impls []arch.Impl) bool {
	return slices.ContainsFunc(impls, func(im arch.Impl) bool { return strings.HasSuffix(a.Driver, "-"+im.String()) })
}

func testDriver(e registry.Entry) (messages int, err error) {
	if e.State != registry.Passed {
		return 0, fmt.Errorf("self-test: %w", e.Err)
	}
	check := messageChecks[e.Type]
	if check == nil {
		return 0, nil
	}
	return check(e.Algorithm)
}

// division is a way to lay a message out in segments.
type division struct {
	name string
	cut  func(message []byte, adSize, textSize int) scatter.List
}

var divisions = []division{
	{"one segment", func(m []byte, _, _ int) scatter.List { return scatter.List{m} }},
	{"a segment for each part", func(m []byte, ad, text int) scatter.List {
		return scatter.List{m[:ad], m[ad : ad+text], m[ad+text:]}
	}},
	{"four segments", func(m []byte, _, _ int) scatter.List { return cutEvenly(m, 4) }},
	{"segments of 7 bytes", func(m []byte, _, _ int) scatter.List { return cutEvenly(m, (len(m)+6)/7) }},
	{"long, empty and short segments", func(m []byte, _, _ int) scatter.List {
		var list scatter.List
		for i := 0; len(m) > 0; i++ {
			n := min(len(m), []int{601, 0, 1, 33}[i%4])
			list = append(list, m[:n])
			m = m[n:]
		}
		return list
	}},
}

// cutEvenly cuts memory into n segments, each as long as the others but for one byte.
func cutEvenly(memory []byte, n int) scatter.List {
	list := make(scatter.List, n)
	for i := range list {
		list[i] = memory[len(memory)*i/n : len(memory)*(i+1)/n]
	}
	return list
}
