package conformance

import (
	"bytes"
	"testing"

	"lamina/arch"
	"lamina/lib/aescmac"
)

type cmacGroup struct {
	KeySize, TagSize int
	Tests            []cmacTest
}

type cmacTest struct {
	common
	Key, Msg, Tag hexBytes
}

func TestWycheproofCMAC(t *testing.T) {
	const name = "aes_cmac_test.json"
	file := loadVectors[cmacGroup](t, name)
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		var n tally
		for _, group := range file.TestGroups {
			for i := range group.Tests {
				test := &group.Tests[i]
				if len(test.Key)*8 != group.KeySize {
					t.Fatalf("test %d has a key of %d bytes, its group %d bits", test.TcID, len(test.Key), group.KeySize)
				}
				n.count(test.valid(t))
				runCMAC(t, im, test, group.TagSize/8)
			}
		}
		n.check(t, name, tally{valid: 63, invalid: 248}, file.NumberOfTests)
	})
}

func runCMAC(t *testing.T, im arch.Impl, test *cmacTest, tagSize int) {
	valid := test.valid(t)
	var k aescmac.Key
	err := k.InitImpl(im, test.Key, tagSize)
	if wrongKey := test.has("InvalidKeySize"); err != nil || wrongKey {
		if (err != nil) != wrongKey || valid {
			t.Errorf("test %d (%s): key of %d bytes: %v", test.TcID, test.Comment, len(test.Key), err)
		}
		return
	}
	tag := k.Sum(test.Msg)
	if bytes.Equal(tag[:tagSize], test.Tag) != valid {
		t.Errorf("test %d (%s): Sum = %x, the file has %x as %s", test.TcID, test.Comment, tag, test.Tag, test.Result)
	}
	h := aescmac.NewHash(&k)
	half := len(test.Msg) / 2
	h.Write(test.Msg[:half])
	h.Write(test.Msg[half:])
	for how, err := range map[string]error{"Key": k.Verify(test.Msg, test.Tag), "Hash": h.Verify(test.Tag)} {
		if (err == nil) != valid {
			t.Errorf("test %d (%s): %s.Verify: %v, the test is %s", test.TcID, test.Comment, how, err, test.Result)
		}
	}
}
