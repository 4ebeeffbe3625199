package main

import (
	"bytes"
	"crypto/cipher"
	"errors"
	"fmt"
	"slices"

	"lamina/api/aead"
	"lamina/api/registry"
	"lamina/lib/aesccm"
	"lamina/lib/aesgcm"
)

// aeadAlgorithm is how a direct call does what a request of an algorithm does.
type aeadAlgorithm struct {
	saltSize int
	adSizes  []int
	ivInAD   int // bytes of the IV behind the associated data, which are not authenticated as part of it
	direct   func(key, salt, iv []byte) (sealer cipher.AEAD, nonce []byte, err error)
}

var aeadAlgorithms = map[string]aeadAlgorithm{
	"gcm(aes)":          {0, []int{0, 1, 12, 100}, 0, directGCM},
	"rfc4106(gcm(aes))": {4, []int{16, 20}, 8, directGCM},
	"ccm(aes)":          {0, []int{0, 1, 12, 100}, 0, directCCM},
	"rfc4309(ccm(aes))": {3, []int{16, 20}, 8, directCCM},
}

func directGCM(key, salt, iv []byte) (cipher.AEAD, []byte, error) {
	k := new(aesgcm.Key)
	return k, slices.Concat(salt, iv), k.Init(key, tagSize)
}

func directCCM(key, salt, iv []byte) (cipher.AEAD, []byte, error) {
	nonce := slices.Concat(salt, iv)
	if len(salt) == 0 {
		nonce = iv[1 : 15-iv[0]] // behind the size of the length field less one, and what that size leaves of 15 bytes
	}
	k := new(aesccm.Key)
	return k, nonce, k.Init(key, len(nonce), tagSize)
}

// checkAEADMessages seals and opens messages in requests of a driver, and of workers that use it, and compares them
// with those of direct calls.
func checkAEADMessages(a registry.Algorithm) (n int, err error) {
	algorithm, ok := aeadAlgorithms[a.Name]
	if !ok {
		return 0, fmt.Errorf("no direct call does what %s does", a.Name)
	}
	for _, name := range []string{a.Driver, "cryptd(" + a.Driver + ")"} {
		tfm, err := aead.Alloc(name)
		if err != nil {
			return n, err
		}
		for size := a.MinKeySize; err == nil && size <= a.MaxKeySize; size += 8 {
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

func (a aeadAlgorithm) checkKey(tfm *aead.Transform, key []byte) (n int, err error) {
	if err := tfm.SetKey(key); err != nil {
		return 0, err
	}
	cut := len(key) - a.saltSize
	iv := patterned(tfm.IVSize() + 2)[2:]
	if tfm.IVSize() == 16 {
		iv[0] = 3 // of CCM: 4 bytes of length, 11 of nonce
	}
	sealer, nonce, err := a.direct(key[:cut], key[cut:], iv)
	if err != nil {
		return 0, err
	}
	c := aeadCheck{request: tfm.NewRequest(), iv: iv}
	for _, adSize := range a.adSizes {
		for _, textSize := range []int{0, 1, 16, 63, 256, 1420, 4500} {
			message := patterned(adSize + textSize)
			c.ad, c.text = message[:adSize], message[adSize:]
			c.sealed = sealer.Seal(nil, nonce, c.text, c.ad[:adSize-a.ivInAD])
			for i, from := range divisions {
				into := divisions[(i+1)%len(divisions)]
				if err := c.run(from, into); err != nil {
					return n, fmt.Errorf("%d bytes of associated data, %d of text, %s to %s: %w", adSize, textSize, from.name,
						into.name, err)
				}
				n++
			}
		}
	}
	return n, nil
}

// aeadCheck is a message, what a direct call seals it to, and a request to do the same.
type aeadCheck struct {
	request  *aead.Request
	iv       []byte
	ad, text []byte
	sealed   []byte
}

// run seals from one memory to another and opens that in place, and then a forgery of it.
func (c *aeadCheck) run(from, into division) error {
	ad, text := len(c.ad), len(c.text)
	plain := slices.Concat(c.ad, c.text)
	packet := make([]byte, ad+len(c.sealed))
	want := slices.Concat(c.ad, c.sealed)
	r := c.request
	r.SetAD(ad)

	list := into.cut(packet, ad, text)
	r.SetCrypt(from.cut(plain, ad, text), list, text, c.iv)
	if err := aead.Wait(r, r.Encrypt()); err != nil {
		return err
	}
	if !bytes.Equal(packet, want) {
		return errors.New("sealed by a request it is not what a direct call seals")
	}
	r.SetCrypt(list, list, len(c.sealed), c.iv)
	if err := aead.Wait(r, r.Decrypt()); err != nil {
		return err
	}
	if !bytes.Equal(packet[:ad+text], plain) {
		return errors.New("what a direct call sealed is opened to something else")
	}
	copy(packet, want)
	packet[len(packet)-1] ^= 1
	if err := aead.Wait(r, r.Decrypt()); !errors.Is(err, aead.ErrBadMessage) {
		return fmt.Errorf("a forged tag gives %v, not %w", err, aead.ErrBadMessage)
	}
	if !bytes.Equal(packet[ad:ad+text], make([]byte, text)) {
		return errors.New("the text of a forged message is not zeros")
	}
	return nil
}
