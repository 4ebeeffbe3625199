// Package aead is the request interface to the AEAD algorithms: algorithms by name, transforms that hold a key,
// and requests over lists of segments, after the crypto API of Linux.
//
// It is for messages that lie in many buffers, for programs that choose algorithms by name, and for handing work
// to other goroutines. A message in one buffer is sealed faster by a direct call of package aesgcm or package
// aesccm; Documentation/request-api.md says when to choose which, and puts Linux's names beside these.
//
//	tfm, err := aead.Alloc("gcm(aes)")
//	err = tfm.SetKey(key)
//	req := tfm.NewRequest()
//	req.SetAD(len(header))
//	req.SetCrypt(src, dst, len(text), iv)
//	err = req.Encrypt()
//
// # Algorithms
//
//	gcm(aes)           keys of 16, 24, 32 bytes       IV 12   tags of 4, 8, 12 to 16
//	rfc4106(gcm(aes))  the same and 4 bytes of salt   IV 8    tags of 8, 12, 16
//	ccm(aes)           keys of 16, 24, 32 bytes       IV 16   tags of 4, 6, 8, 10, 12, 14, 16
//	rfc4309(ccm(aes))  the same and 3 bytes of salt   IV 8    tags of 8, 12, 16
//
// Each has a driver for each implementation that this CPU can run, such as "gcm-aes-generic". The IV of
// ccm(aes) is the first counter block: its first byte is the size of the length field less one, 1 to 7, and the
// 15 less that size bytes that follow are the nonce. The associated data of the rfc algorithms, which are for
// IPsec, has 16 or 20 bytes, of which the last 8 are the IV and are not authenticated as part of it.
//
// "cryptd(NAME)" is NAME with its requests run by workers; see [Transform.NewRequest] and [Wait].
//
// # Memory
//
// The source holds the associated data and then the text, or when decrypting the ciphertext and then the tag.
// The destination receives the associated data, the text, and when encrypting the tag. Where these parts begin
// and end need not be where segments do. Both may be the same list, or the same segments: then the operation
// is in place. Otherwise they must not overlap. Nothing behind the announced lengths is read or written.
//
// # Concurrency and errors
//
// A transform serves any number of goroutines; SetKey, SetAuthSize and Close must not be called while it is in
// use. A request serves one at a time. All state of an operation is in its request, so a request can be used
// again and again, and then nothing allocates but errors. Everything that a caller can do wrong with sizes,
// lengths and lists is an error value; nothing panics.
package aead

import (
	"lamina/api/internal/request"
	"lamina/api/registry"
)

// Transform is an algorithm with a key: what Linux calls a tfm.
type Transform struct {
	algorithm registry.Algorithm
	handle    registry.Handle
	mode      *mode
	cipher    cipher
	queue     *request.Queue // of an asynchronous transform
	key       [maxKeySize]byte
	keySize   int // 0 until the key is set
	authSize  int
	closed    bool
}

// Option is an option of Alloc.
type Option = request.Option

// Workers is the option to run n requests at once, of a transform whose requests are run by workers. Without it
// there are as many as the program uses CPUs.
func Workers(n int) Option { return request.Workers(n) }

// QueueLength is the option to let n requests wait for a worker before the queue is full, of a transform whose
// requests are run by workers. Without it these are 1000.
func QueueLength(n int) Option { return request.QueueLength(n) }

// Alloc returns a transform of the algorithm called name, under the driver with the highest priority, or of the
// driver called name. If there is none, the error is a *registry.UnknownError, with the nearest names. Only
// cryptd(...) takes options. Close the transform when it is no longer used.
func Alloc(name string, options ...Option) (*Transform, error) {
	if inner, ok := request.CutCryptd(name); ok {
		if err := registerCryptd(inner); err != nil {
			return nil, err
		}
	}
	d, handle, err := find(name)
	if err != nil {
		return nil, err
	}
	t, err := newTransform(d, options)
	if err != nil {
		handle.Release()
		return nil, err
	}
	t.handle = handle
	return t, nil
}

func newTransform(d *driver, options []Option) (*Transform, error) {
	queue, err := request.NewQueueFor(d.algorithm.Name, d.algorithm.Asynchronous, options)
	if err != nil {
		return nil, err
	}
	return &Transform{
		algorithm: d.algorithm,
		mode:      d.mode,
		cipher:    d.mode.new(d.impl),
		queue:     queue,
		authSize:  d.algorithm.MaxAuthSize,
	}, nil
}

// Algorithm describes the driver of the transform: its names and sizes.
func (t *Transform) Algorithm() registry.Algorithm { return t.algorithm }

// IVSize returns the size of IVs in bytes.
func (t *Transform) IVSize() int { return t.algorithm.IVSize }

// AuthSize returns the size of tags in bytes.
func (t *Transform) AuthSize() int { return t.authSize }

// SetKey sets the key; see the list of algorithms for sizes in bytes. key is not retained, but a copy is, until
// Close. A key of the wrong size gives ErrKeySize, and the transform keeps the key it had.
func (t *Transform) SetKey(key []byte) error {
	if t.closed {
		return t.failure(ErrClosed, "no key can be set")
	}
	switch len(key) - t.mode.saltSize {
	case 16, 24, 32:
	default:
		return t.failure(ErrKeySize, "%d bytes; it must have %d, %d or %d", len(key),
			16+t.mode.saltSize, 24+t.mode.saltSize, 32+t.mode.saltSize)
	}
	clear(t.key[:])
	t.keySize = copy(t.key[:], key)
	return t.init()
}

// SetAuthSize sets the size of tags in bytes; see the list of algorithms. Without it, tags have 16 bytes. Other
// sizes give ErrAuthSize, and the transform keeps the size it had.
func (t *Transform) SetAuthSize(size int) error {
	if t.closed {
		return t.failure(ErrClosed, "no tag size can be set")
	}
	if !t.mode.hasAuthSize(size) {
		return t.failure(ErrAuthSize, "%d bytes; it must be one of %v", size, t.mode.authSizes)
	}
	t.authSize = size
	if t.keySize == 0 {
		return nil
	}
	return t.init()
}

// init sets up the cipher for the key and the tag size. The sizes are known to be right.
func (t *Transform) init() error {
	secret := t.key[:t.keySize]
	cut := len(secret) - t.mode.saltSize
	return t.cipher.init(secret[:cut], secret[cut:], t.authSize)
}

// Close ends the transform and overwrites its key. It first lets workers finish the requests they have taken,
// those on the backlog included; so a callback must not call it. Every later use gives ErrClosed, and so does a
// second Close.
func (t *Transform) Close() error {
	if t.closed {
		return t.failure(ErrClosed, "it was closed before")
	}
	if t.queue != nil {
		t.queue.Close()
	}
	t.closed = true
	t.cipher.wipe()
	clear(t.key[:])
	t.keySize = 0
	if t.handle.Driver != nil {
		t.handle.Release()
	}
	return nil
}
