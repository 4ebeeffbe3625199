package skcipher

import (
	"errors"
	"strings"
	"testing"
	"time"

	"lamina/api/registry"
	"lamina/arch"
)

// TestSelfTests runs those of all drivers, and looks at how long they take.
func TestSelfTests(t *testing.T) {
	for _, d := range drivers() {
		if len(answers[d.mode.name]) == 0 {
			t.Errorf("%s: no known answers", d.mode.name)
		}
		least := time.Hour
		for range 3 {
			start := time.Now()
			if err := d.SelfTest(); err != nil {
				t.Errorf("%s: %v", d.algorithm.Driver, err)
			}
			least = min(least, time.Since(start))
		}
		t.Logf("%s: %v", d.algorithm.Driver, least)
	}
}

// damaged is a cipher that makes a mistake where the request has at least from bytes.
type damaged struct {
	cipher
	from                   int
	inEncrypt, inDecrypt   bool
	inIV, refuse, isTarget bool
}

func (d *damaged) init(key []byte, allowWeak bool) error {
	if d.refuse && d.isTarget {
		return errors.New("refused")
	}
	return d.cipher.init(key, allowWeak)
}

func (d *damaged) encrypt(r *Request, dst, src []byte, last bool) {
	d.cipher.encrypt(r, dst, src, last)
	d.damage(d.inEncrypt, r, dst)
}

func (d *damaged) decrypt(r *Request, dst, src []byte, last bool) {
	d.cipher.decrypt(r, dst, src, last)
	d.damage(d.inDecrypt, r, dst)
}

func (d *damaged) damage(enabled bool, r *Request, dst []byte) {
	if enabled && d.isTarget && r.size >= d.from {
		dst[len(dst)-1] ^= 0x80
	}
}

func (d *damaged) end(r *Request) {
	d.cipher.end(r)
	if d.inIV && d.isTarget && len(r.iv) > 0 {
		r.iv[0] ^= 1
	}
}

// TestSelfTestFinds holds that a driver with any of these mistakes fails, and that the registry does not give it
// out.
func TestSelfTestFinds(t *testing.T) {
	// The first driver made is the one under test, the second the generic one to compare with.
	for _, m := range modes {
		for _, test := range []struct {
			damaged
			want string
		}{
			{damaged{inEncrypt: true}, "known answer 0: encryption"},
			{damaged{inDecrypt: true}, "known answer 0: decryption"},
			{damaged{inEncrypt: true, from: 100}, "encryption of"},
			{damaged{inDecrypt: true, from: 900}, "decryption of"},
			{damaged{inIV: true}, "next IV"},
			{damaged{refuse: true}, "weak key"},
		} {
			if test.inIV && m.ivSize == 0 {
				continue
			}
			made := 0
			wrong := *m
			wrong.new = func(im arch.Impl) cipher {
				made++
				c := test.damaged
				c.cipher, c.isTarget = m.new(im), made == 1
				return &c
			}
			d := newDriver(&wrong, arch.Best(), 1)
			var r registry.Registry
			if err := r.Register(d); err != nil {
				t.Fatal(err)
			}
			_, err := r.Find(registry.SKCipher, m.name)
			if !errors.Is(err, registry.ErrSelfTest) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s, %+v: Find gave %v, want the self-test's about %q", m.name, test.damaged, err, test.want)
			}
		}
	}
}
