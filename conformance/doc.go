// Package conformance tests the library against test vectors and implementations that are not its own:
// Wycheproof's vectors, and the standard library and libcrypto as oracles over random inputs. Every test runs
// under every implementation that this CPU has.
//
// It is a module of its own so that programs that use the library do not depend on the vectors.
//
// Some vectors come in files that are not in any module. They are looked for in a folder named vectors beside
// the checkout, or one level down beside it, or in the folder that the environment variable LAMINA_VECTORS
// names. Without them, the tests that need them are skipped, or fail if LAMINA_VECTORS is set.
//
// With the build tag libcrypto every mode that OpenSSL has too is also compared with the system's libcrypto,
// through cgo. The Makefile sets the tag where it finds a C compiler and the headers. Without it a test is
// skipped that says so, or fails if LAMINA_REQUIRE_LIBCRYPTO is set.
//
// Package timing, below, tests what is claimed about time.
package conformance
