// Package registry lists the named algorithms of the request layer and the drivers that provide them, as
// /proc/crypto does in Linux.
//
// An algorithm, such as "gcm(aes)", has several drivers, such as "gcm-aes-vaes-avx2": one for each
// implementation that this CPU can run. Package aead and package skcipher register theirs when they are
// imported. [Find] picks the one with the highest priority; whoever wants a certain one asks for it by its own
// name.
//
// No driver is given out before it passed its self-test, which runs when the driver is first asked for or
// listed. One that fails is listed as failed, and never given out.
//
// All functions are safe for concurrent use.
package registry

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Type says by which package an algorithm is used.
type Type string

const (
	AEAD     Type = "aead"     // package aead
	SKCipher Type = "skcipher" // package skcipher
)

// Algorithm describes a driver of an algorithm. Sizes are in bytes.
type Algorithm struct {
	Name         string // of the algorithm, such as "gcm(aes)"
	Driver       string // such as "gcm-aes-generic"; no other driver has it
	Priority     int    // among the drivers of one name the highest is chosen
	Type         Type   // which package uses it
	BlockSize    int    // texts have a multiple of it, or at least it with ciphertext stealing; 1 for any length
	ChunkSize    int    // the unit in which the mode works: a text that is done in several requests is cut at multiples
	IVSize       int    // 0 for modes without
	MinKeySize   int    // with what is salt in the key
	MaxKeySize   int    // the same
	MaxAuthSize  int    // of AEADs, the longest tag
	Internal     bool   // only given out by FindInternal, to other drivers
	Asynchronous bool   // requests are run by workers
}

// Driver is what packages register.
type Driver interface {
	// Algorithm describes the driver. It returns the same each time.
	Algorithm() Algorithm
	// SelfTest returns what is wrong with the driver, or nil. It is called once.
	SelfTest() error
}

// State says how a driver's self-test ended.
type State string

const (
	Passed State = "passed" // the driver is given out
	Failed State = "failed" // it never is
)

// Entry is a driver as it stands in the list.
type Entry struct {
	Algorithm
	State State // of its self-test
	Err   error // why the self-test failed
	Users int   // transforms that are in use
}

// ErrRegistered is in the error for a driver whose name another one has.
var ErrRegistered = errors.New("is registered already")

// ErrSelfTest is in the error for drivers that exist and failed their self-tests.
var ErrSelfTest = errors.New("self-test failed")

// UnknownError is the error for a name that no algorithm and no driver of that type has.
type UnknownError struct {
	Type    Type     // what was asked for
	Name    string   // the same
	Nearest []string // names that are like it, the most alike first
}

func (e *UnknownError) Error() string {
	text := fmt.Sprintf("registry: no %s is called %q", e.Type, e.Name)
	if len(e.Nearest) > 0 {
		text += "; the nearest names are " + strings.Join(e.Nearest, ", ")
	}
	return text
}

// Handle is a driver that was given out. It counts as one user until Release.
type Handle struct {
	Driver
	entry *entry
}

// Release ends the use.
func (h Handle) Release() { h.entry.users.Add(-1) }

// entry is a registered driver.
type entry struct {
	Algorithm
	driver Driver
	users  atomic.Int64
	once   sync.Once
	err    error
}

// test runs the self-test if it has not run, and returns its result.
func (e *entry) test() error {
	e.once.Do(func() {
		// Once would count a test that panics or ends its goroutine as done, and without an error.
		e.err = errors.New("the self-test did not return")
		defer func() {
			if reason := recover(); reason != nil {
				e.err = fmt.Errorf("the self-test panicked: %v", reason)
			}
		}()
		e.err = e.driver.SelfTest()
	})
	return e.err
}

// Registry is a list of drivers. Programs use the one of the package; others are for tests of drivers.
type Registry struct {
	mu      sync.RWMutex
	entries []*entry
}

// Default is the registry of the package's functions.
var Default Registry

