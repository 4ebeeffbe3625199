package cobblestone

import (
	"errors"
	"fmt"
	"io"
	"sync"
)

// A ReaderAt opens a sealed message at any place. It is safe for concurrent use; each call of ReadAt uses the
// underlying io.ReaderAt, from several goroutines if [Workers] asks for it.
//
// To read and seek, use io.NewSectionReader(r, 0, r.Size()). Each ReadAt opens the whole chunks it touches
// and keeps none, so short reads want a bufio.Reader of [ChunkSize] bytes or more around that.
type ReaderAt struct {
	src    io.ReaderAt
	full   int64 // how many full chunks the message has
	last   int64 // size of the last chunk with its tag
	opts   options
	buffer sync.Pool // of *batch

	mu     sync.RWMutex // held for reading while stream is used
	stream stream
	closed bool
}

// NewReaderAt returns a ReaderAt of the sealed message in the first size bytes of src. It reads the header,
// and checks that the message was sealed under key and context; if it was not, or the header is damaged, the
// error is an [ErrKey]. Then it opens the last chunk: if that is not authentic or not where the message can
// end, the error is a [*ChunkError], and otherwise the size of the message is known. It keeps neither key nor
// context.
func NewReaderAt(src io.ReaderAt, size int64, key, context []byte, opts ...Option) (*ReaderAt, error) {
	if err := checkKeySize(key); err != nil {
		return nil, err
	}
	if size < HeaderSize {
		return nil, headerTooShort(size)
	}
	r := &ReaderAt{src: src, opts: newOptions(opts)}
	var h header
	if _, err := readAt(src, h[:], 0); err != nil {
		return nil, fmt.Errorf("cobblestone: header: %w", err)
	}
	if err := r.stream.initFromHeader(r.opts.impl, key, context, &h); err != nil {
		return nil, err
	}
	var err error
	if r.full, r.last, err = layout(size); err == nil {
		err = r.openLast()
	}
	if err != nil {
		r.stream.wipe()
		return nil, err
	}
	return r, nil
}

// Size returns the size of the message in bytes. It is authenticated: the message had this size when it was
// sealed.
func (r *ReaderAt) Size() int64 { return r.full*ChunkSize + r.last - tagSize }

// ReadAt hands out the bytes of the message from offset off on, if all the chunks they lie in are authentic.
// At the end of the message it returns what there is, and io.EOF.
//
// If a chunk is not authentic, or cannot be read, ReadAt returns a [*ChunkError] and how many bytes before
// that chunk are in p. What p holds after these is not meant to be used, but it too is authentic or was there
// before the call. Other places can still be read, and a new call reads and checks anew. After Close the
// error is an [ErrClosed].
func (r *ReaderAt) ReadAt(p []byte, off int64) (n int, err error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.closed {
		return 0, errClosed("ReaderAt")
	}
	if off < 0 {
		return 0, fmt.Errorf("cobblestone: ReadAt from offset %d, which is negative", off)
	}
	if off >= r.Size() {
		if len(p) == 0 {
			return 0, nil
		}
		return 0, io.EOF
	}
	if left := r.Size() - off; int64(len(p)) > left {
		p, err = p[:left], io.EOF
	}
	if n, failure := r.readRange(p, off); failure != nil {
		return n, failure
	}
	return len(p), err
}

// Close waits for calls of ReadAt and wipes the key. It does not close the underlying io.ReaderAt, and always
// returns nil.
func (r *ReaderAt) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	r.stream.wipe()
	return nil
}

// openLast finds out whether the last chunk is authentic.
func (r *ReaderAt) openLast() error {
	b := r.take()
	defer r.put(b)
	return r.load(b, r.full, 1)
}

// readRange fills p from offset off. It gives up at the first chunk that fails, and returns how many bytes
// before it are in p. The range lies in the message.
func (r *ReaderAt) readRange(p []byte, off int64) (n int, err error) {
	size := r.opts.batchChunks() * ChunkSize
	first := min(len(p), size-int(off%ChunkSize))
	pieces := 1 + (len(p)-first+size-1)/size
	if pieces == 1 || r.opts.workers == 1 {
		return r.readPieces(p, off, first, size)
	}
	return r.readParallel(p, off, first, size, pieces)
}

