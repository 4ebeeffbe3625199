package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// spellings are all ways to write a key.
func spellings(key []byte) []string {
	return []string{
		hex.EncodeToString(key), strings.ToUpper(hex.EncodeToString(key)),
		base64.StdEncoding.EncodeToString(key), base64.RawStdEncoding.EncodeToString(key),
		base64.URLEncoding.EncodeToString(key), base64.RawURLEncoding.EncodeToString(key),
	}
}

// FuzzKeyFile reads arbitrary files as keys. What is taken for a key must be a spelling of it with nothing but space
// around, and of no other length. Every spelling of a key made from the same bytes must be read.
func FuzzKeyFile(f *testing.F) {
	key := bytes.Repeat([]byte{0xfb, 0xef}, keySize/2) // + and / in base64
	for _, text := range spellings(key) {
		for _, around := range []string{"", "\n", "\r\n", " ", "\t\n", "\n\n", "\u00a0", "\ufeff", "\x00"} {
			f.Add([]byte(text + around))
			f.Add([]byte(around + text))
		}
		f.Add([]byte(text[:20] + "\n" + text[20:]))
		f.Add([]byte(text[:20] + "\r" + text[20:]))
		f.Add([]byte(text[:len(text)-1]))
		f.Add([]byte(text + text))
		f.Add([]byte(text + strings.Repeat(" ", maxKeyFile-len(text))))
		f.Add([]byte(text + strings.Repeat(" ", maxKeyFile+1-len(text))))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(dir, "key")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		key, _, err := readKey(path)
		switch {
		case err != nil && !strings.Contains(err.Error(), "is not a key file"):
			t.Fatalf("%q: %v", data, err)
		case err != nil && key != nil:
			t.Fatalf("%q: both an error and a key", data)
		case err == nil && (len(key) != keySize || len(data) > maxKeyFile || !spells(string(data), key)):
			t.Fatalf("%q was read as the key %x", data, key)
		}
		want := make([]byte, keySize)
		copy(want, data)
		for _, text := range spellings(want) {
			if got, ok := parseKey("\t" + text + "\r\n"); !ok || !bytes.Equal(got, want) {
				t.Fatalf("%q was read as %x, %v", text, got, ok)
			}
		}
	})
}

// spells reports whether text is key in one of its spellings, with space around or not. Hexadecimal digits may be of
// both cases.
func spells(text string, key []byte) bool {
	text = strings.TrimSpace(text)
	return slices.Contains(spellings(key), text) || strings.ToLower(text) == hex.EncodeToString(key)
}

// FuzzArguments has arbitrary arguments, separated by zero bytes, read for long flags with one dash. Each stays as it is
// or gets a dash, and a second reading changes nothing.
func FuzzArguments(f *testing.F) {
	for _, args := range []string{
		"", "list", "list\x00-json", "list\x00--json", "seal\x00-k", "seal\x00-é", "seal\x00-q\xff", "seal\x00-=",
		"seal\x00--=\x00a", "open\x00-jobs=2\x00-o=-\x00a", "open\x00-fqo", "help\x00seal\x00-help",
		"seal\x00--\x00-force", "completion\x00bash\x00-no-descriptions", "keygen\x00a", "-help", "--", "---",
	} {
		f.Add(args)
	}
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Split(line, "\x00")
		out := doubleDashes(newRoot(), args)
		if len(out) != len(args) {
			t.Fatalf("%q became %q", args, out)
		}
		for i := range args {
			if out[i] != args[i] && out[i] != "-"+args[i] {
				t.Fatalf("%q became %q", args[i], out[i])
			}
		}
		if again := doubleDashes(newRoot(), out); !slices.Equal(again, out) {
			t.Fatalf("%q became %q, and that %q", args, out, again)
		}
	})
}
