package aead

import (
	"errors"
	"testing"

	"lamina/api/internal/request"
	"lamina/arch"
)

// TestSelfTest runs the self-test of every driver, and of every driver on workers.
func TestSelfTest(t *testing.T) {
	forEachDriver(t, func(t *testing.T, m *mode, im arch.Impl) {
		d := newDriver(m, im, 0)
		if err := d.SelfTest(); err != nil {
			t.Error(err)
		}
		d.algorithm.Name = request.Cryptd(d.algorithm.Name)
		d.algorithm.Asynchronous = true
		if err := d.SelfTest(); err != nil {
			t.Errorf("on workers: %v", err)
		}
	})
}

// TestAnswersOfAll holds that no algorithm is without known answers.
func TestAnswersOfAll(t *testing.T) {
	for _, m := range modes {
		count := 0
		for _, a := range answers {
			if a.algorithm == m.name {
				count++
			}
		}
		if count < 2 {
			t.Errorf("%s has %d known answers, want at least 2", m.name, count)
		}
	}
}

// faulty is a cipher with one fault.
type faulty struct {
	cipher
	fault string
}

var errFault = errors.New("this one has a fault")

func (f *faulty) init(key, salt []byte, authSize int) error {
	if f.fault == "no key" {
		return errFault
	}
	return f.cipher.init(key, salt, authSize)
}

func (f *faulty) prepare(r *Request, n int) error {
	if f.fault == "refuses long texts" && n > 1000 {
		return errFault
	}
	if f.fault == "ignores the IV" {
		iv := r.iv
		r.iv = make([]byte, len(iv))
		r.iv[0] = 1
		defer func() { r.iv = iv }()
	}
	return f.cipher.prepare(r, n)
}

func (f *faulty) seal(r *Request, dst, tag, src, ad []byte) {
	f.cipher.seal(r, dst, tag, src, ad)
	switch {
	case f.fault == "wrong byte" && len(dst) > 0, f.fault == "wrong byte of a long text" && len(dst) > 4096:
		dst[0] ^= 1
	case f.fault == "wrong tag" && len(dst) > 16:
		tag[len(tag)-1] ^= 0x80
	}
}

func (f *faulty) open(r *Request, dst, src, tag, ad []byte) error {
	err := f.cipher.open(r, dst, src, tag, ad)
	switch {
	case f.fault == "accepts forgeries":
		return nil
	case f.fault == "refuses all":
		return ErrBadMessage
	case f.fault == "leaves text" && err != nil && len(dst) > 0:
		dst[0] = 1
	case f.fault == "opens wrongly" && err == nil && len(dst) > 0:
		dst[0] ^= 1
	}
	return err
}

func (f *faulty) encrypt(r *Request, dst, src []byte) {
	f.cipher.encrypt(r, dst, src)
	if f.fault == "wrong byte in a step" {
		dst[0] ^= 1
	}
}

func (f *faulty) opened(r *Request, tag []byte) error {
	err := f.cipher.opened(r, tag)
	if f.fault == "accepts long forgeries" {
		return nil
	}
	return err
}

// TestSelfTestFinds holds that the self-test finds faults.
func TestSelfTestFinds(t *testing.T) {
	for _, fault := range []string{"no key", "refuses long texts", "ignores the IV", "wrong byte", "wrong byte of a long text",
		"wrong tag", "accepts forgeries", "refuses all", "leaves text", "opens wrongly", "wrong byte in a step",
		"accepts long forgeries", ""} {
		for _, m := range modes {
			with := *m
			with.new = func(im arch.Impl) cipher { return &faulty{cipher: m.new(im), fault: fault} }
			err := newDriver(&with, arch.Best(), 0).SelfTest()
			if found := err != nil; found != (fault != "") {
				t.Errorf("%s with the fault %q: %v", m.name, fault, err)
			}
		}
	}
}
