package main

import (
	"bytes"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A chart has a panel for each case, two beside each other, and one legend for all on their right.
const (
	panelWidth  = 12 * vg.Centimeter
	panelHeight = 9 * vg.Centimeter
	panelGap    = 0.6 * vg.Centimeter
	legendWidth = 7 * vg.Centimeter
)

// chartPanel is the lines of one case. All panels of a chart have the same lines, in the same order.
type chartPanel struct {
	title string
	x, y  string // what the axes show
	logX  bool   // lengths double from tick to tick
	lines []chartLine
}

type chartLine struct {
	title  string
	pen    pen
	points plotter.XYs
}

// pen is how a line is drawn: nobody has to tell them apart by colour alone. Colours differ in brightness as well, and
// stand out from white.
type pen struct {
	color color.Color
	glyph draw.GlyphDrawer
	dash  []vg.Length
}

func dashes(points ...float64) []vg.Length {
	lengths := make([]vg.Length, len(points))
	for i, p := range points {
		lengths[i] = vg.Points(p)
	}
	return lengths
}

// drawChart writes the panels as SVG. The same panels give the same bytes.
func drawChart(w io.Writer, cases []chartPanel) error {
	columns := min(2, len(cases))
	rows := (len(cases) + columns - 1) / columns
	panels := make([][]*plot.Plot, rows)
	legend := plot.NewLegend()
	for i, c := range cases {
		p, err := c.plot(i == 0, &legend)
		if err != nil {
			return err
		}
		panels[i/columns] = append(panels[i/columns], p)
	}
	sameScale(panels)
	for last := rows - 1; len(panels[last]) < columns; {
		panels[last] = append(panels[last], nil) // an odd number leaves the last place empty
	}

	width, height := vg.Length(columns)*panelWidth, vg.Length(rows)*panelHeight
	svg := vgsvg.New(width+legendWidth, height)
	canvas := draw.New(svg)
	// A ground of its own, so that the chart can be read on a dark page too.
	canvas.SetColor(color.White)
	canvas.Fill(canvas.Rectangle.Path())
	tiles := draw.Tiles{
		Rows: rows, Cols: columns, PadX: panelGap, PadY: panelGap,
		PadTop: panelGap / 2, PadLeft: panelGap / 2, PadBottom: panelGap / 2,
	}
	for i, row := range plot.Align(panels, tiles, draw.Crop(canvas, 0, -legendWidth, 0, 0)) {
		for j, place := range row {
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

// plot makes the panel, and adds its lines to the legend if named says so.
func (c chartPanel) plot(named bool, legend *plot.Legend) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.title, c.x, c.y
	p.Title.Padding = vg.Points(4)
	sans(&p.Title.TextStyle, 12)
	for _, style := range []*text.Style{&p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label} {
		sans(style, 10)
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{215}, color.Gray{215}
	p.Add(grid)
	for _, l := range c.lines {
		line, points, err := plotter.NewLinePoints(l.points)
		if err != nil {
			return nil, err
		}
		l.pen.style(line, points)
		p.Add(line, points)
		if named {
			legend.Add(l.title, line, points)
		}
	}
	p.Y.Min, p.Y.Tick.Marker = 0, plot.TickerFunc(evenTicks)
	if c.logX {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.TickerFunc(fourfoldTicks)
	} else {
		p.X.Min, p.X.Tick.Marker = 0, plot.TickerFunc(evenTicks)
	}
	return p, nil
}

// evenTicks are 4 to 10 round numbers from 0 on.
func evenTicks(_, high float64) (ticks []plot.Tick) {
	step := math.Pow(10, math.Floor(math.Log10(high/4)))
	for _, larger := range []float64{5, 2} {
		if high/(larger*step) >= 4 {
			step *= larger
			break
		}
	}
	for i := 0.0; i*step <= high; i++ {
		ticks = append(ticks, plot.Tick{Value: i * step, Label: strconv.FormatFloat(i*step, 'g', 6, 64)})
	}
	return ticks
}

// fourfoldTicks are the powers of 4 between two lengths.
func fourfoldTicks(low, high float64) (ticks []plot.Tick) {
	for x := 1.0; x <= high; x *= 4 {
		if x >= low {
			ticks = append(ticks, plot.Tick{Value: x, Label: shortNumber(x)})
		}
	}
	return ticks
}

// shortNumber writes powers of two as people say them: 256, 4 Ki.
func shortNumber(x float64) string {
	if x >= 1024 && math.Mod(x, 1024) == 0 {
		return strconv.FormatFloat(x/1024, 'f', -1, 64) + " Ki"
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

func (p pen) style(line *plotter.Line, points *plotter.Scatter) {
	line.Color, line.Dashes, line.Width = p.color, p.dash, vg.Points(1.4)
	points.Color, points.Shape, points.Radius = p.color, p.glyph, vg.Points(3)
}

func sans(style *text.Style, points float64) {
	style.Font.Variant = "Sans"
	style.Font.Size = vg.Points(points)
}
