package cobblestone

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// checkOpens opens sealed, which may be damaged, in every way there is, and wants what the reference wants:
// the chunks up to the first bad one, then an error with its number that stays.
func checkOpens(t *testing.T, key, context, sealed []byte, opts ...Option) {
	t.Helper()
	want, bad, header := referenceOpen(key, context, sealed)
	checkReader(t, key, context, sealed, want, bad, header, opts...)
	checkReaderAt(t, key, context, sealed, want, bad, header, opts...)
}

func checkReader(t *testing.T, key, context, sealed, want []byte, bad int, header bool, opts ...Option) {
	t.Helper()
	for _, writeTo := range []bool{false, true} {
		r, err := NewReader(bytes.NewReader(sealed), key, context, opts...)
		if !header {
			checkHeaderError(t, len(sealed), err)
			continue
		}
		if err != nil {
			t.Fatalf("NewReader: %v", err)
		}
		var got bytes.Buffer
		if writeTo {
			_, err = r.WriteTo(&got)
		} else {
			_, err = io.Copy(&got, onlyReader{r})
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Fatalf("read %d bytes, want the %d that are authentic", got.Len(), len(want))
		}
		if bad < 0 {
			if err != nil {
				t.Fatalf("error %v, want none", err)
			}
			continue
		}
		checkChunkError(t, err, sealed, bad)
		for range 3 {
			p := bytes.Repeat([]byte{0xa5}, 100)
			n, again := r.Read(p)
			if n != 0 || again != err || !bytes.Equal(p, bytes.Repeat([]byte{0xa5}, 100)) {
				t.Fatalf("Read after the error %v = %d, %v, buffer changed: %v", err, n, again, p[0] != 0xa5)
			}
		}
		if n, again := r.WriteTo(&got); n != 0 || again != err {
			t.Fatalf("WriteTo after the error %v = %d, %v", err, n, again)
		}
		if err := r.Close(); err != nil {
			t.Fatalf("Close: %v", err)
		}
		if _, again := r.Read(make([]byte, 1)); again != err {
			t.Fatalf("Read after the error %v and Close = %v", err, again)
		}
	}
}

func checkReaderAt(t *testing.T, key, context, sealed, want []byte, bad int, header bool, opts ...Option) {
	t.Helper()
	r, err := NewReaderAt(bytes.NewReader(sealed), int64(len(sealed)), key, context, opts...)
	if !header {
		checkHeaderError(t, len(sealed), err)
		return
	}
	if err != nil {
		// The last chunk is wrong, whatever comes before it.
		checkChunkError(t, err, sealed, max(0, (len(sealed)-HeaderSize)/sealedChunkSize))
		if bad < 0 {
			t.Fatalf("NewReaderAt: %v, but the message is whole", err)
		}
		return
	}
	defer r.Close()
	p := bytes.Repeat([]byte{0xa5}, int(r.Size())+1)
	n, err := r.ReadAt(p, 0)
	if n != len(want) || !bytes.Equal(p[:n], want) {
		t.Fatalf("ReadAt = %d, %v, want the %d bytes that are authentic", n, err, len(want))
	}
	if bad < 0 {
		if err != io.EOF {
			t.Fatalf("ReadAt over the end: error %v, want io.EOF", err)
		}
		return
	}
	checkChunkError(t, err, sealed, bad)
	if _, err := r.ReadAt(p[:1], int64(bad)*ChunkSize); err == nil {
		t.Fatalf("ReadAt of bad chunk %d gives no error", bad)
	} else {
		checkChunkError(t, err, sealed, bad)
	}
	if bad > 0 {
		if n, err := r.ReadAt(p[:ChunkSize], int64(bad-1)*ChunkSize); n != ChunkSize || err != nil {
			t.Fatalf("ReadAt of the good chunk before the bad one = %d, %v", n, err)
		}
	}
}

func checkHeaderError(t *testing.T, size int, err error) {
	t.Helper()
	want := ErrKey
	if size < HeaderSize {
		want = ErrTruncated
	}
	if !errors.Is(err, want) || errors.Is(err, io.EOF) {
		t.Fatalf("error %v, want %v", err, want)
	}
}

// checkChunkError wants an error about a chunk of sealed: ErrTruncated if its place has less than a tag, and
// ErrDamaged if not.
func checkChunkError(t *testing.T, err error, sealed []byte, chunk int) {
	t.Helper()
	var e *ChunkError
	if !errors.As(err, &e) {
		t.Fatalf("error %v (%T), want a *ChunkError", err, err)
	}
	if e.Chunk != uint64(chunk) {
		t.Fatalf("error %q is about chunk %d, want chunk %d", err, e.Chunk, chunk)
	}
	want := ErrDamaged
	if len(sealed) < HeaderSize+chunk*sealedChunkSize+tagSize {
		want = ErrTruncated
	}
	if !errors.Is(err, want) {
		t.Fatalf("error %q, want %q", err, want)
	}
	if errors.Is(err, io.EOF) {
		t.Fatalf("error %q is an io.EOF", err)
	}
	if !strings.Contains(err.Error(), fmt.Sprintf("chunk %d ", chunk)) {
		t.Fatalf("error %q does not say chunk %d", err, chunk)
	}
}

