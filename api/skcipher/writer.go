package skcipher

import (
	"fmt"
	"io"
)

// Writer encrypts or decrypts a text that is written to it, and writes the result to another writer. The text
// ends with Close. A Writer takes about 20 KiB, and is not safe for concurrent use; the transform serves others
// meanwhile.
type Writer struct {
	dst       io.Writer
	direction Direction
	stream    stream
	n         int   // bytes in buffer
	err       error // why no more can be written
	closed    bool  // the text is complete
	buffer    [pieceSize + maxHeld]byte
}

// NewWriter returns a Writer that encrypts or decrypts what is written to it, all of it as one text, under t,
// which must have a key; iv must have the size of the algorithm's IVs, and is neither retained nor written. Every
// algorithm will do. The Writer writes to dst in pieces of 16 KiB and what is left at the end, and not before it
// has as much.
func NewWriter(dst io.Writer, t *Transform, iv []byte, direction Direction) (*Writer, error) {
	w := &Writer{dst: dst, direction: direction}
	if err := w.stream.init(t, iv); err != nil {
		return nil, err
	}
	return w, nil
}

// Write adds p to the text. Errors of the underlying writer come as they are, and stay; the Writer has then
// overwritten what it had of the text.
func (w *Writer) Write(p []byte) (n int, err error) {
	if w.err != nil {
		return 0, w.err
	}
	for n < len(p) {
		m := copy(w.buffer[w.n:], p[n:])
		w.n += m
		if w.n == len(w.buffer) {
			if err := w.flush(false); err != nil {
				return n, err
			}
		}
		n += m
	}
	return n, nil
}

// Close ends the text, writes what is left of it, and overwrites what the Writer had of it. It does not close the
// underlying writer. If the text has a size that the algorithm does not have, the error is ErrLength, and what
// was written are the whole blocks before the end, perhaps not all. After an error Close returns that again;
// after success, nil.
func (w *Writer) Close() error {
	if w.closed {
		return nil
	}
	if w.err != nil {
		return w.err
	}
	if err := w.flush(true); err != nil {
		return err
	}
	w.closed = true
	w.end(fmt.Errorf("skcipher: %w: the text has ended", ErrClosed))
	return nil
}

// flush does what can be done and writes it.
func (w *Writer) flush(last bool) error {
	done := w.n
	if !last {
		done = min(w.stream.ready(w.n), pieceSize)
	}
	if err := w.stream.do(w.buffer[:done], w.direction, last); err != nil {
		return w.end(err)
	}
	if err := writeAll(w.dst, w.buffer[:done]); err != nil {
		return w.end(err)
	}
	w.n = copy(w.buffer[:], w.buffer[done:w.n])
	return nil
}

// end lets all further calls return err, and overwrites the buffer. It returns err.
func (w *Writer) end(err error) error {
	w.err = err
	clear(w.buffer[:])
	w.stream.wipe()
	return err
}

// writeAll writes p, if it is not empty, in one Write.
func writeAll(dst io.Writer, p []byte) error {
	if len(p) == 0 {
		return nil
	}
	n, err := dst.Write(p)
	if err == nil && n < len(p) {
		return io.ErrShortWrite
	}
	return err
}
