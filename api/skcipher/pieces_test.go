package skcipher

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"
)

// A source may return its last bytes together with io.EOF; what is read must not depend on that.
func TestReaderLastBytesWithEOF(t *testing.T) {
	for _, name := range []string{"ecb(aes)", "cbc(aes)"} {
		tfm, err := Alloc(name)
		if err != nil {
			t.Fatal(err)
		}
		defer tfm.Close()
		if err := tfm.SetKey(make([]byte, 16)); err != nil {
			t.Fatal(err)
		}
		read := func(src io.Reader) []byte {
			r, err := NewReader(src, tfm, make([]byte, tfm.IVSize()), Encrypt)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(r)
			if !errors.Is(err, ErrLength) {
				t.Errorf("%s: %v, want %v", name, err, ErrLength)
			}
			return got
		}
		text := make([]byte, 37)
		want, got := read(bytes.NewReader(text)), read(iotest.DataErrReader(bytes.NewReader(text)))
		if len(want) != 32 || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes where the end comes by itself, %d where it comes with data", name, len(want), len(got))
		}
	}
}

// pieceSizes is a writer that notes how much each Write has.
type pieceSizes []int

func (s *pieceSizes) Write(p []byte) (int, error) {
	*s = append(*s, len(p))
	return len(p), nil
}

func TestWriterPieces(t *testing.T) {
	for _, m := range modes {
		tfm, err := Alloc(m.name)
		if err != nil {
			t.Fatal(err)
		}
		defer tfm.Close()
		key := make([]byte, m.keySizes[0])
		key[0] = 1 // for the halves of an XTS key to differ
		if err := tfm.SetKey(key); err != nil {
			t.Fatal(err)
		}
		var got pieceSizes
		w, err := NewWriter(&got, tfm, make([]byte, m.ivSize), Encrypt)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(make([]byte, 3*pieceSize+2*maxHeld)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for _, n := range got[:len(got)-1] {
			if n != pieceSize {
				t.Errorf("%s: pieces of %v bytes, want %d", m.name, got, pieceSize)
				break
			}
		}
	}
}
