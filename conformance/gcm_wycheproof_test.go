package conformance

import (
	"bytes"
	"testing"

	"lamina/arch"
	"lamina/lib/aesgcm"
)

// sizes are the sizes in bits of what all tests of a group have.
type sizes struct{ IvSize, KeySize, TagSize int }

type gcmGroup struct {
	sizes
	Tests []gcmTest
}

type gcmTest struct {
	common
	Key, IV, AAD, Msg, CT, Tag hexBytes
}

func TestWycheproofGCM(t *testing.T) {
	const name = "aes_gcm_test.json"
	file := loadVectors[gcmGroup](t, name)
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		var n tally
		for _, group := range file.TestGroups {
			for i := range group.Tests {
				test := &group.Tests[i]
				checkSizes(t, test.TcID, [3]hexBytes{test.IV, test.Key, test.Tag}, group.sizes)
				n.count(test.valid(t))
				runGCM(t, im, test)
			}
		}
		n.check(t, name, tally{valid: 229, invalid: 87}, file.NumberOfTests)
	})
}

// checkSizes makes sure that a test's fields were understood.
func checkSizes(t *testing.T, id int, ivKeyTag [3]hexBytes, want sizes) {
	t.Helper()
	got := sizes{len(ivKeyTag[0]) * 8, len(ivKeyTag[1]) * 8, len(ivKeyTag[2]) * 8}
	if got != want {
		t.Fatalf("test %d has sizes %v, its group %v", id, got, want)
	}
}

func runGCM(t *testing.T, im arch.Impl, test *gcmTest) {
	var k aesgcm.Key
	if err := k.InitImpl(im, test.Key, len(test.Tag)); err != nil {
		t.Errorf("test %d: key: %v", test.TcID, err)
		return
	}
	if len(test.IV) == 0 {
		if test.valid(t) {
			t.Fatalf("test %d: an empty nonce is valid", test.TcID)
		}
		wantPanic(t, test, "Encrypt", func() {
			k.Encrypt(make([]byte, len(test.Msg)), make([]byte, len(test.Tag)), test.IV, test.Msg, test.AAD)
		})
		wantPanic(t, test, "Decrypt", func() {
			k.Decrypt(make([]byte, len(test.CT)), test.IV, test.CT, test.Tag, test.AAD)
		})
		wantPanic(t, test, "NewCtx", func() { aesgcm.NewCtx(&k, test.IV) })
		return
	}
	if test.valid(t) {
		sealGCM(t, &k, test)
	}
	openGCM(t, &k, test)
}

// sealGCM wants every way of sealing to give the test's ciphertext and tag.
func sealGCM(t *testing.T, k *aesgcm.Key, test *gcmTest) {
	check := func(how string, ct, tag []byte) {
		if !bytes.Equal(ct, test.CT) || !bytes.Equal(tag, test.Tag) {
			t.Errorf("test %d (%s): %s: ciphertext of %d bytes is right: %v; tag %x, want %x",
				test.TcID, test.Comment, how, len(ct), bytes.Equal(ct, test.CT), tag, test.Tag)
		}
	}
	ct, tag := make([]byte, len(test.Msg)), make([]byte, len(test.Tag))
	k.Encrypt(ct, tag, test.IV, test.Msg, test.AAD)
	check("Encrypt", ct, tag)

	c := aesgcm.NewCtx(k, test.IV)
	ct, tag = bytes.Clone(test.Msg), make([]byte, len(test.Tag))
	c.AuthUpdate(test.AAD)
	c.EncryptUpdate(ct, ct)
	c.EncryptFinal(tag)
	check("Ctx", ct, tag)

	if len(test.IV) == aesgcm.NonceSize {
		sealed := k.Seal([]byte("prefix"), test.IV, test.Msg, test.AAD)
		if !bytes.HasPrefix(sealed, []byte("prefix")) {
			t.Errorf("test %d: Seal lost its prefix", test.TcID)
		}
		sealed = sealed[len("prefix"):]
		check("Seal", sealed[:len(test.Msg)], sealed[len(test.Msg):])
	}
}

// openGCM wants every way of opening to give the test's message, or an error and no text if it is invalid.
func openGCM(t *testing.T, k *aesgcm.Key, test *gcmTest) {
	valid := test.valid(t)
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
	msg := bytes.Repeat([]byte{0xa5}, len(test.CT))
	err := k.Decrypt(msg, test.IV, test.CT, test.Tag, test.AAD)
	check("Decrypt", msg, err)

	c := aesgcm.NewCtx(k, test.IV)
	msg = bytes.Clone(test.CT)
	c.AuthUpdate(test.AAD)
	c.DecryptUpdate(msg, msg)
	if err := c.DecryptFinal(test.Tag); (err == nil) != valid {
		t.Errorf("test %d: DecryptFinal: %v, the test is %s", test.TcID, err, test.Result)
	}

	if len(test.IV) == aesgcm.NonceSize {
		sealed := append(bytes.Clone(test.CT), test.Tag...)
		msg, err := k.Open(nil, test.IV, sealed, test.AAD)
		check("Open", msg, err)
		if !valid && msg != nil {
			t.Errorf("test %d: Open returns text and an error", test.TcID)
		}
	}
}

func wantPanic(t *testing.T, test *gcmTest, what string, f func()) {
	defer func() {
		if recover() == nil {
			t.Errorf("test %d (%s): %s takes an empty nonce", test.TcID, test.Comment, what)
		}
	}()
	f()
}

type gmacGroup struct {
	sizes
	Tests []gmacTest
}

type gmacTest struct {
	common
	Key, IV, Msg, Tag hexBytes
}

func TestWycheproofGMAC(t *testing.T) {
	const name = "aes_gmac_test.json"
	file := loadVectors[gmacGroup](t, name)
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		var n tally
		for _, group := range file.TestGroups {
			for i := range group.Tests {
				test := &group.Tests[i]
				checkSizes(t, test.TcID, [3]hexBytes{test.IV, test.Key, test.Tag}, group.sizes)
				n.count(test.valid(t))
				runGMAC(t, im, test)
			}
		}
		n.check(t, name, tally{valid: 90, invalid: 324}, file.NumberOfTests)
	})
}

func runGMAC(t *testing.T, im arch.Impl, test *gmacTest) {
	var k aesgcm.Key
	if err := k.InitImpl(im, test.Key, len(test.Tag)); err != nil {
		t.Errorf("test %d: key: %v", test.TcID, err)
		return
	}
	valid := test.valid(t)
	check := func(how string, tag []byte) {
		if bytes.Equal(tag, test.Tag) != valid {
			t.Errorf("test %d (%s): %s = %x, the file has %x as %s",
				test.TcID, test.Comment, how, tag, test.Tag, test.Result)
		}
	}
	tag := make([]byte, len(test.Tag))
	k.GMAC(tag, test.IV, test.Msg)
	check("GMAC", tag)
	if err := k.VerifyGMAC(test.IV, test.Msg, test.Tag); (err == nil) != valid {
		t.Errorf("test %d (%s): VerifyGMAC: %v, the test is %s", test.TcID, test.Comment, err, test.Result)
	}
	half := len(test.Msg) / 2
	for _, verify := range []bool{false, true} {
		m := aesgcm.NewGMAC(&k, test.IV)
		m.Update(test.Msg[:half])
		m.Update(test.Msg[half:])
		if verify {
			if err := m.Verify(test.Tag); (err == nil) != valid {
				t.Errorf("test %d (%s): Verify: %v, the test is %s", test.TcID, test.Comment, err, test.Result)
			}
			continue
		}
		clear(tag)
		m.Final(tag)
		check("Final", tag)
	}
}
