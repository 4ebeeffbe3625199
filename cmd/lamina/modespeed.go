package main

import (
	"fmt"
	"io"
	"slices"
	"time"

	"lamina/arch"
)

// modeRow is one cell of the tables of the modes other than GCM.
type modeRow struct {
	Mode string `json:"mode"`
	Impl string `json:"impl"`
	modeCase
	NS         float64 `json:"ns"`
	Standard   string  `json:"standard"`              // what it is compared with
	StandardNS float64 `json:"standard_ns,omitempty"` // absent where the standard does not take the length
	Ratio      float64 `json:"ratio,omitempty"`       // above 1 where Lamina is faster
}

// key tells tables apart. Within one, length and implementation change.
func (r modeRow) key() modeRow {
	return modeRow{Mode: r.Mode, modeCase: modeCase{KeyBits: r.KeyBits, Op: r.Op}}
}

// wants reports whether the options leave in this operation of m.
func (o speedOptions) wants(m mode, op string) bool { return len(m.ops) == 1 || o.wantsOp(op) }

// measureModes measures every implementation and the standard in the same rounds.
func (rep *report) measureModes(s *session, o speedOptions, impls []arch.Impl) {
	for _, m := range modes {
		if slices.Contains(o.modes, m.name) {
			measureMode(s, o, impls, m, &rep.Modes)
		}
	}
}

func measureMode(s *session, o speedOptions, impls []arch.Impl, m mode, rows *[]modeRow) {
	for _, bits := range o.keySizes {
		for _, op := range m.ops {
			for _, n := range o.lengths {
				if c := (modeCase{bits, op, n}); m.accepts(c) && o.wants(m, op) {
					measureCase(s, o.cell, impls, m, c, rows)
				}
			}
		}
	}
}

func measureCase(s *session, cell time.Duration, impls []arch.Impl, m mode, c modeCase, rows *[]modeRow) {
	var sides []func(n int)
	for _, im := range impls {
		sides = append(sides, m.ours(im, c))
	}
	theirs := m.theirs(c)
	if theirs != nil {
		sides = append(sides, theirs)
	}
	s.add(cell/2*time.Duration(len(sides)), func(t []timing) {
		for i, im := range impls {
			r := modeRow{Mode: m.name, Impl: im.String(), modeCase: c, NS: t[i].best(), Standard: m.standard}
			if theirs != nil {
				standard := t[len(impls)]
				r.StandardNS, r.Ratio = standard.best(), standard.over(t[i])
			}
			*rows = append(*rows, r)
		}
	}, sides...)
}

func (rep *report) printModeTimes(w io.Writer) error {
	for _, rows := range groups(rep.Modes, modeRow.key) {
		if err := printTimes(w, rows); err != nil {
			return err
		}
	}
	return nil
}

func (rep *report) printModeRatios(w io.Writer) error {
	for _, rows := range groups(rep.Modes, func(r modeRow) string { return r.Mode }) {
		if err := printRatios(w, rows); err != nil {
			return err
		}
	}
	return nil
}

// name of a row's mode and operation, such as "AES-256-XTS decrypt".
func (r modeRow) name() string {
	m := findMode(r.Mode)
	name := fmt.Sprintf("AES-%d-%s", r.KeyBits, m.title)
	if len(m.ops) > 1 {
		name += " " + r.Op
	}
	return name
}

// byLength splits the rows of one table into those of each length.
func byLength(rows []modeRow) [][]modeRow {
	return groups(rows, func(r modeRow) int { return r.Bytes })
}

func printTimes(w io.Writer, rows []modeRow) error {
	fmt.Fprintf(w, "\n%s, nanoseconds\n", rows[0].name())
	lengths := byLength(rows)
	standard := []string{rows[0].Standard}
	for _, at := range lengths {
		standard = append(standard, orNothing(at[0].StandardNS, ns))
	}
	t := table{lines: [][]string{lengthHeader(lengths), standard}}
	for i, r := range lengths[0] {
		line := []string{r.Impl}
		for _, at := range lengths {
			line = append(line, ns(at[i].NS))
		}
		t.add(line...)
	}
	return t.print(w)
}

// printRatios prints one table for a mode, with the key sizes and operations below each other.
func printRatios(w io.Writer, rows []modeRow) error {
	m := findMode(rows[0].Mode)
	fmt.Fprintf(w, "\nTime of %s divided by that of Lamina, %s\n", m.standard, m.title)
	var t table
	for i, rows := range groups(rows, modeRow.key) {
		lengths := byLength(rows)
		if i == 0 {
			t.add(lengthHeader(lengths)...)
		}
		for i, r := range lengths[0] {
			line := []string{r.name() + ", " + r.Impl}
			for _, at := range lengths {
				line = append(line, orNothing(at[i].Ratio, ratio))
			}
			t.add(line...)
		}
	}
	return t.print(w)
}

func lengthHeader(lengths [][]modeRow) []string {
	header := []string{"bytes"}
	for _, at := range lengths {
		header = append(header, fmt.Sprint(at[0].Bytes))
	}
	return header
}

func ratio(v float64) string { return fmt.Sprintf("%.2f", v) }

// orNothing formats v, or shows that there is none.
func orNothing(v float64, format func(float64) string) string {
	if v == 0 {
		return "-"
	}
	return format(v)
}
