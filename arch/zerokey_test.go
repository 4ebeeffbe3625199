package arch

import (
	"fmt"
	"testing"

	"lamina/arch/keys"
	"lamina/internal/fence"
)

// TestZeroKey holds that a key that was never set, and so has no rounds, makes no loop run away: one that does reads
// far outside its key, or never ends. The hooks of GCM and XTS do not promise this.
func TestZeroKey(t *testing.T) {
	forEachImpl(t, func(t *testing.T, im Impl) {
		var dst, src fence.Buffer
		for blocks := range 70 {
			n := blocks * keys.BlockSize
			runZeroKey(im, dst.Make(n, 0), src.Make(n, 0))
			what := fmt.Sprintf("zero key, %d blocks", blocks)
			dst.Check(t, what)
			src.Check(t, what)
		}
	})
}

// runZeroKey runs the hooks on whole blocks with keys that were never set.
func runZeroKey(im Impl, dst, src []byte) {
	var (
		k        keys.Key
		iv, tag  [16]byte
		counters uint64
	)
	InvertKey(im, &k.Dec, &keys.Enc{})
	EncryptBlocks(im, &k.Enc, dst, src)
	DecryptBlocks(im, &k.Dec, dst, src)
	CTR(im, &k.Enc, &iv, dst, src)
	XCTR(im, &k.Enc, &counters, &iv, dst, src)
	CBCEncrypt(im, &k.Enc, &iv, dst, src)
	CBCDecrypt(im, &k.Dec, &iv, dst, src)
	CBCMAC(im, &k.Enc, &iv, src)
	CCMEncrypt(im, &k.Enc, &tag, &iv, dst, src)
	CCMDecrypt(im, &k.Enc, &tag, &iv, dst, src)
}
