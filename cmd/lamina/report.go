package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// report is everything speed found out, and its JSON.
type report struct {
	Schema      int              `json:"schema"`
	Machine     machine          `json:"machine"`
	GCM         []gcmRow         `json:"gcm,omitempty"`
	Modes       []modeRow        `json:"modes,omitempty"`
	Sectors     []sectorsRow     `json:"sectors,omitempty"`
	Generic     []genericRow     `json:"generic,omitempty"`
	Improvement []improvementRow `json:"improvement,omitempty"`
	Limit       []limitRow       `json:"limit,omitempty"`      // of GCM
	ModeLimit   []limitRow       `json:"mode_limit,omitempty"` // of the other modes
	Align       []alignRow       `json:"align,omitempty"`
	Partial     []partialRow     `json:"partial,omitempty"`
	Setup       []setupRow       `json:"setup,omitempty"`
	Blocks      []blocksRow      `json:"blocks,omitempty"`
	File        []fileRow        `json:"file,omitempty"`

	improved []modeRow // of which only Improvement is reported
}

// table collects lines of cells, and writes them as columns flush right but for the first.
type table struct{ lines [][]string }

func (t *table) add(cells ...string) { t.lines = append(t.lines, cells) }

func (t *table) print(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	first := 0
	for _, line := range t.lines {
		first = max(first, len(line[0]))
	}
	for _, line := range t.lines {
		fmt.Fprintf(tw, "%-*s\t%s\t\n", first, line[0], strings.Join(line[1:], "\t"))
	}
	return tw.Flush()
}

func (rep *report) print(w io.Writer) error {
	rep.Machine.print(w)
	sections := []func(io.Writer) error{
		rep.printGCM, rep.printModeTimes, rep.printSectors, rep.printLimit, rep.printAlign, rep.printPartial, rep.printSetup,
		rep.printBlocks, rep.printGeneric, rep.printFile, rep.printSummary, rep.printModeRatios, rep.printImprovement,
	}
	for _, section := range sections {
		if err := section(w); err != nil {
			return err
		}
	}
	return nil
}

func (m machine) print(w io.Writer) {
	tags := m.Tags
	if tags == "" {
		tags = "none"
	}
	fmt.Fprintf(w, "%s, %s/%s %s, %d threads\n", m.CPU, m.OS, m.Arch, m.Level, m.Threads)
	fmt.Fprintf(w, "%s, tags %s, %s, implementation chosen: %s\n", m.Go, tags, m.Date, m.Chosen)
}

// key tells tables of AES-GCM apart. Within one, only the length changes.
func (r gcmRow) key() gcmRow {
	return gcmRow{Impl: r.Impl, shape: shape{KeyBits: r.KeyBits, Op: r.Op, AD: r.AD, Align: r.Align}}
}

// groups splits rows into runs with the same key.
func groups[R any, K comparable](rows []R, key func(R) K) [][]R {
	var out [][]R
	for i, r := range rows {
		if i == 0 || key(r) != key(rows[i-1]) {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], r)
	}
	return out
}

func (rep *report) printGCM(w io.Writer) error {
	for _, rows := range groups(rep.GCM, gcmRow.key) {
		r := rows[0]
		fmt.Fprintf(w, "\nAES-%d-GCM %s, %s, %d bytes of associated data, in place%s\n", r.KeyBits, r.Op, r.Impl, r.AD,
			misaligned(r.Align))
		var t table
		lines := [][]string{{"bytes"}, {"crypto/cipher ns"}, {"lamina ns"}, {"ratio"}}
		for _, r := range rows {
			for i, cell := range []string{fmt.Sprint(r.Bytes), ns(r.StandardNS), ns(r.NS), fmt.Sprintf("%.2f", r.Ratio)} {
				lines[i] = append(lines[i], cell)
			}
		}
		t.lines = lines
		if err := t.print(w); err != nil {
			return err
		}
	}
	return nil
}

// printSummary prints all ratios together: one table for each length of associated data and alignment.
func (rep *report) printSummary(w io.Writer) error {
	type kind struct{ ad, align int }
	tables := map[kind]*table{}
	var order []kind
	for _, rows := range groups(rep.GCM, gcmRow.key) {
		r := rows[0]
		k := kind{r.AD, r.Align}
		if tables[k] == nil {
			header := []string{"bytes"}
			for _, r := range rows {
				header = append(header, fmt.Sprint(r.Bytes))
			}
			tables[k] = &table{lines: [][]string{header}}
			order = append(order, k)
		}
		line := []string{fmt.Sprintf("AES-%d %s, %s", r.KeyBits, r.Op, r.Impl)}
		for _, r := range rows {
			line = append(line, fmt.Sprintf("%.2f", r.Ratio))
		}
		tables[k].add(line...)
	}
	for _, k := range order {
		fmt.Fprintf(w, "\ncrypto/cipher's time divided by Lamina's, AES-GCM, %d bytes of associated data%s\n", k.ad,
			misaligned(k.align))
		if err := tables[k].print(w); err != nil {
			return err
		}
	}
	return nil
}

