//go:build amd64 && !purego && dispatch

package amd64

import (
	"runtime"
	"strings"
)

// This file is only built for the test of dispatch. With it, every generated function calls record first.

// recordCapacity is how many calls are recorded. record.h looks whether it is declared.
const recordCapacity = 64

var (
	recorded      [recordCapacity]uintptr // an address inside each function that ran
	recordedCount uintptr                 // all calls, those that were not recorded too
)

//lint:ignore U1000 Assembly calls it.
func record()

// Ran runs f and returns the names of the generated functions that ran, in their order. Nothing else may call any
// at the same time.
func Ran(f func()) []string {
	recordedCount = 0
	f()
	if recordedCount > recordCapacity {
		panic("amd64: more calls than can be recorded")
	}
	names := []string{}
	for _, pc := range recorded[:recordedCount] {
		name := runtime.FuncForPC(pc).Name()
		names = append(names, name[strings.LastIndex(name, ".")+1:])
	}
	return names
}
