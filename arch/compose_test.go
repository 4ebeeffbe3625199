package arch

import (
	"testing"

	"lamina/arch/generic"
)

// What GCM is composed of when an architecture has block hooks only must equal the direct hooks, under every
// implementation whose blocks it can be composed of.

var composedHooks = gcmHooks{composePrepareGCM, composeGCMEncrypt, composeGCMDecrypt, composeGCMSeal, composeGCMOpen}

func TestComposedPrepare(t *testing.T) {
	forEachImpl(t, func(t *testing.T, im Impl) {
		for _, size := range keySizes {
			key := bytesFor(uint64(60+size), size)
			want := dirtyGCM()
			generic.PrepareGCM(want, key)
			if got := prepared(composedHooks, im, key); *got != *want {
				t.Errorf("key of %d bytes: composed key differs from generic's", size)
			}
		}
	})
}

func TestComposedUpdate(t *testing.T) { testGCMUpdate(t, composedHooks, false) }

func TestComposedRecords(t *testing.T) {
	var cases []recordCase
	// Around the end of a batch, and past the second.
	for n := range 2*composeBatch + 40 {
		if n < 40 || n%composeBatch < 20 || n%composeBatch > composeBatch-20 {
			cases = append(cases, recordCase{n, n % 37})
		}
	}
	for n := range 70 {
		cases = append(cases, recordCase{33, n})
	}
	testRecords(t, composedHooks, append(cases, recordCase{16384, 13}, recordCase{20001, 1024}))
}

// TestComposedNoAllocations holds that the counter blocks stay on the stack.
func TestComposedNoAllocations(t *testing.T) {
	forEachImpl(t, func(t *testing.T, im Impl) {
		k := prepared(composedHooks, im, make([]byte, 32))
		n := testing.AllocsPerRun(20, func() {
			var nonce [12]byte
			var tag [16]byte
			var text [1000]byte
			composeGCMSeal(im, k, &tag, text[:], text[:], &nonce, text[:5])
			composeGCMOpen(im, k, &tag, text[:], text[:], &nonce, nonce[:])
		})
		if n != 0 {
			t.Errorf("%v allocations for a seal and an open, want 0", n)
		}
	})
}
