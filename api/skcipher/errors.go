package skcipher

import (
	"errors"
	"fmt"

	"lamina/api/internal/request"
)

// The errors of this package say in their text which size was wrong and what it must be. Each wraps one of
// these, registry.ErrSelfTest or a *registry.UnknownError, for errors.Is and errors.As. Except for ErrInProgress and ErrBusy nothing
// was written when an operation returned one.
var (
	// ErrInProgress means that workers have the request: the result is still to come.
	ErrInProgress = request.ErrInProgress
	// ErrBusy means that the queue was full. With the flag MayBacklog the request waits on the backlog, and
	// the result is still to come; without, it was not taken.
	ErrBusy = request.ErrBusy
	// ErrClosed means that the transform or the Writer was closed.
	ErrClosed = request.ErrClosed
	// ErrInFlight means that the request cannot be used before the result of its last operation has come.
	ErrInFlight = request.ErrInFlight
	// ErrHasCallback means that Wait was called for a request whose callback gets the result.
	ErrHasCallback = request.ErrHasCallback
	// ErrNoKey means that SetKey was not called, or failed.
	ErrNoKey = request.ErrNoKey
	// ErrKeySize means that the algorithm has no keys of that size.
	ErrKeySize = request.ErrKeySize
	// ErrWeakKey means that both halves of a key of xts(aes) are equal.
	ErrWeakKey = errors.New("weak key")
	// ErrIVSize means that the IV does not have the size that the algorithm's have.
	ErrIVSize = request.ErrIVSize
	// ErrLength means that a size is negative, or none that the algorithm has.
	ErrLength = request.ErrLength
	// ErrShortList means that a list holds fewer bytes than the size announces.
	ErrShortList = request.ErrShortList
	// ErrOverlap means that a byte of memory is in both lists, but at different places.
	ErrOverlap = request.ErrOverlap
	// ErrOption means that an option of Alloc does not apply to the algorithm, or has a value that makes no sense.
	ErrOption = request.ErrOption
	// ErrForeign means that the driver was registered by another package, and makes no transforms of this one.
	ErrForeign = request.ErrForeign
)

// failure returns an error of the transform: kind, with a text that says what was wrong.
//
//go:noinline
func (t *Transform) failure(kind error, format string, values ...any) error {
	return fmt.Errorf("skcipher: %s: %w: %s", t.algorithm.Name, kind, fmt.Sprintf(format, values...))
}
