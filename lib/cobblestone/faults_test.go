package cobblestone

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

var errFault = errors.New("fault made by the test")

// faultyWriter takes limit bytes and then fails: with err, or with a short write and no error if err is nil.
type faultyWriter struct {
	bytes.Buffer
	limit int
	err   error
	calls int // after it failed
}

func (w *faultyWriter) Write(p []byte) (int, error) {
	left := w.limit - w.Len()
	if len(p) <= left {
		return w.Buffer.Write(p)
	}
	w.calls++
	w.Buffer.Write(p[:left])
	return left, w.err
}

// TestFailingWriter has writing fail after every kind of number of bytes.
func TestFailingWriter(t *testing.T) {
	plaintext := random(50*ChunkSize+100, 1)
	limits := []int{0, 1, HeaderSize - 1, HeaderSize, HeaderSize + 1, HeaderSize + sealedChunkSize - 1,
		HeaderSize + sealedChunkSize, HeaderSize + 16*sealedChunkSize, HeaderSize + 17*sealedChunkSize + 5,
		HeaderSize + 33*sealedChunkSize, HeaderSize + 50*sealedChunkSize, HeaderSize + 50*sealedChunkSize + 115}
	forEachWorkers(t, func(t *testing.T, opts ...Option) {
		for _, limit := range limits {
			for want, fault := range map[error]error{errFault: errFault, io.ErrShortWrite: nil} {
				dst := &faultyWriter{limit: limit, err: fault}
				w, err := NewWriter(dst, key128, nil, opts...)
				if limit < HeaderSize {
					if w != nil || !errors.Is(err, want) {
						t.Fatalf("limit %d: NewWriter = %v, %v, want %v", limit, w, err, want)
					}
					continue
				}
				if err != nil {
					t.Fatalf("limit %d: NewWriter: %v", limit, err)
				}
				n, err := w.Write(plaintext)
				if err == nil {
					if n != len(plaintext) {
						t.Fatalf("limit %d: Write = %d without an error", limit, n)
					}
					err = w.Close()
				}
				var e *ChunkError
				if !errors.Is(err, want) || !errors.As(err, &e) {
					t.Fatalf("limit %d: error %v, want a *ChunkError with %v", limit, err, want)
				}
				if chunk := (limit - HeaderSize) / sealedChunkSize; e.Chunk != uint64(chunk) {
					t.Errorf("limit %d: %q, want chunk %d", limit, err, chunk)
				}
				for range 2 {
					if n, again := w.Write([]byte("x")); n != 0 || again != err {
						t.Fatalf("limit %d: Write after %v = %d, %v", limit, err, n, again)
					}
					if n, again := w.ReadFrom(strings.NewReader("x")); n != 0 || again != err {
						t.Fatalf("limit %d: ReadFrom after %v = %d, %v", limit, err, n, again)
					}
					if again := w.Close(); again != err {
						t.Fatalf("limit %d: Close after %v = %v", limit, err, again)
					}
					w.Abort()
				}
				if dst.calls != 1 {
					t.Errorf("limit %d: the underlying writer was called %d times once it failed", limit, dst.calls)
				}
				got, bad, _ := referenceOpen(key128, nil, dst.Bytes())
				if bad < 0 || !bytes.HasPrefix(plaintext, got) {
					t.Errorf("limit %d: what was written opens as a whole message, or as another", limit)
				}
			}
		}
	})
}

// impossibleWriter returns counts that no io.Writer may return.
type impossibleWriter struct{ count, after int }

func (w *impossibleWriter) Write(p []byte) (int, error) {
	if w.after--; w.after >= 0 {
		return len(p), nil
	}
	return w.count, nil
}

