package aead

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lamina/api/scatter"
)

// stalled is an asynchronous transform with one worker and a queue of one, whose worker is held in a callback.
type stalled struct {
	tfm     *Transform
	release func() // lets the worker go on
}

func newStalled(t *testing.T) *stalled {
	t.Helper()
	tfm := allocKeyed(t, "cryptd(gcm(aes))", Workers(1), QueueLength(1))
	held, release := make(chan struct{}), make(chan struct{})
	r := newOn(tfm)
	r.SetCallback(0, func(*Request, error) {
		close(held)
		<-release
	})
	if err := r.Encrypt(); !errors.Is(err, ErrInProgress) {
		t.Fatal(err)
	}
	<-held
	s := &stalled{tfm, sync.OnceFunc(func() { close(release) })}
	t.Cleanup(s.release) // before Close, which was registered earlier
	return s
}

// newOn returns a request with a message of its own, to be sealed in place.
func newOn(tfm *Transform) *Request {
	r := tfm.NewRequest()
	list := scatter.List{make([]byte, 40), make([]byte, 76)}
	r.SetAD(16)
	r.SetCrypt(list, list, 84, make([]byte, tfm.IVSize()))
	return r
}

// TestFullQueue has one worker that is held, and a queue of one: the first request is queued, the second refused,
// the third on the backlog, where its callback is told that it started, and then that it is done.
func TestFullQueue(t *testing.T) {
	s := newStalled(t)
	queued, refused, backlogged := newOn(s.tfm), newOn(s.tfm), newOn(s.tfm)
	var told []string // by the one worker only, until Close
	tell := func(name string) Callback {
		return func(_ *Request, err error) { told = append(told, fmt.Sprintf("%s: %v", name, err)) }
	}
	queued.SetCallback(MayBacklog, tell("queued"))
	refused.SetCallback(0, tell("refused"))
	backlogged.SetCallback(MayBacklog, tell("backlogged"))
	if err := queued.Encrypt(); err != ErrInProgress {
		t.Errorf("room in the queue: %v, want ErrInProgress", err)
	}
	for range 2 { // refused, it is idle and can be tried again
		if err := Wait(refused, refused.Encrypt()); err != ErrBusy {
			t.Errorf("full queue: %v, want ErrBusy", err)
		}
	}
	if err := backlogged.Encrypt(); err != ErrBusy {
		t.Errorf("full queue, with a backlog: %v, want ErrBusy", err)
	}
	for _, r := range []*Request{queued, backlogged} {
		if err := r.Encrypt(); !errors.Is(err, ErrInFlight) {
			t.Errorf("under way: %v, want ErrInFlight", err)
		}
		if err := r.Decrypt(); !errors.Is(err, ErrInFlight) {
			t.Errorf("under way: %v, want ErrInFlight", err)
		}
	}
	if err := Wait(backlogged, ErrBusy); err != ErrHasCallback {
		t.Errorf("Wait with a callback: %v, want ErrHasCallback", err)
	}
	s.release()
	if err := s.tfm.Close(); err != nil { // drains the queue and the backlog
		t.Fatal(err)
	}
	want := fmt.Sprint([]string{"queued: <nil>", "backlogged: " + ErrInProgress.Error(), "backlogged: <nil>"})
	if got := fmt.Sprint(told); got != want {
		t.Errorf("callbacks %s, want %s", got, want)
	}
	// Refused ones were not touched.
	if tail := refused.src[1][60:]; !bytes.Equal(tail, make([]byte, 16)) {
		t.Error("a request was done that was refused")
	}
	if err := queued.Encrypt(); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v, want ErrClosed", err)
	}
}

