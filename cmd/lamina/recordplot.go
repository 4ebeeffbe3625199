package main

import (
	"errors"
	"image/color"
	"io"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// recordPens are those of recordWays. The ways of requests become darker with the number of segments.
var recordPens = []pen{
	{color.NRGBA{0, 114, 178, 255}, draw.CircleGlyph{}, nil},
	{color.NRGBA{0, 158, 115, 255}, draw.SquareGlyph{}, nil},
	{color.NRGBA{240, 160, 60, 255}, draw.PyramidGlyph{}, nil},
	{color.NRGBA{222, 119, 30, 255}, draw.BoxGlyph{}, dashes(5, 2)},
	{color.NRGBA{196, 84, 20, 255}, draw.TriangleGlyph{}, dashes(2, 2)},
	{color.NRGBA{160, 52, 16, 255}, draw.RingGlyph{}, dashes(7, 2, 2, 2)},
	{color.NRGBA{110, 24, 16, 255}, draw.CrossGlyph{}, nil},
	{color.NRGBA{90, 90, 90, 255}, draw.PlusGlyph{}, dashes(1, 2)},
}

// plot writes the chart of cycles a record, or of nanoseconds without a clock, as SVG.
func (rep *recordsReport) plot(w io.Writer) error {
	var panels []chartPanel
	for _, rows := range groups(rep.Records, recordRow.of) {
		p, err := recordPanel(rows)
		if err != nil {
			return err
		}
		panels = append(panels, p)
	}
	return drawChart(w, panels)
}

// recordPanel is one case: a line for each way.
func recordPanel(rows []recordRow) (chartPanel, error) {
	p := chartPanel{title: rows[0].of().String(), x: "bytes of text in a record", y: "cycles a record"}
	if rows[0].GHz == 0 {
		p.y = "nanoseconds a record"
	}
	lengths := groups(rows, func(r recordRow) int { return r.Bytes })
	for i, way := range recordWays {
		points := make(plotter.XYs, 0, len(lengths))
		for _, at := range lengths {
			if len(at) != len(recordWays) || at[i].Way != way.name || at[i].Segments != way.segments {
				return p, errors.New("it does not have every way of calling for each length, in the order in which records writes them")
			}
			y := at[i].Cycles
			if at[i].GHz == 0 {
				y = at[i].NS
			}
			points = append(points, plotter.XY{X: float64(at[i].Bytes), Y: y})
		}
		p.lines = append(p.lines, chartLine{way.title, recordPens[i], points})
	}
	return p, nil
}
