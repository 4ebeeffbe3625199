package conformance

import (
	"bytes"
	"testing"

	"lamina/arch"
	"lamina/lib/aesccm"
)

type ccmGroup struct {
	sizes
	Tests []ccmTest
}

type ccmTest struct {
	common
	Key, IV, AAD, Msg, CT, Tag hexBytes
}

func TestWycheproofCCM(t *testing.T) {
	const name = "aes_ccm_test.json"
	file := loadVectors[ccmGroup](t, name)
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		var n tally
		for _, group := range file.TestGroups {
			for i := range group.Tests {
				test := &group.Tests[i]
				checkSizes(t, test.TcID, [3]hexBytes{test.IV, test.Key, test.Tag}, group.sizes)
				n.count(test.valid(t))
				runCCM(t, im, test)
			}
		}
		n.check(t, name, tally{valid: 405, invalid: 147}, file.NumberOfTests)
	})
}

func runCCM(t *testing.T, im arch.Impl, test *ccmTest) {
	valid := test.valid(t)
	var k aesccm.Key
	err := k.InitImpl(im, test.Key, len(test.IV), len(test.Tag))
	if wrongSize := test.has("InvalidNonceSize") || test.has("InvalidTagSize") || test.has("InsecureTagSize"); err != nil || wrongSize {
		if (err != nil) != wrongSize || valid {
			t.Errorf("test %d (%s): nonce of %d bytes and tag of %d: %v", test.TcID, test.Comment, len(test.IV), len(test.Tag), err)
		}
		return
	}
	if valid {
		sealCCM(t, &k, test)
	}
	openCCM(t, &k, test, valid)
}

// sealCCM wants every way of sealing to give the test's ciphertext and tag.
func sealCCM(t *testing.T, k *aesccm.Key, test *ccmTest) {
	check := func(how string, ct, tag []byte) {
		if !bytes.Equal(ct, test.CT) || !bytes.Equal(tag, test.Tag) {
			t.Errorf("test %d (%s): %s: ciphertext of %d bytes is right: %v; tag %x, want %x",
				test.TcID, test.Comment, how, len(ct), bytes.Equal(ct, test.CT), tag, test.Tag)
		}
	}
	n := len(test.Msg)
	sealed := k.Seal([]byte("prefix"), test.IV, test.Msg, test.AAD)
	if !bytes.HasPrefix(sealed, []byte("prefix")) {
		t.Errorf("test %d: Seal lost its prefix", test.TcID)
	}
	sealed = sealed[len("prefix"):]
	check("Seal", sealed[:n], sealed[n:])

	ct, tag := make([]byte, n), make([]byte, len(test.Tag))
	k.Encrypt(ct, tag, test.IV, test.Msg, test.AAD)
	check("Encrypt", ct, tag)

	c := newCCM(t, k, test, n)
	ct, tag = bytes.Clone(test.Msg), make([]byte, len(test.Tag))
	c.EncryptUpdate(ct[:n/2], ct[:n/2])
	c.EncryptUpdate(ct[n/2:], ct[n/2:])
	c.EncryptFinal(tag)
	check("Ctx", ct, tag)
}

// openCCM wants every way of opening to give the test's message, or an error and no text if it is invalid.
func openCCM(t *testing.T, k *aesccm.Key, test *ccmTest, valid bool) {
	check := func(how string, msg []byte, err error) {
		if (err == nil) != valid {
			t.Errorf("test %d (%s): %s: error %v, the test is %s", test.TcID, test.Comment, how, err, test.Result)
		}
		if valid && !bytes.Equal(msg, test.Msg) {
			t.Errorf("test %d (%s): %s gives the wrong text of %d bytes", test.TcID, test.Comment, how, len(msg))
		}
		if !valid && !bytes.Equal(msg, make([]byte, len(msg))) {
			t.Errorf("test %d (%s): %s leaves text of a forgery", test.TcID, test.Comment, how)
		}
	}
	msg, err := k.Open(nil, test.IV, append(bytes.Clone(test.CT), test.Tag...), test.AAD)
	check("Open", msg, err)
	if !valid && msg != nil {
		t.Errorf("test %d: Open returns text and an error", test.TcID)
	}

	msg = bytes.Repeat([]byte{0xa5}, len(test.CT))
	err = k.Decrypt(msg, test.IV, test.CT, test.Tag, test.AAD)
	check("Decrypt", msg, err)

	c := newCCM(t, k, test, len(test.CT))
	msg = bytes.Clone(test.CT)
	c.DecryptUpdate(msg, msg)
	if err := c.DecryptFinal(test.Tag); (err == nil) != valid || valid && !bytes.Equal(msg, test.Msg) {
		t.Errorf("test %d: Ctx: %v, text right: %v; the test is %s", test.TcID, err, bytes.Equal(msg, test.Msg), test.Result)
	}
}

func newCCM(t *testing.T, k *aesccm.Key, test *ccmTest, n int) *aesccm.Ctx {
	t.Helper()
	c, err := aesccm.NewCtx(k, test.IV, uint64(len(test.AAD)), uint64(n))
	if err != nil {
		t.Fatalf("test %d: %v", test.TcID, err)
	}
	c.AuthUpdate(test.AAD)
	return &c
}
