// Package request has what requests of every type share: how one is known to be under way and done, how one is
// waited for, and the workers that run requests of asynchronous transforms.
package request

import (
	"context"
	"errors"
	"sync"
)

// The errors of requests and transforms. Package aead and package skcipher give them to their users under the
// same names, where they are described.
var (
	ErrInProgress  = errors.New("request is in progress")
	ErrBusy        = errors.New("queue is full")
	ErrClosed      = errors.New("transform is closed")
	ErrInFlight    = errors.New("request is still in use by its last operation")
	ErrHasCallback = errors.New("the result goes to the request's callback, and cannot be waited for")
	ErrNoKey       = errors.New("key not set")
	ErrKeySize     = errors.New("wrong key size")
	ErrIVSize      = errors.New("wrong IV size")
	ErrLength      = errors.New("wrong length")
	ErrShortList   = errors.New("list too short")
	ErrOverlap     = errors.New("source and destination overlap")
	ErrOption      = errors.New("option does not apply")
	ErrForeign     = errors.New("driver of another package")
)

// Flags change how a request is handled.
type Flags uint32

// MayBacklog lets a request join the backlog where the queue is full.
const MayBacklog Flags = 1

// Completion is where a request learns that its operation is done. The zero value is idle, and cannot be waited
// for.
type Completion struct {
	mu    sync.Mutex
	busy  bool
	err   error
	ready chan struct{} // holds a token from the end of an operation without callback to Wait
}

// Init makes c ready to be waited for.
func (c *Completion) Init() { c.ready = make(chan struct{}, 1) }

// Begin marks an operation as under way. It returns ErrInFlight if one is.
func (c *Completion) Begin() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy {
		return ErrInFlight
	}
	select {
	case <-c.ready: // nobody waited for the last operation
	default:
	}
	c.busy = true
	return nil
}

// Submit begins an operation that workers run, unless prepare finds something wrong with it, and returns what that
// or the queue says.
func (c *Completion) Submit(q *Queue, job Job, flags Flags, prepare func() error) error {
	if err := c.Begin(); err != nil {
		return err
	}
	err := prepare()
	if err == nil {
		// Once the workers have the request it may be done, and in use again, before this returns: what follows looks
		// at nothing of it.
		err = q.Submit(job, flags&MayBacklog != 0)
	}
	if err != ErrInProgress && (err != ErrBusy || flags&MayBacklog == 0) {
		c.Abandon()
	}
	return err
}

// Abandon ends an operation that was not accepted.
func (c *Completion) Abandon() {
	c.mu.Lock()
	c.busy = false
	c.mu.Unlock()
}

// Finish ends an operation with its result, and wakes who waits for it if wake says so. From then on the
// request may be used again.
func (c *Completion) Finish(err error, wake bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = err
	c.busy = false
	if wake {
		c.ready <- struct{}{} // never blocks: Begin took the token of the operation before
	}
}

// last returns the result of the last operation, and whether it has come.
func (c *Completion) last() (result error, idle bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err, !c.busy
}

// Wait waits for the result of an operation, if err says that it is under way or on the backlog, and returns
// it. Any other err it returns as it is. If ctx ends first, Wait returns its error, and the operation goes on.
// Once the result has come, Wait returns it as often as it is called; before that, one goroutine may wait.
func (c *Completion) Wait(ctx context.Context, err error, flags Flags, hasCallback bool) error {
	queued := errors.Is(err, ErrInProgress) || errors.Is(err, ErrBusy) && flags&MayBacklog != 0
	if !queued {
		return err
	}
	if hasCallback {
		return ErrHasCallback
	}
	if result, idle := c.last(); idle {
		return result
	}
	select {
	case <-c.ready:
		result, _ := c.last()
		return result
	case <-ctx.Done():
		return ctx.Err()
	}
}
