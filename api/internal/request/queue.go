package request

import "sync"

// Job is what a worker runs.
type Job interface {
	// Start tells a job that waited on the backlog that its turn has come.
	Start()
	// Run does the work.
	Run()
}

// Queue runs jobs on workers of its own, in the order in which they came. It holds a limited number of jobs
// that wait for a worker; more can wait on a backlog, if they ask for it. All methods are safe for concurrent
// use.
type Queue struct {
	mu      sync.Mutex
	filled  sync.Cond // a job came, or the queue was closed
	jobs    ring
	backlog ring
	limit   int
	closed  bool
	workers sync.WaitGroup
}

// NewQueue returns a queue for at most limit waiting jobs, both at least 1.
func NewQueue(workers, limit int) *Queue {
	q := &Queue{limit: limit}
	q.filled.L = &q.mu
	for range workers {
		q.workers.Go(q.work)
	}
	return q
}

// Submit hands job to the workers. If there is room for it, Submit returns ErrInProgress. If not, it returns
// ErrBusy, and the job waits on the backlog if mayBacklog says so, and otherwise is not taken. After Close it
// returns ErrClosed.
func (q *Queue) Submit(job Job, mayBacklog bool) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return ErrClosed
	}
	if q.jobs.n < q.limit {
		q.jobs.push(entry{job: job})
		q.filled.Signal()
		return ErrInProgress
	}
	if mayBacklog {
		q.backlog.push(entry{job: job, backlogged: true})
	}
	return ErrBusy
}

// Close takes no more jobs, and returns when those taken, the backlog included, have run. It must not be called
// by a job.
func (q *Queue) Close() {
	q.mu.Lock()
	q.closed = true
	q.filled.Broadcast()
	q.mu.Unlock()
	q.workers.Wait()
}

// work runs jobs until the queue is closed and empty.
func (q *Queue) work() {
	for {
		next, ok := q.next()
		if !ok {
			return
		}
		if next.backlogged {
			next.job.Start()
		}
		next.job.Run()
	}
}

// next waits for the next job, and moves the first of the backlog to the room that this leaves in the queue.
func (q *Queue) next() (entry, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.jobs.n == 0 && !q.closed {
		q.filled.Wait()
	}
	if q.jobs.n == 0 {
		return entry{}, false
	}
	next := q.jobs.pop()
	if q.backlog.n > 0 {
		q.jobs.push(q.backlog.pop())
		q.filled.Signal()
	}
	return next, true
}

// entry is a job in the queue or on the backlog.
type entry struct {
	job        Job
	backlogged bool
}

// ring is a first-in first-out list that keeps its memory.
type ring struct {
	entries []entry
	first   int
	n       int
}

func (r *ring) push(e entry) {
	if r.n == len(r.entries) {
		grown := make([]entry, max(8, 2*r.n))
		k := copy(grown, r.entries[r.first:])
		copy(grown[k:], r.entries[:r.first])
		r.entries, r.first = grown, 0
	}
	r.entries[(r.first+r.n)%len(r.entries)] = e
	r.n++
}

func (r *ring) pop() entry {
	e := r.entries[r.first]
	r.entries[r.first] = entry{}
	r.first = (r.first + 1) % len(r.entries)
	r.n--
	return e
}
