package registry

import (
	"bufio"
	"fmt"
	"io"
)

// Fprint writes the entries as Linux writes /proc/crypto: a paragraph for each, a field on each line.
func Fprint(w io.Writer, entries []Entry) error {
	out := bufio.NewWriter(w)
	for _, e := range entries {
		for _, f := range e.fields() {
			fmt.Fprintf(out, "%-12s : %v\n", f.name, f.value)
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}

type field struct {
	name  string
	value any
}

// fields returns what is said of e, in Linux's order and words.
func (e *Entry) fields() []field {
	list := []field{
		{"name", e.Name},
		{"driver", e.Driver},
		{"module", "lamina"},
		{"priority", e.Priority},
		{"refcnt", 1 + e.Users}, // the list itself counts as one
		{"selftest", e.State},
		{"internal", yesNo(e.Internal)},
		{"type", e.Type},
		{"async", yesNo(e.Asynchronous)},
		{"blocksize", e.BlockSize},
		{"min keysize", e.MinKeySize},
		{"max keysize", e.MaxKeySize},
		{"ivsize", e.IVSize},
		{"chunksize", e.ChunkSize},
	}
	if e.Type == AEAD {
		list = append(list, field{"maxauthsize", e.MaxAuthSize})
	}
	return list
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
