package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"lamina/arch"
	"lamina/cmd/internal/tunnel"
)

func TestRecordsUDP(t *testing.T) {
	args := []string{"records", "udp", "--time", "20ms", "--bytes", "1000", "--streams", "1,2"}
	res := lamina(t, "", append(args, "-json")...)
	res.succeeds(t)
	var rep udpReport
	if err := json.Unmarshal([]byte(res.stdout), &rep); err != nil {
		t.Fatalf("%v in %s", err, res.stdout)
	}
	if rep.Schema != recordsSchema || rep.Machine.Go == "" || len(rep.UDP) != 4 {
		t.Fatalf("%+v", rep)
	}
	for i, r := range rep.UDP {
		way := []string{"direct", "request"}[i%2]
		if r.Way != way || r.Streams != 1+i/2 || r.Bytes != 1000 || r.Impl != arch.Best().String() {
			t.Errorf("row %d is %+v", i, r)
		}
		if r.Records < udpRounds*r.Streams || r.Seconds < 0.02 || !near(r.Rate, float64(r.Records)/r.Seconds) ||
			!near(r.Gbits, r.Rate*8000/1e9) {
			t.Errorf("row %d is %+v", i, r)
		}
	}

	text := lamina(t, "", args...)
	text.succeeds(t)
	records := 0
	for _, name := range []string{"direct, 1 stream", "request, 1 stream", "direct, 2 streams", "request, 2 streams"} {
		line := regexp.MustCompile(`(?m)^ *` + name + ` +(\d+) +\d+ +[\d.]+ +\d+ +[\d.]+$`).FindStringSubmatch(text.stdout)
		if line == nil {
			t.Fatalf("no line for %s:\n%s", name, text.stdout)
		}
		n, err := strconv.Atoi(line[1])
		if err != nil {
			t.Fatal(err)
		}
		records += n
	}
	if want := fmt.Sprintf("All %d records arrived", records); !strings.Contains(text.stdout, want) {
		t.Errorf("no %q in\n%s", want, text.stdout)
	}
}

func TestRecordsUDPRefusals(t *testing.T) {
	for _, tt := range []struct{ arg, want string }{
		{"--impl=sse9", "no such implementation"},
		{"--bytes=7", "between 8 and"},
		{fmt.Sprintf("--bytes=%d", tunnel.MaxText+1), "between 8 and"},
		{"--streams=0", "between 1 and"},
		{"--streams=", "--streams"},
		{"--time=0s", "more than 0"},
	} {
		lamina(t, "", "records", "udp", tt.arg).fails(t, tt.want)
	}
	lamina(t, "", "records", "tcp").fails(t, "unknown command")
}

func TestRecordsHelp(t *testing.T) {
	for _, args := range [][]string{{"records"}, {"records", "udp"}} {
		res := lamina(t, "", append(args, "-help")...)
		res.succeeds(t)
		if !strings.Contains(res.stdout, "Examples:\n  lamina "+strings.Join(args, " ")) {
			t.Errorf("the help of %v has no example:\n%s", args, res.stdout)
		}
	}
}
