package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
)

// plotOptions are the flags of plot.
type plotOptions struct {
	output   string
	force    bool
	keySizes []int
	ops      []string
	ad       int
}

func newPlot() *cobra.Command {
	var o plotOptions
	cmd := &cobra.Command{
		Use:   "plot [FILE]",
		Short: "Draw what speed or records measured",
		Long: `plot draws a chart of the JSON that speed or records wrote, from FILE or from standard input, as SVG. It tells by the
content which of them it was.

Of speed it draws the throughput of AES-GCM by the length of the text: a panel for each key size and direction that is
asked for, a line for each implementation, and one for crypto/cipher. Of records it draws the cycles a record by the
length of the text: a panel for each implementation, key size and direction, a line for each way of calling.

The same input gives the same file, byte for byte.`,
		Example: `  lamina speed --part gcm --json >speed.json
  lamina plot speed.json -o gcm.svg
  lamina plot speed.json --key-size 128,256 --op seal,open -o all.svg
  lamina records --json | lamina plot -o records.svg`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "-", "file to write; - is standard output")
	f.BoolVarP(&o.force, "force", "f", false, "overwrite the output if it exists")
	f.IntSliceVar(&o.keySizes, "key-size", []int{256}, "sizes of the AES key in bits, of speed")
	f.StringSliceVar(&o.ops, "op", []string{"seal"}, "directions, of speed: seal, open")
	f.IntVar(&o.ad, "ad", 13, "length of the associated data in bytes, of speed")
	return cmd
}

func (o *plotOptions) run(cmd *cobra.Command, args []string) error {
	path := "-"
	if len(args) == 1 {
		path = args[0]
	}
	in, err := openInput(path, cmd.InOrStdin())
	if err != nil {
		return err
	}
	defer in.Close()
	draw, err := o.read(in)
	if err != nil {
		return fmt.Errorf("%s: %w", in.name, err)
	}
	if o.output == "-" {
		if err := draw(cmd.OutOrStdout()); err != nil {
			return fmt.Errorf("%s: %w", in.name, err)
		}
		return nil
	}
	chart, err := createOutput(o.output, 0o666, o.force)
	if err != nil {
		return err
	}
	defer chart.abort()
	if err := draw(chart); err != nil {
		return fmt.Errorf("%s: %w", in.name, err)
	}
	return chart.commit()
}

// read reads the JSON of speed or of records, and returns what draws it.
func (o *plotOptions) read(r io.Reader) (draw func(io.Writer) error, err error) {
	var both struct {
		report
		Records []recordRow `json:"records"`
	}
	if err := json.NewDecoder(r).Decode(&both); err != nil {
		return nil, fmt.Errorf("%w; what lamina speed --json or lamina records --json writes can be drawn", err)
	}
	switch {
	case len(both.Records) > 0 && both.Schema == recordsSchema:
		rep := recordsReport{Records: both.Records}
		return rep.plot, nil
	case len(both.GCM) > 0 && both.Schema == speedSchema:
		return func(w io.Writer) error { return both.report.plot(w, o.wants) }, nil
	case len(both.Records) > 0 || len(both.GCM) > 0:
		return nil, fmt.Errorf("schema %d; this program reads schema %d of records and %d of speed", both.Schema,
			recordsSchema, speedSchema)
	}
	return nil, errors.New("neither figures of records nor those of the part gcm of speed are in it")
}

func (o *plotOptions) wants(c speedCase) bool {
	return slices.Contains(o.keySizes, c.bits) && slices.Contains(o.ops, c.op) && c.ad == o.ad
}
