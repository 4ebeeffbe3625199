package cobblestone

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha512"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"lamina/arch"
)

// The reference is the format once more, on top of the standard library and of whole messages in memory:
// HKDF-Expand written out, chunks found by slicing, and nothing shared with the package.

type reference struct {
	aead       cipher.AEAD
	baseNonce  []byte
	commitment []byte
}

func newReference(key, context, salt []byte) reference {
	name := map[int]string{16: "AEAD_AES_128_GCM", 32: "AEAD_AES_256_GCM"}[len(key)]
	info := append([]byte("c2sp.org/chunked-encryption@v1+"+name), 0)
	info = append(append(info, salt...), context...)
	var out, previous []byte
	for counter := byte(1); len(out) < len(key)+12+32; counter++ {
		mac := hmac.New(sha512.New, key)
		mac.Write(previous)
		mac.Write(info)
		mac.Write([]byte{counter})
		previous = mac.Sum(nil)
		out = append(out, previous...)
	}
	block, err := aes.NewCipher(out[:len(key)])
	if err != nil {
		panic(err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	out = out[len(key):]
	return reference{aead, out[:12], out[12:44]}
}

func (r reference) nonce(chunk int) []byte {
	number := binary.BigEndian.AppendUint64(make([]byte, 4), uint64(chunk))
	nonce := bytes.Clone(r.baseNonce)
	for i := range nonce {
		nonce[i] ^= number[i]
	}
	return nonce
}

// referenceSeal returns the sealed message with the given salt.
func referenceSeal(key, context, salt, plaintext []byte) []byte {
	r := newReference(key, context, salt)
	out := append(bytes.Clone(salt), r.commitment...)
	for chunk := 0; ; chunk++ {
		n := min(len(plaintext), 16384)
		out = r.aead.Seal(out, r.nonce(chunk), plaintext[:n], nil)
		plaintext = plaintext[n:]
		if n < 16384 {
			return out
		}
	}
}

// referenceOpen returns the chunks of a sealed message up to the first that is wrong, and its number, or -1
// if the message is whole. header is false if there are no chunks to speak of.
func referenceOpen(key, context, sealed []byte) (plaintext []byte, bad int, header bool) {
	if len(sealed) < 56 {
		return nil, 0, false
	}
	r := newReference(key, context, sealed[:24])
	if !bytes.Equal(r.commitment, sealed[24:56]) {
		return nil, 0, false
	}
	sealed = sealed[56:]
	for chunk := 0; ; chunk++ {
		n := min(len(sealed), 16400)
		text, err := r.aead.Open(nil, r.nonce(chunk), sealed[:n], nil)
		if err != nil {
			return plaintext, chunk, true
		}
		plaintext = append(plaintext, text...)
		sealed = sealed[n:]
		if n < 16400 {
			return plaintext, -1, true
		}
	}
}

// referenceChunks returns what each chunk of a sealed message holds, nil for those that are wrong, and whether
// the header and the last chunk are right.
func referenceChunks(key, context, sealed []byte) (chunks [][]byte, whole bool) {
	if len(sealed) < 56 {
		return nil, false
	}
	r := newReference(key, context, sealed[:24])
	if !bytes.Equal(r.commitment, sealed[24:56]) {
		return nil, false
	}
	sealed = sealed[56:]
	for chunk := 0; ; chunk++ {
		n := min(len(sealed), 16400)
		text, err := r.aead.Open([]byte{}, r.nonce(chunk), sealed[:n], nil)
		chunks = append(chunks, text)
		sealed = sealed[n:]
		if n < 16400 {
			return chunks, err == nil
		}
	}
}

// random returns n bytes that are the same for the same seed.
func random(n int, seed byte) []byte {
	p := make([]byte, n)
	rand.NewChaCha8([32]byte{seed}).Read(p)
	return p
}

var (
	key128 = random(16, 1)
	key256 = random(32, 2)
	salt   = random(24, 3)
)

// sizes has the sizes of messages around every boundary of chunks and batches.
var sizes = []int{
	0, 1, 15, 16, 17, 100, ChunkSize - 1, ChunkSize, ChunkSize + 1, 2*ChunkSize - 1, 2 * ChunkSize, 2*ChunkSize + 1,
	3*ChunkSize + 1000, 16*ChunkSize - 1, 16 * ChunkSize, 16*ChunkSize + 1, 17 * ChunkSize, 47*ChunkSize + 5,
}

// workers has numbers of workers: none, few, more than there are batches.
var workers = []int{1, 2, 5}

// forEach runs f as a subtest for every implementation and number of workers.
func forEach(t *testing.T, f func(t *testing.T, opts ...Option)) {
	for _, im := range arch.Impls() {
		t.Run(im.String(), func(t *testing.T) {
			forEachWorkers(t, func(t *testing.T, opts ...Option) {
				f(t, append(opts, Implementation(im))...)
			})
		})
	}
}

// forEachWorkers runs f as a subtest for every number of workers, and with -short only without and with 2.
func forEachWorkers(t *testing.T, f func(t *testing.T, opts ...Option)) {
	names := map[int]string{1: "serial", 2: "2 workers", 5: "5 workers"}
	for _, n := range workers {
		if n > 2 && testing.Short() {
			continue
		}
		t.Run(names[n], func(t *testing.T) { f(t, Workers(n)) })
	}
}
