package cobblestone

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"testing"
)

// FuzzOpen opens arbitrary bytes. Mutation finds no way past the commitment, so with header there is a good
// header before them, and they are chunks.
func FuzzOpen(f *testing.F) {
	context := []byte("context")
	for _, size := range []int{0, 30, ChunkSize, 2*ChunkSize + 5} {
		sealed := referenceSeal(key128, context, salt, random(size, 1))
		f.Add(sealed, false)
		f.Add(sealed[HeaderSize:], true)
	}
	for _, size := range []int{0, 1, tagSize - 1, tagSize, HeaderSize - 1, HeaderSize, sealedChunkSize, sealedChunkSize + 15} {
		f.Add(make([]byte, size), false)
		f.Add(make([]byte, size), true)
	}
	good := referenceSeal(key128, context, salt, nil)[:HeaderSize]
	f.Fuzz(func(t *testing.T, sealed []byte, header bool) {
		if header {
			sealed = append(bytes.Clone(good), sealed...)
		}
		for _, n := range []int{1, 2} {
			checkOpens(t, key128, context, sealed, Workers(n))
			checkOpens(t, key256, nil, sealed, Workers(n))
		}
	})
}

const (
	// editSize is the size of one edit for damaged, and placeSize that of one place to read at.
	editSize  = 6
	placeSize = 7
	// maxSteps is how many edits or places of an input count. More show nothing new, and the fuzzer takes an input that
	// lasts for seconds to hang.
	maxSteps = 16
)

// edit is an operation of damage, a place and a value as bytes.
func edit(op, value byte, place uint32) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{op}, place<<1), value)
}

// damaged does to sealed what edits says.
func damaged(sealed, edits []byte) []byte {
	for edits = edits[:min(len(edits), maxSteps*editSize)]; len(edits) >= editSize; edits = edits[editSize:] {
		sealed = damage(sealed, edits[0], edits[5], int(binary.BigEndian.Uint32(edits[1:])>>1))
	}
	return sealed
}

// addDamage gives add messages and edits of every kind.
func addDamage(add func(size uint32, edits []byte)) {
	add(100, []byte{})
	add(3*ChunkSize, edit(0, 1, HeaderSize+5))
	add(17*ChunkSize, edit(1, 0, HeaderSize+16*sealedChunkSize))
	add(2*ChunkSize+1, edit(2, 3, 1000))
	add(4*ChunkSize+1, append(edit(3, 0, 1), edit(4, 1, 2)...))
	add(4*ChunkSize, edit(5, 9, 0))
	for _, around := range []uint32{^uint32(0), 0, 1, tagSize - 1, tagSize} {
		add(3*ChunkSize+7, edit(1, 0, HeaderSize+2*sealedChunkSize+around))
	}
}

// FuzzDamage seals a message of some size and does to it what edits says. All that comes out of any way to
// open it must be what the reference finds authentic.
func FuzzDamage(f *testing.F) {
	addDamage(func(size uint32, edits []byte) { f.Add(size, edits) })
	f.Fuzz(func(t *testing.T, size uint32, edits []byte) {
		plaintext := random(int(size%(20*ChunkSize)), 1)
		sealed := damaged(referenceSeal(key128, nil, salt, plaintext), edits)
		if got, _, _ := referenceOpen(key128, nil, sealed); !bytes.HasPrefix(plaintext, got) {
			t.Fatal("the reference opens what was never sealed")
		}
		for _, n := range []int{1, 3} {
			checkOpens(t, key128, nil, sealed, Workers(n))
		}
	})
}

