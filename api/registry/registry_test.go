package registry

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// fake is a driver whose self-test does as it is told, and counts.
type fake struct {
	Algorithm
	test  func() error
	tests int
}

func (f *fake) SelfTest() error {
	f.tests++
	if f.test == nil {
		return nil
	}
	return f.test()
}

func (f *fake) describe() Algorithm { return f.Algorithm }

// driver makes a Driver of a fake, whose embedded struct has the method's name.
type driver struct{ *fake }

func (d driver) Algorithm() Algorithm { return d.describe() }

func newFake(name, driverName string, priority int) *fake {
	return &fake{Algorithm: Algorithm{
		Name: name, Driver: driverName, Priority: priority, Type: AEAD,
		BlockSize: 1, ChunkSize: 16, IVSize: 12, MinKeySize: 16, MaxKeySize: 32, MaxAuthSize: 16,
	}}
}

func (r *Registry) mustRegister(t *testing.T, fakes ...*fake) {
	t.Helper()
	for _, f := range fakes {
		if err := r.Register(driver{f}); err != nil {
			t.Fatal(err)
		}
	}
}

var errBroken = errors.New("broken")

// TestFind has which driver a name gets.
func TestFind(t *testing.T) {
	var r Registry
	broken := newFake("a(x)", "a-broken", 900)
	broken.test = func() error { return errBroken }
	panics := newFake("a(x)", "a-panics", 800)
	panics.test = func() error { panic("out of order") }
	internal := newFake("a(x)", "a-internal", 700)
	internal.Internal = true
	cipher := newFake("a(x)", "a-cipher", 600)
	cipher.Type = SKCipher
	fast, slow := newFake("a(x)", "a-fast", 300), newFake("a(x)", "a-slow", 1)
	none := newFake("b(x)", "b-broken", 5)
	none.test = broken.test
	r.mustRegister(t, slow, broken, none, cipher, panics, internal, fast)

	for range 2 {
		for name, want := range map[string]string{"a(x)": "a-fast", "a-fast": "a-fast", "a-slow": "a-slow"} {
			h, err := r.Find(AEAD, name)
			if err != nil || h.Algorithm().Driver != want {
				t.Errorf("%s: %v, %v, want %s", name, h, err, want)
				continue
			}
			h.Release()
		}
		for _, name := range []string{"a-broken", "b(x)", "b-broken"} {
			if _, err := r.Find(AEAD, name); !errors.Is(err, ErrSelfTest) || !errors.Is(err, errBroken) {
				t.Errorf("%s: %v, want ErrSelfTest and what is wrong", name, err)
			}
		}
		if _, err := r.Find(AEAD, "a-panics"); !errors.Is(err, ErrSelfTest) || !strings.Contains(err.Error(), "out of order") {
			t.Errorf("a-panics: %v, want ErrSelfTest and the panic's message", err)
		}
		for _, name := range []string{"a-internal", "a-cipher", "c(x)", ""} {
			var unknown *UnknownError
			if _, err := r.Find(AEAD, name); !errors.As(err, &unknown) || unknown.Name != name || unknown.Type != AEAD {
				t.Errorf("%q: %v, want an UnknownError", name, err)
			}
		}
	}
	if h, err := r.FindInternal(AEAD, "a(x)"); err != nil || h.Algorithm().Driver != "a-internal" {
		t.Errorf("FindInternal: %v, %v", h, err)
	}
	if h, err := r.Find(SKCipher, "a(x)"); err != nil || h.Algorithm().Driver != "a-cipher" {
		t.Errorf("skcipher: %v, %v", h, err)
	}
	for _, f := range []*fake{broken, panics, fast, none} {
		if f.tests != 1 {
			t.Errorf("%s was tested %d times, want once", f.Driver, f.tests)
		}
	}
}

// TestList has the order, the states and the users of the list.
func TestList(t *testing.T) {
	var r Registry
	broken := newFake("b(x)", "b-broken", 9)
	broken.test = func() error { return errBroken }
	cipher := newFake("a(x)", "a-cipher", 99)
	cipher.Type = SKCipher
	r.mustRegister(t, cipher, newFake("b(x)", "b-slow", 1), newFake("a(x)", "a-one", 3), broken, newFake("b(x)", "b-fast", 5))
	first, err := r.Find(AEAD, "b-fast")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Find(AEAD, "b(x)"); err != nil {
		t.Fatal(err)
	}
	describe := func() (lines []string) {
		for _, e := range r.List() {
			lines = append(lines, fmt.Sprintf("%s %s %v %d", e.Driver, e.State, e.Err, e.Users))
		}
		return lines
	}
	want := []string{"a-one passed <nil> 0", "b-broken failed broken 0", "b-fast passed <nil> 2", "b-slow passed <nil> 0",
		"a-cipher passed <nil> 0"}
	if got := describe(); !slices.Equal(got, want) {
		t.Errorf("list %q, want %q", got, want)
	}
	first.Release()
	want[2] = "b-fast passed <nil> 1"
	if got := describe(); !slices.Equal(got, want) {
		t.Errorf("list %q, want %q", got, want)
	}
}