// pieces cuts a sealed message into its header and chunks.
func pieces(sealed []byte) (header []byte, chunks [][]byte) {
	header, sealed = sealed[:HeaderSize], sealed[HeaderSize:]
	for len(sealed) > 0 {
		n := min(len(sealed), sealedChunkSize)
		chunks = append(chunks, sealed[:n])
		sealed = sealed[n:]
	}
	return header, chunks
}

func TestKeys(t *testing.T) {
	sealed := seal(t, key128, []byte("context"), []byte("plaintext"))
	for n := range 70 {
		key := append(bytes.Clone(key128), make([]byte, 70)...)[:n]
		if n == 16 || n == 32 {
			continue
		}
		w, errW := NewWriter(io.Discard, key, nil)
		r, errR := NewReader(bytes.NewReader(sealed), key, []byte("context"))
		ra, errA := NewReaderAt(bytes.NewReader(sealed), int64(len(sealed)), key, []byte("context"))
		if errW == nil || errR == nil || errA == nil || w != nil || r != nil || ra != nil {
			t.Fatalf("key of %d bytes: errors %v, %v, %v; want three", n, errW, errR, errA)
		}
		for _, err := range []error{errW, errR, errA} {
			if !strings.Contains(err.Error(), fmt.Sprintf("%d bytes", n)) {
				t.Errorf("key of %d bytes: %q does not say so", n, err)
			}
		}
	}
	longer := append(bytes.Clone(key128), make([]byte, 16)...)
	wrong := bytes.Clone(key128)
	wrong[15] ^= 1
	for name, c := range map[string]struct{ key, context []byte }{
		"other key":         {wrong, []byte("context")},
		"key made longer":   {longer, []byte("context")},
		"other context":     {key128, []byte("Context")},
		"no context":        {key128, nil},
		"longer context":    {key128, []byte("context\x00")},
		"context cut short": {key128, []byte("contex")},
	} {
		t.Run(name, func(t *testing.T) { checkOpens(t, c.key, c.context, sealed) })
	}
	checkOpens(t, key128, []byte("context"), sealed)
}

// TestDamagedHeader flips each bit of the header.
func TestDamagedHeader(t *testing.T) {
	sealed := seal(t, key256, nil, []byte("plaintext"))
	for bit := range HeaderSize * 8 {
		sealed[bit/8] ^= 1 << (bit % 8)
		checkOpens(t, key256, nil, sealed)
		sealed[bit/8] ^= 1 << (bit % 8)
	}
}

// TestDamagedShort flips each bit of a short message.
func TestDamagedShort(t *testing.T) {
	sealed := seal(t, key256, nil, []byte("plaintext of a few blocks, one of them short"))
	forEach(t, func(t *testing.T, opts ...Option) {
		for bit := HeaderSize * 8; bit < len(sealed)*8; bit++ {
			damaged := bytes.Clone(sealed)
			damaged[bit/8] ^= 1 << (bit % 8)
			checkOpens(t, key256, nil, damaged, opts...)
		}
	})
}

// TestDamagedChunk damages each chunk of a message of several batches at its beginning, in its middle and in
// its tag.
func TestDamagedChunk(t *testing.T) {
	sealed := seal(t, key128, nil, random(36*ChunkSize+50, 7))
	_, chunks := pieces(sealed)
	forEachWorkers(t, func(t *testing.T, opts ...Option) {
		for _, i := range []int{0, 1, 15, 16, 35, 36} {
			size := len(chunks[i])
			for _, at := range []int{0, size / 2, size - tagSize - 1, size - 1} {
				chunks[i][at] ^= 0x10
				checkOpens(t, key128, nil, sealed, opts...)
				chunks[i][at] ^= 0x10
			}
		}
	})
}

// TestTwoDamagedChunks wants the error of the first.
func TestTwoDamagedChunks(t *testing.T) {
	sealed := seal(t, key128, nil, random(60*ChunkSize, 7))
	_, chunks := pieces(sealed)
	for _, i := range []int{20, 21, 37, 50} {
		chunks[i][i] ^= 1
	}
	forEach(t, func(t *testing.T, opts ...Option) { checkOpens(t, key128, nil, sealed, opts...) })
}

