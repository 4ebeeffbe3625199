package aesgcm

import (
	"bytes"
	"testing"

	"lamina/arch"
)

// The test cases of the GCM specification (McGrew and Viega, appendix B). The tag covers the ciphertext, so it
// stands for it here; TestAgainstStandardLibrary compares ciphertexts.
const (
	specKey  = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
	specText = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525" +
		"b16aedf5aa0de657ba637b391aafd255"
	specAD   = "feedfacedeadbeeffeedfacedeadbeefabaddad2"
	specIV96 = "cafebabefacedbaddecaf888"
	specIV64 = "cafebabefacedbad"
	specIV   = "9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728c3c0c95156809539fcf0e2429a6b525416aedbf5" +
		"a0de6a57a637b39b"
)

func TestSpecification(t *testing.T) {
	zero, key := make([]byte, 32), unhex(specKey)
	text, ad := unhex(specText), unhex(specAD)
	for i, test := range []struct {
		key, nonce, text, ad []byte
		tag                  string
	}{
		{zero[:16], zero[:12], nil, nil, "58e2fccefa7e3061367f1d57a4e7455a"},
		{zero[:16], zero[:12], zero[:16], nil, "ab6e47d42cec13bdf53a67b21257bddf"},
		{key[:16], unhex(specIV96), text, nil, "4d5c2af327cd64a62cf35abd2ba6fab4"},
		{key[:16], unhex(specIV96), text[:60], ad, "5bc94fbc3221a5db94fae95ae7121a47"},
		{key[:16], unhex(specIV64), text[:60], ad, "3612d2e79e3b0785561be14aaca2fccb"},
		{key[:16], unhex(specIV), text[:60], ad, "619cc5aefffe0bfa462af43c1699d050"},
		{zero[:24], zero[:12], nil, nil, "cd33b28ac773f74ba00ed1f312572435"},
		{zero[:24], zero[:12], zero[:16], nil, "2ff58d80033927ab8ef4d4587514f0fb"},
		{key[:24], unhex(specIV96), text, nil, "9924a7c8587336bfb118024db8674a14"},
		{key[:24], unhex(specIV96), text[:60], ad, "2519498e80f1478f37ba55bd6d27618c"},
		{key[:24], unhex(specIV64), text[:60], ad, "65dcc57fcf623a24094fcca40d3533f8"},
		{key[:24], unhex(specIV), text[:60], ad, "dcf566ff291c25bbb8568fc3d376a6d9"},
		{zero[:32], zero[:12], nil, nil, "530f8afbc74536b9a963b4f1c4cb738b"},
		{zero[:32], zero[:12], zero[:16], nil, "d0d1c8a799996bf0265b98b5d48ab919"},
		{key[:32], unhex(specIV96), text, nil, "b094dac5d93471bdec1a502270e3cc6c"},
		{key[:32], unhex(specIV96), text[:60], ad, "76fc6ece0f4e1768cddf8853bb2d551b"},
		{key[:32], unhex(specIV64), text[:60], ad, "3a337dbf46a792c45e454913fe2ea8f2"},
		{key[:32], unhex(specIV), text[:60], ad, "a44a8266ee1c8eb0c8b5d4cf5ae9f19a"},
	} {
		forEachImpl(t, func(t *testing.T, im arch.Impl) {
			k := newKey(t, im, test.key, TagSize)
			dst, tag := make([]byte, len(test.text)), make([]byte, TagSize)
			k.Encrypt(dst, tag, test.nonce, test.text, test.ad)
			if !bytes.Equal(tag, unhex(test.tag)) {
				t.Errorf("test case %d: tag %x, want %s", i+1, tag, test.tag)
			}
			if err := k.Decrypt(dst, test.nonce, dst, tag, test.ad); err != nil || !bytes.Equal(dst, test.text) {
				t.Errorf("test case %d: Decrypt: %v, text %x", i+1, err, dst)
			}
		})
	}
}
