package main

import (
	"fmt"
	"io"
	"math"
	"slices"

	"lamina/arch"
)

// improvementRow is by how much the throughput of an implementation is above that of improvementBase.
type improvementRow struct {
	Mode string `json:"mode"`
	Impl string `json:"impl"`
	modeCase
	Percent float64 `json:"percent"`
}

// improvementBase is what almost every CPU with AES instructions can run: 128-bit vectors with AVX.
const improvementBase = "aesni-avx"

// improvedModes are those of which Linux published such figures when they got wider vectors.
var improvedModes = []string{"ctr", "xctr", "xts"}

// measureImprovement measures the modes that the part modes does not measure. Without improvementBase there
// is nothing to compare with.
func (rep *report) measureImprovement(s *session, o speedOptions, impls []arch.Impl) {
	if !slices.ContainsFunc(impls, func(im arch.Impl) bool { return im.String() == improvementBase }) {
		return
	}
	for _, name := range improvedModes {
		if slices.Contains(o.parts, "modes") && slices.Contains(o.modes, name) {
			continue
		}
		measureMode(s, o, impls, findMode(name), &rep.improved)
	}
}

// improvements compares each row with improvementBase's of the same case. Rows of the same case follow each
// other.
func improvements(rows []modeRow) []improvementRow {
	type kind struct {
		mode string
		modeCase
	}
	var out []improvementRow
	for _, same := range groups(rows, func(r modeRow) kind { return kind{r.Mode, r.modeCase} }) {
		base := slices.IndexFunc(same, func(r modeRow) bool { return r.Impl == improvementBase })
		if base < 0 || !slices.Contains(improvedModes, same[0].Mode) {
			continue
		}
		for i, r := range same {
			if i != base {
				out = append(out, improvementRow{r.Mode, r.Impl, r.modeCase, (same[base].NS/r.NS - 1) * 100})
			}
		}
	}
	return out
}

func (rep *report) printImprovement(w io.Writer) error {
	type kind struct {
		mode string
		bits int
		op   string
	}
	for _, rows := range groups(rep.Improvement, func(r improvementRow) kind { return kind{r.Mode, r.KeyBits, r.Op} }) {
		name := modeRow{Mode: rows[0].Mode, modeCase: rows[0].modeCase}.name()
		fmt.Fprintf(w, "\nImprovement of throughput over %s, %s\n", improvementBase, name)
		header := []string{"bytes"}
		lines := map[string][]string{}
		var order []string
		for _, at := range groups(rows, func(r improvementRow) int { return r.Bytes }) {
			header = append(header, fmt.Sprint(at[0].Bytes))
			for _, r := range at {
				if lines[r.Impl] == nil {
					lines[r.Impl] = []string{r.Impl}
					order = append(order, r.Impl)
				}
				lines[r.Impl] = append(lines[r.Impl], fmt.Sprintf("%d%%", int(math.Round(r.Percent))))
			}
		}
		t := table{lines: [][]string{header}}
		for _, impl := range order {
			t.add(lines[impl]...)
		}
		if err := t.print(w); err != nil {
			return err
		}
	}
	return nil
}
