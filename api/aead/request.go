package aead

import (
	"context"
	"math"

	"lamina/api/internal/request"
	"lamina/api/scatter"
	"lamina/lib/aesccm"
	"lamina/lib/aesgcm"
)

// Flags change how a request is handled.
type Flags = request.Flags

// MayBacklog lets a request wait on the backlog of an asynchronous transform where the queue is full.
const MayBacklog = request.MayBacklog

// Callback gets the result of an operation that workers ran: nil, or an error of this package. For a request
// that was on the backlog it is first called with ErrInProgress, when its turn has come. It runs on a worker,
// so it should be short; it may use the request again, unless err is ErrInProgress.
type Callback func(r *Request, err error)

// Request is one message to encrypt or decrypt under a transform. It takes about 5 KiB; make it once, and use it
// for one message after the other.
type Request struct {
	tfm        *Transform
	src, dst   scatter.List
	iv         []byte
	adSize     int
	cryptSize  int
	decrypting bool
	inPlace    bool

	// What prepare makes of the above.
	nonce           [16]byte
	nonceSize       int
	tag             [maxTagSize]byte // for a tag that does not go straight from or to a segment
	unauthenticated int              // bytes of the associated data that are only copied

	flags      Flags
	callback   Callback
	completion request.Completion

	gcm  aesgcm.Ctx
	ccm  aesccm.Ctx
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

// SetAD sets how many bytes at the beginning of both lists are associated data. Like SetCrypt it must not be
// called while an operation is under way.
func (r *Request) SetAD(size int) { r.adSize = size }

// SetCrypt sets what is to be encrypted or decrypted. size is how many bytes follow the associated data in src:
// those of the text, and for decryption also those of the tag. dst must have room for the associated data, the
// text, and for encryption the tag. iv must have the size of the algorithm's IVs; it is only read.
//
// Lists, their memory and iv must stay as they are until the operation has ended.
func (r *Request) SetCrypt(src, dst scatter.List, size int, iv []byte) {
	r.src, r.dst, r.cryptSize, r.iv = src, dst, size, iv
}

// Encrypt seals the message. With an asynchronous transform it returns ErrInProgress, or ErrBusy, as described
// there, and otherwise nil or what was wrong.
func (r *Request) Encrypt() error {
	if r.tfm.queue != nil {
		return r.submit(false)
	}
	if err := r.prepare(false); err != nil {
		return err
	}
	return r.seal()
}

// Decrypt opens the message. If it was not sealed so, the result is ErrBadMessage, and the text in dst is zeros.
// Otherwise it is as Encrypt.
func (r *Request) Decrypt() error {
	if r.tfm.queue != nil {
		return r.submit(true)
	}
	if err := r.prepare(true); err != nil {
		return err
	}
	return r.open()
}

// Wait returns the result of an operation of r that returned err: it waits where err says that workers have the
// request, and returns any other err as it is. It is for requests without a callback, and for one goroutine at a
// time.
//
//	err := aead.Wait(req, req.Encrypt())
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
	var err error
	if r.decrypting {
		err = r.open()
	} else {
		err = r.seal()
	}
	r.completion.Finish(err, callback == nil)
	if callback != nil {
		callback(r, err)
	}
}

// textSize returns how many bytes of text the message has.
func (r *Request) textSize() int {
	if r.decrypting {
		return r.cryptSize - r.tfm.authSize
	}
	return r.cryptSize
}

// prepare checks everything that can be wrong with the request but the tag. It writes nothing outside of it.
func (r *Request) prepare(decrypting bool) error {
	t := r.tfm
	r.decrypting = decrypting
	if t.keySize == 0 {
		return r.noKey()
	}
	n := r.textSize()
	if r.adSize < 0 || n < 0 || r.cryptSize < 0 || r.adSize > math.MaxInt-r.cryptSize-maxTagSize {
		return r.wrongLength()
	}
	if len(r.iv) != t.algorithm.IVSize {
		return t.failure(ErrIVSize, "%d bytes; it must have %d", len(r.iv), t.algorithm.IVSize)
	}
	need, room := r.adSize+r.cryptSize, r.adSize+n
	if !decrypting {
		room += t.authSize
	}
	r.inPlace = r.dst.Same(r.src)
	if r.inPlace {
		need = max(need, room)
	}
	if !r.src.Holds(need) || !r.inPlace && !r.dst.Holds(room) {
		return r.shortList(room)
	}
	if !r.inPlace && scatter.Overlap(r.dst, room, r.src, need) {
		return t.failure(ErrOverlap, "they must be the same memory at the same place, or not share any")
	}
	r.unauthenticated = 0
	return t.cipher.prepare(r, n)
}

//go:noinline
func (r *Request) noKey() error {
	if r.tfm.closed {
		return r.tfm.failure(ErrClosed, "requests of it cannot be used any more")
	}
	return r.tfm.failure(ErrNoKey, "call SetKey first")
}

//go:noinline
func (r *Request) wrongLength() error {
	if r.adSize >= 0 && r.cryptSize >= 0 && r.textSize() < 0 {
		return r.tfm.failure(ErrLength, "%d bytes to decrypt; a message has at least a tag of %d", r.cryptSize, r.tfm.authSize)
	}
	return r.tfm.failure(ErrLength, "%d bytes of associated data and %d to encrypt or decrypt; both must be at least 0, "+
		"and their sum an int", r.adSize, r.cryptSize)
}

//go:noinline
func (r *Request) shortList(room int) error {
	if !r.src.Holds(r.adSize + r.cryptSize) {
		return r.tfm.failure(ErrShortList, "the source has %d bytes; %d of associated data and %d to encrypt or decrypt "+
			"were announced", r.src.Len(), r.adSize, r.cryptSize)
	}
	return r.tfm.failure(ErrShortList, "the destination has room for %d bytes; associated data, text and tag take %d",
		r.dst.Len(), room)
}
