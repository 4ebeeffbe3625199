package main

import (
	"strings"
	"testing"
)

const nmOutput = `/tmp/p.a(_go_.o):	    6783         56 T p/q.SealAESNI
/tmp/p.a(_go_.o):	                  0 U p/q.SealAESNI
/tmp/p.a(gcm_amd64.o):	    32da         64 r constants<1>
/tmp/p.a(gcm_amd64.o):	    7426        728 T p/q.SealAESNI
/tmp/p.a(gcm_amd64.o):	    7427        100 T p/q.SealAESNIAVX
/tmp/p.a(gcm_amd64.o):	    7428         50 T p/q.SealVAESAVX512Z
/tmp/p.a(aes_amd64.o):	    7429          7 t p/q.common
`

func TestParse(t *testing.T) {
	text, data, err := parse(strings.NewReader(nmOutput))
	if err != nil {
		t.Fatal(err)
	}
	if data != 64 || len(text) != 4 {
		t.Fatalf("%d bytes of constants, functions %v", data, text)
	}
	want := []struct {
		impl, base, file string
		bytes            int
	}{
		{"aesni", "Seal", "gcm", 728},
		{"aesni-avx", "Seal", "gcm", 100},
		{"vaes-avx512-512", "Seal", "gcm", 50},
		{"shared", "common", "aes", 7},
	}
	for i, s := range text {
		impl, base := s.impl()
		if impl != want[i].impl || base != want[i].base || s.bytes != want[i].bytes || s.file != want[i].file {
			t.Errorf("symbol %d: %s %s %+v; want %+v", i, impl, base, s, want[i])
		}
	}
	var out strings.Builder
	if err := print(&out, text, data); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"878", "885", "constants and tables: 64 bytes"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

func TestParseNonsense(t *testing.T) {
	for _, line := range []string{"nonsense", "/tmp/p.a(x.o): 1 many T f"} {
		if _, _, err := parse(strings.NewReader(line)); err == nil {
			t.Errorf("no error for %q", line)
		}
	}
}
