package skcipher

import (
	"context"

	"lamina/api/internal/request"
	"lamina/api/scatter"
)

// Flags change how a request is handled.
type Flags = request.Flags

// MayBacklog lets a request wait on the backlog of an asynchronous transform where the queue is full.
const MayBacklog = request.MayBacklog

// Callback gets the result of an operation that workers ran: nil, or an error of this package. For a request
// that was on the backlog it is first called with ErrInProgress, when its turn has come. It runs on a worker,
// so it should be short; it may use the request again, unless err is ErrInProgress.
type Callback func(r *Request, err error)

// Request is one text to encrypt or decrypt under a transform. It takes a little over 4 KiB; make it once, and
// use it for one text after the other.
type Request struct {
	tfm        *Transform
	src, dst   scatter.List
	iv         []byte
	size       int
	decrypting bool

	// What a Reader or a Writer sets, which do a text in several requests, each in one segment.
	offset uint64 // how much of the text was done before; chain and counter are where that ended
	more   bool   // there is more to come

	// The state of the operation, as far as the mode has such.
	chain   [16]byte // the counter block, the block of ciphertext before, or the tweak
	counter uint64   // the number of the next block, where it is not in chain

	flags      Flags
	callback   Callback
	completion request.Completion

	walk scatter.Walk
}

// NewRequest returns a request for t.
func (t *Transform) NewRequest() *Request {
	r := &Request{tfm: t}
	r.completion.Init()
	return r
}

// SetCallback sets flags, and the function that gets the results, nil if Wait does. It matters for asynchronous
// transforms only; with others, Encrypt and Decrypt return the result, and nothing is called. It must not be
// called while an operation is under way.
func (r *Request) SetCallback(flags Flags, callback Callback) {
	r.flags, r.callback = flags, callback
}

// SetCrypt sets what is to be encrypted or decrypted: the first size bytes of src, to the first size bytes of
// dst. iv must have the size of the algorithm's IVs. When the operation has ended without an error, iv is the IV
// to go on with, for algorithms that have one; set it anew otherwise. With a size of 0,
// which those with ciphertext stealing refuse, there is nothing to do: the IV stays, and may be nil.
//
// Lists, their memory and iv must stay as they are until the operation has ended.
func (r *Request) SetCrypt(src, dst scatter.List, size int, iv []byte) {
	r.src, r.dst, r.size, r.iv = src, dst, size, iv
}

// Encrypt encrypts the text. With an asynchronous transform it returns ErrInProgress, or ErrBusy, as described
// there, and otherwise nil or what was wrong.
func (r *Request) Encrypt() error { return r.run(false) }

// Decrypt decrypts the text, otherwise as Encrypt. Nothing tells whether the ciphertext was changed.
func (r *Request) Decrypt() error { return r.run(true) }

func (r *Request) run(decrypting bool) error {
	if r.tfm.queue != nil {
		return r.submit(decrypting)
	}
	if err := r.prepare(decrypting); err != nil {
		return err
	}
	r.crypt()
	return nil
}

// Wait returns the result of an operation of r that returned err: it waits where err says that workers have the
// request, and returns any other err as it is. It is for requests without a callback.
//
//	err := skcipher.Wait(req, req.Encrypt())
func Wait(r *Request, err error) error { return WaitContext(context.Background(), r, err) }

// WaitContext is Wait, but returns ctx's error if ctx ends before the operation. The operation goes on; the
// request cannot be used again before it has ended, and can be waited for again, with ErrInProgress as err.
func WaitContext(ctx context.Context, r *Request, err error) error {
	return r.completion.Wait(ctx, err, r.flags, r.callback != nil)
}

// submit hands the request to the workers.
func (r *Request) submit(decrypting bool) error {
	err := r.completion.Submit(r.tfm.queue, (*job)(r), r.flags, func() error { return r.prepare(decrypting) })
	if err == ErrInFlight {
		return r.inFlight()
	}
	return err
}

//go:noinline
func (r *Request) inFlight() error { return r.tfm.failure(ErrInFlight, "wait for the result first") }

// job is a Request as workers see it.
type job Request

// Start implements request.Job.
func (j *job) Start() {
	if j.callback != nil {
		j.callback((*Request)(j), ErrInProgress)
	}
}

// Run implements request.Job.
func (j *job) Run() {
	r := (*Request)(j)
	callback := r.callback
	r.crypt()
	r.completion.Finish(nil, callback == nil)
	if callback != nil {
		callback(r, nil)
	}
}

// prepare checks everything that can be wrong with the request. It writes nothing outside of it.
func (r *Request) prepare(decrypting bool) error {
	t := r.tfm
	r.decrypting = decrypting
	if !t.keyed {
		return t.noKey()
	}
	if !t.mode.fits(r.size) || t.mode.maxSize != 0 && r.offset+uint64(r.size) > t.mode.maxSize {
		return r.wrongLength()
	}
	if len(r.iv) != t.algorithm.IVSize && (r.size > 0 || len(r.iv) > 0) {
		return t.wrongIV(r.iv)
	}
	inPlace := r.dst.Same(r.src)
	if !r.src.Holds(r.size) || !inPlace && !r.dst.Holds(r.size) {
		return r.shortList()
	}
	if !inPlace && scatter.Overlap(r.dst, r.size, r.src, r.size) {
		return t.failure(ErrOverlap, "they must be the same memory at the same place, or not share any")
	}
	return nil
}

//go:noinline
func (t *Transform) noKey() error {
	if t.closed {
		return t.failure(ErrClosed, "requests of it cannot be used any more")
	}
	return t.failure(ErrNoKey, "call SetKey first")
}

//go:noinline
func (t *Transform) wrongIV(iv []byte) error {
	return t.failure(ErrIVSize, "%d bytes; it must have %d", len(iv), t.algorithm.IVSize)
}

//go:noinline
func (r *Request) wrongLength() error {
	want := "it must be at least 0"
	switch m := r.tfm.mode; {
	case r.size >= 0 && m.maxSize != 0:
		want = "a text has at most 2^32 - 1 blocks of 16"
	case m.lengths == wholeBlocks:
		want = "it must be a multiple of 16"
	case m.lengths == stealing:
		want = "it must be at least 16"
	}
	return r.tfm.failure(ErrLength, "%d bytes; %s", int64(r.offset)+int64(r.size), want)
}

//go:noinline
func (r *Request) shortList() error {
	if !r.src.Holds(r.size) {
		return r.tfm.failure(ErrShortList, "the source has %d bytes; %d were announced", r.src.Len(), r.size)
	}
	return r.tfm.failure(ErrShortList, "the destination has room for %d bytes; %d were announced", r.dst.Len(),
		r.size)
}
