package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"lamina/lib/cobblestone"
)

func TestRoundTrip(t *testing.T) {
	const chunk = cobblestone.ChunkSize
	for _, size := range []int{0, 1, 15, 16, chunk - 1, chunk, chunk + 1, 3 * chunk, 3<<20 + 5} {
		for _, jobs := range []string{"1", "2", "0"} {
			t.Run(fmt.Sprintf("%d/%s", size, jobs), func(t *testing.T) {
				f := newFolder(t)
				want := patterned(size)
				name := f.write(t, "a", want)
				res := lamina(t, "", "seal", "-k", f.key, "-j", jobs, name)
				res.succeeds(t)
				if res.stdout != "" || res.stderr != "" {
					t.Errorf("it said something: %q %q", res.stdout, res.stderr)
				}
				sealed := f.read(t, "a.lamina")
				if wantSize := cobblestone.HeaderSize + size + tagSize*(size/chunk+1); len(sealed) != wantSize {
					t.Errorf("%d bytes sealed; want %d", len(sealed), wantSize)
				}
				if err := os.Remove(name); err != nil {
					t.Fatal(err)
				}
				lamina(t, "", "open", "-k", f.key, "-j", jobs, name+".lamina").succeeds(t)
				if got := f.read(t, "a"); !bytes.Equal(got, want) {
					t.Error("opened to something else")
				}
				f.holds(t, "a", "a.lamina")
			})
		}
	}
}

func TestStandardStreams(t *testing.T) {
	f := newFolder(t)
	want := string(patterned(50000))
	sealed := lamina(t, want, "seal", "-k", f.key, "-")
	sealed.succeeds(t)
	opened := lamina(t, sealed.stdout, "open", "-k", f.key, "-")
	opened.succeeds(t)
	if opened.stdout != want {
		t.Error("opened to something else")
	}
	f.holds(t)

	lamina(t, want, "seal", "-k", f.key, "-", "-o", f.path("b.lamina")).succeeds(t)
	opened = lamina(t, "", "open", "-k", f.key, f.path("b.lamina"), "-o", "-")
	opened.succeeds(t)
	if opened.stdout != want {
		t.Error("opened to something else")
	}
	f.holds(t, "b.lamina")
}

// To standard output, what comes out before an error is the true beginning of the file.
func TestStandardOutputAuthentic(t *testing.T) {
	f := newFolder(t)
	want := patterned(5 * cobblestone.ChunkSize)
	f.write(t, "a", want)
	lamina(t, "", "seal", "-k", f.key, f.path("a")).succeeds(t)
	sealed := f.read(t, "a.lamina")
	sealed[cobblestone.HeaderSize+2*(cobblestone.ChunkSize+tagSize)] ^= 1
	f.write(t, "a.lamina", sealed)
	res := lamina(t, "", "open", "-k", f.key, f.path("a.lamina"), "-o", "-")
	res.fails(t, "chunk 2")
	if !bytes.HasPrefix(want, []byte(res.stdout)) || len(res.stdout) > 2*cobblestone.ChunkSize {
		t.Errorf("%d bytes came out that are not the beginning", len(res.stdout))
	}
}

