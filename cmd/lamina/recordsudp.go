package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"lamina/arch"
	"lamina/cmd/internal/tunnel"
)

// udpOptions are the flags of records udp.
type udpOptions struct {
	impl    string
	bytes   int
	streams []int
	time    time.Duration
	asJSON  bool
}

// udpReport is everything records udp found out, and its JSON. Its schema is that of records.
type udpReport struct {
	Schema  int      `json:"schema"`
	Machine machine  `json:"machine"`
	UDP     []udpRow `json:"udp"`
}

// udpRow is what came of the streams of one case.
type udpRow struct {
	Way     string  `json:"way"`
	Impl    string  `json:"impl"`
	Bytes   int     `json:"bytes"`
	Streams int     `json:"streams"`
	Seconds float64 `json:"seconds"`
	Records int     `json:"records"`    // that arrived and opened to what was sealed: all
	Again   int     `json:"sent_again"` // because the network lost them, or because an acknowledgement came late
	Rate    float64 `json:"records_per_s"`
	Gbits   float64 `json:"gbit_per_s"`
}

func newRecordsUDP() *cobra.Command {
	var o udpOptions
	cmd := &cobra.Command{
		Use:   "udp",
		Short: "Send sealed records over UDP to this machine itself",
		Long: `udp sends records that are sealed with AES-256-GCM over sockets of 127.0.0.1, as a VPN does over a network, and opens
them on the other side: by direct calls, and by requests in which header, text and tag are segments of their own. Each
stream has a socket and a goroutine at either end. Its records carry their number, which is their nonce, in a header of 12
bytes, and the receiver acknowledges them in sealed records. What the network loses is sent again.

Every record's tag and text are checked. The exit status is 1 if a record did not arrive, or not as it was sent.

The two ways take turns. What is printed is the throughput of the text. Most of the time goes to the operating system.`,
		Example: `  lamina records udp
  lamina records udp --streams 8 --bytes 8192 --time 5s`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.OutOrStdout(), cmd.ErrOrStderr()) },
	}
	f := cmd.Flags()
	f.StringVar(&o.impl, "impl", arch.Best().String(), "implementation")
	f.IntVar(&o.bytes, "bytes", 1420, "length of a record's text in bytes")
	f.IntSliceVar(&o.streams, "streams", []int{1, 4}, "numbers of streams that send at the same time")
	f.DurationVar(&o.time, "time", 2*time.Second, "time for one number of streams and one way")
	f.BoolVar(&o.asJSON, "json", false, "write JSON")
	return cmd
}

// udpRounds is how often the two ways take turns.
const udpRounds = 4

func (o *udpOptions) run(stdout, stderr io.Writer) error {
	impls, err := lookupImpls([]string{o.impl})
	if err != nil {
		return err
	}
	if o.time <= 0 {
		return fmt.Errorf("--time %v: it must be more than 0", o.time)
	}
	rep := udpReport{Schema: recordsSchema, Machine: thisMachine()}
	if err := rep.measure(o, impls[0], stderr); err != nil {
		return err
	}
	if o.asJSON {
		return writeJSON(stdout, rep)
	}
	return rep.print(stdout)
}

func (rep *udpReport) measure(o *udpOptions, im arch.Impl, stderr io.Writer) error {
	bar := startSteps(stderr, "records", len(o.streams)*udpRounds)
	defer bar.stop()
	for _, n := range o.streams {
		rows, err := o.send(im, n, bar.step)
		if err != nil {
			return err
		}
		rep.UDP = append(rep.UDP, rows...)
	}
	return nil
}

// send has n streams send in each way by turns.
func (o *udpOptions) send(im arch.Impl, n int, step func()) ([]udpRow, error) {
	ways := []tunnel.Way{tunnel.Direct, tunnel.Request}
	results := make([]tunnel.Result, len(ways))
	run := tunnel.Run{Text: o.bytes, Streams: n, Duration: o.time / udpRounds}
	for range udpRounds {
		for i, way := range ways {
			result, err := run.Do(way, im)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", way.Name, err)
			}
			results[i].Add(result)
		}
		step()
	}
	var rows []udpRow
	for i, r := range results {
		rows = append(rows, udpRow{
			Way:     ways[i].Name,
			Impl:    im.String(),
			Bytes:   o.bytes,
			Streams: n,
			Seconds: r.Elapsed.Seconds(),
			Records: r.Records,
			Again:   r.Again,
			Rate:    float64(r.Records) / r.Elapsed.Seconds(),
			Gbits:   r.Gbits(o.bytes),
		})
	}
	return rows, nil
}

func (rep *udpReport) print(w io.Writer) error {
	rep.Machine.print(w)
	r := rep.UDP[0]
	fmt.Fprintf(w, "\nRecords of %d bytes over UDP on 127.0.0.1, AES-256-GCM, %s\n", r.Bytes, r.Impl)
	var t table
	t.add("", "records", "sent again", "seconds", "records/s", "Gbit/s")
	total := 0
	for _, r := range rep.UDP {
		total += r.Records
		name := fmt.Sprintf("%s, %d streams", r.Way, r.Streams)
		if r.Streams == 1 {
			name = r.Way + ", 1 stream"
		}
		t.add(name, fmt.Sprint(r.Records), fmt.Sprint(r.Again), fmt.Sprintf("%.2f", r.Seconds), fmt.Sprintf("%.0f", r.Rate),
			fmt.Sprintf("%.2f", r.Gbits))
	}
	if err := t.print(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nAll %d records arrived, in order, and opened to what was sealed.\n", total)
	return err
}
