package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"lamina/arch"
	"lamina/cmd/internal/portlimit"
)

func TestListJSON(t *testing.T) {
	res := lamina(t, "", "list", "--json")
	res.succeeds(t)
	var entries []listEntry
	if err := json.Unmarshal([]byte(res.stdout), &entries); err != nil {
		t.Fatalf("%v in %s", err, res.stdout)
	}
	chosen := 0
	for _, e := range entries {
		_, ok := arch.Lookup(e.Name)
		if ok != e.Available {
			t.Errorf("%s: available %v, but Lookup says %v", e.Name, e.Available, ok)
		}
		if e.Chosen {
			chosen++
		}
	}
	if chosen != 1 || len(entries) != len(arch.All()) {
		t.Errorf("%d chosen of %d", chosen, len(entries))
	}
}

func TestList(t *testing.T) {
	res := lamina(t, "", "list")
	res.succeeds(t)
	for _, want := range []string{"generic", "chosen", arch.Best().String()} {
		if !strings.Contains(res.stdout, want) {
			t.Errorf("no %q in the list:\n%s", want, res.stdout)
		}
	}
}

// Every part gives its rows, in text and in JSON.
func TestSpeed(t *testing.T) {
	args := []string{"speed", "--time", "100us", "--lengths", "0,17,32", "--ad", "13", "--impl", arch.Best().String()}
	res := lamina(t, "", append(args, "--json")...)
	res.succeeds(t)
	var rep report
	if err := json.Unmarshal([]byte(res.stdout), &rep); err != nil {
		t.Fatalf("%v in %s", err, res.stdout)
	}
	if rep.Schema != speedSchema || rep.Machine.Chosen != arch.Best().String() || rep.Machine.Go == "" {
		t.Errorf("machine %+v", rep.Machine)
	}
	if len(rep.GCM) != 12 { // 2 key sizes, 2 operations, 3 lengths
		t.Errorf("%d rows of AES-GCM", len(rep.GCM))
	}
	for _, r := range rep.GCM {
		if r.NS <= 0 || r.StandardNS <= 0 || r.Ratio <= 0 {
			t.Errorf("row %+v", r)
		}
	}
	// With 2 key sizes, for 2 lengths or for the one that is a multiple of 16: CTR, XCTR, XTS both ways, CBC
	// both ways, CBC-CTS both ways, CMAC, XCBC-MAC with 1 key size, CCM both ways.
	if want := 2*2 + 2*2 + 4*2 + 4*1 + 4*2 + 2*2 + 2 + 4*2; len(rep.Modes) != want {
		t.Errorf("%d rows of other modes, want %d", len(rep.Modes), want)
	}
	for _, r := range rep.Modes {
		if none := r.Mode == "xts" && r.Bytes == 17; r.NS <= 0 || (r.StandardNS == 0) != none || (r.Ratio == 0) != none {
			t.Errorf("row %+v", r)
		}
	}
	if len(rep.Generic) != 2*len(genericWays) {
		t.Errorf("%d rows of portable code", len(rep.Generic))
	}
	for _, r := range rep.Generic {
		if r.NS <= 0 || r.MBPerSecond <= 0 {
			t.Errorf("row %+v", r)
		}
	}
	if len(rep.Sectors) != 4 {
		t.Errorf("%d rows of sectors", len(rep.Sectors))
	}
	if len(rep.Align) == 0 || len(rep.Partial) == 0 || len(rep.Setup) != 2 || len(rep.Blocks) == 0 {
		t.Error("a part is missing")
	}
	if _, ok := portlimit.GCM(arch.Best(), 256); ok && (len(rep.Limit) != 4 || len(rep.ModeLimit) != 14) {
		t.Errorf("%d and %d rows of limits", len(rep.Limit), len(rep.ModeLimit))
	}

	text := lamina(t, "", args...)
	text.succeeds(t)
	for _, want := range []string{"crypto/cipher ns", "ratio", "AES-256 open", "Making an AES-GCM key ready", "cache line",
		"AES-256-XTS decrypt, nanoseconds", "x/crypto/xts", "loop over cipher.Block", "64 sectors", "four tables"} {
		if !strings.Contains(text.stdout, want) {
			t.Errorf("no %q in the text:\n%s", want, text.stdout)
		}
	}
}

// Options choose modes and operations; the improvement comes without the tables it is made of.
func TestSpeedChoice(t *testing.T) {
	if _, ok := arch.Lookup(improvementBase); !ok {
		t.Skip("this CPU cannot run " + improvementBase)
	}
	for _, test := range []struct {
		args               string
		modes, improvement int
	}{
		{"--part=modes --mode=xts,ctr --op=decrypt --impl=aesni-avx,generic", 4, 0},
		{"--part=improvement --op=decrypt --impl=aesni-avx,generic", 0, 3},
		{"--part=improvement,modes --mode=xts --op=decrypt --impl=aesni-avx,generic", 2, 3},
		{"--part=improvement,modes --mode=ctr --impl=generic", 1, 0},
	} {
		args := append([]string{"speed", "--json", "--time=100us", "--lengths=64", "--key-size=192"}, strings.Fields(test.args)...)
		res := lamina(t, "", args...)
		res.succeeds(t)
		var rep report
		if err := json.Unmarshal([]byte(res.stdout), &rep); err != nil {
			t.Fatal(err)
		}
		if len(rep.Modes) != test.modes || len(rep.Improvement) != test.improvement {
			t.Errorf("%s: %d rows of modes and %d of improvement, want %d and %d", test.args, len(rep.Modes), len(rep.Improvement),
				test.modes, test.improvement)
		}
		if text := lamina(t, "", slices.Delete(args, 1, 2)...); test.improvement == 0 == strings.Contains(text.stdout, "Improvement of") {
			t.Errorf("%s prints\n%s", test.args, text.stdout)
		}
	}
}