// TestWaitOnBacklog waits for requests in the queue and on the backlog.
func TestWaitOnBacklog(t *testing.T) {
	s := newStalled(t)
	queued, backlogged := newOn(s.tfm), newOn(s.tfm)
	backlogged.SetCallback(MayBacklog, nil)
	first, second := queued.Encrypt(), backlogged.Encrypt()
	if first != ErrInProgress || second != ErrBusy {
		t.Fatalf("%v and %v, want ErrInProgress and ErrBusy", first, second)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for range 2 {
		if err := WaitContext(ctx, backlogged, second); err != context.Canceled {
			t.Errorf("cancelled: %v, want %v", err, context.Canceled)
		}
	}
	if err := backlogged.Encrypt(); !errors.Is(err, ErrInFlight) {
		t.Errorf("after a cancelled wait: %v, want ErrInFlight", err)
	}
	s.release()
	for range 2 { // the second time the result is known
		if err := errors.Join(Wait(queued, first), Wait(backlogged, ErrInProgress)); err != nil {
			t.Error(err)
		}
	}
	// Done is done, also for a context that has ended.
	if err := WaitContext(ctx, queued, ErrInProgress); err != nil {
		t.Error(err)
	}
	// Nobody waits for this one, and the next on the same request works all the same.
	if err := queued.Encrypt(); err != ErrInProgress {
		t.Fatal(err)
	}
	for {
		if err := queued.Decrypt(); err == ErrInProgress {
			break
		} else if !errors.Is(err, ErrInFlight) {
			t.Fatal(err)
		}
	}
	if err := Wait(queued, ErrInProgress); !errors.Is(err, ErrBadMessage) {
		t.Errorf("%v, want ErrBadMessage", err) // 84 bytes without a tag
	}
}

// TestReuseInCallback has a request that its callback uses again at once, many times, while it is submitted with a
// flag that it then changes: what Encrypt does after it handed the request over must not touch it.
func TestReuseInCallback(t *testing.T) {
	const rounds = 200
	tfm := allocKeyed(t, "cryptd(gcm(aes))", Workers(4), QueueLength(1))
	blocker := make(chan struct{})
	for range 4 { // the workers are held for a moment, so that requests meet a full queue
		r := newOn(tfm)
		r.SetCallback(MayBacklog, func(*Request, error) { <-blocker })
		r.Encrypt()
	}
	var requests sync.WaitGroup
	for range 12 {
		requests.Add(1)
		left := rounds
		var callback Callback
		callback = func(r *Request, err error) {
			if err == ErrInProgress {
				return
			}
			if left--; err != nil || left == 0 {
				if err != nil {
					t.Error(err)
				}
				requests.Done()
				return
			}
			for flags := Flags(0); ; flags ^= MayBacklog {
				r.SetCallback(flags, callback)
				if err := r.Encrypt(); err == ErrInProgress || err == ErrBusy && flags == MayBacklog {
					// Meanwhile another worker has r, and nothing orders what it does behind what Encrypt did last.
					time.Sleep(50 * time.Microsecond)
					return
				} else if err != ErrBusy {
					t.Error(err)
					requests.Done()
					return
				}
			}
		}
		r := newOn(tfm)
		r.SetCallback(MayBacklog, callback)
		if err := r.Encrypt(); err != ErrInProgress && err != ErrBusy {
			t.Fatal(err)
		}
	}
	close(blocker)
	requests.Wait()
}

// TestTenThousand sends ten thousand requests from many goroutines over one transform. Each message is sealed and
// opened; its bytes say whether its steps were done in order, and done once.
func TestTenThousand(t *testing.T) {
	const goroutines, each = 50, 100 // of two requests
	for _, queue := range []int{1, 100} {
		for _, flags := range []Flags{0, MayBacklog} {
			for _, algorithm := range []string{"gcm(aes)", "ccm(aes)"} {
				for _, style := range []struct {
					name string
					run  func(*testing.T, *Request, Flags, func() error) error
				}{{"Wait", runWaiting}, {"callback", runCalled}} {
					t.Run(fmt.Sprintf("%s, queue of %d, flags %d, %s", algorithm, queue, flags, style.name), func(t *testing.T) {
						tfm := allocKeyed(t, "cryptd("+algorithm+")", Workers(3), QueueLength(queue))
						var done atomic.Int64
						var group sync.WaitGroup
						for id := range goroutines {
							group.Go(func() { done.Add(roundTrips(t, tfm, flags, style.run, id, each)) })
						}
						group.Wait()
						if n := done.Load(); n != 2*goroutines*each {
							t.Errorf("%d operations were done, want %d", n, 2*goroutines*each)
						}
					})
				}
			}
		}
	}
}

// roundTrips seals and opens count messages, and returns how many operations were done.
func roundTrips(t *testing.T, tfm *Transform, flags Flags, run func(*testing.T, *Request, Flags, func() error) error,
	id, count int) (done int64) {
	r := tfm.NewRequest()
	text := bytesFor(uint64(id), 100+id)
	list := newArena(cycle(len(text)+16, 30+id)).list
	got := make([]byte, len(text))
	iv := bytesFor(uint64(id), tfm.IVSize())
	iv[0] = 1
	for i := range count {
		text[0], iv[5] = byte(i), byte(i)
		list.Scatter(text, 0)
		r.SetCrypt(list, list, len(text), iv)
		if err := run(t, r, flags, r.Encrypt); err != nil {
			t.Error(err)
			return done
		}
		done++
		if list.Gather(got, 0); bytes.Equal(got, text) {
			t.Error("the text was not encrypted")
		}
		r.SetCrypt(list, list, len(text)+16, iv)
		if err := run(t, r, flags, r.Decrypt); err != nil {
			t.Error(err)
			return done
		}
		done++
		if list.Gather(got, 0); !bytes.Equal(got, text) {
			t.Error("opened to another text")
		}
	}
	return done
}

// runWaiting runs an operation and waits for it; a full queue is tried again.
func runWaiting(_ *testing.T, r *Request, flags Flags, operation func() error) error {
	r.SetCallback(flags, nil)
	for {
		err := Wait(r, operation())
		if err != ErrBusy {
			return err
		}
		time.Sleep(10 * time.Microsecond)
	}
}

// runCalled runs an operation with a callback, and holds that this is called as often as it should.
func runCalled(t *testing.T, r *Request, flags Flags, operation func() error) error {
	calls := make(chan error, 10)
	r.SetCallback(flags, func(of *Request, err error) {
		if of != r {
			t.Error("the callback was given another request")
		}
		calls <- err
	})
	err := operation()
	for err == ErrBusy && flags&MayBacklog == 0 {
		time.Sleep(10 * time.Microsecond)
		err = operation()
	}
	switch err {
	case ErrBusy:
		if err := <-calls; err != ErrInProgress {
			t.Errorf("the first result of one that was on the backlog is %v, want ErrInProgress", err)
		}
	case ErrInProgress:
	default:
		return err
	}
	err = <-calls
	select {
	case more := <-calls:
		t.Errorf("the callback was called again, with %v", more)
	default:
	}
	return err
}

// TestCloseDrains closes while requests wait in the queue and on the backlog: all are done before Close returns.
func TestCloseDrains(t *testing.T) {
	const count = 200
	tfm := allocKeyed(t, "cryptd(gcm(aes))", Workers(2), QueueLength(3))
	var done atomic.Int64
	for range count {
		r := newOn(tfm)
		r.SetCallback(MayBacklog, func(_ *Request, err error) {
			if err == nil {
				done.Add(1)
			}
		})
		if err := r.Encrypt(); err != ErrInProgress && err != ErrBusy {
			t.Fatal(err)
		}
	}
	if err := tfm.Close(); err != nil {
		t.Fatal(err)
	}
	if n := done.Load(); n != count {
		t.Errorf("%d requests were done when Close returned, want %d", n, count)
	}
}

// TestSharedTransform uses a synchronous transform from many goroutines, each with a request of its own.
func TestSharedTransform(t *testing.T) {
	for _, name := range []string{"gcm(aes)", "ccm(aes)"} {
		tfm := allocKeyed(t, name)
		var group sync.WaitGroup
		for id := range 8 {
			group.Go(func() { roundTrips(t, tfm, 0, runWaiting, id, 200) })
		}
		group.Wait()
	}
}
