package main

import (
	"errors"
	"fmt"
	"image/color"
	"io"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// speedPens are for implementations, the widest first, and standardPen for what Go has.
var speedPens = []pen{
	{color.NRGBA{0, 70, 130, 255}, draw.CircleGlyph{}, nil},
	{color.NRGBA{0, 114, 178, 255}, draw.RingGlyph{}, dashes(7, 2)},
	{color.NRGBA{0, 158, 115, 255}, draw.SquareGlyph{}, nil},
	{color.NRGBA{230, 159, 0, 255}, draw.PyramidGlyph{}, nil},
	{color.NRGBA{213, 94, 0, 255}, draw.TriangleGlyph{}, dashes(5, 2)},
	{color.NRGBA{160, 80, 140, 255}, draw.BoxGlyph{}, dashes(2, 2)},
}

var standardPen = pen{color.NRGBA{30, 30, 30, 255}, draw.PlusGlyph{}, dashes(1, 2)}

// speedCase is a panel of the chart of speed.
type speedCase struct {
	bits int
	op   string
	ad   int
}

func (r gcmRow) of() speedCase { return speedCase{r.KeyBits, r.Op, r.AD} }

func (c speedCase) String() string {
	return fmt.Sprintf("AES-%d-GCM %s, %d bytes of associated data", c.bits, c.op, c.ad)
}

// plot writes the chart of GCM's throughput by length as SVG, of the cases that wanted says.
func (rep *report) plot(w io.Writer, wanted func(speedCase) bool) error {
	var cases []speedCase
	for _, r := range rep.GCM {
		if c := r.of(); r.Align == 0 && wanted(c) && !slices.Contains(cases, c) {
			cases = append(cases, c)
		}
	}
	if len(cases) == 0 {
		return errors.New("it has no figures of AES-GCM for these flags: they are in the part gcm of speed")
	}
	var panels []chartPanel
	for _, c := range cases {
		p, err := rep.speedPanel(c)
		if err != nil {
			return err
		}
		panels = append(panels, p)
	}
	return drawChart(w, panels)
}

// speedPanel is one case: a line for each implementation, and one for crypto/cipher, which was measured beside each
// and has the best of these times. The empty text has no throughput.
func (rep *report) speedPanel(c speedCase) (chartPanel, error) {
	p := chartPanel{title: c.String(), x: "bytes of text", y: "gigabytes a second", logX: true}
	standard := map[int]float64{}
	var lengths []int
	for _, rows := range groups(rep.GCM, func(r gcmRow) string { return r.Impl }) {
		var points plotter.XYs
		for _, r := range rows {
			if r.of() != c || r.Align != 0 || r.Bytes == 0 {
				continue
			}
			points = append(points, plotter.XY{X: float64(r.Bytes), Y: float64(r.Bytes) / r.NS})
			if best, ok := standard[r.Bytes]; !ok || r.StandardNS < best {
				standard[r.Bytes] = r.StandardNS
			}
			if !slices.Contains(lengths, r.Bytes) {
				lengths = append(lengths, r.Bytes)
			}
		}
		if len(points) == 0 {
			continue
		}
		if len(p.lines) == len(speedPens) {
			return p, fmt.Errorf("it has more than %d implementations", len(speedPens))
		}
		p.lines = append(p.lines, chartLine{rows[0].Impl, speedPens[len(p.lines)], points})
	}
	slices.Sort(lengths)
	var points plotter.XYs
	for _, n := range lengths {
		points = append(points, plotter.XY{X: float64(n), Y: float64(n) / standard[n]})
	}
	if len(points) == 0 {
		return p, errors.New("it has no text longer than 0 bytes")
	}
	p.lines = append(p.lines, chartLine{"crypto/cipher", standardPen, points})
	return p, nil
}
