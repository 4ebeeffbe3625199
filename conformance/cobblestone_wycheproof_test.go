package conformance

import (
	"bytes"
	"compress/zlib"
	"crypto/rand"
	"crypto/sha512"
	"errors"
	"fmt"
	"io"
	"testing"

	"lamina/arch"
	"lamina/lib/cobblestone"
)

type cobblestoneGroup struct {
	Type, AEAD, SHA string
	Tests           []cobblestoneTest
}

type cobblestoneTest struct {
	common
	Key       hexBytes
	Context   hexBytes `json:"ctx"`
	CT        hexBytes // compressed
	MsgLength int64
	MsgSHA512 hexBytes
}

func TestWycheproofCobblestone(t *testing.T) {
	for name, aead := range map[string]string{
		"c2sp_chunked_encryption_aes_128_gcm_test.json": "AEAD_AES_128_GCM",
		"c2sp_chunked_encryption_aes_256_gcm_test.json": "AEAD_AES_256_GCM",
	} {
		file := loadVectors[cobblestoneGroup](t, name)
		for _, group := range file.TestGroups {
			if group.Type != "ChunkedEncryption" || group.AEAD != aead || group.SHA != "SHA-512" {
				t.Fatalf("%s: group of %s with %s and %s", name, group.Type, group.AEAD, group.SHA)
			}
		}
		for _, workers := range []int{1, 3} {
			t.Run(fmt.Sprintf("%s, %d workers", aead, workers), func(t *testing.T) {
				forEachImpl(t, func(t *testing.T, im arch.Impl) {
					var n tally
					for _, group := range file.TestGroups {
						for i := range group.Tests {
							test := &group.Tests[i]
							n.count(test.valid(t))
							runCobblestone(t, test, cobblestone.Implementation(im), cobblestone.Workers(workers))
						}
					}
					n.check(t, name, tally{valid: 10, invalid: 25}, file.NumberOfTests)
				})
			})
		}
	}
}

func runCobblestone(t *testing.T, test *cobblestoneTest, opts ...cobblestone.Option) {
	z, err := zlib.NewReader(bytes.NewReader(test.CT))
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := io.ReadAll(z)
	if err != nil {
		t.Fatalf("test %d: %v", test.TcID, err)
	}
	if test.has("InvalidKeySize") {
		if w, err := cobblestone.NewWriter(io.Discard, test.Key, test.Context, opts...); w != nil || err == nil {
			t.Errorf("test %d: NewWriter takes a key of %d bytes", test.TcID, len(test.Key))
		}
	}
	plaintext := readCobblestone(t, test, sealed, opts...)
	readAtCobblestone(t, test, sealed, opts...)
	if test.valid(t) {
		resealCobblestone(t, test, sealed, plaintext, opts...)
	}
}

// readCobblestone opens the stream and returns the plaintext of a valid test.
func readCobblestone(t *testing.T, test *cobblestoneTest, sealed []byte, opts ...cobblestone.Option) []byte {
	r, err := cobblestone.NewReader(bytes.NewReader(sealed), test.Key, test.Context, opts...)
	if test.has("HeaderFailure") != (err != nil) {
		t.Errorf("test %d (%s): NewReader: %v, flags %v", test.TcID, test.Comment, err, test.Flags)
	}
	if err != nil {
		return nil
	}
	plaintext, err := io.ReadAll(r)
	if test.valid(t) != (err == nil) {
		t.Errorf("test %d (%s): error %v, the test is %s", test.TcID, test.Comment, err, test.Result)
	}
	if test.valid(t) || test.has("PartialPlaintext") {
		checkMessage(t, test, "stream", plaintext)
	} else if len(plaintext) > 0 {
		t.Errorf("test %d (%s): the stream gives %d bytes, want none", test.TcID, test.Comment, len(plaintext))
	}
	want := err
	if want == nil {
		want = io.EOF
	}
	for range 2 {
		if n, again := r.Read(make([]byte, 1)); n != 0 || again != want {
			t.Errorf("test %d (%s): Read after %v = %d, %v", test.TcID, test.Comment, err, n, again)
		}
	}
	return plaintext
}

func readAtCobblestone(t *testing.T, test *cobblestoneTest, sealed []byte, opts ...cobblestone.Option) {
	src, size := bytes.NewReader(sealed), int64(len(sealed))
	r, err := cobblestone.NewReaderAt(src, size, test.Key, test.Context, opts...)
	if opens := test.valid(t) || test.has("ValidFinalChunk"); opens != (err == nil) {
		t.Errorf("test %d (%s): NewReaderAt: %v, flags %v", test.TcID, test.Comment, err, test.Flags)
	}
	if err != nil {
		return
	}
	p := make([]byte, r.Size())
	n, err := r.ReadAt(p, 0)
	if test.valid(t) != (err == nil) {
		t.Errorf("test %d (%s): ReadAt of all: %v, the test is %s", test.TcID, test.Comment, err, test.Result)
	}
	if test.valid(t) || test.has("PartialPlaintext") {
		checkMessage(t, test, "ReadAt", p[:n])
	} else if n > 0 {
		t.Errorf("test %d (%s): ReadAt gives %d bytes, want none", test.TcID, test.Comment, n)
	}
	if test.valid(t) {
		end, err := io.NewSectionReader(r, 0, r.Size()).Seek(0, io.SeekEnd)
		if end != test.MsgLength || err != nil {
			t.Errorf("test %d (%s): seek to the end = %d, %v, want %d",
				test.TcID, test.Comment, end, err, test.MsgLength)
		}
	} else if errors.Is(err, io.EOF) {
		t.Errorf("test %d (%s): ReadAt: error %v is an io.EOF", test.TcID, test.Comment, err)
	}
}

func checkMessage(t *testing.T, test *cobblestoneTest, how string, message []byte) {
	t.Helper()
	if sum := sha512.Sum512(message); int64(len(message)) != test.MsgLength || !bytes.Equal(sum[:], test.MsgSHA512) {
		t.Errorf("test %d (%s): %s gives %d bytes with SHA-512 %x\nwant %d bytes with %x",
			test.TcID, test.Comment, how, len(message), sum, test.MsgLength, test.MsgSHA512)
	}
}

// resealCobblestone seals the message with the salt of the test, and wants the test's sealed message. The
// salt is what crypto/rand gives next.
func resealCobblestone(t *testing.T, test *cobblestoneTest, sealed, plaintext []byte, opts ...cobblestone.Option) {
	defer func(r io.Reader) { rand.Reader = r }(rand.Reader)
	rand.Reader = bytes.NewReader(sealed[:24])
	var got bytes.Buffer
	w, err := cobblestone.NewWriter(&got, test.Key, test.Context, opts...)
	if err != nil {
		t.Errorf("test %d: NewWriter: %v", test.TcID, err)
		return
	}
	if _, err := w.Write(plaintext); err != nil {
		t.Errorf("test %d: Write: %v", test.TcID, err)
	}
	if err := w.Close(); err != nil {
		t.Errorf("test %d: Close: %v", test.TcID, err)
	}
	if !bytes.Equal(got.Bytes(), sealed) {
		t.Errorf("test %d (%s): sealing the message again gives something else", test.TcID, test.Comment)
	}
	if size, err := cobblestone.SealedSize(int64(len(plaintext))); size != int64(len(sealed)) || err != nil {
		t.Errorf("test %d: SealedSize(%d) = %d, %v, want %d", test.TcID, len(plaintext), size, err, len(sealed))
	}
}
