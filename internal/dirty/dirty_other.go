//go:build !amd64 || purego

package dirty

// Registers does nothing: there is no assembly here to be tested.
func Registers() {}
