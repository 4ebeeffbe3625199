package skcipher

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"lamina/arch"
)

// streamSizes are around the block, what is held back, and pieces.
var streamSizes = []int{
	0, 1, 15, 16, 17, 31, 32, 33, 48, 49, 100, 4096,
	pieceSize - 16, pieceSize - 1, pieceSize, pieceSize + 1, pieceSize + 15, pieceSize + 16, pieceSize + 17,
	pieceSize + 31, pieceSize + 32, pieceSize + 33, pieceSize + 48,
	2*pieceSize + 17, 2*pieceSize + 32, 2*pieceSize + 64, 3*pieceSize + 5,
}

// chunked gives at most n bytes a read, and nothing at all in every third.
type chunked struct {
	src   io.Reader
	n     int
	reads int
}

func (c *chunked) Read(p []byte) (int, error) {
	if c.reads++; c.reads%3 == 0 {
		return 0, nil
	}
	return c.src.Read(p[:min(c.n, len(p))])
}

// sources are ways in which a reader may give its bytes.
var sources = map[string]func([]byte) io.Reader{
	"whole":         func(b []byte) io.Reader { return bytes.NewReader(b) },
	"EOF with data": func(b []byte) io.Reader { return iotest.DataErrReader(bytes.NewReader(b)) },
	"of 7":          func(b []byte) io.Reader { return &chunked{src: bytes.NewReader(b), n: 7} },
	"of 5000":       func(b []byte) io.Reader { return &chunked{src: bytes.NewReader(b), n: 5000} },
}

// viaReader reads all of text through a Reader, n bytes a read.
func viaReader(t *testing.T, tfm *Transform, src io.Reader, iv []byte, direction Direction, n int) ([]byte, error) {
	t.Helper()
	r, err := NewReader(src, tfm, iv, direction)
	if err != nil {
		t.Fatal(err)
	}
	var out []byte
	p := make([]byte, n)
	for {
		if n, err := r.Read(nil); n != 0 || err != nil {
			t.Fatalf("Read of nothing: %d, %v", n, err)
		}
		n, err := r.Read(p)
		out = append(out, p[:n]...)
		if err != nil {
			if again, err2 := r.Read(p); again != 0 || err2 != err {
				t.Errorf("Read after an error: %d, %v; want %v again", again, err2, err)
			}
			if !bytes.Equal(r.buffer[:], make([]byte, len(r.buffer))) || r.stream.request.chain != [16]byte{} {
				t.Errorf("after %v something of the text is left", err)
			}
			return out, err
		}
		if n == 0 {
			t.Fatal("Read gave nothing and no error")
		}
	}
}

// viaWriter writes all of text to a Writer, n bytes a write.
func viaWriter(t *testing.T, tfm *Transform, dst io.Writer, text, iv []byte, direction Direction, n int) error {
	t.Helper()
	w, err := NewWriter(dst, tfm, iv, direction)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if !bytes.Equal(w.buffer[:], make([]byte, len(w.buffer))) || w.stream.request.chain != [16]byte{} {
			t.Error("something of the text is left after the end")
		}
	}()
	for rest := text; len(rest) > 0; {
		part := rest[:min(n, len(rest))]
		rest = rest[len(part):]
		if n, err := w.Write(nil); n != 0 || err != nil {
			t.Fatalf("Write of nothing: %d, %v", n, err)
		}
		if n, err := w.Write(part); err != nil {
			if n >= len(part) {
				t.Errorf("Write took %d bytes of %d and returned %v", n, len(part), err)
			}
			if n, again := w.Write(part); n != 0 || again != err {
				t.Errorf("Write after an error: %d, %v; want %v again", n, again, err)
			}
			if again := w.Close(); again != err {
				t.Errorf("Close after an error: %v; want %v again", again, err)
			}
			return err
		} else if n != len(part) {
			t.Errorf("Write took %d bytes of %d", n, len(part))
		}
	}
	err = w.Close()
	if again := w.Close(); again != err {
		t.Errorf("second Close: %v; want %v again", again, err)
	}
	if _, wrote := w.Write(make([]byte, 1)); err == nil && !errors.Is(wrote, ErrClosed) || err != nil && wrote != err {
		t.Errorf("Write after Close gave %v, where Close gave %v", wrote, err)
	}
	return err
}

// sink takes all but a Write of nothing, which other writers might send on, such as one of packets.
type sink struct{ bytes.Buffer }

func (s *sink) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, errBroken
	}
	return s.Buffer.Write(p)
}

// TestStreams compares Readers and Writers with direct calls. A text of a size that the mode does not have gives
// its whole blocks, as far as they need not be held back, and then an error.
func TestStreams(t *testing.T) {
	for _, m := range modes {
		for _, name := range []string{m.prefix + "generic", m.name, "cryptd(" + m.name + ")"} {
			tfm := alloc(t, name)
			d := newDriver(m, arch.Best(), 0)
			key, iv := bytesFor(1, m.keySizes[len(m.keySizes)-1]), bytesFor(2, m.ivSize)
			for _, n := range streamSizes {
				for _, direction := range directions {
					testStreams(t, d, tfm, direction, key, iv, bytesFor(3, n))
				}
			}
			if !bytes.Equal(iv, bytesFor(2, m.ivSize)) {
				t.Errorf("%s: the caller's IV was changed", name)
			}
		}
	}
}

