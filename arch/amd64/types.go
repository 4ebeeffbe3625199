//go:build amd64 && !purego

package amd64

import "lamina/arch/keys"

// The generator looks types up in the scope of a package, where imports are not seen, so the stubs spell the
// types of package keys without its name.
type (
	Enc     = keys.Enc
	Dec     = keys.Dec
	Hash    = keys.Hash
	GCM     = keys.GCM
	Element = keys.Element
)
