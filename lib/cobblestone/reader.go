package cobblestone

import (
	"errors"
	"fmt"
	"io"
)

// A Reader opens a sealed message from its beginning to its end. It is not safe for concurrent use.
//
// It hands out the bytes of all chunks that are authentic and in their place, up to the first that is not.
// From then on it returns the same error for ever, which is never io.EOF. It returns io.EOF only after the
// last chunk was found authentic and the input had ended there.
type Reader struct {
	src    io.Reader
	stream stream
	queue  queue
	next   uint64 // number of the chunk that src is at
	ended  bool   // nothing more is to be read from src

	cur  *batch // whose chunks are being handed out; nil before the first
	slot int    // the next chunk in it
	rest []byte // what has not been handed out of the chunk before it
	err  error  // what follows rest, and io.EOF at the end of the message
}

// NewReader returns a Reader of the message in src. It reads the header at once, and checks that the message
// was sealed under key and context; if it was not, or the header is damaged, the error is an [ErrKey]. It
// keeps neither key nor context. src is only used inside calls of NewReader and of the Reader's methods, and
// is read up to the end of the message, which must be its own end.
func NewReader(src io.Reader, key, context []byte, opts ...Option) (*Reader, error) {
	if err := checkKeySize(key); err != nil {
		return nil, err
	}
	o := newOptions(opts)
	r := &Reader{src: src}
	var h header
	switch n, err := readFull(src, h[:]); {
	case err == io.EOF && n < HeaderSize:
		return nil, headerTooShort(int64(n))
	case err != nil && err != io.EOF:
		return nil, fmt.Errorf("cobblestone: header: %w", readError(err))
	}
	if err := r.stream.initFromHeader(o.impl, key, context, &h); err != nil {
		return nil, err
	}
	r.queue = newQueue(&o, func(b *batch) { b.open(&r.stream) })
	return r, nil
}

// Read hands out the next bytes of the message, at most those of one chunk. Before it returns the first bytes
// of a chunk it has found the whole chunk authentic. Errors are a [*ChunkError], an [ErrClosed], or io.EOF.
func (r *Reader) Read(p []byte) (n int, err error) {
	if len(p) == 0 {
		return 0, nil
	}
	if err := r.fill(); err != nil {
		return 0, err
	}
	n = copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// WriteTo writes the rest of the message to dst, each chunk in one Write after it was found authentic, and
// without copying it. It returns nil at the end of the message. Errors of dst are returned as they are; what
// dst has not taken can still be read.
func (r *Reader) WriteTo(dst io.Writer) (n int64, err error) {
	for {
		if err := r.fill(); err == io.EOF {
			return n, nil
		} else if err != nil {
			return n, err
		}
		m, err := writeFull(dst, r.rest)
		n += int64(m)
		r.rest = r.rest[m:]
		if err != nil {
			return n, err
		}
	}
}

// Close wipes the key and the buffers, which the end of the message and errors do as well. It does not close
// the underlying reader, and always returns nil. Reading after it gives an ErrClosed, or the error that
// reading gave before.
func (r *Reader) Close() error {
	if r.err == nil {
		r.end(errClosed("reader"))
	}
	return nil
}

// fill makes rest hold at least one byte, or returns the error that is there instead.
func (r *Reader) fill() error {
	for len(r.rest) == 0 {
		switch {
		case r.err != nil:
			return r.err
		case r.cur != nil && r.slot < r.cur.chunks():
			r.rest = r.cur.plaintext(r.slot)
			r.slot++
		case r.cur != nil && r.cur.end != nil:
			r.end(r.cur.end)
		default:
			r.nextBatch()
		}
	}
	return nil
}

// nextBatch replaces cur, which has been handed out, by the next opened batch.
func (r *Reader) nextBatch() {
	if r.cur != nil {
		r.queue.put(r.cur)
		r.cur = nil
	}
	if r.queue.limit == 0 {
		r.cur = r.load()
		r.cur.open(&r.stream)
	} else {
		for !r.ended && !r.queue.full() {
			r.queue.start(r.load())
		}
		r.cur = r.queue.wait()
	}
	r.slot = 0
}

// load reads the next batch, sealed, and finds out what follows it. It is called only while nothing has
// ended.
func (r *Reader) load() *batch {
	b := r.queue.take()
	n, err := readFull(r.src, b.buf)
	b.first, b.full = r.next, n/sealedChunkSize
	rest := n % sealedChunkSize
	r.next += uint64(b.full)
	switch {
	case r.next >= MaxChunks:
		// The last possible chunk is full, so it is not the last chunk of anything.
		b.full -= int(r.next - (MaxChunks - 1))
		b.end = &ChunkError{MaxChunks - 1, ErrTooLong}
	case err == nil:
	case err != io.EOF:
		b.end = &ChunkError{r.next, readError(err)}
	case rest < tagSize:
		b.end = &ChunkError{r.next, ErrTruncated}
	default:
		b.last, b.end = rest, io.EOF
	}
	r.ended = b.end != nil
	return b
}

// end lets all further calls return err, and wipes everything.
func (r *Reader) end(err error) {
	r.err, r.rest = err, nil
	if r.cur != nil {
		r.queue.put(r.cur)
		r.cur = nil
	}
	r.queue.wipe()
	r.stream.wipe()
}

// errReadCount says that the underlying reader broke the contract of io.Reader or io.ReaderAt. Nothing it
// counted is taken for read.
var errReadCount = errors.New("the underlying reader returned an impossible count")

// readFull reads until p is full, and then returns nil. If it is not, the error says why: io.EOF stands for
// the end of src, also after some bytes, and nothing else does. (io.ReadFull makes io.ErrUnexpectedEOF of
// that, which some readers return when they fail.)
func readFull(src io.Reader, p []byte) (n int, err error) {
	idle := 0
	for n < len(p) {
		m, err := src.Read(p[n:])
		if m < 0 || m > len(p)-n {
			return n, errReadCount
		}
		n += m
		switch {
		case n == len(p):
			return n, nil
		case err != nil:
			return n, err
		case m > 0:
			idle = 0
		default:
			if idle++; idle == 100 {
				return n, io.ErrNoProgress
			}
		}
	}
	return n, nil
}

// readError wraps an error of the underlying reader, unless it could then be taken for the end of the
// message.
func readError(err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("reading: %v", err)
	}
	return fmt.Errorf("reading: %w", err)
}