// FuzzReadAt reads at places of a message that edits has damaged. Each place is an offset and a length, of
// four and three bytes.
func FuzzReadAt(f *testing.F) {
	place := func(off, n uint32) []byte {
		return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, off), n<<8)[:placeSize]
	}
	places := slices.Concat(place(0, 100), place(ChunkSize-1, 2), place(5, 3*ChunkSize),
		place(16*ChunkSize-1, ChunkSize+2), place(0, 20*ChunkSize), place(2*ChunkSize, 0), place(99999, 1))
	addDamage(func(size uint32, edits []byte) { f.Add(size, edits, places) })
	f.Add(uint32(19*ChunkSize+9), slices.Concat(edit(0, 1, HeaderSize+17*sealedChunkSize), edit(0, 1, HeaderSize+3)), places)
	f.Fuzz(func(t *testing.T, size uint32, edits, places []byte) {
		plaintext := random(int(size%(20*ChunkSize)), 1)
		sealed := damaged(referenceSeal(key128, nil, salt, plaintext), edits)
		chunks, whole := referenceChunks(key128, nil, sealed)
		for _, n := range []int{1, 3} {
			r, err := NewReaderAt(bytes.NewReader(sealed), int64(len(sealed)), key128, nil, Workers(n))
			if (err == nil) != whole {
				t.Fatalf("NewReaderAt: %v; the last chunk is authentic: %v", err, whole)
			}
			if err != nil {
				continue
			}
			for p := places[:min(len(places), maxSteps*placeSize)]; len(p) >= placeSize; p = p[placeSize:] {
				length := int(binary.BigEndian.Uint32(p[3:placeSize]) & 0xffffff)
				checkReadAt(t, r, chunks, int64(binary.BigEndian.Uint32(p)), length%(3*ChunkSize+100))
			}
			checkReadAt(t, r, chunks, 0, int(r.Size())+1)
		}
	})
}

