package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lamina/arch"
)

// speedSchema is the version of the JSON that speed writes. Adding a field leaves it; anything else raises
// it.
const speedSchema = 1

// speedOptions are the flags of speed.
type speedOptions struct {
	impls    []string
	keySizes []int
	modes    []string
	ops      []string
	lengths  []int
	ads      []int
	aligns   []int
	parts    []string
	cell     time.Duration
	file     string
	asJSON   bool
}

// speedParts are what speed can measure, in the order it does.
var speedParts = []string{"gcm", "modes", "sectors", "improvement", "limit", "align", "partial", "setup", "blocks", "generic"}

// speedOps are the operations of modes that have two.
var speedOps = []string{"seal", "open", "encrypt", "decrypt"}

func (o speedOptions) wantsOp(op string) bool { return slices.Contains(o.ops, op) }

func newSpeed() *cobra.Command {
	var o speedOptions
	cmd := &cobra.Command{
		Use:   "speed",
		Short: "Time every implementation against crypto/cipher",
		Long: `speed times every implementation that this CPU can run against crypto/cipher, in one run, in many short
rounds that take turns. Times are those of the fastest round, in nanoseconds, and ratios are theirs: above 1 where Lamina
is faster. The parts:

  gcm      AES-GCM through the public Seal and Open: in place, key ready, a new nonce each call (8 bytes of counter
           written to it just before). Opening takes turns with two tags under one nonce, see below.
  modes    the other modes, one call a message: in place, key ready, a new counter, IV or sector number each call. They
           are held against crypto/cipher (CTR, CBC) and x/crypto/xts (XTS of whole blocks, all it takes); where Go
           has nothing (XCTR, CBC-CTS, CMAC, XCBC-MAC, CCM), against the plain loop over cipher.Block, with
           crypto/cipher's CBC and CTR inside where they help, that a Go program has today.
  sectors  XTS of 64 sectors of 4096 bytes in one call, byte for byte against one message of 16384.
  improvement
           CTR, XCTR and XTS: by how many per cent the throughput is above that of aesni-avx.
  limit    the share of the CPU's limit reached at 16384 bytes. The limit is measured here too: a loop in registers of
           nothing but the AES rounds and the multiplications that the mode needs.
  align    what buffers that start in the middle of a cache line cost, in AES-GCM.
  partial  what lengths that are not multiples of 16 cost over the next multiple, in AES-GCM.
  setup    making an AES-GCM key ready, and its allocations.
  blocks   AES on its own, many blocks in a call.
  generic  portable AES in several forms, in MB/s: by four tables and by an S-box that is read whole before every round, as
           such code is commonly written, and the library's. crypto/aes beside them is portable code only in a
           build with -tags purego, or for 386.

Opening in place leaves the plaintext behind, so the next call would need a fresh copy. Counter mode is its own inverse,
so that plaintext is also a valid ciphertext under the same nonce, with another tag: the two tags take turns, for
both sides alike.

Built with -tags purego both sides are portable Go, which is how to compare the portable code.`,
		Example: `  lamina speed
  lamina speed --impl vaes-avx2,aesni-avx --op seal --lengths 64,1420 --part gcm
  lamina speed --part modes --mode xts --op decrypt
  lamina speed --json >speed.json
  lamina speed --file big.tar`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			impls, err := o.check()
			if err != nil {
				return err
			}
			rep := report{Schema: speedSchema, Machine: thisMachine()}
			if o.file != "" {
				data, err := os.ReadFile(o.file)
				if err != nil {
					return err
				}
				rep.File = fileSpeeds(impls, data, o.cell)
			} else if err := rep.measure(o, impls, cmd.ErrOrStderr()); err != nil {
				return err
			}
			if o.asJSON {
				return writeJSON(cmd.OutOrStdout(), rep)
			}
			return rep.print(cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.impls, "impl", nil, "implementations (default all that this CPU can run)")
	f.IntSliceVar(&o.keySizes, "key-size", []int{256, 128}, "sizes of the AES key in bits: 128, 192, 256")
	f.StringSliceVar(&o.ops, "op", speedOps, "operations, of modes that have two: seal, open, encrypt, decrypt")
	f.StringSliceVar(&o.modes, "mode", modeNames(), "modes, for the part modes")
	f.IntSliceVar(&o.lengths, "lengths", []int{0, 16, 63, 64, 200, 256, 300, 500, 512, 1420, 4095, 4096, 16384},
		"lengths of the text in bytes; a mode leaves out those that it does not have")
	f.IntSliceVar(&o.ads, "ad", []int{13, 64, 1024}, "lengths of the associated data in bytes")
	f.IntSliceVar(&o.aligns, "align", []int{0}, "offsets of the text from a cache line in bytes, for the part gcm")
	f.StringSliceVar(&o.parts, "part", speedParts, "what to measure")
	f.DurationVar(&o.cell, "time", 40*time.Millisecond, "time for one cell of a table, both sides together")
	f.StringVar(&o.file, "file", "", "time sealing this file in memory with Cobblestone-256 instead of the parts")
	f.BoolVar(&o.asJSON, "json", false, "write JSON")
	return cmd
}

// check refuses options that mean nothing, and returns the implementations.
func (o *speedOptions) check() ([]arch.Impl, error) {
	for _, size := range o.keySizes {
		if err := checkKeyBits(size); err != nil {
			return nil, err
		}
	}
	switch {
	case len(o.ops) == 0:
		return nil, fmt.Errorf("--op: it is empty; the operations are %s", strings.Join(speedOps, ", "))
	case len(o.modes) == 0:
		return nil, fmt.Errorf("--mode: it is empty; the modes are %s", strings.Join(modeNames(), ", "))
	case len(o.parts) == 0:
		return nil, fmt.Errorf("--part: it is empty; the parts are %s", strings.Join(speedParts, ", "))
	}
	for _, op := range o.ops {
		if !slices.Contains(speedOps, op) {
			return nil, fmt.Errorf("--op %s: the operations are %s", op, strings.Join(speedOps, ", "))
		}
	}
	for _, name := range o.modes {
		if names := modeNames(); !slices.Contains(names, name) {
			return nil, fmt.Errorf("--mode %s: the modes are %s", name, strings.Join(names, ", "))
		}
	}
	for _, part := range o.parts {
		if !slices.Contains(speedParts, part) {
			return nil, fmt.Errorf("--part %s: the parts are %s", part, strings.Join(speedParts, ", "))
		}
	}
	const most = 1 << 28
	for name, values := range map[string][]int{"lengths": o.lengths, "ad": o.ads, "align": o.aligns} {
		for _, v := range values {
			if v < 0 || v > most {
				return nil, fmt.Errorf("--%s %d: it must be between 0 and %d", name, v, most)
			}
		}
	}
	if o.cell <= 0 {
		return nil, fmt.Errorf("--time %v: it must be more than 0", o.cell)
	}
	return lookupImpls(o.impls)
}

// checkKeyBits refuses a value of --key-size that no key of AES has.
func checkKeyBits(size int) error {
	switch size {
	case 128, 192, 256:
		return nil
	}
	return fmt.Errorf("--key-size %d: AES keys have 128, 192 or 256 bits", size)
}

// lookupImpls returns the implementations of these names, or all that this CPU can run.
func lookupImpls(names []string) ([]arch.Impl, error) {
	if len(names) == 0 {
		return arch.Impls(), nil
	}
	var impls []arch.Impl
	for _, name := range names {
		im, ok := arch.Lookup(name)
		if !ok {
			return nil, fmt.Errorf("--impl %s: this CPU has no such implementation; it has %s", name,
				strings.Trim(fmt.Sprint(arch.Impls()), "[]"))
		}
		impls = append(impls, im)
	}
	return impls, nil
}

// measure runs the parts that were asked for, all in one session.
func (rep *report) measure(o speedOptions, impls []arch.Impl, stderr io.Writer) error {
	type part func(*session, speedOptions, []arch.Impl)
	each := func(measure func(*session, speedOptions, arch.Impl)) part {
		return func(s *session, o speedOptions, impls []arch.Impl) {
			for _, im := range impls {
				measure(s, o, im)
			}
		}
	}
	parts := map[string]part{
		"gcm":         each(rep.measureGCM),
		"modes":       rep.measureModes,
		"sectors":     rep.measureSectors,
		"improvement": rep.measureImprovement,
		"limit":       rep.measureLimit,
		"align":       each(rep.measureAlign),
		"partial":     each(rep.measurePartial),
		"setup":       each(rep.measureSetup),
		"blocks":      each(rep.measureBlocks),
		"generic":     rep.measureGeneric,
	}
	bar := startSteps(stderr, "speed", defaultRounds)
	defer bar.stop()
	s := session{rounds: defaultRounds, round: bar.step}
	for _, part := range speedParts {
		if slices.Contains(o.parts, part) {
			parts[part](&s, o, impls)
		}
	}
	if len(s.cells) == 0 {
		return fmt.Errorf("nothing to measure: %s has no rows for %s", strings.Join(o.parts, ", "),
			strings.Trim(fmt.Sprint(impls), "[]"))
	}
	s.run()
	if slices.Contains(o.parts, "improvement") {
		rep.Improvement = improvements(slices.Concat(rep.Modes, rep.improved))
	}
	return nil
}
