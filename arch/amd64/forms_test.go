//go:build amd64 && !purego

package amd64

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// forEachForm runs a test or a benchmark for every form this CPU can run, with that form's functions, which table has
// by suffix. A form that LAMINA_REQUIRE_IMPLS names must be one of them.
func forEachForm[T interface {
	testing.TB
	Run(string, func(T)) bool
}, F any](t T, table map[string]F, f func(t T, fn F)) {
	for _, form := range Forms() {
		t.Run(form.Name, func(t T) {
			needForm(t, form)
			fn, ok := table[form.Suffix]
			if !ok {
				t.Fatalf("the test has no functions for %s", form.Suffix)
			}
			f(t, fn)
		})
	}
}

// needForm skips a test that this CPU cannot run, or fails it.
func needForm(t testing.TB, form Form) {
	t.Helper()
	if form.Available {
		return
	}
	required := strings.FieldsFunc(os.Getenv("LAMINA_REQUIRE_IMPLS"), func(r rune) bool { return r == ',' || r == ' ' })
	if slices.Contains(required, form.Name) {
		t.Fatalf("this CPU lacks some of %v, and LAMINA_REQUIRE_IMPLS names %s", form.Needs, form.Name)
	}
	t.Skipf("this CPU lacks some of %v", form.Needs)
}