func testStreams(t *testing.T, d *driver, tfm *Transform, direction Direction, key, iv, text []byte) {
	t.Helper()
	fits := d.mode.fits(len(text))
	legal := text
	if !fits {
		legal = text[:len(text)&^15]
	}
	want, _ := direct(t, d, direction, key, iv, legal)
	check := func(how string, got []byte, err, end error) {
		t.Helper()
		how = fmt.Sprintf("%s, %s of %d bytes by a %s", tfm.algorithm.Driver, direction, len(text), how)
		if fits && err != end || !fits && !errors.Is(err, ErrLength) {
			t.Errorf("%s: %v", how, err)
		}
		if fits && !bytes.Equal(got, want) || !bytes.HasPrefix(want, got) {
			t.Errorf("%s: not as a direct call", how)
		}
	}
	for name, source := range sources {
		for _, n := range []int{len(text) + 1, 1000} {
			got, err := viaReader(t, tfm, source(text), iv, direction, n)
			check(fmt.Sprintf("Reader, source %s, %d a read", name, n), got, err, io.EOF)
		}
	}
	for _, n := range []int{len(text) + 1, 7, 4096, pieceSize + maxHeld} {
		var out sink
		err := viaWriter(t, tfm, &out, text, iv, direction, n)
		check(fmt.Sprintf("Writer, %d a write", n), out.Bytes(), err, nil)
	}
}

// TestReaderGivesEarly holds that a Reader does not wait for a full piece.
func TestReaderGivesEarly(t *testing.T) {
	for _, m := range modes {
		source, feed := io.Pipe()
		defer feed.Close()
		r, err := NewReader(source, alloc(t, m.name), make([]byte, m.ivSize), Encrypt)
		if err != nil {
			t.Fatal(err)
		}
		go feed.Write(make([]byte, 100))
		want := 96
		if m.lengths == stealing {
			want = 80 // less the last 20, which may be the end of the text
		}
		if n, err := r.Read(make([]byte, 1000)); n != want || err != nil {
			t.Errorf("%s: %d bytes and %v of the first 100, want %d", m.name, n, err, want)
		}
	}
}

var errBroken = errors.New("broken")

// TestReaderFails has sources that fail, and give up nothing of what was read before.
func TestReaderFails(t *testing.T) {
	for _, m := range modes {
		d, tfm := newDriver(m, arch.Best(), 0), alloc(t, m.name)
		key, iv := bytesFor(1, m.keySizes[len(m.keySizes)-1]), bytesFor(2, m.ivSize)
		whole := bytesFor(3, 160)
		text := whole[:100]
		want, _ := direct(t, d, Encrypt, key, iv, whole)
		then := func(r io.Reader) io.Reader { return io.MultiReader(bytes.NewReader(text), r) }
		for name, test := range map[string]struct {
			src  io.Reader
			want error
		}{
			"after data":     {then(iotest.ErrReader(errBroken)), errBroken},
			"with data":      {iotest.DataErrReader(then(iotest.ErrReader(errBroken))), errBroken},
			"gives nothing":  {then(&idle{}), io.ErrNoProgress},
			"unexpected EOF": {then(iotest.ErrReader(io.ErrUnexpectedEOF)), io.ErrUnexpectedEOF},
		} {
			got, err := viaReader(t, tfm, test.src, iv, Encrypt, 1000)
			least := 96
			if m.lengths == stealing {
				least = 80
			}
			if err != test.want || len(got) != least || !bytes.HasPrefix(want, got) {
				t.Errorf("%s, %s: %d bytes and %v; want %d and %v", m.name, name, len(got), err, least, test.want)
			}
		}
	}
}

// idle is a reader that never gives anything.
type idle struct{ reads int }

func (i *idle) Read([]byte) (int, error) {
	if i.reads++; i.reads > 1000 {
		panic("the Reader does not give up")
	}
	return 0, nil
}

// failing takes n bytes, in whole writes, and then gives an error or a short count.
type failing struct {
	n     int
	short bool
}

func (f *failing) Write(p []byte) (int, error) {
	if f.n -= len(p); f.n >= 0 {
		return len(p), nil
	}
	if f.short {
		return len(p) - 1, nil
	}
	return 0, errBroken
}

// TestWriterFails has destinations that fail at once, in the middle and when closing.
func TestWriterFails(t *testing.T) {
	for _, m := range modes {
		tfm := alloc(t, m.name)
		text, iv := make([]byte, 3*pieceSize), make([]byte, m.ivSize)
		for _, n := range []int{0, pieceSize, 2*pieceSize + 100} {
			if err := viaWriter(t, tfm, &failing{n: n}, text, iv, Encrypt, 5000); err != errBroken {
				t.Errorf("%s, error after %d bytes: %v", m.name, n, err)
			}
			err := viaWriter(t, tfm, &failing{n: n, short: true}, text, iv, Decrypt, 5000)
			if err != io.ErrShortWrite {
				t.Errorf("%s, short write after %d bytes: %v", m.name, n, err)
			}
		}
	}
}

