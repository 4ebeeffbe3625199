package main

import (
	"fmt"
	"io"

	"lamina/arch"
)

// recordsReport is everything records found out, and its JSON.
type recordsReport struct {
	Schema  int         `json:"schema"`
	Machine machine     `json:"machine"`
	Records []recordRow `json:"records"`
}

// recordRow is what one way takes for one record. Cycles are absent where nothing measures them.
type recordRow struct {
	Impl string `json:"impl"`
	shape
	Way           string  `json:"way"`
	Segments      int     `json:"segments,omitempty"` // of requests
	NS            float64 `json:"ns"`
	Cycles        float64 `json:"cycles,omitempty"`
	GHz           float64 `json:"ghz,omitempty"` // the clock by which cycles are counted
	Gbits         float64 `json:"gbit_per_s"`
	OverDirectNS  float64 `json:"over_direct_ns"` // 0 for the direct call
	OverDirect    float64 `json:"over_direct_cycles,omitempty"`
	SegmentNS     float64 `json:"segment_ns,omitempty"` // of requests with more than one segment, each but the first
	SegmentCycles float64 `json:"segment_cycles,omitempty"`

	title string // of the way
}

func newRecordRow(im arch.Impl, s shape, way recordWay, ns, cycleNS float64) recordRow {
	r := recordRow{Impl: im.String(), shape: s, Way: way.name, Segments: way.segments, NS: ns, title: way.title}
	r.Gbits = float64(8*s.Bytes) / ns
	if cycleNS > 0 {
		r.Cycles, r.GHz = ns/cycleNS, 1/cycleNS
	}
	return r
}

// compare compares the last n rows, which are the ways for one record, with each other. The clock is the same in all.
func (rep *recordsReport) compare(n int) {
	rows := rep.Records[len(rep.Records)-n:]
	var direct, single float64
	for _, r := range rows {
		switch {
		case r.Way == directWay:
			direct = r.NS
		case r.Segments == 1:
			single = r.NS
		}
	}
	for i := range rows {
		r := &rows[i]
		r.OverDirectNS = r.NS - direct
		r.OverDirect = r.OverDirectNS * r.GHz
		if r.Segments > 1 {
			r.SegmentNS = (r.NS - single) / float64(r.Segments-1)
			r.SegmentCycles = r.SegmentNS * r.GHz
		}
	}
}

// recordCase is what tables and panels of the chart are about: all but way and length.
type recordCase struct {
	impl string
	bits int
	op   string
	ad   int
}

func (r recordRow) of() recordCase { return recordCase{r.Impl, r.KeyBits, r.Op, r.AD} }

func (c recordCase) String() string { return fmt.Sprintf("AES-%d-GCM %s, %s", c.bits, c.op, c.impl) }

// recordColumn is a table of one figure, and which rows have it.
type recordColumn struct {
	title string
	value func(r recordRow) string
	has   func(r recordRow) bool
}

func always(recordRow) bool { return true }

// recordColumns are the tables of a case. The comparisons are in cycles, or without a clock in nanoseconds.
func recordColumns(clock bool) []recordColumn {
	columns := []recordColumn{{"nanoseconds a record", func(r recordRow) string { return ns(r.NS) }, always}}
	unit := "nanoseconds"
	over := func(r recordRow) float64 { return r.OverDirectNS }
	segment := func(r recordRow) float64 { return r.SegmentNS }
	if clock {
		cycles := func(r recordRow) string { return fmt.Sprintf("%.0f", r.Cycles) }
		columns = append(columns, recordColumn{"cycles a record", cycles, always})
		unit = "cycles"
		over = func(r recordRow) float64 { return r.OverDirect }
		segment = func(r recordRow) float64 { return r.SegmentCycles }
	}
	return append(columns,
		recordColumn{"Gbit/s on one core", func(r recordRow) string { return fmt.Sprintf("%.2f", r.Gbits) }, always},
		recordColumn{
			unit + " that the direct call saves a record",
			func(r recordRow) string { return fmt.Sprintf("%.0f", over(r)) },
			func(r recordRow) bool { return r.Way != directWay },
		},
		recordColumn{
			unit + " for each segment after the first",
			func(r recordRow) string { return fmt.Sprintf("%.1f", segment(r)) },
			func(r recordRow) bool { return r.Segments > 1 },
		},
	)
}

func (rep *recordsReport) print(w io.Writer) error {
	rep.Machine.print(w)
	for _, rows := range groups(rep.Records, recordRow.of) {
		r := rows[0]
		for _, column := range recordColumns(r.GHz > 0) {
			fmt.Fprintf(w, "\n%v, %d bytes of associated data, %s\n", r.of(), r.AD, column.title)
			if err := column.table(rows).print(w); err != nil {
				return err
			}
		}
	}
	return rep.printClock(w)
}

// table has the lengths in its columns and the ways in its lines.
func (c recordColumn) table(rows []recordRow) *table {
	lines := [][]string{{"bytes"}}
	lengths := groups(rows, func(r recordRow) int { return r.Bytes })
	for i, r := range lengths[0] {
		if c.has(r) {
			line := []string{r.title}
			for _, at := range lengths {
				line = append(line, c.value(at[i]))
			}
			lines = append(lines, line)
		}
	}
	for _, at := range lengths {
		lines[0] = append(lines[0], fmt.Sprint(at[0].Bytes))
	}
	return &table{lines}
}

// printClock prints the slowest and the fastest clock that cycles were counted by.
func (rep *recordsReport) printClock(w io.Writer) error {
	low, high := rep.Records[0].GHz, rep.Records[0].GHz
	for _, r := range rep.Records {
		low, high = min(low, r.GHz), max(high, r.GHz)
	}
	if low == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "\nCycles are of a clock of %.2f to %.2f GHz.\n", low, high)
	return err
}