// TestRegister has descriptions that make no sense, and names that are taken.
func TestRegister(t *testing.T) {
	var r Registry
	r.mustRegister(t, newFake("a(x)", "a-one", 1))
	if err := r.Register(driver{newFake("b(x)", "a-one", 1)}); !errors.Is(err, ErrRegistered) {
		t.Errorf("a name that is taken: %v", err)
	}
	for what, spoil := range map[string]func(*Algorithm){
		"no name":           func(a *Algorithm) { a.Name = "" },
		"no driver name":    func(a *Algorithm) { a.Driver = "" },
		"no type":           func(a *Algorithm) { a.Type = "" },
		"unknown type":      func(a *Algorithm) { a.Type = "hash" },
		"block size":        func(a *Algorithm) { a.BlockSize = 0 },
		"chunk size":        func(a *Algorithm) { a.ChunkSize = -1 },
		"IV size":           func(a *Algorithm) { a.IVSize = -1 },
		"tag size":          func(a *Algorithm) { a.MaxAuthSize = -1 },
		"key size":          func(a *Algorithm) { a.MinKeySize = 0 },
		"keys from long on": func(a *Algorithm) { a.MinKeySize = 33 },
	} {
		f := newFake("c(x)", "c-one", 1)
		spoil(&f.Algorithm)
		if err := r.Register(driver{f}); err == nil || errors.Is(err, ErrRegistered) {
			t.Errorf("%s: %v, want an error", what, err)
		}
	}
	if n := len(r.List()); n != 1 {
		t.Errorf("%d drivers are listed, want 1", n)
	}
}

// TestConcurrent registers, finds and lists at once. The self-test runs once, and nobody gets the driver before it
// has passed.
func TestConcurrent(t *testing.T) {
	var r Registry
	passed := false
	slow := newFake("a(x)", "a-slow", 1)
	slow.test = func() error { passed = true; return nil } // a race, if Find did not wait for it
	r.mustRegister(t, slow)
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			h, err := r.Find(AEAD, "a-slow")
			if err != nil || !passed {
				t.Errorf("%v, tested %v", err, passed)
			}
			h.Release()
			if err := r.Register(driver{newFake("b(x)", fmt.Sprint("b-", i), i)}); err != nil {
				t.Error(err)
			}
			r.List()
		})
	}
	group.Wait()
	if slow.tests != 1 {
		t.Errorf("tested %d times, want once", slow.tests)
	}
	if h, err := r.Find(AEAD, "b(x)"); err != nil || h.Algorithm().Driver != "b-19" {
		t.Errorf("%v, %v, want b-19", h, err)
	}
}

// TestNearest has what is offered for a name that does not exist.
func TestNearest(t *testing.T) {
	var r Registry
	hidden := newFake("gcm(ase)", "hidden", 1)
	hidden.Internal = true
	r.mustRegister(t, newFake("gcm(aes)", "gcm-aes-generic", 1), newFake("gcm(aes)", "gcm-aes-fast", 2),
		newFake("ccm(aes)", "ccm-aes-generic", 1), hidden)
	for name, want := range map[string][]string{
		"gcm(ase)":       {"gcm(aes)", "ccm(aes)", "gcm-aes-fast"},
		"ccm-aes-generc": {"ccm-aes-generic", "gcm-aes-generic", "gcm-aes-fast"},
	} {
		_, err := r.Find(AEAD, name)
		var unknown *UnknownError
		if !errors.As(err, &unknown) || !slices.Equal(unknown.Nearest, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		} else if !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), strings.Join(want, ", ")) {
			t.Errorf("the error is %q", err)
		}
	}
	var empty Registry
	if _, err := empty.Find(AEAD, "a"); err == nil || strings.Contains(err.Error(), "nearest") {
		t.Errorf("no drivers: %v", err)
	}
	for _, test := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"ab", "ba", 2}} {
		if got := distance(test.a, test.b); got != test.want {
			t.Errorf("distance(%q, %q) = %d, want %d", test.a, test.b, got, test.want)
		}
	}
}

// TestDefault has the functions of the package.
func TestDefault(t *testing.T) {
	if err := Register(driver{newFake("test(x)", "test-one", 1)}); err != nil {
		t.Fatal(err)
	}
	if h, err := Find(AEAD, "test(x)"); err != nil || h.Algorithm().Driver != "test-one" {
		t.Errorf("%v, %v", h, err)
	}
	if n := len(List()); n != 1 {
		t.Errorf("%d drivers are listed, want 1", n)
	}
}

// TestSelfTestThatExits has a self-test that ends its goroutine, as testing.T's FailNow does: it has not passed.
func TestSelfTestThatExits(t *testing.T) {
	var r Registry
	exits := newFake("a(x)", "a-exits", 1)
	exits.test = func() error { runtime.Goexit(); return nil }
	r.mustRegister(t, exits)
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.Find(AEAD, "a-exits")
	}()
	<-done
	if _, err := r.Find(AEAD, "a-exits"); !errors.Is(err, ErrSelfTest) {
		t.Errorf("%v, want %v", err, ErrSelfTest)
	}
}
