// Package libcrypto calls the system's libcrypto (OpenSSL 3) through cgo, as an oracle.
//
// It is empty without the build tag libcrypto, because it needs a C compiler and libcrypto's headers (on
// Debian and its kin, the packages gcc and libssl-dev). The Makefile sets the tag where it finds them.
package libcrypto
