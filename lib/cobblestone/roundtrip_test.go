package cobblestone

import (
	"bytes"
	"io"
	"testing"
	"testing/iotest"
)

// seal seals plaintext in one Write.
func seal(t testing.TB, key, context, plaintext []byte, opts ...Option) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(&out, key, context, opts...)
	if err != nil {
		t.Fatalf("NewWriter: %v", err)
	}
	if n, err := w.Write(plaintext); n != len(plaintext) || err != nil {
		t.Fatalf("Write of %d bytes = %d, %v", len(plaintext), n, err)
	}
	if err := w.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
	return out.Bytes()
}

// onlyReader and onlyWriter hide ReadFrom and WriteTo from io.Copy.
type onlyReader struct{ io.Reader }
type onlyWriter struct{ io.Writer }

func TestSealAgainstReference(t *testing.T) {
	forEach(t, func(t *testing.T, opts ...Option) {
		for _, key := range [][]byte{key128, key256} {
			for _, size := range sizes {
				for _, context := range []string{"", "what it is for\x00"} {
					if testing.Short() && context != "" && size > 3*ChunkSize {
						continue // the context changes keys, and nothing that depends on the size
					}
					plaintext := random(size, 9)
					before := bytes.Clone(plaintext)
					sealed := seal(t, key, []byte(context), plaintext, opts...)
					want := referenceSeal(key, []byte(context), sealed[:24], plaintext)
					if !bytes.Equal(sealed, want) {
						t.Fatalf("%d-byte key, %d bytes, context %q: sealed message differs from the reference",
							len(key), size, context)
					}
					if !bytes.Equal(plaintext, before) {
						t.Fatalf("%d bytes: Write changed what it was given", size)
					}
				}
			}
		}
	})
}

func TestOpenAgainstReference(t *testing.T) {
	forEach(t, func(t *testing.T, opts ...Option) {
		for _, key := range [][]byte{key128, key256} {
			for _, size := range sizes {
				plaintext := random(size, 9)
				sealed := referenceSeal(key, []byte("context"), salt, plaintext)
				r, err := NewReader(bytes.NewReader(sealed), key, []byte("context"), opts...)
				if err != nil {
					t.Fatalf("%d-byte key, %d bytes: NewReader: %v", len(key), size, err)
				}
				got, err := io.ReadAll(onlyReader{r})
				if err != nil || !bytes.Equal(got, plaintext) {
					t.Fatalf("%d-byte key, %d bytes: read %d bytes, equal: %v, error: %v",
						len(key), size, len(got), bytes.Equal(got, plaintext), err)
				}
				if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF {
					t.Fatalf("%d bytes: Read after the end = %d, %v, want io.EOF again", size, n, err)
				}
				ra, err := NewReaderAt(bytes.NewReader(sealed), int64(len(sealed)), key, []byte("context"), opts...)
				if err != nil {
					t.Fatalf("%d-byte key, %d bytes: NewReaderAt: %v", len(key), size, err)
				}
				if ra.Size() != int64(size) {
					t.Fatalf("Size() = %d, want %d", ra.Size(), size)
				}
				got = make([]byte, size)
				if n, err := ra.ReadAt(got, 0); n != size || err != nil || !bytes.Equal(got, plaintext) {
					t.Fatalf("%d bytes: ReadAt of all = %d, %v", size, n, err)
				}
			}
		}
	})
}

