package cobblestone

import (
	"errors"
	"fmt"
)

// Errors of this package wrap these, or errors of the underlying reader or writer. Compare with errors.Is.
var (
	// ErrKey says that the commitment in the header does not belong to the input key, the context and the
	// salt. Which of them is wrong cannot be known.
	ErrKey = errors.New("wrong key or context, or damaged header")

	// ErrDamaged says that a chunk's tag is wrong. The input may be damaged there, chunks may have changed
	// places, or, if it is the last chunk, the input may have been cut short within it or have something
	// after it.
	ErrDamaged = errors.New("not authentic: damaged, cut short, out of its place, " +
		"or followed by what does not belong to the message")

	// ErrTruncated says that the input ends where no message can end.
	ErrTruncated = errors.New("missing or cut short: the sealed message is not complete")

	// ErrTooLong says that a message has more than MaxSize bytes.
	ErrTooLong = errors.New("message too long: more than 2^38 chunks")

	// ErrClosed says that a Writer, Reader or ReaderAt was used after it was closed.
	ErrClosed = errors.New("already closed")
)

// A ChunkError says which chunk could not be sealed or opened, and why.
type ChunkError struct {
	// Chunk is the number of the chunk, from 0. It holds the message's bytes from Chunk*ChunkSize on, and its
	// sealed form begins at byte HeaderSize + Chunk*(ChunkSize+16) of the sealed message.
	Chunk uint64
	// Err is ErrDamaged, ErrTruncated, ErrTooLong, or wraps an error of the underlying reader or writer.
	Err error
}

// Error gives the number of the chunk, the place of its sealed form in bytes, and what is wrong.
func (e *ChunkError) Error() string {
	return fmt.Sprintf("cobblestone: chunk %d (at byte %d of the sealed message): %v",
		e.Chunk, HeaderSize+e.Chunk*sealedChunkSize, e.Err)
}

// Unwrap returns e.Err.
func (e *ChunkError) Unwrap() error { return e.Err }

func headerTooShort(size int64) error {
	return fmt.Errorf("cobblestone: header of %d bytes instead of %d: %w", size, HeaderSize, ErrTruncated)
}

func errClosed(what string) error {
	return fmt.Errorf("cobblestone: %s: %w", what, ErrClosed)
}