// TestTruncated cuts a short message at every byte, and a long one at every boundary, a byte before and after
// it, and at some in more places around.
func TestTruncated(t *testing.T) {
	short := seal(t, key128, nil, random(40, 8))
	long := seal(t, key128, nil, random(35*ChunkSize+100, 8))
	forEachWorkers(t, func(t *testing.T, opts ...Option) {
		for n := range len(short) + 1 {
			checkOpens(t, key128, nil, short[:n], opts...)
		}
		for chunk := range 36 {
			for _, around := range []int{-17, -1, 0, 1, tagSize - 1, tagSize, tagSize + 1, 1000} {
				n := HeaderSize + chunk*sealedChunkSize + around
				some := chunk < 2 || chunk == 16 || chunk == 35
				if n < len(long) && (some || -1 <= around && around <= 1) {
					checkOpens(t, key128, nil, long[:n], opts...)
				}
			}
		}
	})
}

// TestRearranged takes chunks out, swaps them, repeats them, and adds some.
func TestRearranged(t *testing.T) {
	for _, size := range []int{20 * ChunkSize, 20*ChunkSize + 100} {
		sealed := seal(t, key128, nil, random(size, 8))
		other := seal(t, key128, nil, random(size, 9))
		zeros := seal(t, key128, nil, make([]byte, size))
		header, chunks := pieces(sealed)
		_, otherChunks := pieces(other)
		last := len(chunks) - 1
		replace := func(i, count int, with ...[]byte) []byte {
			out := bytes.Clone(header)
			for _, list := range [][][]byte{chunks[:i], with, chunks[i+count:]} {
				out = append(out, bytes.Join(list, nil)...)
			}
			return out
		}
		cases := map[string][]byte{
			"as it is":                  replace(0, 0),
			"first taken out":           replace(0, 1),
			"middle taken out":          replace(5, 1),
			"last taken out":            replace(last, 1),
			"first repeated":            replace(0, 0, chunks[0]),
			"middle repeated":           replace(5, 0, chunks[5]),
			"last repeated":             replace(last, 0, chunks[last]),
			"neighbours swapped":        replace(5, 2, chunks[6], chunks[5]),
			"last two swapped":          replace(last-1, 2, chunks[last], chunks[last-1]),
			"full one as last":          replace(last, 1, chunks[3]),
			"last one as first":         replace(0, 1, chunks[last]),
			"only the last":             replace(0, last),
			"chunk of another message":  replace(5, 1, otherChunks[5]),
			"first of another":          replace(0, 1, otherChunks[0]),
			"last of another":           replace(last, 1, otherChunks[last]),
			"a byte after it":           append(replace(0, 0), 0),
			"16 bytes after it":         append(replace(0, 0), make([]byte, 16)...),
			"a chunk of zeros after it": append(replace(0, 0), make([]byte, sealedChunkSize)...),
			"itself after it":           append(replace(0, 0), sealed...),
			"another message after it":  append(replace(0, 0), zeros...),
			"a byte before the chunks":  append(bytes.Clone(header), append([]byte{0}, sealed[HeaderSize:]...)...),
		}
		for name, damaged := range cases {
			t.Run(fmt.Sprintf("%d bytes, %s", size, name), func(t *testing.T) {
				forEachWorkers(t, func(t *testing.T, opts ...Option) {
					checkOpens(t, key128, nil, damaged, opts...)
				})
			})
		}
	}
}

// TestErrorText wants the sentences that people will read.
func TestErrorText(t *testing.T) {
	sealed := seal(t, key128, nil, random(2*ChunkSize+100, 8))
	damaged := bytes.Clone(sealed)
	damaged[HeaderSize+sealedChunkSize+5] ^= 1
	for _, c := range []struct {
		sealed []byte
		key    []byte
		want   string
	}{
		{sealed, key256, "cobblestone: wrong key or context, or damaged header"},
		{sealed[:20], key128, "cobblestone: header of 20 bytes instead of 56: missing or cut short: " +
			"the sealed message is not complete"},
		{sealed[:HeaderSize], key128, "cobblestone: chunk 0 (at byte 56 of the sealed message): " +
			"missing or cut short: the sealed message is not complete"},
		{damaged, key128, "cobblestone: chunk 1 (at byte 16456 of the sealed message): not authentic: damaged, " +
			"cut short, out of its place, or followed by what does not belong to the message"},
	} {
		r, err := NewReader(bytes.NewReader(c.sealed), c.key, nil)
		if err == nil {
			_, err = io.Copy(io.Discard, r)
		}
		if err == nil || err.Error() != c.want {
			t.Errorf("error %v\nwant %v", err, c.want)
		}
	}
}