// TestWriteSplits seals the same message in pieces of many sizes, and through ReadFrom.
func TestWriteSplits(t *testing.T) {
	plaintext := random(40*ChunkSize+123, 4)
	forEachWorkers(t, func(t *testing.T, opts ...Option) {
		for _, piece := range []int{1000, 4096, ChunkSize - 1, ChunkSize, ChunkSize + 1, 3*ChunkSize + 7, 1 << 20} {
			var out bytes.Buffer
			w, err := NewWriter(&out, key256, nil, opts...)
			if err != nil {
				t.Fatal(err)
			}
			for rest := plaintext; len(rest) > 0; {
				n := min(piece, len(rest))
				if m, err := w.Write(rest[:n]); m != n || err != nil {
					t.Fatalf("Write = %d, %v, want %d", m, err, n)
				}
				rest = rest[n:]
			}
			if n, err := w.Write(nil); n != 0 || err != nil {
				t.Fatalf("Write of nothing = %d, %v", n, err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			checkSealed(t, out.Bytes(), plaintext)
		}
		for name, src := range map[string]io.Reader{
			"at once":       bytes.NewReader(plaintext),
			"byte by byte":  iotest.OneByteReader(bytes.NewReader(plaintext)),
			"halves":        iotest.HalfReader(bytes.NewReader(plaintext)),
			"data with EOF": iotest.DataErrReader(bytes.NewReader(plaintext)),
		} {
			var out bytes.Buffer
			w, err := NewWriter(&out, key256, nil, opts...)
			if err != nil {
				t.Fatal(err)
			}
			// Something before and after, so that ReadFrom begins and ends within chunks.
			w.Write([]byte("before"))
			if n, err := w.ReadFrom(src); n != int64(len(plaintext)) || err != nil {
				t.Fatalf("%s: ReadFrom = %d, %v, want %d", name, n, err, len(plaintext))
			}
			w.Write([]byte("after"))
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			checkSealed(t, out.Bytes(), append([]byte("before"+string(plaintext)), "after"...))
		}
	})
}

func checkSealed(t *testing.T, sealed, want []byte) {
	t.Helper()
	got, bad, header := referenceOpen(key256, nil, sealed)
	if !header || bad != -1 || !bytes.Equal(got, want) {
		t.Fatalf("the reference opens %d bytes (equal: %v), bad chunk %d, header %v; want %d bytes",
			len(got), bytes.Equal(got, want), bad, header, len(want))
	}
}

// TestReadSplits opens the same message from readers with odd manners, into buffers of many sizes, and
// through WriteTo.
func TestReadSplits(t *testing.T) {
	plaintext := random(40*ChunkSize+123, 4)
	sealed := referenceSeal(key128, nil, salt, plaintext)
	sources := map[string]func() io.Reader{
		"at once":       func() io.Reader { return bytes.NewReader(sealed) },
		"byte by byte":  func() io.Reader { return iotest.OneByteReader(bytes.NewReader(sealed)) },
		"halves":        func() io.Reader { return iotest.HalfReader(bytes.NewReader(sealed)) },
		"data with EOF": func() io.Reader { return iotest.DataErrReader(bytes.NewReader(sealed)) },
	}
	forEachWorkers(t, func(t *testing.T, opts ...Option) {
		for name, source := range sources {
			for _, size := range []int{0, 1000, ChunkSize - 1, ChunkSize, 100000} {
				r, err := NewReader(source(), key128, nil, opts...)
				if err != nil {
					t.Fatal(err)
				}
				var got bytes.Buffer
				if size == 0 {
					n, err := r.WriteTo(onlyWriter{&got})
					if n != int64(len(plaintext)) || err != nil {
						t.Fatalf("%s: WriteTo = %d, %v", name, n, err)
					}
				} else if _, err := io.CopyBuffer(onlyWriter{&got}, onlyReader{r}, make([]byte, size)); err != nil {
					t.Fatalf("%s, %d at a time: %v", name, size, err)
				}
				if !bytes.Equal(got.Bytes(), plaintext) {
					t.Fatalf("%s, %d at a time: wrong plaintext", name, size)
				}
			}
		}
	})
}

// TestReadAt compares every pair of offset and length around the boundaries with the plaintext.
func TestReadAt(t *testing.T) {
	const size = 50*ChunkSize + 77
	plaintext := random(size, 5)
	sealed := referenceSeal(key256, nil, salt, plaintext)
	marks := []int{0, 1, ChunkSize - 1, ChunkSize, ChunkSize + 1, 16 * ChunkSize, 16*ChunkSize + 9, 33*ChunkSize - 1,
		50*ChunkSize - 1, 50 * ChunkSize, 50*ChunkSize + 1, size - 1, size, size + 1, size + 100000}
	forEachWorkers(t, func(t *testing.T, opts ...Option) {
		r, err := NewReaderAt(bytes.NewReader(sealed), int64(len(sealed)), key256, nil, opts...)
		if err != nil {
			t.Fatal(err)
		}
		for _, from := range marks {
			for _, to := range marks {
				if to < from {
					continue
				}
				p := make([]byte, to-from, to-from+1)
				canary := p[:len(p)+1]
				canary[len(p)] = 0xa5
				n, err := r.ReadAt(p, int64(from))
				want := plaintext[min(from, size):min(to, size)]
				if n != len(want) || !bytes.Equal(p[:n], want) {
					t.Fatalf("ReadAt(%d bytes, %d) = %d, want %d; equal: %v",
						len(p), from, n, len(want), bytes.Equal(p[:n], want))
				}
				if wantErr := to > max(size, from); wantErr != (err == io.EOF) || !wantErr && err != nil {
					t.Fatalf("ReadAt(%d bytes, %d): error %v, size %d", len(p), from, err, size)
				}
				if canary[len(p)] != 0xa5 {
					t.Fatalf("ReadAt(%d bytes, %d) wrote past its buffer", len(p), from)
				}
			}
		}
		if n, err := r.ReadAt(make([]byte, 1), -1); n != 0 || err == nil || err == io.EOF {
			t.Errorf("ReadAt at -1 = %d, %v", n, err)
		}
	})
}

// TestIotest runs the standard library's test of readers and seekers, over a ReaderAt that begins near the
// end of a chunk: the test reads byte by byte, and each read opens a chunk.
func TestIotest(t *testing.T) {
	const from = ChunkSize - 100
	plaintext := random(ChunkSize+200, 6)
	sealed := seal(t, key128, nil, plaintext)
	r, err := NewReaderAt(bytes.NewReader(sealed), int64(len(sealed)), key128, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := iotest.TestReader(io.NewSectionReader(r, from, r.Size()-from), plaintext[from:]); err != nil {
		t.Error(err)
	}
	stream, err := NewReader(bytes.NewReader(sealed), key128, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := iotest.TestReader(onlyReader{stream}, plaintext); err != nil {
		t.Error(err)
	}
}

// TestSaltIsFresh seals the same message twice.
func TestSaltIsFresh(t *testing.T) {
	a, b := seal(t, key128, nil, nil), seal(t, key128, nil, nil)
	if bytes.Equal(a[:saltSize], b[:saltSize]) {
		t.Error("two messages have the same salt")
	}
	if bytes.Equal(a[saltSize:HeaderSize], b[saltSize:HeaderSize]) {
		t.Error("two messages have the same commitment")
	}
}

func TestSizes(t *testing.T) {
	for _, size := range sizes {
		sealed, err := SealedSize(int64(size))
		if err != nil || sealed != int64(len(referenceSeal(key128, nil, salt, make([]byte, size)))) {
			t.Errorf("SealedSize(%d) = %d, %v", size, sealed, err)
		}
		if opened, err := OpenedSize(sealed); opened != int64(size) || err != nil {
			t.Errorf("OpenedSize(%d) = %d, %v, want %d", sealed, opened, err, size)
		}
	}
	// Every size of up to three chunks is the size of one message or of none.
	next := int64(0)
	for sealed := range int64(HeaderSize + 3*sealedChunkSize) {
		want, _ := SealedSize(next)
		got, err := OpenedSize(sealed)
		switch {
		case sealed == want && (err != nil || got != next):
			t.Fatalf("OpenedSize(%d) = %d, %v, want %d", sealed, got, err, next)
		case sealed == want:
			next++
		case err == nil:
			t.Fatalf("OpenedSize(%d) = %d, but no message has that size", sealed, got)
		}
	}
	largest, err := SealedSize(MaxSize)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := OpenedSize(largest); got != MaxSize || err != nil {
		t.Errorf("OpenedSize(%d) = %d, %v, want %d", largest, got, err, MaxSize)
	}
	for _, size := range []int64{-1, MaxSize + 1, 1<<63 - 1, -1 << 63} {
		if n, err := SealedSize(size); err == nil {
			t.Errorf("SealedSize(%d) = %d, want an error", size, n)
		}
	}
	for _, sealed := range []int64{-1, -1 << 63, largest + 1, largest + 1000, 1<<63 - 1} {
		if n, err := OpenedSize(sealed); err == nil {
			t.Errorf("OpenedSize(%d) = %d, want an error", sealed, n)
		}
	}
}
