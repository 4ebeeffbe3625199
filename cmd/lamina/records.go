package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lamina/arch"
	"lamina/cmd/internal/coreclock"
)

// recordsSchema is the version of the JSON that records writes. Adding a field leaves it; anything else raises it.
const recordsSchema = 1

// recordsOptions are the flags of records.
type recordsOptions struct {
	impls    []string
	keySizes []int
	ops      []string
	lengths  []int
	ad       int
	cell     time.Duration
	plot     string
	force    bool
	asJSON   bool
}

// recordOps are the directions of records.
var recordOps = []string{"seal", "open"}

func newRecords() *cobra.Command {
	var o recordsOptions
	cmd := &cobra.Command{
		Use:   "records",
		Short: "Time what requests and split calls cost a record",
		Long: `records times AES-GCM on records such as a VPN sends, done in several ways, in one run, in many short rounds that
take turns:

  direct call    Seal or Open of package aesgcm
  three calls    an aesgcm.Ctx: associated data, text, tag
  request        a request of package api/aead, made once and set for each record; the packet lies in 1, 2, 4 or 16
                 segments as even as they can be, or in 3 that are its parts: associated data, text, tag
  crypto/cipher  Seal or Open of Go's GCM

The associated data has 12 bytes, as in IPsec's ESP and OpenVPN's data channel where these number records with 64 bits: 4
bytes that tell channels apart, and 8 of the record's number. It lies before the text and the tag behind it, in one
buffer in the first cache, in which each record is sealed or opened in place. The key is ready. Each record has a new
nonce, of which 8 bytes are written just before; opening takes turns with two tags under one nonce, see the help of
speed. The lists of segments are made before.

Times are those of the fastest of the rounds. Cycles are those of the core's clock, which a chain of additions that wait
for each other measures in the same rounds; portable builds have no such chain, and leave cycles out. The Gbit/s are
those of the text, on one core. What one segment costs is the time over that of one segment, divided by the number of
the other segments.

records udp sends records over a socket instead.`,
		Example: `  lamina records
  lamina records --impl vaes-avx2,aesni-avx --key-size 256 --op seal --lengths 1420
  lamina records --json >records.json
  lamina records --plot records.svg`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.OutOrStdout(), cmd.ErrOrStderr()) },
	}
	cmd.AddCommand(newRecordsUDP())
	f := cmd.Flags()
	f.StringSliceVar(&o.impls, "impl", []string{arch.Best().String()}, "implementations")
	f.IntSliceVar(&o.keySizes, "key-size", []int{128, 256}, "sizes of the AES key in bits: 128, 192, 256")
	f.StringSliceVar(&o.ops, "op", recordOps, "directions: seal, open")
	f.IntSliceVar(&o.lengths, "lengths", []int{256, 920, 1000, 1420, 1500, 2420, 2500}, "lengths of the text in bytes")
	f.IntVar(&o.ad, "ad", 12, "length of the associated data in bytes")
	f.DurationVar(&o.cell, "time", 160*time.Millisecond, "time for one length in one direction, all ways together")
	f.StringVar(&o.plot, "plot", "", "also draw the result to this file, as SVG")
	f.BoolVarP(&o.force, "force", "f", false, "overwrite the file of --plot")
	f.BoolVar(&o.asJSON, "json", false, "write JSON")
	return cmd
}

func (o *recordsOptions) run(stdout, stderr io.Writer) error {
	impls, err := o.check()
	if err != nil {
		return err
	}
	var chart *output
	if o.plot != "" {
		// Before the measurement, since it takes some time to learn that there is nowhere to put its result.
		if chart, err = createOutput(o.plot, 0o666, o.force); err != nil {
			return err
		}
		defer chart.abort()
	}
	rep := recordsReport{Schema: recordsSchema, Machine: thisMachine()}
	if err := rep.measure(o, impls, stderr); err != nil {
		return err
	}
	if chart != nil {
		if err := rep.plot(chart); err != nil {
			return err
		}
		if err := chart.commit(); err != nil {
			return err
		}
	}
	if o.asJSON {
		return writeJSON(stdout, rep)
	}
	return rep.print(stdout)
}

// check refuses options that mean nothing, and returns the implementations.
func (o *recordsOptions) check() ([]arch.Impl, error) {
	switch {
	case len(o.impls) == 0:
		return nil, fmt.Errorf("--impl: it is empty; this CPU has %s", strings.Trim(fmt.Sprint(arch.Impls()), "[]"))
	case len(o.ops) == 0:
		return nil, fmt.Errorf("--op: it is empty; the directions are %s", strings.Join(recordOps, ", "))
	}
	for _, size := range o.keySizes {
		if err := checkKeyBits(size); err != nil {
			return nil, err
		}
	}
	for _, op := range o.ops {
		if !slices.Contains(recordOps, op) {
			return nil, fmt.Errorf("--op %s: the directions are %s", op, strings.Join(recordOps, ", "))
		}
	}
	const most = 1 << 20
	for _, n := range o.lengths {
		if n < 0 || n > most {
			return nil, fmt.Errorf("--lengths %d: it must be between 0 and %d", n, most)
		}
	}
	if o.ad < 0 || o.ad > most {
		return nil, fmt.Errorf("--ad %d: it must be between 0 and %d", o.ad, most)
	}
	if o.cell <= 0 {
		return nil, fmt.Errorf("--time %v: it must be more than 0", o.cell)
	}
	return lookupImpls(o.impls)
}

func (rep *recordsReport) measure(o *recordsOptions, impls []arch.Impl, stderr io.Writer) error {
	bar := startSteps(stderr, "records", defaultRounds)
	defer bar.stop()
	s := session{rounds: defaultRounds, round: bar.step}
	for _, im := range impls {
		for _, bits := range o.keySizes {
			t, err := newTransforms(im, patterned(bits/8))
			if err != nil {
				return err
			}
			defer t.request.Close()
			for _, op := range o.ops {
				for _, n := range o.lengths {
					rep.measureRecord(&s, o.cell, t, im, shape{KeyBits: bits, Op: op, AD: o.ad, Bytes: n})
				}
			}
		}
	}
	s.run()
	return nil
}

// measureRecord measures all ways for one record, and the clock beside them.
func (rep *recordsReport) measureRecord(s *session, cell time.Duration, t transforms, im arch.Impl, sh shape) {
	var sides []func(n int)
	for _, way := range recordWays {
		sides = append(sides, way.side(t, newPacket(sh), sh.Op))
	}
	chain, hasClock := coreclock.Chain()
	if hasClock {
		sides = append(sides, chain)
	}
	s.add(cell, func(times []timing) {
		cycleNS := 0.0
		if hasClock {
			cycleNS = times[len(recordWays)].best() / coreclock.CyclesPerTurn
		}
		for i, way := range recordWays {
			rep.Records = append(rep.Records, newRecordRow(im, sh, way, times[i].best(), cycleNS))
		}
		rep.compare(len(recordWays))
	}, sides...)
}