// checkReadAt reads n bytes from off on, with ReadAt and after a seek, and wants what is authentic up to the
// first bad chunk; and behind that, what is authentic or was there before.
func checkReadAt(t *testing.T, r *ReaderAt, chunks [][]byte, off int64, n int) {
	t.Helper()
	var want []byte // from off on, up to the first bad chunk
	bad := false
	at := off
	for ; at < r.Size() && at < off+int64(n); at = int64(at/ChunkSize+1) * ChunkSize {
		chunk := chunks[at/ChunkSize]
		if bad = chunk == nil; bad {
			break
		}
		want = append(want, chunk[at%ChunkSize:]...)
	}
	want = want[:min(n, len(want))]
	p := bytes.Repeat([]byte{0xa5}, n)
	got, err := r.ReadAt(p, off)
	if got != len(want) || !bytes.Equal(p[:got], want) {
		t.Fatalf("ReadAt of %d bytes at %d = %d, %v, want %d bytes that are authentic", n, off, got, err, len(want))
	}
	switch {
	case bad:
		var e *ChunkError
		if !errors.As(err, &e) || e.Chunk != uint64(at/ChunkSize) || !errors.Is(err, ErrDamaged) {
			t.Fatalf("ReadAt of %d bytes at %d: error %v, want chunk %d damaged", n, off, err, at/ChunkSize)
		}
		for i, b := range p[got:] {
			at := off + int64(got+i)
			if b != 0xa5 && (at >= r.Size() || chunks[at/ChunkSize] == nil || b != chunks[at/ChunkSize][at%ChunkSize]) {
				t.Fatalf("ReadAt of %d bytes at %d left what is not authentic at %d", n, off, at)
			}
		}
		return
	case got == n && err != nil, got < n && err != io.EOF:
		t.Fatalf("ReadAt of %d bytes at %d = %d, %v", n, off, got, err)
	}
	s := io.NewSectionReader(r, 0, r.Size())
	if _, err := s.Seek(off, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	clear(p)
	if got, err := io.ReadFull(s, p); got != len(want) || !bytes.Equal(p[:got], want) {
		t.Fatalf("%d bytes after Seek to %d: %d, %v, want %d", n, off, got, err, len(want))
	}
}

// FuzzPieces seals a message in pieces and compares with the reference, and opens it from a source that gives
// pieces and in reads of pieces. Lengths of pieces have two bytes.
func FuzzPieces(f *testing.F) {
	cut := func(lengths ...uint16) (cuts []byte) {
		for _, n := range lengths {
			cuts = binary.BigEndian.AppendUint16(cuts, n)
		}
		return cuts
	}
	for i, size := range []uint32{
		0, 1, ChunkSize - 1, ChunkSize, ChunkSize + 1, 3*ChunkSize + 1000, 16 * ChunkSize, 17*ChunkSize + 5,
	} {
		f.Add(size, cut(ChunkSize-1, 1, ChunkSize), cut(HeaderSize, sealedChunkSize), cut(uint16(i), ChunkSize))
		f.Add(size, cut(1, 0, ChunkSize, 40000), cut(1, HeaderSize-1, 40000, 3), cut(ChunkSize-1, 1, 1))
		f.Add(size, []byte{}, []byte{}, []byte{})
	}
	f.Fuzz(func(t *testing.T, size uint32, writes, sources, reads []byte) {
		plaintext := random(int(size%(20*ChunkSize)), 1)
		for _, n := range []int{1, 3} {
			sealed := sealPieces(t, plaintext, writes, Workers(n))
			if !bytes.Equal(sealed, referenceSeal(key128, nil, sealed[:saltSize], plaintext)) {
				t.Fatalf("%d workers: sealed in pieces, it differs from the reference", n)
			}
			openPieces(t, sealed, plaintext, sources, reads, Workers(n))
		}
	})
}

// nextPiece takes the length of a piece from cuts; without any, all is one piece.
func nextPiece(cuts *[]byte, left int) int {
	if len(*cuts) < 2 {
		return left
	}
	n := int(binary.BigEndian.Uint16(*cuts))
	*cuts = (*cuts)[2:]
	return min(n, left)
}

// sealPieces writes plaintext in pieces, those of odd lengths by ReadFrom.
func sealPieces(t *testing.T, plaintext, cuts []byte, opts ...Option) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(&out, key128, nil, opts...)
	if err != nil {
		t.Fatal(err)
	}
	for rest := plaintext; len(rest) > 0; {
		n := nextPiece(&cuts, len(rest))
		got, err := int64(0), error(nil)
		if n%2 == 1 {
			got, err = w.ReadFrom(bytes.NewReader(rest[:n]))
		} else {
			var m int
			m, err = w.Write(rest[:n])
			got = int64(m)
		}
		if got != int64(n) || err != nil {
			t.Fatalf("a piece of %d bytes: %d, %v", n, got, err)
		}
		rest = rest[n:]
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// pieceSource gives data in pieces. A piece of 0 bytes is a Read without progress, which readers may do.
type pieceSource struct {
	data, cuts []byte
	given      int
}

func (s *pieceSource) Read(p []byte) (int, error) {
	left := s.data[s.given:]
	if len(left) == 0 {
		return 0, io.EOF
	}
	n := copy(p, left[:nextPiece(&s.cuts, len(left))])
	s.given += n
	return n, nil
}

// openPieces reads sealed in pieces and wants plaintext, no byte of it before the tag of its chunk has been read.
func openPieces(t *testing.T, sealed, plaintext, sources, reads []byte, opts ...Option) {
	t.Helper()
	if len(sources) > 50 {
		sources = sources[:50] // few enough reads of 0 bytes in a row
	}
	src := &pieceSource{data: sealed, cuts: sources}
	r, err := NewReader(src, key128, nil, opts...)
	if err != nil {
		t.Fatal(err)
	}
	var got []byte
	for {
		p := make([]byte, max(1, nextPiece(&reads, len(plaintext)+1)))
		n, err := r.Read(p)
		got = append(got, p[:n]...)
		if ready := (src.given - HeaderSize) / sealedChunkSize * ChunkSize; len(got) > ready && src.given < len(sealed) {
			t.Fatalf("%d bytes came out, when only the tags of %d had been read", len(got), ready)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("after %d bytes: %v", len(got), err)
		}
	}
	if !bytes.Equal(got, plaintext) {
		t.Fatalf("%d bytes came out, not the %d that were sealed", len(got), len(plaintext))
	}
}

// damage changes a byte, cuts, appends, or takes out, repeats or swaps chunks.
func damage(sealed []byte, op, value byte, place int) []byte {
	if len(sealed) < HeaderSize {
		return sealed
	}
	header, chunks := pieces(bytes.Clone(sealed))
	at, chunk, other := place%len(sealed), 0, 0
	if len(chunks) > 0 {
		chunk, other = place%len(chunks), int(value)%len(chunks)
	}
	switch op % 6 {
	case 0:
		out := bytes.Clone(sealed)
		out[at] ^= value
		return out
	case 1:
		return bytes.Clone(sealed[:at])
	case 2:
		return append(bytes.Clone(sealed), bytes.Repeat([]byte{value}, place%(2*sealedChunkSize))...)
	}
	if len(chunks) > 0 {
		switch op % 6 {
		case 3:
			chunks = append(chunks[:chunk], chunks[chunk+1:]...)
		case 4:
			chunks[chunk], chunks[other] = chunks[other], chunks[chunk]
		case 5:
			chunks = append(chunks, chunks[other])
		}
	}
	return append(bytes.Clone(header), bytes.Join(chunks, nil)...)
}
