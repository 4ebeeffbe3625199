//go:build !amd64 || purego

package portlimit

import "lamina/arch"

// GCM reports false: there is no limit to compare with where nothing runs in assembly.
func GCM(arch.Impl, int) (Loop, bool) { return Loop{}, false }

// Rounds reports false, as GCM does.
func Rounds(arch.Impl, int) (Loop, bool) { return Loop{}, false }

// Chain reports false, as GCM does.
func Chain(arch.Impl, int) (Loop, bool) { return Loop{}, false }
