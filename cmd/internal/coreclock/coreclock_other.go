//go:build !amd64 || purego

package coreclock

// Chain reports false: without assembly nothing takes a known number of cycles.
func Chain() (run func(turns int), ok bool) { return nil, false }
