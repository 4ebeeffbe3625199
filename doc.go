// Package lamina is the root of a library of AES modes that uses the widest instructions the CPU has. It
// holds no code. Import what you need:
//
// To seal messages or records, each in memory at once, use [lamina/lib/aesgcm]: AES-GCM as a cipher.AEAD,
// with one call for each record. It also takes detached tags, nonces and tags of other sizes, and messages in
// pieces, and has GMAC for what is to be authenticated only.
//
// To seal files or long streams, use [lamina/lib/cobblestone]: c2sp.org/chunked-encryption, which needs no
// nonce from you, opens streams without handing out a byte that is not authenticated, and lets you read from
// the middle.
//
// To encrypt the sectors of a disk, or other stored data that must keep its length and its place, use
// [lamina/lib/aesxts]: AES-XTS, many sectors in one call.
//
// For formats that ask for them there are [lamina/lib/aesctr], CTR and XCTR, seekable; [lamina/lib/aescbc],
// CBC and CBC with ciphertext stealing; [lamina/lib/aescmac], CMAC and XCBC-MAC; and [lamina/lib/aesccm],
// CCM. The first two encrypt and do not authenticate.
//
// To build a mode or a protocol that is not here, use [lamina/lib/aes] for blocks and [lamina/lib/ghash] for
// GHASH and POLYVAL. They are parts, and none of them by itself protects a message.
//
// To choose an implementation instead of taking the best one, or to list what this CPU has, use
// [lamina/arch]; every Init has an InitImpl beside it.
//
// What holds everywhere:
//
//   - Keys are values, set with Init and cleared with Wipe, and safe for concurrent use in between. What
//     works through a message in pieces serves one goroutine.
//   - No operation allocates, and keys and buffers of the caller stay on its stack.
//   - An output is the memory of its input from the same start, or does not overlap it.
//   - What a message can cause is an error. A mistake in the program panics, before a byte is written.
//   - What fails to open leaves zeros, not plaintext.
//
// Built with the tag purego, it contains no assembly.
package lamina
