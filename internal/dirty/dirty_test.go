//go:build amd64 && !purego

package dirty

import "testing"

// TestRegisters holds that what Registers leaves is still there after it returned, at every width.
func TestRegisters(t *testing.T) {
	for name, f := range map[string]func(){"sse": sse, "Registers": Registers} {
		f()
		if got := x14(); got != 1<<64-1 {
			t.Errorf("after %s X14 has %#x, want all ones", name, got)
		}
	}
}