func TestDamage(t *testing.T) {
	const chunk = cobblestone.ChunkSize + tagSize
	at := func(i int) func([]byte) []byte {
		return func(b []byte) []byte { b[i] ^= 0x10; return b }
	}
	cut := func(n int) func([]byte) []byte {
		return func(b []byte) []byte { return b[:n] }
	}
	start := cobblestone.HeaderSize
	size := 40*cobblestone.ChunkSize + 100
	end := start + 40*chunk + 100 + tagSize
	tests := []struct {
		name   string
		change func([]byte) []byte
		want   string
	}{
		{"salt", at(3), "wrong key"},
		{"commitment", at(start - 1), "wrong key"},
		{"first chunk", at(start), "chunk 0 is damaged"},
		{"first tag", at(start + chunk - 1), "chunk 0 is damaged"},
		{"second chunk", at(start + chunk), "chunk 1 is damaged"},
		{"middle chunk", at(start + 20*chunk + 777), "chunk 20 is damaged"},
		{"last chunk", at(start + 40*chunk + 99), "chunk 40 is damaged"},
		{"last byte", at(end - 1), "chunk 40 is damaged"},
		{"last byte missing", cut(end - 1), "chunk 40 is damaged, or the file was cut short in it, or something follows"},
		{"last chunk missing", cut(start + 40*chunk), "chunk 40 is missing"},
		{"middle of a chunk", cut(start + 7*chunk + 500), "chunk 7 is damaged, or the file was cut short in it"},
		{"no chunk", cut(start), "chunk 0 is missing"},
		{"half a header", cut(start / 2), "too short for a sealed file"},
		{"nothing", cut(0), "too short for a sealed file"},
		{"more after the end", func(b []byte) []byte { return append(b, 0) }, "or something follows the end of what was sealed"},
		{"chunks exchanged", func(b []byte) []byte {
			first, second := b[start:start+chunk], b[start+chunk:start+2*chunk]
			saved := bytes.Clone(first)
			copy(first, second)
			copy(second, saved)
			return b
		}, "chunk 0 is damaged"},
	}
	f := newFolder(t)
	f.write(t, "a", patterned(size))
	lamina(t, "", "seal", "-k", f.key, f.path("a"), "-o", f.path("good")).succeeds(t)
	if err := os.Remove(f.path("a")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		for _, jobs := range []string{"1", "2"} {
			t.Run(tt.name+"/"+jobs, func(t *testing.T) {
				f.write(t, "a.lamina", tt.change(bytes.Clone(f.read(t, "good"))))
				lamina(t, "", "open", "-k", f.key, "-j", jobs, f.path("a.lamina")).fails(t, tt.want)
				f.holds(t, "good", "a.lamina") // no output, whole or in part
			})
		}
	}
}

func TestWrongKey(t *testing.T) {
	f := newFolder(t)
	name := f.write(t, "a", []byte("text"))
	lamina(t, "", "seal", "-k", f.key, name).succeeds(t)
	other := newFolder(t)
	lamina(t, "", "open", "-k", other.key, name+".lamina", "-o", f.path("b")).fails(t, "wrong key")
	f.holds(t, "a", "a.lamina")
}

// Damage also leaves what stood under the name as it was, -f or not.
func TestOverwrite(t *testing.T) {
	f := newFolder(t)
	name := f.write(t, "a", []byte("text"))
	sealed := f.write(t, "a.lamina", []byte("precious"))
	lamina(t, "", "seal", "-k", f.key, name).fails(t, "exists; -f overwrites it")
	if got := f.read(t, "a.lamina"); string(got) != "precious" {
		t.Fatalf("overwritten with %q", got)
	}
	lamina(t, "", "open", "-f", "-k", f.key, sealed, "-o", name).fails(t, "too short")
	if got := f.read(t, "a"); string(got) != "text" {
		t.Fatalf("a failed open -f left %q", got)
	}
	lamina(t, "", "seal", "-f", "-k", f.key, name).succeeds(t)
	lamina(t, "", "open", "-k", f.key, sealed).fails(t, "exists; -f overwrites it")
	f.write(t, "a", []byte("other"))
	lamina(t, "", "open", "-f", "-k", f.key, sealed).succeeds(t)
	if got := f.read(t, "a"); string(got) != "text" {
		t.Fatalf("opened to %q", got)
	}
	f.holds(t, "a", "a.lamina")
}

// A file that appears while the work is done is not overwritten either.
func TestOverwriteLate(t *testing.T) {
	f := newFolder(t)
	out, err := createOutput(f.path("a"), 0o600, false)
	if err != nil {
		t.Fatal(err)
	}
	f.write(t, "a", []byte("precious"))
	if _, err := out.Write([]byte("new")); err != nil {
		t.Fatal(err)
	}
	if err := out.commit(); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Fatalf("commit over a file: %v", err)
	}
	if got := f.read(t, "a"); string(got) != "precious" {
		t.Fatalf("overwritten with %q", got)
	}
	f.holds(t, "a")
}

