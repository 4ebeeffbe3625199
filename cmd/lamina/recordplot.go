package main

import (
	"bytes"
	"image/color"
	"io"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The chart has a panel for each case, two beside each other, and one legend for all on their right.
const (
	panelWidth  = 12 * vg.Centimeter
	panelHeight = 9 * vg.Centimeter
	panelGap    = 0.6 * vg.Centimeter
	legendWidth = 7 * vg.Centimeter
)

// pen is how a way is drawn: nobody has to tell them apart by colour alone.
type pen struct {
	color color.Color
	glyph draw.GlyphDrawer
	dash  []vg.Length
}

// The colours differ in brightness as well, and stand out from white. The ways of requests become darker with the
// number of segments.
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

func dashes(points ...float64) []vg.Length {
	lengths := make([]vg.Length, len(points))
	for i, p := range points {
		lengths[i] = vg.Points(p)
	}
	return lengths
}

// plot writes the chart of cycles a record, or of nanoseconds without a clock, as SVG.
func (rep *recordsReport) plot(w io.Writer) error {
	cases := groups(rep.Records, recordRow.of)
	columns := min(2, len(cases))
	lines := (len(cases) + columns - 1) / columns
	panels := make([][]*plot.Plot, lines)
	legend := plot.NewLegend()
	for i, rows := range cases {
		p, err := panel(rows, i == 0, &legend)
		if err != nil {
			return err
		}
		panels[i/columns] = append(panels[i/columns], p)
	}
	sameScale(panels)
	for last := lines - 1; len(panels[last]) < columns; {
		panels[last] = append(panels[last], nil) // an odd number leaves the last place empty
	}

	width, height := vg.Length(columns)*panelWidth, vg.Length(lines)*panelHeight
	svg := vgsvg.New(width+legendWidth, height)
	canvas := draw.New(svg)
	// A ground of its own, so that the chart can be read on a dark page too.
	canvas.SetColor(color.White)
	canvas.Fill(canvas.Rectangle.Path())
	tiles := draw.Tiles{
		Rows: lines, Cols: columns, PadX: panelGap, PadY: panelGap,
		PadTop: panelGap / 2, PadLeft: panelGap / 2, PadBottom: panelGap / 2,
	}
	for i, line := range plot.Align(panels, tiles, draw.Crop(canvas, 0, -legendWidth, 0, 0)) {
		for j, place := range line {
			if panels[i][j] != nil {
				panels[i][j].Draw(place)
			}
		}
	}
	drawLegend(&legend, draw.Crop(canvas, width+panelGap, 0, 0, -panelGap))
	return writeSVG(w, svg)
}

// sameScale has all panels go as high as the highest of them, so that they can be compared.
func sameScale(panels [][]*plot.Plot) {
	top := 0.0
	for _, p := range slices.Concat(panels...) {
		top = max(top, p.Y.Max)
	}
	for _, p := range slices.Concat(panels...) {
		p.Y.Max = top
	}
}

// writeSVG names fonts as wide as the one that the text was set in, for readers who do not have that.
func writeSVG(w io.Writer, svg *vgsvg.Canvas) error {
	var text bytes.Buffer
	if _, err := svg.WriteTo(&text); err != nil {
		return err
	}
	const family = "font-family:Liberation Sans"
	_, err := w.Write(bytes.ReplaceAll(text.Bytes(), []byte(family), []byte(family+",Arial,Helvetica,sans-serif")))
	return err
}

func drawLegend(legend *plot.Legend, place draw.Canvas) {
	sans(&legend.TextStyle, 10)
	legend.Top, legend.Left = true, true
	legend.ThumbnailWidth = vg.Points(30)
	legend.Padding = vg.Points(5)
	legend.Draw(place)
}

// panel draws one case, and adds its lines to the legend if named says so.
func panel(rows []recordRow, named bool, legend *plot.Legend) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = rows[0].of().String()
	p.Title.Padding = vg.Points(4)
	p.X.Label.Text = "bytes of text in a record"
	p.Y.Label.Text = "cycles a record"
	if rows[0].GHz == 0 {
		p.Y.Label.Text = "nanoseconds a record"
	}
	sans(&p.Title.TextStyle, 12)
	for _, style := range []*text.Style{&p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label} {
		sans(style, 10)
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{215}, color.Gray{215}
	p.Add(grid)
	lengths := groups(rows, func(r recordRow) int { return r.Bytes })
	for i := range recordWays {
		line, points, err := plotter.NewLinePoints(wayPoints(lengths, i))
		if err != nil {
			return nil, err
		}
		recordPens[i].style(line, points)
		p.Add(line, points)
		if named {
			legend.Add(lengths[0][i].title, line, points)
		}
	}
	p.X.Min, p.Y.Min = 0, 0
	return p, nil
}

// wayPoints returns what way i takes at each length.
func wayPoints(lengths [][]recordRow, i int) plotter.XYs {
	points := make(plotter.XYs, 0, len(lengths))
	for _, at := range lengths {
		y := at[i].Cycles
		if at[i].GHz == 0 {
			y = at[i].NS
		}
		points = append(points, plotter.XY{X: float64(at[i].Bytes), Y: y})
	}
	return points
}

func (p pen) style(line *plotter.Line, points *plotter.Scatter) {
	line.Color, line.Dashes, line.Width = p.color, p.dash, vg.Points(1.4)
	points.Color, points.Shape, points.Radius = p.color, p.glyph, vg.Points(3)
}

func sans(style *text.Style, points float64) {
	style.Font.Variant = "Sans"
	style.Font.Size = vg.Points(points)
}
