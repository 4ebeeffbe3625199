package skcipher

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
	"lamina/arch"
)

// TestConcurrentRequests has many goroutines use one transform, with and without workers, and with queues that
// are always full.
func TestConcurrentRequests(t *testing.T) {
	for _, m := range modes {
		d := newDriver(m, arch.Best(), 0)
		key := bytesFor(1, m.keySizes[len(m.keySizes)-1])
		for name, tfm := range map[string]*Transform{
			m.name:                      alloc(t, m.name),
			m.name + ", queue of 1":     alloc(t, "cryptd("+m.name+")", Workers(1), QueueLength(1)),
			m.name + ", three workers":  alloc(t, "cryptd("+m.name+")", Workers(3), QueueLength(2)),
			m.name + ", driver by name": alloc(t, "cryptd("+d.algorithm.Driver+")"),
		} {
			var group sync.WaitGroup
			for g := range 8 {
				group.Go(func() {
					r := tfm.NewRequest()
					r.SetCallback(MayBacklog, nil)
					for i := range 20 {
						n := m.nearest(16 + 37*i)
						text, iv := bytesFor(byte(g), n), bytesFor(byte(i), m.ivSize)
						direction := directions[i%2]
						want, next := direct(t, d, direction, key, iv, text)
						list := cut(text, []int{1 + g, 50})
						r.SetCrypt(list, list, n, iv)
						if err := Wait(r, r.run(bool(direction))); err != nil {
							t.Errorf("%s: %v", name, err)
						}
						if !bytes.Equal(text, want) || !bytes.Equal(iv, next) {
							t.Errorf("%s, %s of %d bytes: not as a direct call", name, direction, n)
						}
					}
				})
			}
			group.Wait()
		}
	}
}

// blocked returns a transform with one worker that a request keeps busy until release is called.
func blocked(t *testing.T, queue int) (tfm *Transform, release func()) {
	t.Helper()
	tfm = alloc(t, "cryptd(ctr(aes))", Workers(1), QueueLength(queue))
	started, wait := make(chan struct{}), make(chan struct{})
	r := tfm.NewRequest()
	r.SetCallback(0, func(*Request, error) {
		close(started)
		<-wait
	})
	r.SetCrypt(nil, nil, 0, nil)
	if err := r.Encrypt(); err != ErrInProgress {
		t.Fatalf("got %v, want ErrInProgress", err)
	}
	<-started
	release = sync.OnceFunc(func() { close(wait) })
	t.Cleanup(release)
	return tfm, release
}

