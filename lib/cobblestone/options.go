package cobblestone

import (
	"runtime"

	"lamina/arch"
)

// An Option changes how messages are sealed or opened. It never changes the sealed message.
type Option func(*options)

type options struct {
	impl    arch.Impl
	workers int
}

func newOptions(list []Option) options {
	o := options{impl: arch.Best(), workers: 1}
	for _, set := range list {
		set(&o)
	}
	return o
}

// maxWorkers is more than any machine has a use for, and keeps the memory for batches below 300 MB.
const maxWorkers = 1024

// Workers makes up to n goroutines seal or open chunks at the same time; n below 1 stands for one for each
// core that Go may use, and n above 1024 for 1024. Chunks keep their order. The default is 1: the calling
// goroutine does all the work, and only one chunk is held in memory.
//
// With more than one, chunks are gathered into batches of 256 KiB, of which up to n + 1 are held in memory.
// So a Writer writes later, and a Reader reads ahead, up to n batches before it hands out the first byte:
// that suits files, not conversations. Every goroutine ends when its batch is done, whether or not anything
// is closed.
func Workers(n int) Option {
	if n < 1 {
		n = runtime.GOMAXPROCS(0)
	}
	n = min(n, maxWorkers)
	return func(o *options) { o.workers = n }
}

// Implementation chooses the implementation of AES-GCM. The default is arch.Best().
func Implementation(im arch.Impl) Option {
	return func(o *options) { o.impl = im }
}

// batchChunks is how many chunks are worked on at a time. Starting a goroutine and waiting for it costs about
// as much as a fraction of a chunk; 16 chunks make that disappear.
func (o *options) batchChunks() int {
	if o.workers == 1 {
		return 1
	}
	return 16
}
