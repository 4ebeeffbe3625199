package arch_test

import (
	"fmt"

	"lamina/arch"
	"lamina/arch/keys"
)

// The implementations of this CPU, best first, all at work in one process.
func ExampleImpls() {
	var schedules []keys.Enc
	for _, im := range arch.Impls() {
		var k keys.Enc
		arch.ExpandKey(im, &k, []byte("0123456789abcdef"))
		schedules = append(schedules, k)
	}
	for _, k := range schedules {
		if k != schedules[0] {
			fmt.Println("they differ")
		}
	}
	fmt.Println(arch.Impls()[len(schedules)-1])
	// Output: generic
}

// An implementation by its name, for instance from a flag. Only those that this CPU can run are found.
func ExampleLookup() {
	im, ok := arch.Lookup("generic")
	fmt.Println(im, ok)
	_, ok = arch.Lookup("abacus")
	fmt.Println(ok)
	// Output:
	// generic true
	// false
}
