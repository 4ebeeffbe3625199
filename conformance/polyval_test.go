package conformance

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"lamina/arch"
	"lamina/lib/ghash"
)

// externalVectors returns the contents of a file of vectors that is in no module; the package's comment says
// where it is looked for.
func externalVectors(t *testing.T, name string) []byte {
	t.Helper()
	if dir := os.Getenv("LAMINA_VECTORS"); dir != "" {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatalf("LAMINA_VECTORS: %v", err)
		}
		return data
	}
	const besideCheckout = "../.."
	for _, pattern := range []string{"vectors", "*/vectors"} {
		files, err := filepath.Glob(filepath.Join(besideCheckout, pattern, name))
		if err != nil {
			t.Fatal(err)
		}
		if len(files) > 0 {
			data, err := os.ReadFile(files[0])
			if err != nil {
				t.Fatal(err)
			}
			return data
		}
	}
	t.Skipf("no %s in a folder vectors beside the checkout, and LAMINA_VECTORS does not name another folder", name)
	return nil
}

type polyvalTest struct {
	Description string
	Input       struct {
		Key     hexBytes `json:"key_hex"`
		Message hexBytes `json:"message_hex"`
	}
	Hash hexBytes `json:"hash_hex"`
}

// TestPolyval runs the POLYVAL vectors of HCTR2's authors, whole and in pieces.
func TestPolyval(t *testing.T) {
	const name, wantTests = "Polyval.json", 45
	var tests []polyvalTest
	if err := json.Unmarshal(externalVectors(t, name), &tests); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(tests) != wantTests {
		t.Errorf("%s has %d tests, want %d", name, len(tests), wantTests)
	}
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		for i, test := range tests {
			if len(test.Input.Key) != 16 || len(test.Hash) != 16 {
				t.Fatalf("test %d has a key of %d and a hash of %d bytes", i, len(test.Input.Key), len(test.Hash))
			}
			var k ghash.Key
			k.InitPOLYVALImpl(im, (*[16]byte)(test.Input.Key))
			for _, piece := range []int{len(test.Input.Message) + 1, 1, 16, 33} {
				h := ghash.New(&k)
				for rest := []byte(test.Input.Message); len(rest) > 0; {
					n := min(piece, len(rest))
					h.Update(rest[:n])
					rest = rest[n:]
				}
				var sum [16]byte
				h.Sum(&sum)
				if !bytes.Equal(sum[:], test.Hash) {
					t.Errorf("test %d (%s), %d bytes in pieces of %d: %x, want %x", i, test.Description,
						len(test.Input.Message), piece, sum, test.Hash)
				}
			}
		}
	})
}
