package arch

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// Every test runs for the implementations that detection finds, so one that it overlooks would be missed by none.
// Two variables of the environment say what must be found. Names are separated by spaces or commas.
const (
	requireVariable = "LAMINA_REQUIRE_IMPLS" // these, in any order, and maybe others
	exactVariable   = "LAMINA_EXACT_IMPLS"   // these and no others, the best first
)

// fields splits a list of names.
func fields(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// lacking says what is wrong with each name that stands for nothing this CPU can run, and what with an empty list.
func lacking(list string, all []Info) (faults []string) {
	names := fields(list)
	if len(names) == 0 {
		return []string{"the list is empty"}
	}
	for _, name := range names {
		i := slices.IndexFunc(all, func(info Info) bool { return info.Name == name })
		switch {
		case i < 0:
			faults = append(faults, fmt.Sprintf("nothing in this build is called %q", name))
		case !all[i].Available:
			faults = append(faults, fmt.Sprintf("this CPU cannot run %s, which needs %s", name, all[i].Needs))
		}
	}
	return faults
}

func TestRequiredImpls(t *testing.T) {
	list, ok := os.LookupEnv(requireVariable)
	if !ok {
		t.Skip(requireVariable + " is not set")
	}
	for _, fault := range lacking(list, All()) {
		t.Errorf("%s=%q: %s", requireVariable, list, fault)
	}
}

func TestExactImpls(t *testing.T) {
	list, ok := os.LookupEnv(exactVariable)
	if !ok {
		t.Skip(exactVariable + " is not set")
	}
	got := []string{}
	for _, im := range Impls() {
		got = append(got, im.String())
	}
	if want := fields(list); !slices.Equal(got, want) {
		t.Errorf("this CPU is found to run %q, best first, and %s says %q", got, exactVariable, want)
	}
}

// TestLacking holds that the test above it can fail.
func TestLacking(t *testing.T) {
	all := []Info{{Name: "wide", Needs: "W"}, {Name: "narrow", Available: true}, {Name: "generic", Available: true}}
	for _, test := range []struct {
		list string
		want []string
	}{
		{"generic", nil},
		{"narrow,generic", nil},
		{" generic, narrow ", nil},
		{"generic wide", []string{"this CPU cannot run wide, which needs W"}},
		{"none wide", []string{`nothing in this build is called "none"`, "this CPU cannot run wide, which needs W"}},
		{"gener", []string{`nothing in this build is called "gener"`}},
		{"", []string{"the list is empty"}},
		{" , ", []string{"the list is empty"}},
	} {
		if got := lacking(test.list, all); !slices.Equal(got, test.want) {
			t.Errorf("%q: %q, want %q", test.list, got, test.want)
		}
	}
}
