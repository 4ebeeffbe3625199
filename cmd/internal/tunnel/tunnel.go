// Package tunnel sends sealed records over UDP on the loopback interface, as a VPN's data channel does, and counts
// what arrives. It is an example of both ways to call Lamina, directly and by request.
//
// A record is one datagram:
//
//	kind 1 | stream 3 | number 8 | text | tag 16
//
// The first 12 bytes are the associated data, and the nonce as well: no two records of a run have the same, and
// each run has a new key. Numbers count from 0 in each stream and direction.
//
// UDP loses what a full buffer has no room for. So a stream has at most a window of records under way, the receiver
// acknowledges them in records of its own, and the sender sends again what it has waited for too long. Records
// are taken in order; one that comes early or twice is opened and left.
package tunnel

import (
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"lamina/arch"
)

const (
	headerSize = 12
	tagSize    = 16
	keySize    = 32
	ackText    = 8 // the number of the next record that is expected

	// MinText and MaxText are the limits of a record's text in bytes. Its number is in the text too, and no system
	// refuses a datagram of MaxText.
	MinText = 8
	MaxText = 9000
	// MaxStreams is the most streams of a run.
	MaxStreams = 64

	maxWindow   = 32
	windowBytes = 64 << 10 // of all records under way: half a usual buffer, which counts more than their bytes
	patience    = 20 * time.Millisecond
	maxTries    = 250 // that many times patience without an acknowledgement end a run
)

// Run is a number of streams that send for some time.
type Run struct {
	Text     int // bytes of text of each record
	Streams  int
	Duration time.Duration

	// lose reports whether the datagram with this number, counted for each socket, is lost; nil loses none.
	lose func(n int) bool
}

// Result is what came of a run: every record arrived, in order, and opened to what was sealed.
type Result struct {
	Records int           // of text, of all streams together
	Again   int           // records that were sent again
	Elapsed time.Duration // until the last record was acknowledged
}

// Gbits returns how much text arrived in 10^9 bits a second.
func (r Result) Gbits(text int) float64 {
	return float64(8*text) * float64(r.Records) / float64(r.Elapsed.Nanoseconds())
}

// Add adds what another run gave.
func (r *Result) Add(other Result) {
	r.Records += other.Records
	r.Again += other.Again
	r.Elapsed += other.Elapsed
}

// Do sends records under a new AES-256 key, sealed and opened in the given way by im. Any record that does not open,
// or not to what was sealed, is an error, and so is one that does not arrive after many tries.
func (r Run) Do(way Way, im arch.Impl) (Result, error) {
	switch {
	case r.Text < MinText || r.Text > MaxText:
		return Result{}, fmt.Errorf("records of %d bytes; they must have between %d and %d", r.Text, MinText, MaxText)
	case r.Streams < 1 || r.Streams > MaxStreams:
		return Result{}, fmt.Errorf("%d streams; there must be between 1 and %d", r.Streams, MaxStreams)
	}
	key := make([]byte, keySize)
	rand.Read(key)
	cipher, err := way.open(im, key)
	if err != nil {
		return Result{}, err
	}
	result, err := r.send(cipher)
	return result, errors.Join(err, cipher.close())
}

func (r Run) send(c cipher) (total Result, err error) {
	streams := make([]*stream, r.Streams)
	for i := range streams {
		if streams[i], err = newStream(i, r, c); err != nil {
			return total, err
		}
		defer streams[i].close()
	}
	start := time.Now()
	results := make(chan error)
	for _, s := range streams {
		go func() { results <- s.run(start.Add(r.Duration)) }()
	}
	for range streams {
		err = errors.Join(err, <-results)
	}
	total.Elapsed = time.Since(start)
	for _, s := range streams {
		total.Records += int(s.received)
		total.Again += s.again
	}
	return total, err
}
