package cobblestone

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

// TestNonce checks that the chunk number goes into the last bytes of the nonce, all five of them, and nowhere
// else.
func TestNonce(t *testing.T) {
	var s stream
	for i := range s.baseNonce {
		s.baseNonce[i] = byte(0xf0 + i)
	}
	for _, c := range []struct {
		chunk uint64
		want  [5]byte // XOR the base nonce
	}{
		{0, [5]byte{}},
		{1, [5]byte{4: 1}},
		{0xff, [5]byte{4: 0xff}},
		{0x100, [5]byte{3: 1}},
		{0x1234567890, [5]byte{0x12, 0x34, 0x56, 0x78, 0x90}},
		{MaxChunks - 1, [5]byte{0x3f, 0xff, 0xff, 0xff, 0xff}},
	} {
		want := s.baseNonce
		for i, b := range c.want {
			want[7+i] ^= b
		}
		if got := s.nonce(c.chunk); got != want {
			t.Errorf("nonce of chunk %#x = %x, want %x", c.chunk, got, want)
		}
	}
}

// The longest message takes 4 PiB. These tests begin near its end: with a Writer and a Reader that are set
// to a late chunk.

func lateWriter(t *testing.T, dst io.Writer, chunk uint64, opts ...Option) *Writer {
	t.Helper()
	w, err := NewWriter(dst, key128, nil, opts...)
	if err != nil {
		t.Fatal(err)
	}
	w.cur.first = chunk
	return w
}

func lateReader(t *testing.T, src io.Reader, chunk uint64, opts ...Option) *Reader {
	t.Helper()
	r, err := NewReader(src, key128, nil, opts...)
	if err != nil {
		t.Fatal(err)
	}
	r.next = chunk
	return r
}

func TestLongestMessage(t *testing.T) {
	forEachWorkers(t, func(t *testing.T, opts ...Option) {
		for _, chunks := range []int{1, 2, 3, 16, 17, 40} {
			first := MaxChunks - uint64(chunks)
			plaintext := random(chunks*ChunkSize-1, 1)
			var out bytes.Buffer
			w := lateWriter(t, &out, first, opts...)
			if n, err := w.Write(plaintext); n != len(plaintext) || err != nil {
				t.Fatalf("%d chunks before the end: Write = %d, %v", chunks, n, err)
			}
			if err := w.Close(); err != nil {
				t.Fatalf("%d chunks before the end: Close: %v", chunks, err)
			}
			got, err := io.ReadAll(lateReader(t, &out, first, opts...))
			if err != nil || !bytes.Equal(got, plaintext) {
				t.Fatalf("%d chunks before the end: read %d bytes, %v", chunks, len(got), err)
			}
		}
	})
}

func TestTooLong(t *testing.T) {
	forEachWorkers(t, func(t *testing.T, opts ...Option) {
		for _, chunks := range []int{1, 2, 16, 17, 40} {
			for _, excess := range []int{0, 1, 20 * ChunkSize} {
				first := MaxChunks - uint64(chunks)
				w := lateWriter(t, io.Discard, first, opts...)
				_, err := w.Write(make([]byte, chunks*ChunkSize+excess))
				checkTooLong(t, "Write", err)
				if again := w.Close(); again != err {
					t.Fatalf("Close after %v = %v", err, again)
				}

				// The Writer refuses to make such a message, so its chunks are sealed here.
				var s stream
				var h header
				commitment, err := s.init(newOptions(nil).impl, key128, h.salt(), nil)
				if err != nil {
					t.Fatal(err)
				}
				copy(h.commitment(), commitment[:])
				sealed := bytes.Clone(h[:])
				for i := range chunks + 20 {
					chunk := make([]byte, sealedChunkSize)
					s.seal(chunk, chunk[:ChunkSize], first+uint64(i))
					sealed = append(sealed, chunk...)
				}
				sealed = sealed[:HeaderSize+chunks*sealedChunkSize+excess]
				n, err := io.Copy(io.Discard, lateReader(t, bytes.NewReader(sealed), first, opts...))
				checkTooLong(t, "Read", err)
				if n != int64(chunks-1)*ChunkSize {
					t.Fatalf("read %d bytes of a message that is too long, want %d chunks", n, chunks-1)
				}
			}
		}
	})
	sealed := seal(t, key128, nil, nil)
	_, err := NewReaderAt(bytes.NewReader(sealed), HeaderSize+int64(MaxChunks)*sealedChunkSize, key128, nil)
	checkTooLong(t, "NewReaderAt", err)
}

