package main

import (
	"fmt"
	"io"
	"slices"

	"lamina/arch"
	"lamina/cmd/internal/portlimit"
)

// limitRow is the share of the CPU's limit that a long message reaches.
type limitRow struct {
	Mode       string  `json:"mode"`
	Impl       string  `json:"impl"`
	KeyBits    int     `json:"key_bits"`
	Op         string  `json:"op"`
	Bytes      int     `json:"bytes"`
	VectorBits int     `json:"vector_bits"`
	NS         float64 `json:"ns"`
	LimitNS    float64 `json:"limit_ns"`
	Fraction   float64 `json:"fraction"`
}

// limitBytes is long enough that the ends of a message do not count, and fits the first cache.
const limitBytes = 16384

// limitKinds are the modes that are held against a limit, by what sets the limit.
var limitKinds = []struct {
	title string
	loop  func(arch.Impl, int) (portlimit.Loop, bool)
	cases []limitCase
}{
	{"ports: AES rounds and 4 multiplications for each vector", portlimit.GCM, []limitCase{{"gcm", "seal"}, {"gcm", "open"}}},
	{"ports: AES rounds alone", portlimit.Rounds, []limitCase{
		{"ctr", "encrypt"}, {"xctr", "encrypt"}, {"xts", "encrypt"}, {"xts", "decrypt"}, {"cbc", "decrypt"},
	}},
	{"latency: AES rounds of one block after the other", portlimit.Chain, []limitCase{{"cbc", "encrypt"}, {"cmac", "sum"}}},
}

type limitCase struct{ mode, op string }

// chosen reports whether the options leave c in.
func (c limitCase) chosen(o speedOptions) bool {
	if c.mode == "gcm" {
		return o.wantsOp(c.op)
	}
	return o.wants(findMode(c.mode), c.op)
}

func (c limitCase) side(im arch.Impl, bits int) func(n int) {
	if c.mode == "gcm" {
		return laminaSide(im, shape{KeyBits: bits, Op: c.op, AD: 13, Bytes: limitBytes})
	}
	return findMode(c.mode).ours(im, modeCase{bits, c.op, limitBytes})
}

func (rep *report) measureLimit(s *session, o speedOptions, impls []arch.Impl) {
	for _, kind := range limitKinds {
		for _, c := range kind.cases {
			if !c.chosen(o) {
				continue
			}
			for _, bits := range o.keySizes {
				for _, im := range impls {
					if loop, ok := kind.loop(im, bits); ok {
						rep.measureOneLimit(s, o, im, bits, c, loop)
					}
				}
			}
		}
	}
}

func (rep *report) measureOneLimit(s *session, o speedOptions, im arch.Impl, bits int, c limitCase, loop portlimit.Loop) {
	passes := limitBytes / loop.BytesPerPass()
	rows := &rep.ModeLimit
	if c.mode == "gcm" {
		rows = &rep.Limit
	}
	s.add(2*o.cell, func(t []timing) {
		*rows = append(*rows, limitRow{
			c.mode, im.String(), bits, c.op, limitBytes, loop.VectorBytes * 8, t[0].best(), t[1].best(), t[1].over(t[0]),
		})
	}, c.side(im, bits), func(n int) { loop.Run(n * passes) })
}

func (rep *report) printLimit(w io.Writer) error {
	for _, kind := range limitKinds {
		var t table
		for _, c := range kind.cases {
			for _, r := range slices.Concat(rep.Limit, rep.ModeLimit) {
				if (limitCase{r.Mode, r.Op}) == c {
					t.add(r.name(), fmt.Sprint(r.VectorBits), ns(r.LimitNS), ns(r.NS), percent(r.Fraction))
				}
			}
		}
		if len(t.lines) == 0 {
			continue
		}
		fmt.Fprintf(w, "\nShare of the limit at %d bytes, set by %s\n", limitBytes, kind.title)
		t.lines = append([][]string{{"", "vector bits", "limit ns", "ns", "reached"}}, t.lines...)
		if err := t.print(w); err != nil {
			return err
		}
	}
	return nil
}

func (r limitRow) name() string {
	if r.Mode == "gcm" {
		return fmt.Sprintf("AES-%d-GCM %s, %s", r.KeyBits, r.Op, r.Impl)
	}
	return modeRow{Mode: r.Mode, modeCase: modeCase{KeyBits: r.KeyBits, Op: r.Op}}.name() + ", " + r.Impl
}
