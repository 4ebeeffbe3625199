package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"lamina/api/registry"
	"lamina/api/skcipher"
	"lamina/arch"
	"lamina/lib/aes"
	"lamina/lib/aescbc"
	"lamina/lib/aesctr"
	"lamina/lib/aesxts"
)

// skcipherAlgorithm is how a direct call encrypts text in place as a request of an algorithm does. iv becomes that
// to continue with.
type skcipherAlgorithm struct {
	minText, unit int // texts have a length of minText or more, and a multiple of unit
	encrypt       func(im arch.Impl, key, iv, text []byte) error
}

var skcipherAlgorithms = map[string]skcipherAlgorithm{
	"ecb(aes)": {0, 16, withKey(func(k *aes.Key, _, text []byte) { k.EncryptBlocks(text, text) })},
	"cbc(aes)": {0, 16, withKey(func(k *aes.Key, iv, text []byte) {
		aescbc.Encrypt(&k.EncKey, (*[16]byte)(iv), text, text)
	})},
	"cts(cbc(aes))": {16, 1, withKey(func(k *aes.Key, iv, text []byte) {
		aescbc.EncryptCTS(&k.EncKey, (*[16]byte)(iv), text, text)
	})},
	"ctr(aes)": {0, 1, withKey(func(k *aes.Key, iv, text []byte) {
		aesctr.CTR(&k.EncKey, (*[16]byte)(iv), text, text)
	})},
	"rfc3686(ctr(aes))": {0, 1, encryptRFC3686},
	"xctr(aes)": {0, 1, withKey(func(k *aes.Key, iv, text []byte) {
		first := uint64(1)
		aesctr.XCTR(&k.EncKey, &first, (*[16]byte)(iv), text, text)
	})},
	"xts(aes)": {16, 1, encryptXTS},
}

func withKey(encrypt func(k *aes.Key, iv, text []byte)) func(arch.Impl, []byte, []byte, []byte) error {
	return func(im arch.Impl, key, iv, text []byte) error {
		var k aes.Key
		if err := k.InitImpl(im, key); err != nil {
			return err
		}
		encrypt(&k, iv, text)
		return nil
	}
}

// encryptRFC3686 counts from 1 in the last 4 bytes, behind a nonce that comes with the key and the IV (RFC 3686,
// section 4).
func encryptRFC3686(im arch.Impl, key, iv, text []byte) error {
	cut := len(key) - 4
	counter := [16]byte(slices.Concat(key[cut:], iv, []byte{0, 0, 0, 1}))
	return withKey(func(k *aes.Key, _, text []byte) { aesctr.CTR(&k.EncKey, &counter, text, text) })(im, key[:cut], iv, text)
}

func encryptXTS(im arch.Impl, key, iv, text []byte) error {
	var k aesxts.Key
	if err := k.InitImpl(im, key); err != nil {
		return err
	}
	k.Encrypt(text, text, (*[16]byte)(iv))
	return nil
}

// checkSKCipherMessages encrypts and decrypts texts in requests of a driver, and of workers that use it, and compares
// them with those of direct calls.
func checkSKCipherMessages(a registry.Algorithm) (n int, err error) {
	algorithm, ok := skcipherAlgorithms[a.Name]
	if !ok {
		return 0, fmt.Errorf("no direct call does what %s does", a.Name)
	}
	for _, name := range []string{a.Driver, "cryptd(" + a.Driver + ")"} {
		tfm, err := skcipher.Alloc(name)
		if err != nil {
			return n, err
		}
		for size := a.MinKeySize; err == nil && size <= a.MaxKeySize; size += (a.MaxKeySize - a.MinKeySize) / 2 {
			var checked int
			checked, err = algorithm.checkKey(tfm, patterned(size))
			n += checked
		}
		if err := errors.Join(err, tfm.Close()); err != nil {
			return n, fmt.Errorf("%s: %w", name, err)
		}
	}
	return n, nil
}

func (a skcipherAlgorithm) checkKey(tfm *skcipher.Transform, key []byte) (n int, err error) {
	if err := tfm.SetKey(key); err != nil {
		return 0, err
	}
	request := tfm.NewRequest()
	for _, size := range []int{0, 1, 16, 63, 256, 1420, 4500} {
		size = max(a.minText, size-size%a.unit)
		text, iv := patterned(size), patterned(tfm.IVSize())
		want, wantIV := slices.Clone(text), slices.Clone(iv)
		if err := a.encrypt(arch.Generic, key, wantIV, want); err != nil {
			return n, err
		}
		for i, from := range divisions {
			into := divisions[(i+1)%len(divisions)]
			if err := checkSKCipher(request, from, into, text, iv, want, wantIV); err != nil {
				return n, fmt.Errorf("%d bytes, %s to %s: %w", size, from.name, into.name, err)
			}
			n++
		}
	}
	return n, nil
}

// checkSKCipher encrypts text from one memory to another and decrypts that in place.
func checkSKCipher(r *skcipher.Request, from, into division, text, iv, want, wantIV []byte) error {
	got, next := make([]byte, len(text)), slices.Clone(iv)
	list := into.cut(got, 0, len(got))
	r.SetCrypt(from.cut(slices.Clone(text), 0, len(text)), list, len(text), next)
	if err := skcipher.Wait(r, r.Encrypt()); err != nil {
		return err
	}
	if !bytes.Equal(got, want) {
		return errors.New("encrypted by a request it is not what a direct call encrypts")
	}
	if !bytes.Equal(next, wantIV) {
		return errors.New("the IV to continue with is not that of a direct call")
	}
	r.SetCrypt(list, list, len(text), slices.Clone(iv))
	if err := skcipher.Wait(r, r.Decrypt()); err != nil {
		return err
	}
	if !bytes.Equal(got, text) {
		return errors.New("what a direct call encrypted is decrypted to something else")
	}
	return nil
}
