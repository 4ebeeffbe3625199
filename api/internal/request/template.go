package request

import (
	"fmt"
	"runtime"
	"strings"
)

// CryptdPriority is by how much a cryptd driver comes before the driver that does its work.
const CryptdPriority = 50

// defaultQueue is how many requests of a transform wait for a worker, unless an option says otherwise.
const defaultQueue = 1000

// Cryptd returns the name that drivers and algorithms called name have when workers run them.
func Cryptd(name string) string { return "cryptd(" + name + ")" }

// CutCryptd returns what stands between the brackets, if name is that of a cryptd.
func CutCryptd(name string) (inner string, ok bool) {
	inner, ok = strings.CutPrefix(name, "cryptd(")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(inner, ")")
}

// Option changes how an asynchronous transform runs its requests.
type Option func(*options)

type options struct {
	workers int
	queue   int
}

// Workers sets how many requests are run at once.
func Workers(n int) Option { return func(o *options) { o.workers = n } }

// QueueLength sets how many requests wait for a worker before the queue is full.
func QueueLength(n int) Option { return func(o *options) { o.queue = n } }

// NewQueueFor returns the queue of a transform that was asked for with these options: nil for one that is
// synchronous, which has none to change.
func NewQueueFor(name string, asynchronous bool, list []Option) (*Queue, error) {
	if !asynchronous {
		if len(list) > 0 {
			return nil, fmt.Errorf("%s: %w: it is synchronous; workers and queues belong to %s", name, ErrOption, Cryptd(name))
		}
		return nil, nil
	}
	o := options{workers: runtime.GOMAXPROCS(0), queue: defaultQueue}
	for _, set := range list {
		set(&o)
	}
	if o.workers < 1 || o.queue < 1 {
		return nil, fmt.Errorf("%s: %w: %d workers and a queue of %d; both must be at least 1", name, ErrOption, o.workers, o.queue)
	}
	return NewQueue(o.workers, o.queue), nil
}
