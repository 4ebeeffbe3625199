// Package arch is the one door between the library and the machine.
//
// It names the implementations of AES and of its modes that this CPU can run (Impl, Best, Impls, Lookup), and
// holds the hooks: plain functions, one for each primitive, that run it under a given implementation. The
// comment over each hook is its contract. Package lib/... calls nothing below this package, and nothing above
// lib/ calls this one except to choose an implementation.
//
// Every hook works under every Impl. What an architecture does not implement is composed of what it does, and
// what nothing implements is done in portable Go (package generic).
package arch

// Impl is an implementation that this CPU can run. The zero value is the portable one, which runs everywhere;
// other values can only be had from Best, Impls and Lookup, so a value proves that the CPU has what the
// implementation needs.
type Impl struct{ id uint8 }

// Generic is the portable implementation, in Go. It is the zero value.
var Generic = Impl{}

// Info describes an implementation, whether or not this CPU can run it.
type Info struct {
	Name      string // as Impl.String gives it
	Needs     string // instruction sets, for people to read
	Priority  int    // the highest that is Available is the best; on this CPU
	Available bool   // whether this CPU, under this operating system, can run it
}

// String returns the implementation's name, such as "generic".
func (im Impl) String() string { return implNames[im.id] }

// Best returns the implementation with the highest priority that this CPU can run.
func Best() Impl { return available[0] }

// Impls returns every implementation that this CPU can run, best first. Generic is always among them. The
// slice is the caller's to keep.
func Impls() []Impl { return append([]Impl(nil), available...) }

// Lookup returns the implementation called name, and false if there is none or this CPU cannot run it.
func Lookup(name string) (Impl, bool) {
	for _, im := range available {
		if im.String() == name {
			return im, true
		}
	}
	return Impl{}, false
}

// All describes every implementation this program was built with, best first, those that this CPU cannot run
// included.
func All() []Info { return describe() }
