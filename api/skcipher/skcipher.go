// Package skcipher is the request interface to the symmetric ciphers: algorithms by name, transforms that hold a
// key, and requests over lists of segments, after the crypto API of Linux.
//
// It is for texts that lie in many buffers, for programs that choose algorithms by name, and for handing work to
// other goroutines. A text in one buffer is encrypted faster by a direct call of package aesctr, aescbc or
// aesxts; Documentation/request-api.md says when to choose which, and puts Linux's names beside these.
//
//	tfm, err := skcipher.Alloc("ctr(aes)")
//	err = tfm.SetKey(key)
//	req := tfm.NewRequest()
//	req.SetCrypt(src, dst, len(text), iv)
//	err = req.Encrypt()
//
// None of these modes notices a change of the ciphertext. Where there is a choice, use package aead.
//
// # Algorithms
//
// Sizes are in bytes. The last column is what becomes of the IV when a request has ended.
//
//	ecb(aes)           keys 16, 24, 32   IV none   texts of n x 16   there is none
//	cbc(aes)           keys 16, 24, 32   IV 16     texts of n x 16   the last block of ciphertext
//	cts(cbc(aes))      keys 16, 24, 32   IV 16     texts from 16     the block encrypted last
//	ctr(aes)           keys 16, 24, 32   IV 16     texts of any size the next counter block
//	rfc3686(ctr(aes))  keys 20, 28, 36   IV 8      texts of any size stays
//	xctr(aes)          keys 16, 24, 32   IV 16     texts of any size stays
//	xts(aes)           keys 32, 48, 64   IV 16     texts from 16     the tweak to go on with, or stays
//
// Each has a driver for each implementation that this CPU can run, such as "ctr-aes-generic". "cryptd(NAME)" is
// NAME with its requests run by workers; see [Request.Encrypt] and [Wait].
//
//   - cts(cbc(aes)) is CBC with ciphertext stealing as in RFC 3962, CS3 of the addendum to NIST SP 800-38A.
//   - ctr(aes) counts in all 128 bits of the IV, big-endian.
//   - rfc3686(ctr(aes)), which is for IPsec, has keys with 4 bytes of nonce at their end. Its counter block is
//     the nonce, the IV and a count of 32 bits that begins at 1; so a text has at most 2^32 - 1 blocks.
//   - The IV of xts(aes) is the number of the data unit, little-endian: IEEE 1619.
//
// # The IV of the next request
//
// A long text can be done in several requests where the IV goes from one to the next: with cbc(aes), ctr(aes)
// and xts(aes), each request but the last having a multiple of 16 bytes (with xts(aes) the last at least 16).
// A partial block uses up all of a counter block. The request writes the IV to go on with over the one that it
// was given:
//
//   - With cts(cbc(aes)) a request ends a text, and the IV written begins the next in formats that chain texts.
//   - With xts(aes), after a size that is no multiple of 16 the text cannot go on, and the IV stays. Tweaks to go
//     on with depend on the key: keep them secret.
//   - With rfc3686(ctr(aes)) and xctr(aes) the count of blocks is not in the IV, but begins at 1 in each request.
//     A request is a whole text, and a second one needs another IV.
//
// A [Reader] or a [Writer] does a text of any size in pieces with every algorithm.
//
// # Memory
//
// Source and destination may be the same list, or the same segments: then the operation is in place. Otherwise
// they must not overlap. Nothing behind the announced size is read or written. The IV may lie in any of this
// memory, since it is read first and written last.
//
// # Concurrency and errors
//
// A transform serves any number of goroutines; SetKey and Close must not be called while it is in use. A request
// serves one at a time. All state of an operation is in its request, so a request can be used again and again,
// and then nothing allocates but errors. Everything that a caller can do wrong with sizes and lists is an error
// value; nothing panics. On an error nothing was written, and the IV is as it was.
package skcipher

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
	keyed     bool
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
	}, nil
}

// Algorithm describes the driver of the transform: its names and sizes.
func (t *Transform) Algorithm() registry.Algorithm { return t.algorithm }

// IVSize returns the size of IVs in bytes.
func (t *Transform) IVSize() int { return t.algorithm.IVSize }

// SetKey sets the key; see the list of algorithms for sizes in bytes. A key of another size gives ErrKeySize,
// and one of xts(aes) whose halves are equal gives ErrWeakKey; then the transform keeps the key it had. key is
// not retained; the transform has its schedule until Close.
func (t *Transform) SetKey(key []byte) error { return t.setKey(key, false) }

// SetKeyAllowWeak is SetKey, but takes keys of xts(aes) whose halves are equal: for reading data that was
// encrypted with such a key, not for new data.
func (t *Transform) SetKeyAllowWeak(key []byte) error { return t.setKey(key, true) }

func (t *Transform) setKey(key []byte, allowWeak bool) error {
	if t.closed {
		return t.failure(ErrClosed, "no key can be set")
	}
	if !t.mode.hasKeySize(len(key)) {
		return t.failure(ErrKeySize, "%d bytes; it must be one of %v", len(key), t.mode.keySizes)
	}
	if err := t.cipher.init(key, allowWeak); err != nil {
		return t.failure(ErrWeakKey, "both halves are equal; they must be two independent keys")
	}
	t.keyed = true
	return nil
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
	t.keyed = false
	t.cipher.wipe()
	if t.handle.Driver != nil {
		t.handle.Release()
	}
	return nil
}