// Where there are no hard links, a file is not overwritten either.
func TestRenameToNew(t *testing.T) {
	f := newFolder(t)
	temp := f.write(t, "temp", []byte("new"))
	f.write(t, "a", []byte("precious"))
	var exists existsError
	if err := renameToNew(temp, f.path("a")); !errors.As(err, &exists) {
		t.Errorf("rename over a file: %v", err)
	}
	if got := f.read(t, "a"); string(got) != "precious" {
		t.Fatalf("overwritten with %q", got)
	}
	if err := renameToNew(f.path("missing"), f.path("b")); err == nil {
		t.Error("rename of a missing file succeeded")
	}
	f.holds(t, "a", "temp")
	if err := renameToNew(temp, f.path("b")); err != nil {
		t.Error(err)
	}
	f.holds(t, "a", "b")
	if got := f.read(t, "b"); string(got) != "new" {
		t.Errorf("it holds %q", got)
	}
}

func TestOutputOnce(t *testing.T) {
	f := newFolder(t)
	out, err := createOutput(f.path("a"), 0o600, false)
	if err != nil {
		t.Fatal(err)
	}
	if !out.abort() {
		t.Error("abort says that there was nothing to abort")
	}
	if out.abort() {
		t.Error("abort says twice that it removed the file")
	}
	f.holds(t)
	if _, err := out.Write([]byte("late")); err == nil {
		t.Error("written after abort")
	}
	if err := out.commit(); err == nil {
		t.Error("committed after abort")
	}
	f.holds(t)

	if out, err = createOutput(f.path("a"), 0o600, false); err != nil {
		t.Fatal(err)
	}
	if err := out.commit(); err != nil {
		t.Fatal(err)
	}
	if out.abort() {
		t.Error("abort says that it removed a file that was committed")
	}
	f.holds(t, "a")
}

// Errors name the file that was asked for, not the temporary one.
func TestOutputErrors(t *testing.T) {
	f := newFolder(t)
	check := func(what string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), f.path("a")+":") || strings.Contains(err.Error(), ".tmp") {
			t.Errorf("%s: %v; want an error about %s", what, err, f.path("a"))
		}
	}
	for _, force := range []bool{false, true} {
		out, err := createOutput(f.path("a"), 0o600, force)
		if err != nil {
			t.Fatal(err)
		}
		if err := out.temp.Close(); err != nil {
			t.Fatal(err)
		}
		_, err = out.Write([]byte("text"))
		check("write", err)
		check("commit", out.commit())
		f.holds(t)
	}
	out, err := createOutput(f.path("a"), 0o600, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(f.path("a"), 0o700); err != nil {
		t.Fatal(err)
	}
	check("rename", out.commit())
	f.holds(t, "a")
}

// Every name that the file system takes can be written, and a longer one fails before the work is done.
func TestLongName(t *testing.T) {
	f := newFolder(t)
	const longest = 255
	name := f.write(t, strings.Repeat("a", longest-len(sealedSuffix)), []byte("text"))
	lamina(t, "", "seal", "-k", f.key, name).succeeds(t)
	lamina(t, "", "open", "-f", "-k", f.key, name+sealedSuffix).succeeds(t)
	if _, err := createOutput(f.path(strings.Repeat("a", longest+1)), 0o600, false); err == nil {
		t.Error("a name that is too long was accepted")
	}
}

