//go:build amd64 && !purego

package keys

const (
	// NumPowers is how many powers of the hash key are stored: 16 for the 16 blocks that the main loops hash at once,
	// and one more so that GCM's length block can join a last group of 16.
	NumPowers = 17
	// NumFolded is how many of them are also stored folded.
	NumFolded = NumPowers

	hashPadding = 3
)