// Register adds d. It returns an error if a driver has that name already, or the description makes no sense.
func Register(d Driver) error { return Default.Register(d) }

// Find returns the driver called name, or of the algorithm called name the one with the highest priority that
// passes its self-test. If none is called that, the error is an *UnknownError; if none passes, it wraps
// ErrSelfTest.
func Find(t Type, name string) (Handle, error) { return Default.Find(t, name) }

// List returns all drivers, ordered by type, name and falling priority. It runs the self-tests that have not
// run.
func List() []Entry { return Default.List() }

// Register adds d to r; see the function Register.
func (r *Registry) Register(d Driver) error {
	a := d.Algorithm()
	if err := a.check(); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.entries {
		if e.Driver == a.Driver {
			return fmt.Errorf("registry: a driver called %s %w", a.Driver, ErrRegistered)
		}
	}
	r.entries = append(r.entries, &entry{Algorithm: a, driver: d})
	slices.SortStableFunc(r.entries, func(a, b *entry) int {
		if c := strings.Compare(string(a.Type), string(b.Type)); c != 0 {
			return c
		}
		if c := strings.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return cmp.Compare(b.Priority, a.Priority)
	})
	return nil
}

// check returns what makes no sense in a.
func (a *Algorithm) check() error {
	switch {
	case a.Name == "" || a.Driver == "":
		return errors.New("registry: an algorithm needs a name and a driver name")
	case a.Type != AEAD && a.Type != SKCipher:
		return fmt.Errorf("registry: %s: type %q; it must be %s or %s", a.Driver, a.Type, AEAD, SKCipher)
	case a.BlockSize < 1 || a.ChunkSize < 1 || a.IVSize < 0 || a.MaxAuthSize < 0:
		return fmt.Errorf("registry: %s: block and chunk sizes must be at least 1, and no size negative", a.Driver)
	case a.MinKeySize < 1 || a.MinKeySize > a.MaxKeySize:
		return fmt.Errorf("registry: %s: keys of %d to %d bytes make no sense", a.Driver, a.MinKeySize, a.MaxKeySize)
	}
	return nil
}

// Find returns a driver of r; see the function Find.
func (r *Registry) Find(t Type, name string) (Handle, error) { return r.find(t, name, false) }

// FindInternal is Find for drivers that use another: it also finds those that are internal.
func (r *Registry) FindInternal(t Type, name string) (Handle, error) { return r.find(t, name, true) }

func (r *Registry) find(t Type, name string, internal bool) (Handle, error) {
	candidates := r.candidates(t, name, internal)
	if len(candidates) == 0 {
		return Handle{}, &UnknownError{Type: t, Name: name, Nearest: r.nearest(t, name)}
	}
	var failures []error
	for _, e := range candidates {
		err := e.test()
		if err == nil {
			e.users.Add(1)
			return Handle{Driver: e.driver, entry: e}, nil
		}
		failures = append(failures, fmt.Errorf("%s: %w", e.Driver, err))
	}
	return Handle{}, fmt.Errorf("registry: %s: %w: %w", name, ErrSelfTest, errors.Join(failures...))
}

// candidates returns the drivers that name may mean, the best first.
func (r *Registry) candidates(t Type, name string, internal bool) []*entry {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var found []*entry
	for _, e := range r.entries {
		if e.Type == t && (!e.Internal || internal) && (e.Name == name || e.Driver == name) {
			found = append(found, e)
		}
	}
	return found
}

// List returns all drivers of r; see the function List.
func (r *Registry) List() []Entry {
	r.mu.RLock()
	entries := slices.Clone(r.entries)
	r.mu.RUnlock()
	list := make([]Entry, 0, len(entries))
	for _, e := range entries {
		state, err := Passed, e.test()
		if err != nil {
			state = Failed
		}
		list = append(list, Entry{Algorithm: e.Algorithm, State: state, Err: err, Users: int(e.users.Load())})
	}
	return list
}
