package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/spf13/cobra"

	"lamina/lib/cobblestone"
)

// What must hold whatever fails: an error, nothing under the name that was asked for that was not there before, what was
// there as it was, and no temporary file.

// jobs has chunks worked on one after the other, and several at a time.
var jobs = []string{"1", "3"}

// sealedChunk is the size of a full chunk in a sealed file.
const sealedChunk = cobblestone.ChunkSize + tagSize

// leavesAll runs a command that must fail with an error with want, twice for each number of jobs: to a name that is free,
// and with -f to one that is not.
func (f folder) leavesAll(t *testing.T, want string, command func(args ...string) result, args ...string) {
	t.Helper()
	names := slices.DeleteFunc(f.names(t), func(name string) bool { return name == "key" })
	for _, j := range jobs {
		args := slices.Concat(args, []string{"-k", f.key, "-j", j, "-o", f.path("out")})
		command(args...).fails(t, want)
		f.holds(t, names...)
		f.write(t, "out", []byte("precious"))
		command(append(args, "-f")...).fails(t, want)
		f.holds(t, append(names, "out")...)
		if got := f.read(t, "out"); string(got) != "precious" {
			t.Fatalf("%v left %d bytes of what was there", args, len(got))
		}
		if err := os.Remove(f.path("out")); err != nil {
			t.Fatal(err)
		}
	}
}

// reading runs commands with src as standard input.
func reading(src func() io.Reader) func(args ...string) result {
	return func(args ...string) result {
		var stdout, stderr bytes.Buffer
		status := run(append(args, "-"), src(), &stdout, &stderr)
		return result{status, stdout.String(), stderr.String()}
	}
}

// doesNotOpen checks that sealed, made from plaintext and damaged, does not open: not to a file, and to standard output not
// beyond its true beginning.
func (f folder) doesNotOpen(t *testing.T, sealed, plaintext []byte) {
	t.Helper()
	src := func() io.Reader { return bytes.NewReader(sealed) }
	f.leavesAll(t, "standard input: ", reading(src), "open")
	for _, j := range jobs {
		res := lamina(t, string(sealed), "open", "-k", f.key, "-j", j, "-")
		res.fails(t, "standard input: ")
		if len(res.stdout)%cobblestone.ChunkSize != 0 || !strings.HasPrefix(string(plaintext), res.stdout) {
			t.Fatalf("%d bytes came out that are not chunks of the beginning", len(res.stdout))
		}
	}
}

// sealed returns some plaintext of a few batches and a bit, and what it is sealed to.
func (f folder) sealed(t *testing.T) (plaintext, sealed []byte) {
	t.Helper()
	plaintext = patterned(19*cobblestone.ChunkSize + 100)
	res := lamina(t, string(plaintext), "seal", "-k", f.key, "-")
	res.succeeds(t)
	return plaintext, []byte(res.stdout)
}

// A file that was cut short at any boundary, or a byte before or after it.
func TestTruncatedFile(t *testing.T) {
	f := newFolder(t)
	plaintext, sealed := f.sealed(t)
	for at := 0; at <= len(sealed); at += sealedChunk {
		boundary := at + cobblestone.HeaderSize
		for _, n := range []int{at, boundary - 1, boundary, boundary + 1} {
			if n < len(sealed) {
				f.doesNotOpen(t, sealed[:n], plaintext)
			}
		}
	}
	f.doesNotOpen(t, sealed[:len(sealed)-1], plaintext)
	f.doesNotOpen(t, append(sealed, 0), plaintext)
}

// Chunks taken out, repeated or in another order.
func TestRearrangedFile(t *testing.T) {
	f := newFolder(t)
	plaintext, sealed := f.sealed(t)
	header := sealed[:cobblestone.HeaderSize]
	chunks := slices.Collect(slices.Chunk(sealed[cobblestone.HeaderSize:], sealedChunk))
	last := len(chunks) - 1
	for i := range chunks {
		rearranged := [][][]byte{
			slices.Delete(slices.Clone(chunks), i, i+1),
			slices.Insert(slices.Clone(chunks), i, chunks[i]),
			append(slices.Clone(chunks), chunks[i]),
		}
		if i < last {
			swapped := slices.Clone(chunks)
			swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
			rearranged = append(rearranged, swapped)
		}
		for _, chunks := range rearranged {
			f.doesNotOpen(t, slices.Concat(header, bytes.Join(chunks, nil)), plaintext)
		}
	}
}

// A source that fails in the middle, with and without a last piece, or that gives nothing for ever.
func TestFailingSource(t *testing.T) {
	f := newFolder(t)
	broken := errors.New("disk on fire")
	plaintext, sealed := f.sealed(t)
	for command, data := range map[string][]byte{"seal": plaintext, "open": sealed} {
		for _, n := range []int{0, 1, cobblestone.HeaderSize, sealedChunk - 1, sealedChunk + cobblestone.HeaderSize,
			16 * cobblestone.ChunkSize, 16*sealedChunk + cobblestone.HeaderSize, len(data) - 1, len(data)} {
			for _, tail := range []func(io.Reader) io.Reader{
				func(r io.Reader) io.Reader { return io.MultiReader(r, iotest.ErrReader(broken)) },
				func(r io.Reader) io.Reader { return iotest.DataErrReader(io.MultiReader(r, iotest.ErrReader(broken))) },
			} {
				src := func() io.Reader { return tail(bytes.NewReader(data[:n])) }
				f.leavesAll(t, broken.Error(), reading(src), command)
			}
		}
	}
}

