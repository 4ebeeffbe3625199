package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"lamina/arch"
	"lamina/cmd/internal/coreclock"
)

// quick has records measure too briefly to learn anything.
var quick = []string{"records", "--time", "200us", "--lengths", "16,1000"}

func hasClock() bool {
	_, ok := coreclock.Chain()
	return ok
}

// Every way has its row for each key size, direction and length, and what a row says agrees with the others.
func TestRecordsJSON(t *testing.T) {
	res := lamina(t, "", append(quick, "--json", "--ad", "20")...)
	res.succeeds(t)
	var rep recordsReport
	if err := json.Unmarshal([]byte(res.stdout), &rep); err != nil {
		t.Fatalf("%v in %s", err, res.stdout)
	}
	if rep.Schema != recordsSchema || rep.Machine.Go == "" {
		t.Errorf("schema %d, machine %+v", rep.Schema, rep.Machine)
	}
	if want := 2 * 2 * 2 * len(recordWays); len(rep.Records) != want {
		t.Fatalf("%d rows, want %d", len(rep.Records), want)
	}
	for i, r := range rep.Records {
		way := recordWays[i%len(recordWays)]
		direct := rep.Records[i-i%len(recordWays)]
		if r.Way != way.name || r.Segments != way.segments || r.AD != 20 || r.Impl != arch.Best().String() {
			t.Errorf("row %d is %+v, want one of %s", i, r, way.title)
		}
		if r.NS <= 0 || !near(r.Gbits, 8*float64(r.Bytes)/r.NS) || !near(r.OverDirectNS, r.NS-direct.NS) {
			t.Errorf("row %+v", r)
		}
		if hasClock() && (r.GHz < 0.5 || !near(r.Cycles, r.NS*r.GHz) || !near(r.OverDirect, r.Cycles-direct.Cycles)) {
			t.Errorf("cycles of row %+v", r)
		}
		single, segmentNS := rep.Records[i-i%len(recordWays)+2], 0.0
		if way.segments > 1 {
			segmentNS = (r.NS - single.NS) / float64(way.segments-1)
		}
		if !near(r.SegmentNS, segmentNS) || hasClock() && !near(r.SegmentCycles, segmentNS*r.GHz) {
			t.Errorf("what a segment costs in row %+v", r)
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*max(1, math.Abs(a), math.Abs(b)) }

func TestRecordsText(t *testing.T) {
	res := lamina(t, "", append(quick, "--key-size", "192", "--op", "open")...)
	res.succeeds(t)
	titles := []string{
		"nanoseconds a record", "Gbit/s on one core", "that the direct call saves a record", "for each segment after the first",
	}
	if hasClock() {
		titles = append(titles, "cycles a record", "GHz.")
	}
	for _, want := range append(titles, "AES-192-GCM open, "+arch.Best().String(), "bytes") {
		if !strings.Contains(res.stdout, want) {
			t.Errorf("no %q in the text:\n%s", want, res.stdout)
		}
	}
	for _, way := range recordWays {
		want := len(recordColumns(hasClock()))
		if way.segments < 2 {
			want-- // not in the table of segments
		}
		if way.name == directWay {
			want-- // nor in the one of what it saves
		}
		if got := strings.Count(res.stdout, "\n  "+way.title+" "); got != want {
			t.Errorf("%d lines of %s, want %d:\n%s", got, way.title, want, res.stdout)
		}
	}
}

// The figures that compare ways are those of the rows, with the clock and without.
func TestRecordCompare(t *testing.T) {
	for _, cycleNS := range []float64{0.25, 0} {
		var rep recordsReport
		for i, way := range recordWays {
			row := newRecordRow(arch.Generic, shape{Bytes: 1000}, way, float64(100+10*i), cycleNS)
			rep.Records = append(rep.Records, row)
		}
		rep.compare(len(recordWays))
		last := rep.Records[6] // the request with 16 segments, 4 places behind that with one
		want := recordRow{OverDirectNS: 60, SegmentNS: 40.0 / 15, Gbits: 50}
		if cycleNS > 0 {
			want.Cycles, want.OverDirect, want.SegmentCycles = 640, 240, 160.0/15
		}
		for _, pair := range [][2]float64{
			{last.OverDirectNS, want.OverDirectNS}, {last.SegmentNS, want.SegmentNS}, {last.Gbits, want.Gbits},
			{last.Cycles, want.Cycles}, {last.OverDirect, want.OverDirect}, {last.SegmentCycles, want.SegmentCycles},
		} {
			if !near(pair[0], pair[1]) {
				t.Errorf("a cycle of %v ns: %+v, want %+v", cycleNS, last, want)
				break
			}
		}
		var text, chart bytes.Buffer
		if err := errors.Join(rep.print(&text), rep.plot(&chart)); err != nil {
			t.Fatal(err)
		}
		unit := "nanoseconds"
		if cycleNS > 0 {
			unit = "cycles"
		}
		if !strings.Contains(text.String(), unit+" that the direct call saves") ||
			!strings.Contains(chart.String(), unit+" a record") {
			t.Errorf("a cycle of %v ns: the results are not in %s:\n%s", cycleNS, unit, text.String())
		}
	}
}

// All ways seal a record to the same bytes, and leave the same text when they open it.
func TestRecordWays(t *testing.T) {
	for _, bits := range []int{128, 256} {
		for _, op := range recordOps {
			s := shape{KeyBits: bits, Op: op, AD: 12, Bytes: 1001}
			tfm, err := newTransforms(arch.Best(), s.key())
			if err != nil {
				t.Fatal(err)
			}
			defer tfm.request.Close()
			want := newPacket(s)
			standardOn(want.record, op, tfm.standard)(3)
			for _, way := range recordWays {
				p := newPacket(s)
				way.side(tfm, p, op)(3)
				if !bytes.Equal(p.memory, want.memory) {
					t.Errorf("AES-%d %s: %s leaves other bytes than crypto/cipher", bits, op, way.title)
				}
			}
		}
	}
}

// A packet holds its record, and segments hold the packet.
func TestPacket(t *testing.T) {
	for _, ad := range []int{0, 12, 64, 65} {
		s := shape{KeyBits: 128, Op: "open", AD: ad, Bytes: 100}
		p := newPacket(s)
		p.nextOpen()
		if len(p.memory) != ad+100+tagSize || &p.memory[ad] != &p.buf[0] || !bytes.Equal(p.memory[:ad], patterned(ad)) {
			t.Errorf("the packet of %d bytes of associated data is put together wrongly", ad)
		}
		if _, err := newStandard(s.key()).Open(nil, p.nonce[:], p.buf, p.memory[:ad]); err != nil {
			t.Errorf("the packet of %d bytes of associated data: %v", ad, err)
		}
		for _, n := range []int{1, 2, 3, 4, 16} {
			list := p.segments(n)
			if len(list) != n || !bytes.Equal(bytes.Join(list, nil), p.memory) {
				t.Errorf("%d segments are %d, or other bytes", n, len(list))
			}
		}
		if parts := p.segments(3); len(parts[0]) != ad || len(parts[1]) != 100 {
			t.Errorf("the parts have %d, %d and %d bytes", len(parts[0]), len(parts[1]), len(parts[2]))
		}
	}
}

// The chart is XML, says what it shows, and has a white ground.
func TestRecordsPlot(t *testing.T) {
	f := newFolder(t)
	name := f.path("chart.svg")
	args := append(quick, "--plot", name)
	lamina(t, "", args...).succeeds(t)
	f.holds(t, "chart.svg")
	chart := string(f.read(t, "chart.svg"))
	var texts []string
	for d := xml.NewDecoder(strings.NewReader(chart)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the chart is no XML: %v", err)
		}
		if data, ok := token.(xml.CharData); ok {
			texts = append(texts, string(data))
		}
	}
	all := strings.Join(texts, "\n")
	for _, way := range recordWays {
		if got := strings.Count(all, way.title); got != 1 {
			t.Errorf("the legend has %s %d times", way.title, got)
		}
	}
	for _, bits := range []int{128, 256} {
		for _, op := range recordOps {
			if title := fmt.Sprintf("AES-%d-GCM %s, %v", bits, op, arch.Best()); !strings.Contains(all, title) {
				t.Errorf("no panel %s", title)
			}
		}
	}
	size := regexp.MustCompile(`viewBox="0 0 (\S+) (\S+)"`).FindStringSubmatch(chart)
	ground := fmt.Sprintf(`M0,0L%[1]s,0L%[1]s,%[2]sL0,%[2]sZ" style="fill:#FFFFFF"`, size[1], size[2])
	if !strings.Contains(chart, ground) {
		t.Error("the chart has no white ground")
	}

	if strings.Count(chart, "Liberation Sans") != strings.Count(chart, "Liberation Sans,Arial,") {
		t.Error("a text has no other font for readers who lack the first")
	}

	lamina(t, "", args...).fails(t, "exists; -f overwrites it")
	lamina(t, "", append(args, "-f")...).succeeds(t)
	lamina(t, "", append(quick, "--plot", f.path("missing/chart.svg"))...).fails(t, "no such file")
}

// An odd number of panels leaves a place empty. All have the scale of the one that goes highest.
func TestRecordsPlotOdd(t *testing.T) {
	var rep recordsReport
	for _, bits := range []int{128, 192, 256} {
		for _, way := range recordWays {
			rep.Records = append(rep.Records, newRecordRow(arch.Generic, shape{KeyBits: bits, Bytes: 1}, way, float64(10*bits), 1))
		}
	}
	var chart bytes.Buffer
	if err := rep.plot(&chart); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(chart.String(), "AES-"); got != 3 {
		t.Errorf("%d panels", got)
	}
	if got := strings.Count(chart.String(), ">2000<"); got != 3 {
		t.Errorf("%d panels go up to 2000", got)
	}
	full := errors.New("disk full")
	if err := rep.plot(&limitedWriter{err: full}); !errors.Is(err, full) {
		t.Errorf("a full disk gives %v", err)
	}
}

func TestRecordsRefusals(t *testing.T) {
	for _, tt := range []struct{ arg, want string }{
		{"--impl=sse9", "no such implementation"},
		{"--impl=", "--impl: it is empty"},
		{"--key-size=64", "128, 192 or 256"},
		{"--op=shut", "seal, open"},
		{"--op=", "--op: it is empty"},
		{"--lengths=", "--lengths"},
		{"--lengths=-1", "between 0"},
		{"--lengths=1048577", "between 0"},
		{"--ad=-1", "between 0"},
		{"--time=0s", "more than 0"},
	} {
		lamina(t, "", "records", tt.arg).fails(t, tt.want)
	}
}
