//go:build !libcrypto || !cgo

package conformance

import (
	"os"
	"testing"
)

// TestLibcrypto says that the tests against libcrypto are not there. LAMINA_REQUIRE_LIBCRYPTO makes that a
// failure.
func TestLibcrypto(t *testing.T) {
	const message = "not compared with libcrypto: built without the tag libcrypto, which make test sets where a C compiler finds " +
		"the headers of OpenSSL 3; install them (Debian's libssl-dev, Fedora's openssl-devel) and gcc"
	if os.Getenv("LAMINA_REQUIRE_LIBCRYPTO") != "" {
		t.Fatal(message)
	}
	t.Skip(message)
}