// limitedWriter takes limit bytes and then fails with err, or stops short without a word if err is nil.
type limitedWriter struct {
	taken []byte
	limit int
	err   error
}

func (w *limitedWriter) Write(p []byte) (int, error) {
	if left := w.limit - len(w.taken); len(p) > left {
		w.taken = append(w.taken, p[:left]...)
		return left, w.err
	}
	w.taken = append(w.taken, p...)
	return len(p), nil
}

// Standard output that fails or stops short after any number of bytes. What it took of a sealed file does not open.
func TestFailingStandardOutput(t *testing.T) {
	f := newFolder(t)
	full := errors.New("disk full")
	plaintext, sealed := f.sealed(t)
	for _, j := range jobs {
		for want, fault := range map[error]error{full: full, io.ErrShortWrite: nil} {
			for _, n := range []int{0, 1, cobblestone.HeaderSize - 1, cobblestone.HeaderSize, cobblestone.ChunkSize, sealedChunk,
				16 * cobblestone.ChunkSize, 16*sealedChunk + cobblestone.HeaderSize, len(plaintext) - 1, len(sealed) - 1} {
				for command, data := range map[string][]byte{"seal": plaintext, "open": sealed} {
					if command == "open" && n >= len(plaintext) {
						continue
					}
					stdout := &limitedWriter{limit: n, err: fault}
					var stderr bytes.Buffer
					status := run([]string{command, "-k", f.key, "-j", j, "-"}, bytes.NewReader(data), stdout, &stderr)
					result{status, "", stderr.String()}.fails(t, want.Error())
					if command == "seal" {
						f.doesNotOpen(t, stdout.taken, plaintext)
					}
				}
			}
		}
	}
}

// A file that changes after it was opened is refused at its end: what was sealed would lack what was added, or be half
// old and half new. To standard output it does not get an end.
func TestChangingFile(t *testing.T) {
	f := newFolder(t)
	text, sealed := f.sealed(t)
	for name, change := range map[string]func(path string) error{
		"grows": func(path string) error {
			file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				return err
			}
			_, err = file.WriteString("x")
			return errors.Join(err, file.Close())
		},
		"grows and keeps its time": func(path string) error {
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			return errors.Join(os.Truncate(path, info.Size()+1), os.Chtimes(path, time.Time{}, info.ModTime()))
		},
		"shrinks":              func(path string) error { return os.Truncate(path, 17*cobblestone.ChunkSize) },
		"is rewritten":         func(path string) error { return os.WriteFile(path, patterned(len(text)), 0o600) },
		"grows out of nothing": func(path string) error { return os.WriteFile(path, text, 0o600) },
	} {
		for command, do := range map[string]stream{"seal": sealStream, "open": openStream} {
			for _, workers := range []int{1, 3} {
				t.Run(fmt.Sprint(command, "/", name, "/", workers), func(t *testing.T) {
					data := text
					switch {
					case name == "grows out of nothing":
						data = nil
					case command == "open":
						data = sealed
					}
					source := f.write(t, "a", data)
					// The clock of file systems is coarse, and what is written now would look like no change.
					if err := os.Chtimes(source, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
						t.Fatal(err)
					}
					checkChanging(t, f, do, source, workers, func() error { return change(source) })
				})
			}
		}
	}
}

// checkChanging runs do over source, with change in the middle: to a file, and to standard output.
func checkChanging(t *testing.T, f folder, do stream, source string, workers int, change func() error) {
	t.Helper()
	data := f.read(t, "a")
	info, err := os.Stat(source)
	if err != nil {
		t.Fatal(err)
	}
	changing := func(dst io.Writer, src io.Reader, name string, key []byte, workers int) error {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		return do(dst, src, name, key, workers)
	}
	f.write(t, "out", []byte("precious"))
	var stdout bytes.Buffer
	cmd := new(cobra.Command)
	cmd.SetOut(&stdout)
	for _, target := range []string{f.path("out"), f.path("new"), "-"} {
		o := cryptOptions{key: f.key, force: true, workers: workers}
		err := o.transfer(cmd, source, target, changing)
		if err == nil {
			t.Fatalf("no error to %s", target)
		}
		f.holds(t, "a", "out")
		if got := f.read(t, "out"); string(got) != "precious" {
			t.Fatalf("%d bytes of what was there are left", len(got))
		}
		f.write(t, "a", data)
		if err := os.Chtimes(source, time.Time{}, info.ModTime()); err != nil {
			t.Fatal(err)
		}
	}
	if lamina(t, stdout.String(), "open", "-k", f.key, "-").status == 0 {
		t.Fatal("what came to standard output opens")
	}
	for _, name := range []string{"a", "out"} {
		if err := os.Remove(f.path(name)); err != nil {
			t.Fatal(err)
		}
	}
}

// A file that stays as it is can be read by way of standard input from any place on, and so can what is no file.
func TestStandardInputFile(t *testing.T) {
	f := newFolder(t)
	f.write(t, "a", []byte("some text"))
	file, err := os.Open(f.path("a"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.Seek(5, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if status := run([]string{"seal", "-k", f.key, "-"}, file, &stdout, &stderr); status != 0 {
		t.Fatal(stderr.String())
	}
	res := lamina(t, stdout.String(), "open", "-k", f.key, "-")
	if res.succeeds(t); res.stdout != "text" {
		t.Errorf("opened to %q", res.stdout)
	}
}
