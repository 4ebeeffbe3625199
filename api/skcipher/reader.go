package skcipher

import "io"

// maxEmptyReads is after how many reads in a row that return nothing a Reader gives up.
const maxEmptyReads = 100

// Reader reads a text from another reader, and encrypts or decrypts it. It takes about 20 KiB, and is not safe
// for concurrent use; the transform serves others meanwhile.
type Reader struct {
	src       io.Reader
	direction Direction
	stream    stream
	out       []byte // at the beginning of buffer: what is done and was not read
	held      []byte // behind it: what is not done
	ended     bool   // src has ended; held is the rest of the text
	err       error  // what follows out
	buffer    [pieceSize + maxHeld]byte
}

// NewReader returns a Reader that encrypts or decrypts what it reads from src, all of it as one text, under t,
// which must have a key; iv must have the size of the algorithm's IVs, and is neither retained nor written. Every
// algorithm will do.
//
// The Reader returns what it has as soon as it can: all whole blocks that src gave, less up to 32 bytes with
// algorithms that treat the end of a text specially. If the text ends with a size that the algorithm does not
// have, Read returns ErrLength after the last whole blocks. Errors of src come as they are, after the
// whole blocks that were read before; what was held back is dropped. An error stays. By the time that the Reader returns one, io.EOF included, it has overwritten what
// it had of the text.
func NewReader(src io.Reader, t *Transform, iv []byte, direction Direction) (*Reader, error) {
	r := &Reader{src: src, direction: direction}
	if err := r.stream.init(t, iv); err != nil {
		return nil, err
	}
	return r, nil
}

// Read implements io.Reader.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for len(r.out) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		r.fill()
	}
	n := copy(p, r.out)
	clear(r.out[:n])
	r.out = r.out[n:]
	return n, nil
}

// fill reads once, and does what can be done.
func (r *Reader) fill() {
	n := copy(r.buffer[:], r.held)
	m, err := r.read(r.buffer[n:])
	n += m
	last := err == io.EOF
	done := n
	if !last {
		done = r.stream.ready(n)
	}
	if wrong := r.stream.do(r.buffer[:done], r.direction, last); wrong != nil {
		done, err = 0, wrong
	}
	r.out, r.held, r.err = r.buffer[:done], r.buffer[done:n], err
	if err != nil {
		clear(r.buffer[done:])
		r.stream.wipe()
	}
}

// read reads from src. Where the end comes together with the last bytes, it comes by itself in the next call: so
// whole blocks are done before the size of the text can turn out to be wrong.
func (r *Reader) read(p []byte) (int, error) {
	if r.ended {
		return 0, io.EOF
	}
	n, err := readSome(r.src, p)
	if n > 0 && err == io.EOF {
		r.ended, err = true, nil
	}
	return n, err
}

// readSome reads from src until that returns something.
func readSome(src io.Reader, p []byte) (int, error) {
	for range maxEmptyReads {
		if n, err := src.Read(p); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}
