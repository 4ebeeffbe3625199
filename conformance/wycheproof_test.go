package conformance

import (
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"slices"
	"testing"

	"github.com/c2sp/wycheproof"
)

// hexBytes is a string of bytes that JSON has in hexadecimal.
type hexBytes []byte

func (b *hexBytes) UnmarshalJSON(data []byte) error {
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	p, err := hex.DecodeString(s)
	*b = p
	return err
}

// vectorFile is a file of Wycheproof: groups of type G with tests of type T.
type vectorFile[G any] struct {
	NumberOfTests int
	TestGroups    []G
}

// common is what all tests of Wycheproof have.
type common struct {
	TcID    int
	Comment string
	Flags   []string
	Result  string
}

func (c *common) has(flag string) bool { return slices.Contains(c.Flags, flag) }

// valid reports whether the test is of something right. Results are "valid" and "invalid" in the files used
// here.
func (c *common) valid(t *testing.T) bool {
	t.Helper()
	if c.Result != "valid" && c.Result != "invalid" {
		t.Fatalf("test %d has result %q", c.TcID, c.Result)
	}
	return c.Result == "valid"
}

func loadVectors[G any](t *testing.T, name string) vectorFile[G] {
	t.Helper()
	data, err := fs.ReadFile(wycheproof.TestVectors, name)
	if err != nil {
		t.Fatal(err)
	}
	var file vectorFile[G]
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return file
}

// tally counts the tests that ran, so that a file that is empty, or is not understood, cannot pass.
type tally struct{ valid, invalid int }

func (n *tally) count(valid bool) {
	if valid {
		n.valid++
	} else {
		n.invalid++
	}
}

func (n *tally) check(t *testing.T, name string, want tally, declared int) {
	t.Helper()
	if *n != want {
		t.Errorf("%s: ran %d valid and %d invalid tests, want %d and %d",
			name, n.valid, n.invalid, want.valid, want.invalid)
	}
	if n.valid+n.invalid != declared {
		t.Errorf("%s: ran %d tests, the file says it has %d", name, n.valid+n.invalid, declared)
	}
}