// readPieces fills p piece by piece, the first piece of first bytes and the others of size bytes.
func (r *ReaderAt) readPieces(p []byte, off int64, first, size int) (n int, err error) {
	b := r.take()
	defer r.put(b)
	for piece := first; n < len(p); piece = min(size, len(p)-n) {
		m, err := r.readPiece(b, p[n:n+piece], off+int64(n))
		n += m
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// readParallel does what readPieces does, on several goroutines. They take the pieces in order, so that when
// one fails, all before it are done or being done.
func (r *ReaderAt) readParallel(p []byte, off int64, first, size, pieces int) (int, error) {
	var (
		mu      sync.Mutex
		next    int      // the next piece
		good    = len(p) // how many bytes are before the first failure
		failure error    // the first by place
		wait    sync.WaitGroup
	)
	take := func() (from, to int, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		if next == pieces || failure != nil {
			return 0, 0, false
		}
		if next > 0 {
			from = first + (next-1)*size
		}
		to = min(len(p), first+next*size)
		next++
		return from, to, true
	}
	fail := func(at int, err error) {
		mu.Lock()
		defer mu.Unlock()
		if failure == nil || at < good {
			good, failure = at, err
		}
	}
	for range min(r.opts.workers, pieces) {
		wait.Go(func() {
			b := r.take()
			defer r.put(b)
			for from, to, ok := take(); ok; from, to, ok = take() {
				if n, err := r.readPiece(b, p[from:to], off+int64(from)); err != nil {
					fail(from+n, err)
				}
			}
		})
	}
	wait.Wait()
	return good, failure
}

// readPiece fills p from offset off, by way of b, which is large enough for the chunks it lies in.
func (r *ReaderAt) readPiece(b *batch, p []byte, off int64) (n int, err error) {
	skip := int(off % ChunkSize)
	err = r.load(b, off/ChunkSize, (skip+len(p)+ChunkSize-1)/ChunkSize)
	for i := range b.chunks() {
		n += copy(p[n:], b.plaintext(i)[skip:])
		skip = 0
	}
	return n, err
}

// load reads and opens chunks into b, from chunk number first on. If it fails, b has the chunks before the
// one that the error is about.
func (r *ReaderAt) load(b *batch, first int64, chunks int) error {
	b.first, b.full, b.last, b.end = uint64(first), chunks, 0, nil
	if first+int64(chunks) > r.full {
		b.full, b.last = chunks-1, int(r.last)
	}
	b.dirty = max(b.dirty, b.sealedSize())
	n, err := readAt(r.src, b.buf[:b.sealedSize()], HeaderSize+first*sealedChunkSize)
	if err != nil {
		b.full, b.last = n/sealedChunkSize, 0
		b.end = &ChunkError{b.first + uint64(b.full), err}
	}
	b.open(&r.stream)
	return b.end
}

func (r *ReaderAt) take() *batch {
	if b, ok := r.buffer.Get().(*batch); ok {
		return b
	}
	return newBatch(r.opts.batchChunks())
}

// put gives a buffer back, without the plaintext that is in it: a pool cannot be wiped later.
func (r *ReaderAt) put(b *batch) {
	clear(b.buf[:b.dirty])
	b.dirty = 0
	r.buffer.Put(b)
}

// readAt fills p from offset off of src. If it cannot, it returns how many bytes it got and an error that is
// not io.EOF: the bytes must be there.
func readAt(src io.ReaderAt, p []byte, off int64) (n int, err error) {
	n, err = src.ReadAt(p, off)
	switch {
	case n == len(p):
		return n, nil
	case n < 0 || n > len(p):
		return 0, fmt.Errorf("reading: %w", errReadCount)
	case errors.Is(err, io.EOF):
		return n, ErrTruncated
	case err == nil:
		return n, fmt.Errorf("reading: %w", io.ErrNoProgress)
	}
	return n, fmt.Errorf("reading: %w", err)
}
