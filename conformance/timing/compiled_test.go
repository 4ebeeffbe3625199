package timing

import (
	"slices"
	"testing"

	"lamina/conformance/internal/ctscan"
)

// accepted lists what the portable code does with words that could let a secret decide over a branch or an
// address, and why the words are none, or are claimed to be hardened only.
var accepted = []struct {
	function string
	kind     ctscan.Kind
	text     string
	why      string
}{
	{"ExpandKey", ctscan.Conversion, "int(k.Rounds)", rounds},
	{"InvertKey", ctscan.Conversion, "int(k.Rounds)", rounds},
	{"(*narrowKeys).expandEnc", ctscan.Conversion, "int(enc.Rounds)", rounds},
	{"(*narrowKeys).expandDec", ctscan.Conversion, "int(dec.Rounds)", rounds},
	{"(*wideKeys).expandEnc", ctscan.Conversion, "int(enc.Rounds)", rounds},
	{"(*wideKeys).expandDec", ctscan.Conversion, "int(dec.Rounds)", rounds},
	{"encryptOnce", ctscan.Conversion, "int(enc.Rounds)", rounds},

	{"(*wideCounters).stream", ctscan.Comparison, "w.high != c.next >> 8", counter},
	{"(*wideCounters).stream", ctscan.Comparison, "addIndex(&row, column, c.next) == 0", counter},
	{"(*wide).addCounters", ctscan.Comparison, "carry != 0", counter},
}

const (
	rounds  = "the number of rounds follows from the size of the key"
	counter = "counters are public, but for the claim's exception: GCM's, where the nonce has not 12 bytes"
)

// byTable are the functions that look secrets up in a table, which is claimed for no mode that must be free of it.
// Each is named with what must be found in it, or the check finds nothing.
var byTable = map[string]ctscan.Kind{
	"encColumn": ctscan.Index, "encLastColumn": ctscan.Index, "decColumn": ctscan.Index,
	"encryptBlockTable": ctscan.Data, "decryptBlockTable": ctscan.Data,
	"encryptTable": ctscan.Data, "decryptTable": ctscan.Data, // which read the table to have it in the cache
	"CBCEncrypt": ctscan.Data, "CBCMAC": ctscan.Data, // as do these
	"encryptChained": "", "warm": "",
}

// mayCallTable are the other functions that may call those: for a single block, and for CCM's MAC. Nothing in
// the package may call them in turn, so that no mode gets to a table through them.
var mayCallTable = []string{"EncryptBlocks", "DecryptBlocks", "CCMEncrypt", "CCMDecrypt"}

// TestCompiled holds that the portable code has no branch and no address that depends on a secret, on the
// architectures that the disassembly is understood of.
func TestCompiled(t *testing.T) {
	for _, goarch := range []string{"amd64", "arm64"} {
		t.Run(goarch, func(t *testing.T) {
			p, err := ctscan.Load(goarch, "lamina/arch/generic")
			if err != nil {
				t.Fatal(err)
			}
			checkFindings(t, slices.Concat(p.Source(), p.Compiled()))
			checkCalls(t, p)
			t.Logf("%d functions, %d of them by table", len(p.FunctionNames()), len(byTable))
		})
	}
}

func checkFindings(t *testing.T, findings []ctscan.Finding) {
	t.Helper()
	used := make([]bool, len(accepted))
	found := map[string][]ctscan.Kind{}
	for _, f := range findings {
		if _, ok := byTable[f.Function]; ok {
			found[f.Function] = append(found[f.Function], f.Kind)
			continue
		}
		known := false
		for i, a := range accepted {
			if a.function == f.Function && a.kind == f.Kind && a.text == f.Text {
				known, used[i] = true, true
			}
		}
		if !known {
			t.Errorf("%v; if it depends on nothing secret, add it to the list and say why", f)
		}
	}
	for i, a := range accepted {
		if !used[i] {
			t.Errorf("%s: %s: %s: is on the list, and not in the code", a.function, a.kind, a.text)
		}
	}
	for function, kind := range byTable {
		if kind != "" && !slices.Contains(found[function], kind) {
			t.Errorf("%s works by table, and no %s was found in it", function, kind)
		}
	}
}

func checkCalls(t *testing.T, p *ctscan.Package) {
	t.Helper()
	names := p.FunctionNames()
	for function := range byTable {
		if !slices.Contains(names, function) {
			t.Errorf("there is no %s", function)
		}
	}
	called := 0
	for caller, callees := range p.Calls() {
		if _, ok := byTable[caller]; ok {
			continue
		}
		for _, callee := range callees {
			_, table := byTable[callee]
			switch {
			case slices.Contains(mayCallTable, callee):
				t.Errorf("%s calls %s, which may work by table", caller, callee)
			case table && !slices.Contains(mayCallTable, caller):
				t.Errorf("%s calls %s, which works by table", caller, callee)
			case table:
				called++
			}
		}
	}
	if called < len(mayCallTable) {
		t.Errorf("%d calls of functions that work by table, want one of each of %v", called, mayCallTable)
	}
}
