package conformance

import (
	"bytes"
	"testing"

	"lamina/arch"
	"lamina/lib/aesxts"
)

type xtsGroup struct {
	IvSize, KeySize int
	Tests           []xtsTest
}

type xtsTest struct {
	common
	Key, IV, Msg, CT hexBytes
}

func TestWycheproofXTS(t *testing.T) {
	const name = "aes_xts_test.json"
	file := loadVectors[xtsGroup](t, name)
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		var n tally
		for _, group := range file.TestGroups {
			for i := range group.Tests {
				test := &group.Tests[i]
				if len(test.IV)*8 != group.IvSize || len(test.Key)*8 != group.KeySize {
					t.Fatalf("test %d has an IV of %d bits and a key of %d, its group %d and %d",
						test.TcID, len(test.IV)*8, len(test.Key)*8, group.IvSize, group.KeySize)
				}
				n.count(test.valid(t))
				runXTS(t, im, test)
			}
		}
		n.check(t, name, tally{valid: 123}, file.NumberOfTests)
	})
}

// runXTS runs a test. An IV there is a little-endian number without its leading zeros.
func runXTS(t *testing.T, im arch.Impl, test *xtsTest) {
	var k aesxts.Key
	if err := k.InitImpl(im, test.Key); err != nil {
		t.Errorf("test %d: key: %v", test.TcID, err)
		return
	}
	var start [aesxts.TweakSize]byte
	copy(start[:], test.IV)
	check := func(how string, got, want []byte) {
		if !bytes.Equal(got, want) {
			t.Errorf("test %d (%s): %s gives %x, want %x", test.TcID, test.Comment, how, got, want)
		}
	}
	tweak, got := start, make([]byte, len(test.Msg))
	k.Encrypt(got, test.Msg, &tweak)
	check("Encrypt", got, test.CT)
	tweak = start
	k.Decrypt(got, got, &tweak)
	check("Decrypt in place", got, test.Msg)
	if len(got) >= 32 {
		tweak = start
		k.Decrypt(got[:16], test.CT[:16], &tweak)
		k.Decrypt(got[16:], test.CT[16:], &tweak)
		check("Decrypt in two pieces", got, test.Msg)
	}
	if len(test.IV) <= 8 {
		var sector uint64
		for i, b := range test.IV {
			sector |= uint64(b) << (8 * i)
		}
		k.EncryptSectors(got, test.Msg, sector, len(got))
		check("EncryptSectors", got, test.CT)
	}
}
