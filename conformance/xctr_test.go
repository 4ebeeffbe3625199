package conformance

import (
	"bytes"
	"encoding/json"
	"testing"

	"lamina/arch"
	"lamina/lib/aes"
	"lamina/lib/aesctr"
)

type xctrTest struct {
	Description string
	Input       struct {
		Key   hexBytes `json:"key_hex"`
		Nonce hexBytes `json:"nonce_hex"`
	}
	Plaintext  hexBytes `json:"plaintext_hex"`
	Ciphertext hexBytes `json:"ciphertext_hex"`
}

// TestXCTR runs the XCTR vectors of HCTR2's authors both ways, whole and in two calls.
func TestXCTR(t *testing.T) {
	for name, wantTests := range map[string]int{"XCTR_AES128.json": 50, "XCTR_AES256.json": 90} {
		var tests []xctrTest
		if err := json.Unmarshal(externalVectors(t, name), &tests); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(tests) != wantTests {
			t.Errorf("%s has %d tests, want %d", name, len(tests), wantTests)
		}
		forEachImpl(t, func(t *testing.T, im arch.Impl) {
			for i, test := range tests {
				var k aes.EncKey
				if err := k.InitImpl(im, test.Input.Key); err != nil {
					t.Fatalf("%s, test %d: %v", name, i, err)
				}
				iv := [16]byte(test.Input.Nonce)
				n := len(test.Plaintext)
				for _, cut := range []int{0, n / 2 &^ 15} {
					counter, got := uint64(1), make([]byte, n)
					aesctr.XCTR(&k, &counter, &iv, got[:cut], test.Plaintext[:cut])
					aesctr.XCTR(&k, &counter, &iv, got[cut:], test.Plaintext[cut:])
					if !bytes.Equal(got, test.Ciphertext) || counter != 1+uint64(n+15)/16 {
						t.Errorf("%s, test %d (%s), %d bytes, cut at %d: %x and counter %d, want %x", name, i, test.Description,
							n, cut, got, counter, test.Ciphertext)
					}
				}
				counter, got := uint64(1), bytes.Clone(test.Ciphertext)
				if aesctr.XCTR(&k, &counter, &iv, got, got); !bytes.Equal(got, test.Plaintext) {
					t.Errorf("%s, test %d (%s): decrypted in place to %x, want %x", name, i, test.Description, got, test.Plaintext)
				}
			}
		})
	}
}
