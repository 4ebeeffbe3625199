// Package generic is AES, GHASH, POLYVAL and modes of AES in portable Go, for any CPU.
//
// What an operation reveals of keys and texts by its duration and by what it leaves in the cache:
//
//   - PrepareGCM, GCMEncrypt, GCMDecrypt, GCMSeal, GCMOpen: nothing. AES is bit-sliced for everything that GCM
//     does, hash key, tag mask and a single block included: no branch and no address depends on a secret.
//   - CounterMode: nothing, for the same reason, a single block included.
//   - XTSEncrypt, XTSDecrypt, EncryptTweak, DecryptTweak: nothing, for the same reason, down to single blocks.
//   - EncryptBlocks, DecryptBlocks with two blocks or more, CBCDecrypt, and ExpandKey, InvertKey: nothing,
//     for the same reason.
//   - PrepareHash, GHASHBlocks, POLYVALBlocks: nothing, on CPUs whose integer multiplication takes the same
//     time for all operands. No table is made of the hash key. The CPUs that Go supports multiply so, save some
//     small 32-bit ones.
//   - EncryptBlocks, DecryptBlocks with a single block, and CBCEncrypt, CBCMAC and the MAC of CCMEncrypt and
//     CCMDecrypt, in which a block waits for the one before: hardened only. They look bytes up in a table of
//     1 KiB, after reading a word of every one of its cache lines of 64 bytes, and again every 16 blocks.
//     Another program that shares the core or the cache, and evicts lines of the table during the blocks, can
//     still learn about the key from them; and so can one that sees which bank of the cache a look-up used.
//     The counter mode of CCM is bit-sliced.
//
// Lengths, counters and the number of rounds are public. A counter that GCM makes of a nonce by hashing,
// because the nonce has not 12 bytes, shows by duration where its last byte wraps, and how far that carries.
// The compiler promises nothing about durations; the claims are about the code that it makes today, on the
// architectures above, and a test reads that code: see Documentation/security.md.
// Round keys in other forms stay on the stack after a call, as Go's variables do.
//
// What is public here has the type int, uint or bool, or is a pointer or a slice; what may be secret has a type
// with its size in the name, byte, uint32 or uint64. No word becomes an index or an int, or is compared, but for
// counters, the number of rounds, and in table.go. Keep it so: then no branch and no address can depend on a
// secret.
//
// Files: table.go is AES by table; bitslice.go, wide.go, narrow.go and sbox.go are the bit-sliced kernels for
// 16 and for four blocks, which modes are built on: blocks.go, counter.go. Then expand.go, polyval.go, gcm.go,
// ctr.go, xts.go, cbc.go and ccm.go. Everything goes byte by byte or with explicit byte order, so that big-endian
// machines need nothing else.
package generic