func TestImpossibleWriter(t *testing.T) {
	for _, count := range []int{-1, 1 << 30} {
		if _, err := NewWriter(&impossibleWriter{count, 0}, key128, nil); !errors.Is(err, errWriteCount) {
			t.Errorf("count %d: NewWriter: %v", count, err)
		}
		w, err := NewWriter(&impossibleWriter{count, 1}, key128, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(make([]byte, ChunkSize)); !errors.Is(err, errWriteCount) {
			t.Errorf("count %d: Write: %v", count, err)
		}
		r, err := NewReader(bytes.NewReader(seal(t, key128, nil, []byte("x"))), key128, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := r.WriteTo(&impossibleWriter{count, 0}); n != 0 || !errors.Is(err, errWriteCount) {
			t.Errorf("count %d: WriteTo = %d, %v", count, n, err)
		}
	}
}

// impossibleReader returns a count that no io.Reader or io.ReaderAt may return, once it has given data.
type impossibleReader struct {
	data  []byte
	extra int // what the count is over the size asked for, or less than 0 for the count itself
	err   error
}

func (r *impossibleReader) count(p []byte) int {
	if r.extra < 0 {
		return r.extra
	}
	return len(p) + r.extra
}

func (r *impossibleReader) Read(p []byte) (n int, err error) {
	if len(r.data) == 0 {
		return r.count(p), r.err
	}
	n = copy(p, r.data)
	r.data = r.data[n:]
	return n, nil
}

func (r *impossibleReader) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > int64(len(r.data)) {
		return r.count(p), r.err
	}
	return copy(p, r.data[off:]), nil
}

// TestImpossibleReader checks that no byte is taken for read because of a wrong count.
func TestImpossibleReader(t *testing.T) {
	plaintext := random(20*ChunkSize+100, 3)
	sealed := seal(t, key128, nil, plaintext)
	forEachWorkers(t, func(t *testing.T, opts ...Option) {
		for _, extra := range []int{-1, 1, 1 << 30} {
			for _, fault := range []error{nil, io.EOF, errFault} {
				var dst bytes.Buffer
				w, err := NewWriter(&dst, key128, nil, opts...)
				if err != nil {
					t.Fatal(err)
				}
				n, err := w.ReadFrom(&impossibleReader{plaintext[:100], extra, fault})
				if n != 100 || !errors.Is(err, errReadCount) {
					t.Errorf("%+d, %v: ReadFrom = %d, %v", extra, fault, n, err)
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				if got, _, _ := referenceOpen(key128, nil, dst.Bytes()); !bytes.Equal(got, plaintext[:100]) {
					t.Errorf("%+d, %v: %d bytes sealed, 100 read", extra, fault, len(got))
				}
				for _, good := range []int{0, HeaderSize - 1} {
					_, err := NewReader(&impossibleReader{sealed[:good], extra, fault}, key128, nil, opts...)
					if !errors.Is(err, errReadCount) {
						t.Errorf("%+d, %v after %d bytes: NewReader: %v", extra, fault, good, err)
					}
				}
				for _, chunk := range []int{0, 1, 17} {
					src := sealed[:HeaderSize+chunk*sealedChunkSize+20]
					r, err := NewReader(&impossibleReader{src, extra, fault}, key128, nil, opts...)
					if err != nil {
						t.Fatal(err)
					}
					got, err := io.ReadAll(r)
					if !errors.Is(err, errReadCount) || !bytes.Equal(got, plaintext[:chunk*ChunkSize]) {
						t.Errorf("%+d, %v in chunk %d: %d bytes, %v", extra, fault, chunk, len(got), err)
					}
				}
				checkImpossibleReaderAt(t, sealed, &impossibleReader{nil, extra, fault}, opts...)
			}
		}
	})
}

func checkImpossibleReaderAt(t *testing.T, sealed []byte, src *impossibleReader, opts ...Option) {
	t.Helper()
	if _, err := NewReaderAt(src, int64(len(sealed)), key128, nil, opts...); !errors.Is(err, errReadCount) {
		t.Errorf("%+v: NewReaderAt: %v", src, err)
	}
	src.data = sealed
	r, err := NewReaderAt(src, int64(len(sealed)), key128, nil, opts...)
	if err != nil {
		t.Fatal(err)
	}
	src.data = sealed[:HeaderSize+sealedChunkSize]
	if n, err := r.ReadAt(make([]byte, 3*ChunkSize), ChunkSize); n != 0 || !errors.Is(err, errReadCount) {
		t.Errorf("ReadAt = %d, %v", n, err)
	}
}

// TestWriterEnds checks the calls after Close and after Abort.
func TestWriterEnds(t *testing.T) {
	forEachWorkers(t, func(t *testing.T, opts ...Option) {
		var out bytes.Buffer
		w, err := NewWriter(&out, key128, nil, opts...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(random(20*ChunkSize, 1)); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := w.Close(); err != nil {
				t.Fatalf("Close: %v", err)
			}
			w.Abort()
		}
		size := out.Len()
		if n, err := w.Write([]byte("x")); n != 0 || !errors.Is(err, ErrClosed) {
			t.Errorf("Write after Close = %d, %v", n, err)
		}
		if n, err := w.ReadFrom(strings.NewReader("x")); n != 0 || !errors.Is(err, ErrClosed) {
			t.Errorf("ReadFrom after Close = %d, %v", n, err)
		}
		if out.Len() != size {
			t.Error("something was written after Close")
		}

		out.Reset()
		if w, err = NewWriter(&out, key128, nil, opts...); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(random(70*ChunkSize+1, 1)); err != nil {
			t.Fatal(err)
		}
		w.Abort()
		w.Abort()
		if err := w.Close(); !errors.Is(err, ErrClosed) {
			t.Errorf("Close after Abort = %v", err)
		}
		if _, bad, _ := referenceOpen(key128, nil, out.Bytes()); bad < 0 {
			t.Error("an aborted message opens as a whole")
		}
	})
}

// TestFailingSource has the source of ReadFrom fail; the message can still be completed.
func TestFailingSource(t *testing.T) {
	plaintext := random(18*ChunkSize+100, 1)
	forEachWorkers(t, func(t *testing.T, opts ...Option) {
		for _, n := range []int{0, 1, ChunkSize - 1, ChunkSize, 16 * ChunkSize, len(plaintext)} {
			var out bytes.Buffer
			w, err := NewWriter(&out, key256, nil, opts...)
			if err != nil {
				t.Fatal(err)
			}
			m, err := w.ReadFrom(io.MultiReader(bytes.NewReader(plaintext[:n]), iotest.ErrReader(errFault)))
			if m != int64(n) || err != errFault {
				t.Fatalf("ReadFrom = %d, %v, want %d, %v", m, err, n, errFault)
			}
			if _, err := w.Write(plaintext[n:]); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			checkSealed(t, out.Bytes(), plaintext)
		}
		w, err := NewWriter(io.Discard, key256, nil, opts...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.ReadFrom(idleReader{}); err != io.ErrNoProgress {
			t.Errorf("ReadFrom of a reader that gives nothing: %v", err)
		}
		w.Abort()
	})
}

type idleReader struct{}

func (idleReader) Read([]byte) (int, error) { return 0, nil }

// fakeEnd is an error that errors.Is takes for io.EOF, but is not the end of a reader.
type fakeEnd struct{}

func (fakeEnd) Error() string        { return "connection lost" }
func (fakeEnd) Is(target error) bool { return target == io.EOF }

// TestFailingReader has reading fail after every number of bytes of a short message, and around every
// boundary of a long one: all whole chunks before the fault come out, and then the error, also if it looks
// like the end.
func TestFailingReader(t *testing.T) {
	short, long := random(30, 2), random(34*ChunkSize+50, 2)
	sealedShort, sealedLong := seal(t, key128, nil, short), seal(t, key128, nil, long)
	forEachWorkers(t, func(t *testing.T, opts ...Option) {
		for n := range len(sealedShort) + 1 {
			checkFailingReader(t, sealedShort, short, n, opts...)
		}
		for _, chunk := range []int{0, 1, 15, 16, 33, 34} {
			for _, around := range []int{-1, 0, tagSize} {
				checkFailingReader(t, sealedLong, long, HeaderSize+chunk*sealedChunkSize+around, opts...)
			}
		}
		checkFailingReader(t, sealedLong, long, len(sealedLong), opts...)
	})
}

func checkFailingReader(t *testing.T, sealed, plaintext []byte, n int, opts ...Option) {
	t.Helper()
	for _, fault := range []error{errFault, io.ErrUnexpectedEOF, io.ErrNoProgress, fakeEnd{}} {
		var tail io.Reader = iotest.ErrReader(fault)
		if fault == io.ErrNoProgress {
			tail = idleReader{}
		}
		src := io.MultiReader(bytes.NewReader(sealed[:n]), tail)
		if fault == errFault {
			// With the last bytes, not after them.
			src = &lastError{sealed[:n], errFault}
		}
		r, err := NewReader(src, key128, nil, opts...)
		if n < HeaderSize {
			checkFault(t, err, fault)
			continue
		}
		if err != nil {
			t.Fatalf("fault at %d: NewReader: %v", n, err)
		}
		got, err := io.ReadAll(r)
		chunks := (n - HeaderSize) / sealedChunkSize
		if !bytes.Equal(got, plaintext[:chunks*ChunkSize]) {
			t.Fatalf("fault at %d: read %d bytes, want %d chunks", n, len(got), chunks)
		}
		checkFault(t, err, fault)
		var e *ChunkError
		if !errors.As(err, &e) || e.Chunk != uint64(chunks) {
			t.Fatalf("fault at %d: error %v, want chunk %d", n, err, chunks)
		}
		if _, again := r.Read(make([]byte, 1)); again != err {
			t.Fatalf("fault at %d: error %v, and then %v", n, err, again)
		}
	}
}

func checkFault(t *testing.T, err, fault error) {
	t.Helper()
	if fault == (fakeEnd{}) {
		if err == nil || !strings.Contains(err.Error(), "connection lost") || errors.Is(err, io.EOF) {
			t.Fatalf("error %v, want a connection lost that is not io.EOF", err)
		}
		return
	}
	if !errors.Is(err, fault) || errors.Is(err, io.EOF) {
		t.Fatalf("error %v, want %v", err, fault)
	}
}

// lastError returns err together with the last bytes, and after them.
type lastError struct {
	data []byte
	err  error
}

func (r *lastError) Read(p []byte) (n int, err error) {
	n = copy(p, r.data)
	r.data = r.data[n:]
	if len(r.data) == 0 {
		err = r.err
	}
	return n, err
}

// TestFailingDestination has the destination of WriteTo fail; the rest can still be read.
func TestFailingDestination(t *testing.T) {
	plaintext := random(20*ChunkSize+100, 3)
	sealed := seal(t, key128, nil, plaintext)
	forEachWorkers(t, func(t *testing.T, opts ...Option) {
		for _, limit := range []int{0, 1, ChunkSize - 1, ChunkSize, 17*ChunkSize + 3} {
			for want, fault := range map[error]error{errFault: errFault, io.ErrShortWrite: nil} {
				r, err := NewReader(bytes.NewReader(sealed), key128, nil, opts...)
				if err != nil {
					t.Fatal(err)
				}
				dst := &faultyWriter{limit: limit, err: fault}
				if n, err := r.WriteTo(dst); n != int64(limit) || err != want {
					t.Fatalf("limit %d: WriteTo = %d, %v, want %v", limit, n, err, want)
				}
				rest, err := io.ReadAll(r)
				if err != nil || !bytes.Equal(append(dst.Bytes(), rest...), plaintext) {
					t.Fatalf("limit %d: %d bytes after the fault, error %v", limit, len(rest), err)
				}
			}
		}
	})
}

// faultyReaderAt fails where a read touches bytes from limit on, or ends there if err is io.EOF.
type faultyReaderAt struct {
	data  []byte
	limit int
	err   error
}

func (r *faultyReaderAt) ReadAt(p []byte, off int64) (int, error) {
	if int(off)+len(p) <= r.limit {
		return copy(p, r.data[off:]), nil
	}
	return copy(p, r.data[min(int(off), r.limit):r.limit]), r.err
}

// TestFailingReaderAt has the underlying ReadAt fail, stop short or end, also after the last chunk was
// opened.
func TestFailingReaderAt(t *testing.T) {
	plaintext := random(34*ChunkSize+50, 3)
	sealed := seal(t, key128, nil, plaintext)
	forEachWorkers(t, func(t *testing.T, opts ...Option) {
		for fault, want := range map[error]error{errFault: errFault, io.EOF: ErrTruncated, nil: io.ErrNoProgress} {
			for _, limit := range []int{0, HeaderSize - 1, HeaderSize, len(sealed) - 1} {
				src := &faultyReaderAt{sealed, limit, fault}
				r, err := NewReaderAt(src, int64(len(sealed)), key128, nil, opts...)
				if r != nil || !errors.Is(err, want) || errors.Is(err, io.EOF) {
					t.Fatalf("limit %d, fault %v: NewReaderAt = %v, want %v", limit, fault, err, want)
				}
			}
			src := &faultyReaderAt{sealed, len(sealed), fault}
			r, err := NewReaderAt(src, int64(len(sealed)), key128, nil, opts...)
			if err != nil {
				t.Fatal(err)
			}
			for _, chunk := range []int{0, 1, 15, 16, 17, 33, 34} {
				src.limit = HeaderSize + chunk*sealedChunkSize + 30
				p := make([]byte, len(plaintext))
				n, err := r.ReadAt(p, 0)
				var e *ChunkError
				if !errors.As(err, &e) || e.Chunk != uint64(chunk) || !errors.Is(err, want) || errors.Is(err, io.EOF) {
					t.Fatalf("fault %v in chunk %d: error %v, want %v", fault, chunk, err, want)
				}
				if n != chunk*ChunkSize || !bytes.Equal(p[:n], plaintext[:n]) {
					t.Fatalf("fault in chunk %d: ReadAt = %d", chunk, n)
				}
			}
			src.limit = len(sealed)
			if _, err := r.ReadAt(make([]byte, len(plaintext)), 0); err != nil {
				t.Fatalf("after the faults: %v", err)
			}
		}
	})
}

// growingSource grows by more when all of data was read: after it told its end if ends is true, and unnoticed
// if not.
type growingSource struct {
	data, more []byte
	ends       bool
	told       bool // its end
	late       int  // how many reads came after that
}

func (s *growingSource) Read(p []byte) (n int, err error) {
	if s.told {
		s.late++
	}
	if len(s.data) == 0 {
		s.told = s.ends || len(s.more) == 0
		s.data, s.more = s.more, nil
		if s.told {
			return 0, io.EOF
		}
	}
	n = copy(p, s.data)
	s.data = s.data[n:]
	return n, nil
}

// TestGrowingSource has the source get longer while it is read. What it gets before it tells its end is
// damage; after that it is not asked again.
func TestGrowingSource(t *testing.T) {
	for _, size := range []int{0, 100, 2*ChunkSize - 1, 16 * ChunkSize, 33*ChunkSize + 7} {
		plaintext := random(size, 4)
		sealed := seal(t, key128, nil, plaintext)
		last := size / ChunkSize
		forEachWorkers(t, func(t *testing.T, opts ...Option) {
			for _, more := range [][]byte{{0}, make([]byte, tagSize), sealed, sealed[HeaderSize:]} {
				src := &growingSource{data: sealed, more: more}
				r, err := NewReader(src, key128, nil, opts...)
				if err != nil {
					t.Fatal(err)
				}
				got, err := io.ReadAll(r)
				if !bytes.Equal(got, plaintext[:last*ChunkSize]) {
					t.Fatalf("%d bytes that grow by %d: %d came out", size, len(more), len(got))
				}
				checkChunkError(t, err, append(bytes.Clone(sealed), more...), last)

				src = &growingSource{data: sealed, more: more, ends: true}
				if r, err = NewReader(src, key128, nil, opts...); err != nil {
					t.Fatal(err)
				}
				got, err = io.ReadAll(r)
				if err != nil || !bytes.Equal(got, plaintext) {
					t.Fatalf("%d bytes that grow by %d when they were read: %d, %v", size, len(more), len(got), err)
				}
				if _, err := r.Read(make([]byte, 1)); err != io.EOF || src.late > 0 {
					t.Fatalf("%d bytes that grow by %d: %v, and %d reads after the source told its end", size, len(more), err, src.late)
				}
			}
			checkGrowingReaderAt(t, sealed, plaintext, opts...)
			checkGrowingPlaintext(t, plaintext, opts...)
		})
	}
}

// checkGrowingReaderAt has what a ReaderAt reads be longer than it was told: that is not looked at.
func checkGrowingReaderAt(t *testing.T, sealed, plaintext []byte, opts ...Option) {
	t.Helper()
	src := bytes.NewReader(append(bytes.Clone(sealed), sealed...))
	r, err := NewReaderAt(src, int64(len(sealed)), key128, nil, opts...)
	if err != nil {
		t.Fatal(err)
	}
	p := make([]byte, len(plaintext)+1)
	if n, err := r.ReadAt(p, 0); n != len(plaintext) || err != io.EOF || !bytes.Equal(p[:n], plaintext) {
		t.Fatalf("ReadAt of %d bytes, with more behind them: %d, %v", len(plaintext), n, err)
	}
}

// checkGrowingPlaintext seals a source that grows: up to where it first tells its end, and no further.
func checkGrowingPlaintext(t *testing.T, plaintext []byte, opts ...Option) {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(&out, key256, nil, opts...)
	if err != nil {
		t.Fatal(err)
	}
	src := &growingSource{data: plaintext, more: make([]byte, 100), ends: true}
	if n, err := w.ReadFrom(src); n != int64(len(plaintext)) || err != nil || src.late > 0 {
		t.Fatalf("ReadFrom of %d bytes = %d, %v, with %d reads after its end", len(plaintext), n, err, src.late)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	checkSealed(t, out.Bytes(), plaintext)
}

func TestReaderEnds(t *testing.T) {
	sealed := seal(t, key128, nil, random(40*ChunkSize, 3))
	forEachWorkers(t, func(t *testing.T, opts ...Option) {
		for _, n := range []int{0, 1, ChunkSize, 20*ChunkSize + 5} {
			r, err := NewReader(bytes.NewReader(sealed), key128, nil, opts...)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(r, make([]byte, n)); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if err := r.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if m, err := r.Read(make([]byte, 1)); m != 0 || !errors.Is(err, ErrClosed) {
				t.Errorf("Read after %d bytes and Close = %d, %v", n, m, err)
			}
		}
		r, err := NewReaderAt(bytes.NewReader(sealed), int64(len(sealed)), key128, nil, opts...)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
		}
		for _, off := range []int64{0, 5, r.Size(), r.Size() + 1} {
			if m, err := r.ReadAt(make([]byte, 1), off); m != 0 || !errors.Is(err, ErrClosed) {
				t.Errorf("ReadAt(%d) after Close = %d, %v", off, m, err)
			}
		}
		for _, size := range []int64{-1, 0, HeaderSize - 1} {
			_, err := NewReaderAt(bytes.NewReader(sealed), size, key128, nil, opts...)
			if !errors.Is(err, ErrTruncated) || !strings.Contains(err.Error(), fmt.Sprint(size)) {
				t.Errorf("NewReaderAt with size %d: %v", size, err)
			}
		}
	})
}
