package main

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// isXML fails the test unless text is well-formed.
func isXML(t *testing.T, text string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("not XML: %v", err)
		}
	}
}

func TestPlot(t *testing.T) {
	speed := lamina(t, "", "speed", "--part", "gcm", "--json", "--time", "1us", "--lengths", "0,16,1024", "--ad", "13")
	speed.succeeds(t)
	records := lamina(t, "", "records", "--json", "--time", "1us", "--lengths", "16,64", "--key-size", "128")
	records.succeeds(t)
	for name, tt := range map[string]struct {
		json string
		args []string
		want []string
	}{
		"speed":     {speed.stdout, nil, []string{"AES-256-GCM seal, 13 bytes", "gigabytes a second", "generic", "crypto/cipher", "1 Ki"}},
		"all":       {speed.stdout, []string{"--key-size", "128,256", "--op", "seal,open"}, []string{"AES-128-GCM open", "AES-256-GCM seal"}},
		"records":   {records.stdout, nil, []string{"AES-128-GCM seal", "AES-128-GCM open", "three calls", "request, 16 segments"}},
		"from file": {speed.stdout, []string{"FILE"}, []string{"AES-256-GCM seal"}},
	} {
		args := append([]string{"plot"}, tt.args...)
		stdin := tt.json
		if len(tt.args) == 1 {
			args[1] = filepath.Join(t.TempDir(), "figures.json")
			if err := os.WriteFile(args[1], []byte(tt.json), 0o666); err != nil {
				t.Fatal(err)
			}
			stdin = ""
		}
		got := lamina(t, stdin, args...)
		got.succeeds(t)
		isXML(t, got.stdout)
		for _, want := range tt.want {
			if !strings.Contains(got.stdout, want) {
				t.Errorf("%s: no %q in the chart", name, want)
			}
		}
		if again := lamina(t, stdin, args...); again.stdout != got.stdout {
			t.Errorf("%s: the chart is another the second time", name)
		}
	}
}

func TestPlotRefusals(t *testing.T) {
	target := filepath.Join(t.TempDir(), "chart.svg")
	if err := os.WriteFile(target, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	gcm := `{"schema":1,"gcm":[{"impl":"generic","key_bits":256,"op":"seal","ad":13,"bytes":%s,"ns":1,"standard_ns":1}]}`
	for _, tt := range []struct {
		stdin, want string
		args        []string
	}{
		{"", "lamina speed --json", nil},
		{"{", "lamina speed --json", nil},
		{"{}", "neither figures of records nor those of the part gcm", nil},
		{`{"schema":7,"records":[{"impl":"x"}]}`, "schema 7", nil},
		{`{"schema":1,"records":[{"impl":"x","way":"direct"}]}`, "every way of calling", nil},
		{strings.ReplaceAll(gcm, "%s", "16"), "no figures of AES-GCM for these flags", []string{"--ad", "14"}},
		{strings.ReplaceAll(gcm, "%s", "0"), "no text longer than 0 bytes", nil},
		{strings.ReplaceAll(gcm, "%s", "16"), "chart.svg", []string{"-o", target}},
		{"", "no such file", []string{filepath.Join(t.TempDir(), "missing.json")}},
	} {
		got := lamina(t, tt.stdin, append([]string{"plot"}, tt.args...)...)
		if got.status == 0 || got.stdout != "" || !strings.Contains(got.stderr, tt.want) {
			t.Errorf("%s %v: status %d, error %q; want it to say %q", tt.stdin, tt.args, got.status, got.stderr, tt.want)
		}
	}
}
