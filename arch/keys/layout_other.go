//go:build !amd64 || purego

package keys

const (
	// NumPowers is how many powers of the hash key are stored: as many as the portable code hashes at once.
	NumPowers = 8
	// NumFolded is how many of them are also stored folded.
	NumFolded = 0

	hashPadding = 0
)