func (rep *report) printAlign(w io.Writer) error {
	if len(rep.Align) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\nCost of a text that starts so many bytes after a cache line, AES-256\n")
	header := []string{"offset"}
	for _, r := range rep.Align {
		if r.shape == (shape{256, rep.Align[0].Op, 13, rep.Align[0].Bytes, r.Align}) && r.Impl == rep.Align[0].Impl {
			header = append(header, fmt.Sprint(r.Align))
		}
	}
	t := table{lines: [][]string{header}}
	same := func(r alignRow) string { return fmt.Sprintf("%s, %s, %d bytes", r.Op, r.Impl, r.Bytes) }
	for _, rows := range groups(rep.Align, same) {
		line := []string{same(rows[0])}
		for _, r := range rows {
			line = append(line, fmt.Sprintf("%+.1f %%", r.Cost*100))
		}
		t.add(line...)
	}
	return t.print(w)
}

func (rep *report) printPartial(w io.Writer) error {
	if len(rep.Partial) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\nNanoseconds over the next multiple of 16 bytes, AES-256\n")
	t := table{lines: [][]string{{"missing bytes", "15", "4", "1"}}}
	same := func(r partialRow) string {
		return fmt.Sprintf("%s, %s, %d bytes", r.Op, r.Impl, (r.Bytes+15)/16*16)
	}
	for _, rows := range groups(rep.Partial, same) {
		line := []string{same(rows[0])}
		for _, r := range rows {
			line = append(line, fmt.Sprintf("%+.1f", r.Cost))
		}
		t.add(line...)
	}
	return t.print(w)
}

func (rep *report) printSetup(w io.Writer) error {
	if len(rep.Setup) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\nMaking an AES-GCM key ready\n")
	var t table
	t.add("key", "crypto/cipher ns", "allocations", "lamina ns", "allocations", "ratio")
	for _, r := range rep.Setup {
		t.add(fmt.Sprintf("AES-%d, %s", r.KeyBits, r.Impl), ns(r.StandardNS), allocs(r.StandardAllocs), ns(r.NS),
			allocs(r.Allocs), fmt.Sprintf("%.2f", r.Ratio))
	}
	return t.print(w)
}

func (rep *report) printBlocks(w io.Writer) error {
	if len(rep.Blocks) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\nAES blocks, nanoseconds and crypto/aes's time (block by block) divided by Lamina's\n")
	type kind struct {
		impl string
		bits int
		op   string
	}
	var t table
	header := []string{"blocks in a call"}
	rows := groups(rep.Blocks, func(r blocksRow) kind { return kind{r.Impl, r.KeyBits, r.Op} })
	for _, r := range rows[0] {
		header = append(header, fmt.Sprint(r.Blocks), "")
	}
	t.add(header...)
	for _, rows := range rows {
		line := []string{fmt.Sprintf("AES-%d %s, %s", rows[0].KeyBits, rows[0].Op, rows[0].Impl)}
		for _, r := range rows {
			line = append(line, ns(r.NS), fmt.Sprintf("(%.2f)", r.Ratio))
		}
		t.add(line...)
	}
	return t.print(w)
}

func (rep *report) printFile(w io.Writer) error {
	if len(rep.File) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\nSealing and opening %d bytes in memory with Cobblestone-256 in chunks of 16 KiB, MB/s; crypto/cipher on one thread\n", rep.File[0].Bytes)
	var t table
	t.add("", "threads", "crypto/cipher", "lamina", "ratio")
	for _, r := range rep.File {
		t.add(fmt.Sprintf("%s, %s", r.Op, r.Impl), fmt.Sprint(r.Threads), fmt.Sprintf("%.0f", r.StandardMBs),
			fmt.Sprintf("%.0f", r.MBs), fmt.Sprintf("%.2f", r.Ratio))
	}
	return t.print(w)
}

func misaligned(offset int) string {
	if offset == 0 {
		return ""
	}
	return fmt.Sprintf(", %d bytes after a cache line", offset)
}

func ns(v float64) string {
	if v < 100 {
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

func percent(v float64) string { return fmt.Sprintf("%.1f %%", v*100) }

func allocs(v float64) string { return fmt.Sprintf("%g", v) }