// TestStreamsRefused has transforms without a key or closed, before and in the middle, and wrong IVs.
func TestStreamsRefused(t *testing.T) {
	for _, m := range modes {
		tfm, err := Alloc(m.name)
		if err != nil {
			t.Fatal(err)
		}
		both := func(what string, iv []byte, want error) {
			t.Helper()
			if _, err := NewReader(strings.NewReader(""), tfm, iv, Encrypt); !errors.Is(err, want) {
				t.Errorf("%s, %s: NewReader gave %v, want %v", m.name, what, err, want)
			}
			if _, err := NewWriter(io.Discard, tfm, iv, Encrypt); !errors.Is(err, want) {
				t.Errorf("%s, %s: NewWriter gave %v, want %v", m.name, what, err, want)
			}
		}
		iv := make([]byte, m.ivSize)
		both("no key", iv, ErrNoKey)
		if err := tfm.SetKey(bytesFor(1, m.keySizes[0])); err != nil {
			t.Fatal(err)
		}
		both("IV of 17 bytes", make([]byte, 17), ErrIVSize)
		if m.ivSize > 0 {
			both("no IV", nil, ErrIVSize)
		}
		r, err := NewReader(bytes.NewReader(make([]byte, 64)), tfm, iv, Decrypt)
		if err != nil {
			t.Fatal(err)
		}
		w, err := NewWriter(io.Discard, tfm, iv, Decrypt)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(make([]byte, 64)); err != nil {
			t.Fatal(err)
		}
		if err := tfm.Close(); err != nil {
			t.Fatal(err)
		}
		both("closed", iv, ErrClosed)
		if n, err := r.Read(make([]byte, 10)); n != 0 || !errors.Is(err, ErrClosed) {
			t.Errorf("%s: Read after the transform was closed: %d, %v", m.name, n, err)
		}
		if err := w.Close(); !errors.Is(err, ErrClosed) {
			t.Errorf("%s: Close after the transform was closed: %v", m.name, err)
		}
	}
}

// TestStreamWaits has a transform whose queue is full when a Reader wants to use it.
func TestStreamWaits(t *testing.T) {
	tfm, release := blocked(t, 1)
	filler := tfm.NewRequest()
	filler.SetCrypt(nil, nil, 0, nil)
	if err := filler.Encrypt(); err != ErrInProgress {
		t.Fatal(err)
	}
	r, err := NewReader(bytes.NewReader(make([]byte, 100)), tfm, make([]byte, 16), Encrypt)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(20*time.Millisecond, release)
	if out, err := io.ReadAll(r); err != nil || len(out) != 100 {
		t.Errorf("%d bytes and %v, want 100", len(out), err)
	}
}

// TestLengthOfStream holds that the error names the size of the whole text.
func TestLengthOfStream(t *testing.T) {
	for _, test := range []struct {
		name string
		n    int
		want string
	}{
		{"cbc(aes)", 3*pieceSize + 7, "49159 bytes; it must be a multiple of 16"},
		{"xts(aes)", 9, "9 bytes; it must be at least 16"},
	} {
		tfm := alloc(t, test.name)
		_, err := viaReader(t, tfm, bytes.NewReader(make([]byte, test.n)), make([]byte, 16), Encrypt, 5000)
		if !errors.Is(err, ErrLength) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want ErrLength about %q", test.name, err, test.want)
		}
	}
}

// FuzzStreams compares a Writer behind a Reader with direct calls, and with the text.
func FuzzStreams(f *testing.F) {
	f.Add(uint8(0), uint16(100), uint16(7), uint16(3))
	f.Add(uint8(2), uint16(20000), uint16(5000), uint16(100))
	f.Add(uint8(6), uint16(16417), uint16(33), uint16(17000))
	f.Fuzz(func(t *testing.T, which uint8, size, chunk, part uint16) {
		d := drivers()[int(which)%len(drivers())]
		tfm := alloc(t, d.algorithm.Driver)
		key, iv := bytesFor(1, d.algorithm.MaxKeySize), bytesFor(byte(size), d.mode.ivSize)
		text := bytesFor(byte(chunk), d.mode.nearest(int(size)))
		want, _ := direct(t, d, Encrypt, key, iv, text)
		src := &chunked{src: bytes.NewReader(text), n: int(chunk) + 1}
		got, err := viaReader(t, tfm, src, iv, Encrypt, int(part)+1)
		if err != io.EOF || !bytes.Equal(got, want) {
			t.Errorf("%s, %d bytes by a Reader: %v, or not as a direct call", d.algorithm.Driver, len(text), err)
		}
		var back bytes.Buffer
		err = viaWriter(t, tfm, &back, got, iv, Decrypt, int(part)+1)
		if err != nil || !bytes.Equal(back.Bytes(), text) {
			t.Errorf("%s, %d bytes by a Writer: %v, or not the text again", d.algorithm.Driver, len(text), err)
		}
	})
}