func TestImprovements(t *testing.T) {
	c := modeCase{128, "encrypt", 64}
	got := improvements([]modeRow{
		{Mode: "ctr", Impl: "fast", modeCase: c, NS: 20}, {Mode: "ctr", Impl: improvementBase, modeCase: c, NS: 30},
		{Mode: "cbc", Impl: "fast", modeCase: c, NS: 20}, {Mode: "cbc", Impl: improvementBase, modeCase: c, NS: 30},
		{Mode: "xts", Impl: "fast", modeCase: c, NS: 20},
	})
	if len(got) != 1 || got[0] != (improvementRow{"ctr", "fast", c, 50}) {
		t.Errorf("20 ns instead of 30 are %+v", got)
	}
}

// Every side of every mode takes every length that the mode accepts, and does not panic.
func TestModeSides(t *testing.T) {
	for _, m := range modes {
		for _, op := range m.ops {
			for _, n := range []int{1, 16, 17, 64, 100} {
				c := modeCase{128, op, n}
				if !m.accepts(c) {
					continue
				}
				if theirs := m.theirs(c); theirs != nil {
					theirs(3)
				}
				for _, im := range arch.Impls() {
					m.ours(im, c)(3)
				}
			}
		}
	}
}

func TestSpeedFile(t *testing.T) {
	f := newFolder(t)
	for _, size := range []int{0, 16384, 40000} {
		name := f.write(t, "a", patterned(size))
		lamina(t, "", "speed", "--time", "100us", "--file", name).succeeds(t)
	}
	lamina(t, "", "speed", "--file", f.path("missing")).fails(t, "no such file")
}

func TestSpeedRefusals(t *testing.T) {
	for _, tt := range []struct{ arg, want string }{
		{"--impl=sse9", "no such implementation"},
		{"--key-size=64", "128, 192 or 256"},
		{"--op=shut", "seal, open, encrypt, decrypt"},
		{"--mode=ofb", "the modes are ctr, xctr"},
		{"--part=all", "the parts are"},
		{"--lengths=-1", "between 0"},
		{"--ad=-1", "between 0"},
		{"--align=-1", "between 0"},
		{"--time=0s", "more than 0"},
		{"--op=", "--op: it is empty"},
		{"--part=", "--part: it is empty"},
		{"--mode=", "--mode: it is empty"},
	} {
		lamina(t, "", "speed", tt.arg).fails(t, tt.want)
	}
	lamina(t, "", "speed", "--part=limit,improvement", "--impl=generic").fails(t, "nothing to measure")
}

// The two tags that take turns really belong to records of the same text and its ciphertext.
func TestRecordTurns(t *testing.T) {
	s := shape{KeyBits: 256, Op: "open", AD: 13, Bytes: 100, Align: 3}
	aead := newStandard(s.key())
	r := newRecord(s, aead)
	var texts [2][]byte
	for i := range 4 {
		r.nextOpen()
		if _, err := aead.Open(r.buf[:0], r.nonce[:], r.buf, r.ad); err != nil {
			t.Fatalf("turn %d: %v", i, err)
		}
		text := bytes.Clone(r.buf[:r.bytes])
		if i >= 2 && !bytes.Equal(text, texts[i&1]) {
			t.Errorf("turn %d opens to another text", i)
		}
		texts[i&1] = text
	}
	if bytes.Equal(texts[0], texts[1]) {
		t.Error("both turns open to the same text")
	}
}

func TestSession(t *testing.T) {
	spin := func(each time.Duration) func(n int) {
		return func(n int) {
			for start := time.Now(); time.Since(start) < time.Duration(n)*each; {
			}
		}
	}
	s := session{rounds: 9}
	var order []int
	for i := range 2 {
		s.add(20*time.Millisecond, func(times []timing) {
			order = append(order, i)
			if ratio := times[1].over(times[0]); ratio < 2.5 || ratio > 3.5 {
				t.Errorf("three times the work takes %.2f times as long", ratio)
			}
			if best := times[0].best(); best < 20e3 {
				t.Errorf("20 µs took %.0f ns", best)
			}
		}, spin(20*time.Microsecond), spin(60*time.Microsecond))
	}
	s.run()
	if len(order) != 2 || order[0] != 0 {
		t.Errorf("done in the order %v", order)
	}
}
