package cobblestone

import "fmt"

// SealedSize returns the size in bytes of a sealed message whose plaintext has size bytes. It is an error if
// size is negative or more than [MaxSize].
func SealedSize(size int64) (int64, error) {
	if size < 0 || size > MaxSize {
		return 0, fmt.Errorf("cobblestone: a message cannot have %d bytes; it has 0 to %d", size, MaxSize)
	}
	chunks := size/ChunkSize + 1
	return HeaderSize + size + chunks*tagSize, nil
}

// OpenedSize returns the size in bytes of the plaintext of a sealed message of sealed bytes: the inverse of
// [SealedSize]. It is an error if no sealed message has that size; the error is an [ErrTruncated] or an
// [ErrTooLong].
//
// The size of a file proves nothing: somebody may have cut it or added to it. [ReaderAt.Size] is
// authenticated.
func OpenedSize(sealed int64) (int64, error) {
	if sealed < HeaderSize {
		return 0, headerTooShort(sealed)
	}
	full, last, err := layout(sealed)
	if err != nil {
		return 0, err
	}
	return full*ChunkSize + last - tagSize, nil
}

// layout returns how many full chunks a sealed message of sealed bytes, at least HeaderSize, has, and the
// size of the last chunk with its tag.
func layout(sealed int64) (full, last int64, err error) {
	full, last = (sealed-HeaderSize)/sealedChunkSize, (sealed-HeaderSize)%sealedChunkSize
	switch {
	case uint64(full) >= MaxChunks:
		return 0, 0, &ChunkError{MaxChunks - 1, ErrTooLong}
	case last < tagSize:
		// Nothing is there, or less than a tag: even an empty last chunk has one.
		return 0, 0, &ChunkError{uint64(full), ErrTruncated}
	}
	return full, last, nil
}
