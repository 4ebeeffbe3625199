package main

import (
	"bytes"
	"crypto/cipher"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lamina/api/registry"
	"lamina/arch"
)

// driverNames returns the drivers of the registry whose own name or that of their algorithm begins with prefix.
func driverNames(prefix string) (names []string) {
	for _, e := range registry.List() {
		if strings.HasPrefix(e.Name, prefix) || strings.HasPrefix(e.Algorithm.Driver, prefix) {
			names = append(names, e.Algorithm.Driver)
		}
	}
	return names
}

// The list has a paragraph for each driver, in the form of /proc/crypto.
func TestListDrivers(t *testing.T) {
	for _, prefix := range []string{"", "rfc4106(", "ccm-aes-", "gcm-aes-generic", "none"} {
		args := []string{"list", "--api"}
		if prefix != "" {
			args = append(args, prefix)
		}
		res := lamina(t, "", args...)
		res.succeeds(t)
		var got []string
		for paragraph := range strings.SplitSeq(strings.TrimSuffix(res.stdout, "\n\n"), "\n\n") {
			fields := map[string]string{}
			for line := range strings.Lines(paragraph) {
				name, value, ok := strings.Cut(line, ":")
				if !ok || len(name) != 13 {
					t.Fatalf("%q is no line of /proc/crypto", line)
				}
				fields[strings.TrimSpace(name)] = strings.TrimSpace(value)
			}
			if fields["driver"] == "" {
				continue
			}
			got = append(got, fields["driver"])
			if fields["selftest"] != "passed" || fields["module"] != "lamina" || fields["ivsize"] == "" {
				t.Errorf("a driver is said to be %q", fields)
			}
		}
		if want := driverNames(prefix); !slices.Equal(got, want) {
			t.Errorf("drivers %q: %q, want %q", prefix, got, want)
		}
	}
	lamina(t, "", "list", "--api", "gcm", "ccm").fails(t, "accepts at most 1 arg")
}

func TestListDriversJSON(t *testing.T) {
	for _, prefix := range []string{"gcm-aes-generic", "none"} {
		res := lamina(t, "", "list", "--api", "--json", prefix)
		res.succeeds(t)
		var got []driverEntry
		if err := json.Unmarshal([]byte(res.stdout), &got); err != nil || got == nil {
			t.Fatalf("%v in %s", err, res.stdout)
		}
		if prefix == "none" {
			if len(got) != 0 {
				t.Errorf("drivers of %q: %+v", prefix, got)
			}
			continue
		}
		if len(got) != 1 {
			t.Fatalf("%d drivers are called gcm-aes-generic", len(got))
		}
		got[0].Users = 0
		want := driverEntry{
			Name: "gcm(aes)", Driver: prefix, Type: registry.AEAD, Priority: got[0].Priority, SelfTest: registry.Passed,
			BlockSize: 1, ChunkSize: 16, IVSize: 12, MinKeySize: 16, MaxKeySize: 32, MaxAuthSize: 16,
		}
		if got[0] != want {
			t.Errorf("%+v, want %+v", got[0], want)
		}
	}
	failed := newDriverEntry(registry.Entry{State: registry.Failed, Err: errors.New("it is wrong")})
	if failed.SelfTest != registry.Failed || failed.Error != "it is wrong" {
		t.Errorf("a driver that failed: %+v", failed)
	}
}

// Every driver of an implementation passes and has its line.
func TestTestDrivers(t *testing.T) {
	im := arch.Best().String()
	res := lamina(t, "", "test", "--api", "--impl", im)
	res.succeeds(t)
	for _, e := range registry.List() {
		line := fmt.Sprintf("ok    %-32s  self-test, ", e.Algorithm.Driver)
		want := strings.HasSuffix(e.Algorithm.Driver, "-"+im) && !e.Asynchronous
		if strings.Contains(res.stdout, line) != want {
			t.Errorf("a line for %s: %v:\n%s", e.Algorithm.Driver, !want, res.stdout)
		}
	}
	if !strings.Contains(res.stdout, "drivers passed") || strings.Contains(res.stdout, " 0 messages compared") {
		t.Errorf("the summary is wrong:\n%s", res.stdout)
	}
	lamina(t, "", "test", "--api", "--impl", "sse9").fails(t, "no such implementation")
}

// withDirect has another direct call stand in for that of gcm(aes) while a test runs.
func withDirect(t *testing.T, direct func(key, salt, iv []byte) (cipher.AEAD, []byte, error)) {
	saved := aeadAlgorithms["gcm(aes)"]
	t.Cleanup(func() { aeadAlgorithms["gcm(aes)"] = saved })
	changed := saved
	changed.direct = direct
	aeadAlgorithms["gcm(aes)"] = changed
}

// Requests that do something else than the direct call fail the command, and only they.
func TestTestDriversFails(t *testing.T) {
	withDirect(t, func(key, salt, iv []byte) (cipher.AEAD, []byte, error) {
		sealer, nonce, err := directGCM(key, salt, iv)
		nonce[11] ^= 1
		return sealer, nonce, err
	})
	im := arch.Best().String()
	res := lamina(t, "", "test", "--api", "--impl", im)
	res.fails(t, "drivers are wrong")
	fail := fmt.Sprintf("FAIL  %-32s", "gcm-aes-"+im)
	if !strings.Contains(res.stdout, fail) || strings.Count(res.stdout, "FAIL") != 1 {
		t.Errorf("the output does not say which driver is wrong:\n%s", res.stdout)
	}
}

func TestDriverProblems(t *testing.T) {
	broken := errors.New("it is wrong")
	_, err := testDriver(registry.Entry{State: registry.Failed, Err: broken})
	if !errors.Is(err, broken) {
		t.Errorf("a driver that failed its self-test gives %v", err)
	}
	unknown := registry.Algorithm{Type: registry.AEAD, Name: "eax(aes)"}
	_, err = testDriver(registry.Entry{State: registry.Passed, Algorithm: unknown})
	if err == nil || !strings.Contains(err.Error(), "eax(aes)") {
		t.Errorf("an algorithm without a direct call gives %v", err)
	}
	withDirect(t, func(_, _, _ []byte) (cipher.AEAD, []byte, error) { return nil, nil, broken })
	_, err = checkAEADMessages(registry.Algorithm{
		Name: "gcm(aes)", Driver: "gcm-aes-generic", MinKeySize: 16, MaxKeySize: 32,
	})
	if !errors.Is(err, broken) {
		t.Errorf("a direct call that fails gives %v", err)
	}
}

// Whatever the division, the segments in order are the message.
func TestDivisions(t *testing.T) {
	for _, d := range divisions {
		for _, n := range []int{0, 1, 30, 1000} {
			message := patterned(n)
			if got := bytes.Join(d.cut(message, n/3, n/3), nil); !bytes.Equal(got, message) {
				t.Errorf("%s of %d bytes have %d bytes, or others", d.name, n, len(got))
			}
		}
	}
}
