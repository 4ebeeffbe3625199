package cobblestone

// batch is a run of consecutive chunks in one buffer. They are sealed or opened where they lie, chunk i at
// byte i*sealedChunkSize, so the sealed chunks are written and read as one piece.
type batch struct {
	buf   []byte
	first uint64 // number of the first chunk
	full  int    // how many chunks are full
	last  int    // size with its tag of the last chunk of the message, after the full ones; 0 if it is not here
	dirty int    // how much of buf may have held plaintext; only a ReaderAt keeps this

	// end is what follows the chunks of this batch, in a batch that is opened: nil for more chunks, io.EOF
	// for the end of the message, or an error.
	end error

	// work is the goroutine that seals or opens the batch; it sends to done when it is finished.
	work func()
	done chan struct{}
}

func newBatch(chunks int) *batch { return &batch{buf: make([]byte, chunks*sealedChunkSize)} }

// sealedSize is the size of the chunks with their tags.
func (b *batch) sealedSize() int { return b.full*sealedChunkSize + b.last }

// slot returns the place of chunk i of the batch, full or last, with its tag.
func (b *batch) slot(i int) []byte {
	slot := b.buf[i*sealedChunkSize:]
	if i < b.full {
		return slot[:sealedChunkSize]
	}
	return slot[:b.last]
}

// chunks returns how many chunks the batch has.
func (b *batch) chunks() int {
	if b.last > 0 {
		return b.full + 1
	}
	return b.full
}

// seal seals all chunks.
func (b *batch) seal(s *stream) {
	for i := range b.chunks() {
		slot := b.slot(i)
		s.seal(slot, slot[:len(slot)-tagSize], b.first+uint64(i))
	}
}

// open opens the chunks up to the first that is not authentic, which it takes out together with all after it.
func (b *batch) open(s *stream) {
	for i := range b.chunks() {
		if err := s.open(b.slot(i), b.first+uint64(i)); err != nil {
			b.full, b.last, b.end = i, 0, err
			return
		}
	}
}

// plaintext returns what the opened chunk i holds.
func (b *batch) plaintext(i int) []byte {
	slot := b.slot(i)
	return slot[:len(slot)-tagSize]
}

// queue holds the batches of one stream that goroutines are working on, oldest first, and buffers for more.
type queue struct {
	chunks  int // in a batch
	running []*batch
	limit   int // of len(running)
	free    []*batch
	process func(*batch)
}

func newQueue(o *options, process func(*batch)) queue {
	q := queue{chunks: o.batchChunks(), process: process}
	if o.workers > 1 {
		q.limit = o.workers
	}
	return q
}

// take returns an empty batch.
func (q *queue) take() *batch {
	if n := len(q.free); n > 0 {
		b := q.free[n-1]
		q.free = q.free[:n-1]
		b.full, b.last, b.end = 0, 0, nil
		return b
	}
	b := newBatch(q.chunks)
	if q.limit > 0 {
		b.done = make(chan struct{}, 1)
		b.work = func() {
			q.process(b)
			b.done <- struct{}{}
		}
	}
	return b
}

// put gives back a batch that take returned.
func (q *queue) put(b *batch) { q.free = append(q.free, b) }

// start has b processed by a goroutine. The queue must not be full.
func (q *queue) start(b *batch) {
	q.running = append(q.running, b)
	go b.work()
}

// wait waits until the oldest batch has been processed, and takes it out of the queue.
func (q *queue) wait() *batch {
	b := q.running[0]
	<-b.done
	copy(q.running, q.running[1:])
	q.running = q.running[:len(q.running)-1]
	return b
}

func (q *queue) full() bool  { return len(q.running) == q.limit }
func (q *queue) empty() bool { return len(q.running) == 0 }

// wipe waits for all goroutines and clears all buffers. What was taken and not put back is the caller's to
// clear.
func (q *queue) wipe() {
	for !q.empty() {
		q.put(q.wait())
	}
	for _, b := range q.free {
		clear(b.buf)
	}
	q.free = nil
}