// The key is not overwritten with what only it can open, whatever it is called; nor is it, or the input, appended to.
func TestOutputIsKey(t *testing.T) {
	f := newFolder(t)
	name := f.write(t, "a", []byte("text"))
	lamina(t, "", "seal", "-k", f.key, name).succeeds(t)
	links := []string{"key", "link"}
	if err := os.Link(f.key, f.path("link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(f.key, f.path("symlink")); err == nil {
		links = append(links, "symlink")
	}
	before := f.read(t, "key")
	for _, key := range links {
		for _, target := range links {
			lamina(t, "", "seal", "-f", "-k", f.path(key), "-o", f.path(target), name).fails(t, "is the key")
			lamina(t, "text", "seal", "-f", "-k", f.path(key), "-o", f.path(target), "-").fails(t, "is the key")
			lamina(t, "", "open", "-f", "-k", f.path(key), "-o", f.path(target), name+".lamina").fails(t, "is the key")
		}
	}
	f.holds(t, append(links[1:], "a", "a.lamina")...)
	if !bytes.Equal(f.read(t, "key"), before) {
		t.Error("the key was overwritten")
	}
}

// Standard input and output may be files too, and then are not to be read and written at the same time.
func TestStandardStreamsAreFiles(t *testing.T) {
	f := newFolder(t)
	name := f.write(t, "a", []byte("text"))
	other := f.write(t, "b", nil)
	open := func(path string) *os.File {
		file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { file.Close() })
		return file
	}
	for _, tt := range []struct {
		stdin, stdout string
		args          []string
		want          string // in the error; empty for none
	}{
		{other, f.key, []string{name, "-o", "-"}, "is the key"},
		{name, f.key, []string{"-"}, "is the key"},
		{other, name, []string{name, "-o", "-"}, "both the file to read and the file to write"},
		{name, name, []string{"-"}, "both the file to read and the file to write"},
		{name, other, []string{"-", "-f", "-o", name}, "both the file to read and the file to write"},
		{other, other, []string{name, "-o", "-"}, ""},
		{os.DevNull, os.DevNull, []string{"-"}, ""},
	} {
		key, text := f.read(t, "key"), f.read(t, "a")
		var stderr bytes.Buffer
		args := append([]string{"seal", "-k", f.key}, tt.args...)
		status := run(args, open(tt.stdin), open(tt.stdout), &stderr)
		if tt.want == "" && status != 0 || tt.want != "" && (status == 0 || !strings.Contains(stderr.String(), tt.want)) {
			t.Errorf("%v <%s >%s: status %d, %q; want %q", tt.args, tt.stdin, tt.stdout, status, stderr.String(), tt.want)
		}
		if !bytes.Equal(f.read(t, "key"), key) || !bytes.Equal(f.read(t, "a"), text) {
			t.Fatalf("%v <%s >%s: the key or the input was written to", tt.args, tt.stdin, tt.stdout)
		}
	}
}

func TestRefusals(t *testing.T) {
	f := newFolder(t)
	name := f.write(t, "a", []byte("text"))
	missing := f.path("missing")
	badKey := f.write(t, "bad.key", []byte("0123456789abcdef\n"))
	longKey := f.write(t, "long.key", bytes.Repeat([]byte("00"), 1000))
	files := []string{"a", "bad.key", "long.key"}
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"no key", []string{"seal", name}, "no key: give -k FILE"},
		{"key missing", []string{"seal", "-k", missing, name}, "no such file"},
		{"key too short", []string{"seal", "-k", badKey, name}, "is not a key file"},
		{"key too long", []string{"seal", "-k", longKey, name}, "is not a key file"},
		{"no file", []string{"seal", "-k", f.key}, "takes one file"},
		{"two files", []string{"seal", "-k", f.key, name, name}, "takes one file"},
		{"empty name", []string{"seal", "-k", f.key, ""}, "the name of the file is empty"},
		{"file missing", []string{"seal", "-k", f.key, missing}, "no such file"},
		{"directory", []string{"seal", "-k", f.key, f.dir}, "is a directory"},
		{"output a directory", []string{"seal", "-f", "-k", f.key, name, "-o", f.dir}, "is a directory"},
		{"output folder missing", []string{"seal", "-k", f.key, name, "-o", f.path("no/b")}, f.path("no/b") + ": no such file"},
		{"output is input", []string{"seal", "-f", "-k", f.key, name, "-o", name}, "both the file to read and the file to write"},
		{"other ending", []string{"open", "-k", f.key, name}, "does not end in .lamina; name the output with -o"},
		{"ending alone", []string{"open", "-k", f.key, f.path(".lamina")}, "nothing before .lamina; name the output with -o"},
		{"negative jobs", []string{"seal", "-j", "-1", "-k", f.key, name}, "-j -1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lamina(t, "", tt.args...).fails(t, tt.want)
			f.holds(t, files...)
		})
	}
}

func TestDeviceAsOutput(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no device files on windows")
	}
	if _, err := createOutput(os.DevNull, 0o600, true); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("output to %s: %v", os.DevNull, err)
	}
}

func TestPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permission bits on windows")
	}
	f := newFolder(t)
	name := f.write(t, "a", []byte("text"))
	if err := os.Chmod(name, 0o640); err != nil {
		t.Fatal(err)
	}
	mode := func(path string) os.FileMode {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	if got := mode(f.key); got != 0o600 {
		t.Errorf("the key has mode %o", got)
	}
	lamina(t, "", "seal", "-k", f.key, name).succeeds(t)
	if got := mode(name + ".lamina"); got&^0o640 != 0 {
		t.Errorf("the sealed file has mode %o, the file 640", got)
	}
	lamina(t, "", "open", "-k", f.key, name+".lamina", "-o", f.path("b")).succeeds(t)
	if got := mode(f.path("b")); got&^0o640 != 0 {
		t.Errorf("the opened file has mode %o, the file 640", got)
	}
	for _, tt := range []struct{ file, replaced, most os.FileMode }{
		{0o644, 0o600, 0o600}, {0o600, 0o644, 0o600}, {0o644, 0o644, 0o644}, {0o640, 0o604, 0o600}, {0o644, 0o400, 0o400},
	} {
		for path, mode := range map[string]os.FileMode{name: tt.file, name + ".lamina": tt.file, f.path("b"): tt.replaced} {
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
		}
		lamina(t, "", "open", "-f", "-k", f.key, name+".lamina", "-o", f.path("b")).succeeds(t)
		if got := mode(f.path("b")); got&^tt.most != 0 || got&0o400 == 0 {
			t.Errorf("open of mode %o replaced a file of mode %o by one of %o", tt.file, tt.replaced, got)
		}
		if err := os.Chmod(f.path("b"), tt.replaced); err != nil {
			t.Fatal(err)
		}
		lamina(t, "", "seal", "-f", "-k", f.key, name, "-o", f.path("b")).succeeds(t)
		if got := mode(f.path("b")); got&^tt.most != 0 || got&0o400 == 0 {
			t.Errorf("seal of mode %o replaced a file of mode %o by one of %o", tt.file, tt.replaced, got)
		}
		lamina(t, "", "seal", "-f", "-k", f.key, name).succeeds(t)
	}
	if os.Geteuid() == 0 {
		t.Log("root may read and write everything: unreadable files not tested")
		return
	}
	if err := os.Chmod(name, 0); err != nil {
		t.Fatal(err)
	}
	lamina(t, "", "seal", "-f", "-k", f.key, name).fails(t, "permission denied")
}

func TestKeygen(t *testing.T) {
	f := newFolder(t)
	before := f.read(t, "key")
	if len(before) != 65 || before[64] != '\n' {
		t.Errorf("the key file holds %d bytes", len(before))
	}
	lamina(t, "", "keygen", "-o", f.key).fails(t, "exists")
	if !bytes.Equal(before, f.read(t, "key")) {
		t.Error("the key was overwritten")
	}
	first, second := lamina(t, "", "keygen"), lamina(t, "", "keygen")
	first.succeeds(t)
	if first.stdout == second.stdout {
		t.Error("two keys are the same")
	}
}

// Keys may be spelled in hexadecimal or in any base64, with or without space around.
func TestKeySpellings(t *testing.T) {
	key := patterned(keySize)
	for i := range key {
		key[i] |= 0xf8 // so that + and / come up in base64
	}
	for _, text := range []string{
		hex.EncodeToString(key),
		strings.ToUpper(hex.EncodeToString(key)) + "\r\n",
		" " + base64.StdEncoding.EncodeToString(key) + "\n",
		base64.RawStdEncoding.EncodeToString(key),
		base64.URLEncoding.EncodeToString(key),
		base64.RawURLEncoding.EncodeToString(key) + "\n\n",
	} {
		if got, ok := parseKey(text); !ok || !bytes.Equal(got, key) {
			t.Errorf("%q was read as %x, %v", text, got, ok)
		}
	}
	for _, text := range []string{
		"", "\n", hex.EncodeToString(key[:31]), hex.EncodeToString(key) + "00", base64.StdEncoding.EncodeToString(key[:16]),
		hex.EncodeToString(key) + "\n" + hex.EncodeToString(key), "password",
		base64.StdEncoding.EncodeToString(key)[:20] + "\n" + base64.StdEncoding.EncodeToString(key)[20:],
		base64.RawURLEncoding.EncodeToString(key)[:20] + "\r" + base64.RawURLEncoding.EncodeToString(key)[20:],
	} {
		if _, ok := parseKey(text); ok {
			t.Errorf("%q was taken for a key", text)
		}
	}
}
