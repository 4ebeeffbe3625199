//go:build !amd64 || purego

package portlimit

import "lamina/arch"

// For reports false: there is no limit to compare with where nothing runs in assembly.
func For(arch.Impl, int) (Loop, bool) { return Loop{}, false }
