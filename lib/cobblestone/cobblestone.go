// Package cobblestone seals and opens messages of any length in chunks, so that they can be streamed and read
// from any place: Cobblestone-128 and Cobblestone-256 of c2sp.org/chunked-encryption, version 1.
//
// A sealed message is a header of 56 bytes and the chunks. The header holds a random salt and a commitment to
// the key. Each chunk is 16384 bytes of the message (the last one is shorter, and may be empty) under
// AES-GCM, and a tag of 16 bytes. The format hides what is in the message, not how long it is.
//
//   - [NewWriter] seals what is written to it.
//   - [NewReader] opens a message from its beginning to its end.
//   - [NewReaderAt] opens a message at any place; [io.NewSectionReader] over it gives Read and Seek.
//
// No byte of a message is handed out before the tag of its chunk was verified. But chunks are handed out one
// by one: what a Reader has given before it fails is authentic, and is only the beginning of the message. Who
// must not act on a part of a message waits for io.EOF. A Reader gives io.EOF only after the last chunk was
// verified and the input was seen to end there, and after any other error it gives that error for ever.
//
// # Keys
//
// The input key has 16 bytes (Cobblestone-128) or 32 bytes (Cobblestone-256), uniformly random: it is not a
// password. Each message gets its own AES key and nonces, derived with HKDF-Expand-SHA-512 from the input
// key, the message's salt and the context, so one input key may seal as many messages as anybody can make.
// The context is any string of bytes that both sides know, such as the purpose of the message or the name
// under which it is stored; it may be empty. A message only opens under the key and the context it was sealed
// with, and under no other: the commitment rules out a message that opens differently under two keys.
//
// # Limits
//
// A message has at most 2^38 chunks, so at most [MaxSize] bytes.
package cobblestone

import "lamina/lib/aesgcm"

const (
	// ChunkSize is how many bytes of the message a chunk holds. The last chunk of a message is always
	// shorter.
	ChunkSize = 16384

	// HeaderSize is the size of what precedes the chunks, in bytes: the salt and the commitment.
	HeaderSize = saltSize + commitmentSize

	// MaxChunks is the largest number of chunks of a message.
	MaxChunks uint64 = 1 << 38

	// MaxSize is the size of the longest message in bytes: MaxChunks chunks, the last of them one byte short
	// of full.
	MaxSize int64 = 1<<38*ChunkSize - 1
)

const (
	saltSize       = 24
	commitmentSize = 32
	tagSize        = aesgcm.TagSize

	// sealedChunkSize is the size of a full chunk with its tag.
	sealedChunkSize = ChunkSize + tagSize
)
