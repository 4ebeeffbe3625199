package cobblestone

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
)

// A Writer seals what is written to it, and writes the sealed message to an underlying writer. The message is
// complete only when Close has returned nil. A Writer is not safe for concurrent use.
//
// Once writing has failed, all further calls return that error, and what was written so far cannot be opened
// as a complete message.
type Writer struct {
	dst    io.Writer
	stream stream
	queue  queue
	cur    *batch // being filled; nil once the Writer has ended
	used   int    // bytes in the chunk being filled, which follows cur's full ones; less than ChunkSize
	err    error  // why no more can be written
	closed bool   // the message is complete
}

// NewWriter returns a Writer that seals one message to dst. It writes the header at once, with a new random
// salt, and then each chunk, or with [Workers] each batch of chunks, in one Write. It keeps neither key nor
// context. dst is only used inside calls of NewWriter and of the Writer's methods.
//
// The key must have 16 or 32 bytes; the context may be empty. The error is about the key, or about writing
// the header.
func NewWriter(dst io.Writer, key, context []byte, opts ...Option) (*Writer, error) {
	if err := checkKeySize(key); err != nil {
		return nil, err
	}
	o := newOptions(opts)
	w := &Writer{dst: dst}
	var h header
	if _, err := rand.Read(h.salt()); err != nil {
		return nil, fmt.Errorf("cobblestone: making the salt: %w", err)
	}
	commitment, err := w.stream.init(o.impl, key, h.salt(), context)
	if err != nil {
		return nil, err
	}
	copy(h.commitment(), commitment[:])
	if _, err := writeFull(dst, h[:]); err != nil {
		w.stream.wipe()
		return nil, fmt.Errorf("cobblestone: writing the header: %w", err)
	}
	w.queue = newQueue(&o, func(b *batch) { b.seal(&w.stream) })
	w.cur = w.queue.take()
	return w, nil
}

// Write adds p to the message. If it returns an error, that is about the underlying writer or the message's
// size, and the message cannot be completed.
func (w *Writer) Write(p []byte) (n int, err error) {
	if w.err != nil {
		return 0, w.err
	}
	for n < len(p) {
		var m int
		if w.used == 0 && w.queue.limit == 0 && len(p)-n >= ChunkSize {
			m, err = ChunkSize, w.addChunk(p[n:n+ChunkSize])
		} else {
			m = copy(w.space(), p[n:])
			err = w.advance(m)
		}
		if err != nil {
			return n, err
		}
		n += m
	}
	return n, nil
}

// ReadFrom adds all of src up to io.EOF to the message. Errors of src are returned as they are, and leave the
// Writer as if what was read before had been written.
func (w *Writer) ReadFrom(src io.Reader) (n int64, err error) {
	if w.err != nil {
		return 0, w.err
	}
	for {
		m, readErr := readFull(src, w.space())
		n += int64(m)
		if err := w.advance(m); err != nil {
			return n, err
		}
		if readErr == io.EOF {
			return n, nil
		}
		if readErr != nil {
			return n, readErr
		}
	}
}

// Close seals the rest of the message and its end, writes them, and wipes the key and the buffers. It does
// not close the underlying writer. After an error it returns that error; after Abort, one that is ErrClosed;
// the second time, what it returned the first time.
func (w *Writer) Close() error {
	if w.closed {
		return nil
	}
	if w.err != nil {
		return w.err
	}
	w.cur.last = w.used + tagSize
	if err := w.flush(); err != nil {
		return err
	}
	for !w.queue.empty() {
		if err := w.output(w.queue.wait()); err != nil {
			return err
		}
	}
	w.closed = true
	w.end(errClosed("writer"))
	return nil
}

// Abort gives the message up: what was written so far stays incomplete and cannot be opened as a whole. It
// wipes the key and the buffers. After Close or after an error it does nothing, so it may be deferred.
func (w *Writer) Abort() {
	if w.err == nil {
		w.end(errClosed("aborted writer"))
	}
}

// space returns the rest of the chunk that is being filled.
func (w *Writer) space() []byte {
	slot := w.cur.buf[w.cur.full*sealedChunkSize:]
	return slot[w.used:ChunkSize]
}

// advance takes n bytes that were put into space into the message.
func (w *Writer) advance(n int) error {
	w.used += n
	if w.used < ChunkSize {
		return nil
	}
	if err := w.checkFull(); err != nil {
		return err
	}
	w.used = 0
	w.cur.full++
	if w.cur.full < w.queue.chunks {
		return nil
	}
	return w.flush()
}

// addChunk seals a full chunk straight from the caller's memory.
func (w *Writer) addChunk(plaintext []byte) error {
	if err := w.checkFull(); err != nil {
		return err
	}
	w.stream.seal(w.cur.buf, plaintext, w.cur.first)
	w.cur.full = 1
	return w.outputAndGoOn()
}

// checkFull refuses to let the chunk being filled become full if it is the last there can be.
func (w *Writer) checkFull() error {
	if chunk := w.cur.first + uint64(w.cur.full); chunk == MaxChunks-1 {
		return w.end(&ChunkError{chunk, ErrTooLong})
	}
	return nil
}

// flush seals the current batch, or has it sealed, writes what can be written, and begins the next batch.
func (w *Writer) flush() error {
	if w.queue.limit == 0 {
		w.cur.seal(&w.stream)
		return w.outputAndGoOn()
	}
	var oldest *batch
	if w.queue.full() {
		oldest = w.queue.wait()
	}
	w.queue.start(w.cur)
	next := w.cur.first + uint64(w.cur.full)
	w.cur = nil
	if oldest != nil {
		if err := w.output(oldest); err != nil {
			return err
		}
	}
	w.begin(next)
	return nil
}

func (w *Writer) outputAndGoOn() error {
	b, next := w.cur, w.cur.first+uint64(w.cur.full)
	w.cur = nil
	if err := w.output(b); err != nil {
		return err
	}
	w.begin(next)
	return nil
}

// begin takes a new current batch, whose first chunk has the given number.
func (w *Writer) begin(chunk uint64) {
	w.cur = w.queue.take()
	w.cur.first = chunk
}

// output writes a sealed batch and gives it back to the queue.
func (w *Writer) output(b *batch) error {
	n, err := writeFull(w.dst, b.buf[:b.sealedSize()])
	w.queue.put(b)
	if err != nil {
		return w.end(&ChunkError{b.first + uint64(n)/sealedChunkSize, fmt.Errorf("writing: %w", err)})
	}
	return nil
}

// end lets all further calls return err, and wipes everything. It returns err.
func (w *Writer) end(err error) error {
	w.err = err
	if w.cur != nil {
		w.queue.put(w.cur)
		w.cur = nil
	}
	w.queue.wipe()
	w.stream.wipe()
	return err
}

// errWriteCount says that a Writer broke the contract of io.Writer.
var errWriteCount = errors.New("the underlying writer returned an impossible count")

// writeFull writes p. It makes an error of a short write that comes without one.
func writeFull(dst io.Writer, p []byte) (n int, err error) {
	n, err = dst.Write(p)
	switch {
	case n < 0 || n > len(p):
		return 0, errWriteCount
	case err == nil && n < len(p):
		err = io.ErrShortWrite
	}
	return n, err
}
