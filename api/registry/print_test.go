package registry

import (
	"strings"
	"testing"
)

// TestFprint has the words and the order of /proc/crypto.
func TestFprint(t *testing.T) {
	gcm := newFake("gcm(aes)", "gcm-aes-generic", 100)
	ecb := newFake("ecb(aes)", "ecb-aes-generic", 7)
	ecb.Type, ecb.BlockSize, ecb.IVSize, ecb.Internal, ecb.Asynchronous = SKCipher, 16, 0, true, true
	var out strings.Builder
	err := Fprint(&out, []Entry{
		{Algorithm: gcm.Algorithm, State: Passed, Users: 2},
		{Algorithm: ecb.Algorithm, State: Failed, Err: errBroken},
	})
	want := `name         : gcm(aes)
driver       : gcm-aes-generic
module       : lamina
priority     : 100
refcnt       : 3
selftest     : passed
internal     : no
type         : aead
async        : no
blocksize    : 1
min keysize  : 16
max keysize  : 32
ivsize       : 12
chunksize    : 16
maxauthsize  : 16

name         : ecb(aes)
driver       : ecb-aes-generic
module       : lamina
priority     : 7
refcnt       : 1
selftest     : failed
internal     : yes
type         : skcipher
async        : yes
blocksize    : 16
min keysize  : 16
max keysize  : 32
ivsize       : 0
chunksize    : 16

`
	if err != nil || out.String() != want {
		t.Errorf("%v, printed:\n%s\nwant:\n%s", err, out.String(), want)
	}
	if err := Fprint(failingWriter{}, []Entry{{}}); err != errBroken {
		t.Errorf("%v, want the writer's error", err)
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errBroken }
