package request

import (
	"context"
	"errors"
	"testing"
	"time"
)

var errResult = errors.New("the result")

func newCompletion() *Completion {
	c := new(Completion)
	c.Init()
	return c
}

// TestCompletion goes through the life of a request: idle, under way, done, abandoned.
func TestCompletion(t *testing.T) {
	c := newCompletion()
	background := context.Background()
	if _, idle := c.last(); !idle {
		t.Error("busy before the first operation")
	}
	for range 3 { // a result that nobody waits for does not reach the next
		if err := c.Begin(); err != nil {
			t.Fatal(err)
		}
		if err := c.Begin(); err != ErrInFlight {
			t.Errorf("under way: %v, want ErrInFlight", err)
		}
		c.Finish(nil, true)
	}
	if err := c.Begin(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(background, time.Millisecond)
	defer cancel()
	if err := c.Wait(ctx, ErrInProgress, 0, false); err != context.DeadlineExceeded {
		t.Errorf("%v, want %v: an old result was taken", err, context.DeadlineExceeded)
	}
	go func() {
		time.Sleep(time.Millisecond)
		c.Finish(errResult, true)
	}()
	for range 2 {
		if err := c.Wait(background, ErrInProgress, 0, false); err != errResult {
			t.Errorf("%v, want %v", err, errResult)
		}
	}
	// Without waking: with a callback.
	if err := c.Begin(); err != nil {
		t.Fatal(err)
	}
	c.Finish(nil, false)
	if err := c.Begin(); err != nil {
		t.Fatal(err)
	}
	c.Abandon()
	if _, idle := c.last(); !idle {
		t.Error("busy after Abandon")
	}
}

// TestWait has what Wait makes of errors that say nothing of an operation under way.
func TestWait(t *testing.T) {
	background := context.Background()
	for _, test := range []struct {
		err         error
		flags       Flags
		hasCallback bool
		want        error
	}{
		{nil, 0, false, nil},
		{nil, MayBacklog, true, nil},
		{ErrBusy, 0, false, ErrBusy},
		{ErrBusy, 0, true, ErrBusy},
		{errResult, MayBacklog, true, errResult},
		{ErrInProgress, 0, true, ErrHasCallback},
		{ErrBusy, MayBacklog, true, ErrHasCallback},
		{ErrBusy, MayBacklog, false, errResult},
		{ErrInProgress, 0, false, errResult},
	} {
		c := newCompletion()
		if err := c.Begin(); err != nil {
			t.Fatal(err)
		}
		c.Finish(errResult, true)
		if err := c.Wait(background, test.err, test.flags, test.hasCallback); err != test.want {
			t.Errorf("Wait(%v, flags %d, callback %v): %v, want %v", test.err, test.flags, test.hasCallback, err, test.want)
		}
	}
}

// TestOptions has names and options of asynchronous transforms.
func TestOptions(t *testing.T) {
	for name, want := range map[string]string{
		"cryptd(a)": "a", "cryptd(a(b))": "a(b)", "cryptd()": "", "cryptd(cryptd(a))": "cryptd(a)",
	} {
		if inner, ok := CutCryptd(name); !ok || inner != want || Cryptd(inner) != name {
			t.Errorf("CutCryptd(%q): %q, %v", name, inner, ok)
		}
	}
	for _, name := range []string{"", "a", "cryptd", "cryptd(", "cryptd(a", "cryptd a)", "xcryptd(a)"} {
		if _, ok := CutCryptd(name); ok {
			t.Errorf("CutCryptd(%q): ok", name)
		}
	}
	if q, err := NewQueueFor("a", false, nil); q != nil || err != nil {
		t.Errorf("synchronous: %v, %v", q, err)
	}
	if _, err := NewQueueFor("a", false, []Option{Workers(1)}); !errors.Is(err, ErrOption) {
		t.Errorf("synchronous, with an option: %v", err)
	}
	for _, options := range [][]Option{{Workers(0)}, {QueueLength(-1)}, {Workers(2), QueueLength(0)}} {
		if _, err := NewQueueFor("cryptd(a)", true, options); !errors.Is(err, ErrOption) {
			t.Errorf("bad option: %v", err)
		}
	}
	q, err := NewQueueFor("cryptd(a)", true, []Option{Workers(2), QueueLength(3)})
	if err != nil || q.limit != 3 {
		t.Fatalf("limit %d, %v", q.limit, err)
	}
	// Two jobs at once: each waits for the other.
	a, b := make(chan struct{}), make(chan struct{})
	q.Submit(&job{run: func() { close(a); <-b }}, false)
	q.Submit(&job{run: func() { close(b); <-a }}, false)
	q.Close()
	q, err = NewQueueFor("cryptd(a)", true, nil)
	if err != nil || q.limit != defaultQueue {
		t.Fatalf("limit %d, %v", q.limit, err)
	}
	q.Close()
}
