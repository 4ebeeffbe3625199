package cobblestone_test

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	"lamina/lib/cobblestone"
)

// newKey makes a key for Cobblestone-256. A real program keeps it.
func newKey() []byte {
	key := make([]byte, 32)
	rand.Read(key)
	return key
}

// Sealing a file, and opening it again. The context says what the message is for, so that one sealed message
// cannot be passed off as another.
func Example() {
	key, context := newKey(), []byte("backup of 1 May")

	var sealed bytes.Buffer
	w, err := cobblestone.NewWriter(&sealed, key, context)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := io.Copy(w, strings.NewReader("all that must not be lost")); err != nil {
		w.Abort()
		log.Fatal(err)
	}
	// Without Close the message has no end, and will not open.
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	r, err := cobblestone.NewReader(&sealed, key, context)
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	plaintext, err := io.ReadAll(r)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", plaintext)
	// Output: all that must not be lost
}

// Opening a large file on all cores, into a file that appears under its name only when all of it was
// authentic.
func ExampleWorkers() {
	dir, err := os.MkdirTemp("", "cobblestone")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	sealed, opened := filepath.Join(dir, "sealed"), filepath.Join(dir, "opened")
	key := newKey()
	if err := sealFile(sealed, key, make([]byte, 1_000_000)); err != nil {
		log.Fatal(err)
	}

	openFile := func() error {
		in, err := os.Open(sealed)
		if err != nil {
			return err
		}
		defer in.Close()
		r, err := cobblestone.NewReader(in, key, nil, cobblestone.Workers(0))
		if err != nil {
			return err
		}
		defer r.Close()
		out, err := os.CreateTemp(dir, "")
		if err != nil {
			return err
		}
		defer os.Remove(out.Name())
		defer out.Close()
		if _, err := io.Copy(out, r); err != nil {
			return err
		}
		if err := out.Close(); err != nil {
			return err
		}
		return os.Rename(out.Name(), opened)
	}
	if err := openFile(); err != nil {
		log.Fatal(err)
	}
	info, err := os.Stat(opened)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(info.Size(), "bytes")
	// Output: 1000000 bytes
}

func sealFile(name string, key, plaintext []byte) error {
	out, err := os.Create(name)
	if err != nil {
		return err
	}
	defer out.Close()
	w, err := cobblestone.NewWriter(out, key, nil, cobblestone.Workers(0))
	if err != nil {
		return err
	}
	defer w.Abort() // does nothing once the message is closed
	if _, err := w.Write(plaintext); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return out.Close()
}

// Seeking in a sealed message: io.SectionReader makes a Seeker of a ReaderAt, and a bufio.Reader keeps short
// reads from opening a chunk each.
func ExampleNewReaderAt() {
	key := newKey()
	var sealed bytes.Buffer
	w, err := cobblestone.NewWriter(&sealed, key, nil)
	if err != nil {
		log.Fatal(err)
	}
	for i := range 10_000 {
		fmt.Fprintf(w, "line %d\n", i)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	r, err := cobblestone.NewReaderAt(bytes.NewReader(sealed.Bytes()), int64(sealed.Len()), key, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	section := io.NewSectionReader(r, 0, r.Size())
	if _, err := section.Seek(-20, io.SeekEnd); err != nil {
		log.Fatal(err)
	}
	lines := bufio.NewReaderSize(section, cobblestone.ChunkSize)
	lines.ReadString('\n') // the rest of a line
	line, err := lines.ReadString('\n')
	fmt.Printf("%q %v\n", line, err)
	// Output: "line 9999\n" <nil>
}

// What was read before an error is authentic, and is not the whole message. The error says where it stopped.
func ExampleChunkError() {
	key := newKey()
	var sealed bytes.Buffer
	w, err := cobblestone.NewWriter(&sealed, key, nil)
	if err != nil {
		log.Fatal(err)
	}
	w.Write(make([]byte, 50_000))
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	sealed.Bytes()[40_000] ^= 1

	r, err := cobblestone.NewReader(&sealed, key, nil)
	if err != nil {
		log.Fatal(err)
	}
	n, err := io.Copy(io.Discard, r)
	var chunk *cobblestone.ChunkError
	if errors.As(err, &chunk) {
		fmt.Println(n, "bytes are good; chunk", chunk.Chunk, "is damaged:", errors.Is(err, cobblestone.ErrDamaged))
	}
	// Output: 32768 bytes are good; chunk 2 is damaged: true
}