func checkTooLong(t *testing.T, what string, err error) {
	t.Helper()
	var e *ChunkError
	if !errors.Is(err, ErrTooLong) || !errors.As(err, &e) || e.Chunk != MaxChunks-1 {
		t.Fatalf("%s: error %v, want ErrTooLong and chunk %d", what, err, MaxChunks-1)
	}
}

func TestAllocs(t *testing.T) {
	plaintext := random(4*ChunkSize, 1)
	w, err := NewWriter(io.Discard, key128, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(20, func() { w.Write(plaintext) }); n != 0 {
		t.Errorf("Write of 4 chunks makes %v allocations", n)
	}
	if n := testing.AllocsPerRun(20, func() { w.Write(plaintext[:1000]) }); n != 0 {
		t.Errorf("Write of 1000 bytes makes %v allocations", n)
	}
	src := bytes.NewReader(plaintext)
	if n := testing.AllocsPerRun(20, func() { src.Reset(plaintext); w.ReadFrom(src) }); n != 0 {
		t.Errorf("ReadFrom of 4 chunks makes %v allocations", n)
	}
	w.Abort()

	sealed := seal(t, key128, nil, random(100*ChunkSize, 1))
	r, err := NewReader(bytes.NewReader(sealed), key128, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := make([]byte, ChunkSize)
	if n := testing.AllocsPerRun(50, func() { io.ReadFull(r, p) }); n != 0 {
		t.Errorf("Read of a chunk makes %v allocations", n)
	}
	ra, err := NewReaderAt(bytes.NewReader(sealed), int64(len(sealed)), key128, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(50, func() { ra.ReadAt(p, 1000) }); n >= 1 {
		t.Errorf("ReadAt of a chunk makes %v allocations", n)
	}
}

// TestWipe looks for what is left in memory once a stream has ended.
func TestWipe(t *testing.T) {
	plaintext := bytes.Repeat([]byte("secret"), 10*ChunkSize)
	sealed := seal(t, key128, nil, plaintext)
	forEachWorkers(t, func(t *testing.T, opts ...Option) {
		w, err := NewWriter(io.Discard, key128, nil, opts...)
		if err != nil {
			t.Fatal(err)
		}
		buffer := w.cur.buf
		w.Write(plaintext[:ChunkSize+100])
		w.Close()
		checkWiped(t, "Writer after Close", &w.stream, buffer)

		w, err = NewWriter(io.Discard, key128, nil, opts...)
		if err != nil {
			t.Fatal(err)
		}
		buffer = w.cur.buf
		w.Write(plaintext[:100])
		w.Abort()
		checkWiped(t, "Writer after Abort", &w.stream, buffer)

		w, err = NewWriter(&faultyWriter{limit: HeaderSize + sealedChunkSize, err: errFault}, key128, nil, opts...)
		if err != nil {
			t.Fatal(err)
		}
		buffer = w.cur.buf
		w.Write(plaintext)
		w.Close()
		checkWiped(t, "Writer after an error", &w.stream, buffer)

		for name, read := range map[string]func(*Reader){
			"Close":    func(r *Reader) { r.Close() },
			"io.EOF":   func(r *Reader) { io.Copy(io.Discard, r) },
			"an error": func(r *Reader) { r.src = &lastError{nil, errFault}; io.Copy(io.Discard, r) },
		} {
			r, err := NewReader(bytes.NewReader(sealed), key128, nil, opts...)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := r.Read(make([]byte, 10)); err != nil {
				t.Fatal(err)
			}
			buffer := r.cur.buf
			read(r)
			checkWiped(t, "Reader after "+name, &r.stream, buffer)
		}

		ra, err := NewReaderAt(bytes.NewReader(sealed), int64(len(sealed)), key128, nil, opts...)
		if err != nil {
			t.Fatal(err)
		}
		b := ra.take()
		if _, err := ra.readPiece(b, make([]byte, 100), 50); err != nil {
			t.Fatal(err)
		}
		ra.put(b)
		ra.Close()
		checkWiped(t, "ReaderAt after Close", &ra.stream, b.buf)
	})
}

func checkWiped(t *testing.T, what string, s *stream, buffer []byte) {
	t.Helper()
	if *s != (stream{}) {
		t.Errorf("%s: the key is still there", what)
	}
	if !bytes.Equal(buffer, make([]byte, len(buffer))) {
		t.Errorf("%s: the buffer is not clear", what)
	}
}