// TestFullQueue has a queue of one: busy, then in progress, then the result, each once.
func TestFullQueue(t *testing.T) {
	tfm, release := blocked(t, 1)
	text, iv := make([]byte, 100), make([]byte, 16)
	list := scatter.List{text}
	request := func(flags Flags, callback Callback) *Request {
		r := tfm.NewRequest()
		r.SetCallback(flags, callback)
		r.SetCrypt(list, list, 100, iv)
		return r
	}
	queued := request(0, nil)
	if err := queued.Encrypt(); err != ErrInProgress {
		t.Errorf("first: %v, want ErrInProgress", err)
	}
	if err := queued.Encrypt(); !errors.Is(err, ErrInFlight) {
		t.Errorf("the same again: %v, want ErrInFlight", err)
	}
	dropped := request(0, nil)
	if err := dropped.Encrypt(); err != ErrBusy {
		t.Errorf("second: %v, want ErrBusy", err)
	}
	if err := Wait(dropped, ErrBusy); err != ErrBusy {
		t.Errorf("waiting for one that was not taken: %v, want ErrBusy", err)
	}
	var results []error
	finished := make(chan struct{})
	backlogged := request(MayBacklog, func(_ *Request, err error) {
		results = append(results, err)
		if err == nil {
			close(finished)
		}
	})
	if err := backlogged.Decrypt(); err != ErrBusy {
		t.Errorf("third, which may wait: %v, want ErrBusy", err)
	}
	if err := Wait(backlogged, ErrBusy); err != ErrHasCallback {
		t.Errorf("waiting for one with a callback: %v, want ErrHasCallback", err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if err := WaitContext(ended, queued, ErrInProgress); err != context.Canceled {
		t.Errorf("waiting with a context that ended: %v, want its error", err)
	}
	release()
	if err := Wait(queued, ErrInProgress); err != nil {
		t.Errorf("the first ended with %v", err)
	}
	<-finished
	if fmt.Sprint(results) != fmt.Sprint([]error{ErrInProgress, nil}) {
		t.Errorf("callbacks for the third: %v, want in progress and success", results)
	}
	if err := Wait(dropped, dropped.Encrypt()); err != nil {
		t.Errorf("the second, used again: %v", err)
	}
	// What is wrong is said at once, and the request can be used again.
	wrong := request(0, nil)
	wrong.SetCrypt(list, list, 101, iv)
	if err := wrong.Encrypt(); !errors.Is(err, ErrShortList) {
		t.Errorf("a list that is too short: %v, want ErrShortList", err)
	}
	wrong.SetCrypt(list, list, 100, iv)
	if err := Wait(wrong, wrong.Encrypt()); err != nil {
		t.Errorf("after an error: %v", err)
	}
}

// TestCloseDrains holds that Close lets requests end that were taken, those on the backlog too.
func TestCloseDrains(t *testing.T) {
	tfm, release := blocked(t, 2)
	var ended atomic.Int32
	for range 10 {
		r := tfm.NewRequest()
		r.SetCallback(MayBacklog, func(_ *Request, err error) {
			if err == nil {
				ended.Add(1)
			}
		})
		text := scatter.List{make([]byte, 20)}
		r.SetCrypt(text, text, 20, make([]byte, 16))
		if err := r.Encrypt(); err != ErrInProgress && err != ErrBusy {
			t.Fatal(err)
		}
	}
	release()
	if err := tfm.Close(); err != nil || ended.Load() != 10 {
		t.Errorf("Close: %v; %d requests ended, want 10", err, ended.Load())
	}
}

// TestCryptdOptions has options that make no sense.
func TestCryptdOptions(t *testing.T) {
	for name, option := range map[string]Option{"no workers": Workers(0), "no queue": QueueLength(0)} {
		if _, err := Alloc("cryptd(ctr(aes))", option); !errors.Is(err, ErrOption) {
			t.Errorf("%s: %v, want ErrOption", name, err)
		}
	}
	tfm := alloc(t, "cryptd(xts-aes-generic)")
	a := tfm.Algorithm()
	if a.Name != "cryptd(xts(aes))" || a.Driver != "cryptd(xts-aes-generic)" || !a.Asynchronous {
		t.Errorf("described as %+v", a)
	}
	alloc(t, "cryptd(xts(aes))")
	if best := alloc(t, "cryptd(xts(aes))").Algorithm().Driver; best != "cryptd(xts-aes-"+arch.Best().String()+")" {
		t.Errorf("cryptd(xts(aes)) is %s, want that of the best implementation", best)
	}
}

// TestReuseInCallback uses requests again from their callbacks, where the operation may be done, and the request in
// use again, before the Encrypt that began it has returned. The race detector would find what that still reads.
func TestReuseInCallback(t *testing.T) {
	const rounds = 200
	tfm := alloc(t, "cryptd(ctr(aes))", Workers(4), QueueLength(1))
	var requests sync.WaitGroup
	for range 12 {
		left, list, iv := rounds, scatter.List{make([]byte, 40)}, make([]byte, 16)
		requests.Add(1)
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
					time.Sleep(50 * time.Microsecond) // nothing orders this behind what another worker does with r
					return
				}
			}
		}
		r := tfm.NewRequest()
		r.SetCrypt(list, list, 40, iv)
		r.SetCallback(MayBacklog, callback)
		if err := r.Encrypt(); err != ErrInProgress && err != ErrBusy {
			t.Fatal(err)
		}
	}
	requests.Wait()
}
