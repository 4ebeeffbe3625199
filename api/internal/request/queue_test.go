package request

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

// job calls functions; tests set those that matter to them.
type job struct{ start, run func() }

func (j *job) Start() {
	if j.start != nil {
		j.start()
	}
}

func (j *job) Run() { j.run() }

// TestQueueOrder holds a worker, fills the queue and the backlog, and looks at the order in which jobs run.
func TestQueueOrder(t *testing.T) {
	for _, limit := range []int{1, 2, 20} {
		q := NewQueue(1, limit)
		held, release := make(chan struct{}), make(chan struct{})
		if err := q.Submit(&job{run: func() { close(held); <-release }}, false); err != ErrInProgress {
			t.Fatal(err)
		}
		<-held
		var got, want []string
		for i := range 50 {
			j := &job{
				start: func() { got = append(got, fmt.Sprint("start ", i)) },
				run:   func() { got = append(got, fmt.Sprint("run ", i)) },
			}
			wantErr := ErrInProgress
			if i >= limit {
				wantErr = ErrBusy
				want = append(want, fmt.Sprint("start ", i))
				if err := q.Submit(&job{}, false); err != ErrBusy {
					t.Errorf("limit %d, job %d: %v, want ErrBusy", limit, i, err)
				}
			}
			want = append(want, fmt.Sprint("run ", i))
			if err := q.Submit(j, true); err != wantErr {
				t.Errorf("limit %d, job %d: %v, want %v", limit, i, err, wantErr)
			}
		}
		close(release)
		q.Close()
		if !slices.Equal(got, want) {
			t.Errorf("limit %d: jobs ran as %v, want %v", limit, got, want)
		}
		if err := q.Submit(&job{}, true); err != ErrClosed {
			t.Errorf("after Close: %v, want ErrClosed", err)
		}
		q.Close() // again, which changes nothing
	}
}

// TestBacklogWakes has two idle workers, a job in the queue and one on the backlog, of which the first does not end
// before the second has run: the worker that takes the first must wake the other.
func TestBacklogWakes(t *testing.T) {
	q := NewQueue(2, 1)
	time.Sleep(10 * time.Millisecond) // for both to wait
	second := make(chan struct{})
	done := make(chan bool)
	q.mu.Lock() // so that no worker takes the first job before the second has come
	q.jobs.push(entry{job: &job{run: func() {
		select {
		case <-second:
			done <- true
		case <-time.After(10 * time.Second):
			done <- false
		}
	}}})
	q.filled.Signal()
	q.backlog.push(entry{job: &job{run: func() { close(second) }}, backlogged: true})
	q.mu.Unlock()
	if !<-done {
		t.Error("a worker was idle while a job waited")
	}
	q.Close()
}

// TestQueueMany submits from many goroutines, and counts.
func TestQueueMany(t *testing.T) {
	for _, limit := range []int{1, 100} {
		var mu sync.Mutex
		count := make(map[int]int)
		q := NewQueue(4, limit)
		var group sync.WaitGroup
		for i := range 20 {
			group.Go(func() {
				for k := range 100 {
					q.Submit(&job{run: func() {
						mu.Lock()
						defer mu.Unlock()
						count[100*i+k]++
					}}, true)
				}
			})
		}
		group.Wait()
		q.Close()
		for id, n := range count {
			if n != 1 {
				t.Errorf("job %d ran %d times", id, n)
			}
		}
		if len(count) != 2000 {
			t.Errorf("%d jobs ran, want 2000", len(count))
		}
	}
}

// TestRing compares a ring with a slice while both grow and shrink.
func TestRing(t *testing.T) {
	var r ring
	var want []int
	next := 0
	values := make(map[Job]int)
	for round := range 200 {
		for range (round * 7) % 23 {
			j := &job{}
			values[j] = next
			r.push(entry{job: j})
			want = append(want, next)
			next++
		}
		for range min(len(want), (round*5)%19) {
			if got := values[r.pop().job]; got != want[0] {
				t.Fatalf("got %d, want %d", got, want[0])
			}
			want = want[1:]
		}
		if r.n != len(want) {
			t.Fatalf("%d entries, want %d", r.n, len(want))
		}
	}
}

// TestQueueAllocations holds that a queue that has grown allocates nothing.
func TestQueueAllocations(t *testing.T) {
	q := NewQueue(1, 10)
	defer q.Close()
	done := make(chan struct{}, 1)
	j := &job{run: func() { done <- struct{}{} }}
	if n := testing.AllocsPerRun(100, func() {
		if err := q.Submit(j, true); !errors.Is(err, ErrInProgress) {
			t.Fatal(err)
		}
		<-done
	}); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}
