package cobblestone

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestGoroutines ends streams in every way, and also just forgets them, and wants no goroutine left.
func TestGoroutines(t *testing.T) {
	plaintext := random(70*ChunkSize, 1)
	sealed := seal(t, key128, nil, plaintext)
	damaged := bytes.Clone(sealed)
	damaged[len(damaged)/2] ^= 1
	newWriter := func(dst io.Writer) *Writer {
		w, err := NewWriter(dst, key128, nil, Workers(4))
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	newReader := func(sealed []byte) *Reader {
		r, err := NewReader(bytes.NewReader(sealed), key128, nil, Workers(4))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for name, f := range map[string]func(){
		"Writer closed":    func() { w := newWriter(io.Discard); w.Write(plaintext); w.Close() },
		"Writer aborted":   func() { w := newWriter(io.Discard); w.Write(plaintext); w.Abort() },
		"Writer failed":    func() { newWriter(&faultyWriter{limit: len(sealed) / 2}).Write(plaintext) },
		"Writer forgotten": func() { newWriter(io.Discard).Write(plaintext) },
		"Reader at end":    func() { io.Copy(io.Discard, newReader(sealed)) },
		"Reader closed":    func() { r := newReader(sealed); r.Read(make([]byte, 1)); r.Close() },
		"Reader failed":    func() { io.Copy(io.Discard, newReader(damaged)) },
		"Reader forgotten": func() { newReader(sealed).Read(make([]byte, 1)) },
		"ReaderAt forgotten": func() {
			r, err := NewReaderAt(bytes.NewReader(damaged), int64(len(damaged)), key128, nil, Workers(4))
			if err != nil {
				t.Fatal(err)
			}
			r.ReadAt(make([]byte, len(plaintext)), 0)
		},
	} {
		before := runtime.NumGoroutine()
		for range 5 {
			f()
		}
		// A goroutine that has sent its last may still be on its way out.
		after := 0
		for range 200 {
			if after = runtime.NumGoroutine(); after <= before {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		if after > before {
			t.Errorf("%s: %d goroutines more than before", name, after-before)
		}
	}
}

// TestWorkersBound counts how many batches exist while a long message goes through: memory must not grow with
// it.
func TestWorkersBound(t *testing.T) {
	const n = 3
	w, err := NewWriter(io.Discard, key128, nil, Workers(n))
	if err != nil {
		t.Fatal(err)
	}
	plaintext := random(100*ChunkSize+5, 1)
	for range 5 {
		w.Write(plaintext)
		if batches := len(w.queue.running) + len(w.queue.free) + 1; batches > n+1 {
			t.Fatalf("the Writer holds %d batches, want at most %d", batches, n+1)
		}
	}
	w.Abort()
	r, err := NewReader(bytes.NewReader(seal(t, key128, nil, plaintext)), key128, nil, Workers(n))
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := r.Read(make([]byte, ChunkSize)); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if batches := len(r.queue.running) + len(r.queue.free) + 1; batches > n+1 {
			t.Fatalf("the Reader holds %d batches, want at most %d", batches, n+1)
		}
	}
}

func TestWorkersDefault(t *testing.T) {
	if o := newOptions(nil); o.workers != 1 {
		t.Errorf("default: %d workers", o.workers)
	}
	for _, n := range []int{0, -1} {
		if o := newOptions([]Option{Workers(n)}); o.workers != runtime.GOMAXPROCS(0) {
			t.Errorf("Workers(%d): %d workers, GOMAXPROCS is %d", n, o.workers, runtime.GOMAXPROCS(0))
		}
	}
}

// TestWorkersMost checks that any number may be given, and none makes a queue without bound.
func TestWorkersMost(t *testing.T) {
	for _, n := range []int{maxWorkers, maxWorkers + 1, 1 << 30, math.MaxInt} {
		if o := newOptions([]Option{Workers(n)}); o.workers != maxWorkers {
			t.Errorf("Workers(%d): %d workers, want %d", n, o.workers, maxWorkers)
		}
		plaintext := random(40*ChunkSize+5, 1)
		checkOpens(t, key128, nil, seal(t, key128, nil, plaintext, Workers(n)), Workers(n))
	}
}

// soloStream fails the test if two calls meet in it: the underlying reader or writer of a stream need not be
// safe for concurrent use.
type soloStream struct {
	t    *testing.T
	busy atomic.Bool
	src  io.Reader
	dst  io.Writer
}

func (s *soloStream) enter() func() {
	if !s.busy.CompareAndSwap(false, true) {
		s.t.Error("two calls of the underlying stream at the same time")
	}
	return func() { s.busy.Store(false) }
}

func (s *soloStream) Read(p []byte) (int, error)  { defer s.enter()(); return s.src.Read(p) }
func (s *soloStream) Write(p []byte) (int, error) { defer s.enter()(); return s.dst.Write(p) }

// TestManyStreams runs many streams at once, for the race detector.
func TestManyStreams(t *testing.T) {
	plaintext := random(50*ChunkSize+10, 1)
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			var sealed, opened bytes.Buffer
			w, err := NewWriter(&soloStream{t: t, dst: &sealed}, key256, nil, Workers(1+i%4))
			if err != nil {
				t.Error(err)
				return
			}
			io.Copy(w, onlyReader{bytes.NewReader(plaintext)})
			if err := w.Close(); err != nil {
				t.Error(err)
			}
			r, err := NewReader(&soloStream{t: t, src: &sealed}, key256, nil, Workers(1+i%3))
			if err != nil {
				t.Error(err)
				return
			}
			_, err = r.WriteTo(&soloStream{t: t, dst: &opened})
			if err != nil || !bytes.Equal(opened.Bytes(), plaintext) {
				t.Errorf("read %d bytes, %v", opened.Len(), err)
			}
		})
	}
	wait.Wait()
}

// TestConcurrentReadAt reads one ReaderAt from many goroutines, and closes it under them.
func TestConcurrentReadAt(t *testing.T) {
	plaintext := random(40*ChunkSize+10, 1)
	sealed := seal(t, key256, nil, plaintext)
	sealed[HeaderSize+30*sealedChunkSize+5] ^= 1
	forEach(t, func(t *testing.T, opts ...Option) {
		r, err := NewReaderAt(bytes.NewReader(sealed), int64(len(sealed)), key256, nil, opts...)
		if err != nil {
			t.Fatal(err)
		}
		var wait sync.WaitGroup
		for i := range 6 {
			wait.Go(func() {
				random := rand.New(rand.NewPCG(uint64(i), 1))
				for {
					from := random.IntN(len(plaintext))
					p := make([]byte, 1+random.IntN(20*ChunkSize))
					n, err := r.ReadAt(p, int64(from))
					if errors.Is(err, ErrClosed) {
						return
					}
					if !bytes.Equal(p[:n], plaintext[from:from+n]) {
						t.Errorf("ReadAt(%d bytes, %d) = %d, %v: wrong bytes", len(p), from, n, err)
					}
					touchesBad := from < 31*ChunkSize && from+len(p) > 30*ChunkSize
					if damaged := errors.Is(err, ErrDamaged); damaged != touchesBad {
						t.Errorf("ReadAt(%d bytes, %d) = %d, %v", len(p), from, n, err)
					}
				}
			})
		}
		time.Sleep(50 * time.Millisecond)
		r.Close()
		wait.Wait()
	})
}
