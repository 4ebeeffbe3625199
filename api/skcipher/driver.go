package skcipher

import (
	"errors"
	"fmt"
	"slices"

	"lamina/api/internal/request"
	"lamina/api/registry"
	"lamina/arch"
)

const (
	blockSize = 16
	maxIVSize = 16
)

// cipher is a mode with a key. All that belongs to one text is in the request.
type cipher interface {
	// init sets the key, which is of a size that the mode has. Its only error is for a weak key that is not
	// allowed; then the key stays as it was.
	init(key []byte, allowWeak bool) error
	// begin begins a text with the request's IV.
	begin(r *Request)
	// encrypt and decrypt do the next part of the text. All but the last have whole blocks.
	encrypt(r *Request, dst, src []byte, last bool)
	decrypt(r *Request, dst, src []byte, last bool)
	// end hands the IV of the next request back, if there is one.
	end(r *Request)
	wipe()
}

// lengths says which sizes texts can have.
type lengths int

const (
	anyLength   lengths = iota
	wholeBlocks         // multiples of 16
	stealing            // from 16 on: a partial block steals from the one before
)

// mode is an algorithm, without an implementation.
type mode struct {
	name     string
	prefix   string // of its drivers' names
	ivSize   int
	keySizes []int
	lengths  lengths
	maxSize  uint64 // of a text; 0 if there is no limit
	new      func(arch.Impl) cipher
}

func (m *mode) hasKeySize(size int) bool { return slices.Contains(m.keySizes, size) }

// fits reports whether a text, or its last part, can have n bytes.
func (m *mode) fits(n int) bool {
	switch m.lengths {
	case wholeBlocks:
		return n >= 0 && n%blockSize == 0
	case stealing:
		return n >= blockSize
	default:
		return n >= 0
	}
}

// tail returns how many bytes at least must be done at once at the end of a text.
func (m *mode) tail() int {
	if m.lengths == stealing {
		return blockSize + 1 // the last two blocks, of which one may be partial
	}
	return 1
}

var (
	oneKey   = []int{16, 24, 32}
	nonceKey = []int{16 + nonceSize, 24 + nonceSize, 32 + nonceSize}
	twoKeys  = []int{32, 48, 64}
)

var modes = []*mode{
	{
		name:     "ecb(aes)",
		prefix:   "ecb-aes-",
		keySizes: oneKey,
		lengths:  wholeBlocks,
		new:      func(im arch.Impl) cipher { return &ecb{impl: im} },
	},
	{
		name:     "cbc(aes)",
		prefix:   "cbc-aes-",
		ivSize:   16,
		keySizes: oneKey,
		lengths:  wholeBlocks,
		new:      func(im arch.Impl) cipher { return &cbc{impl: im} },
	},
	{
		name:     "cts(cbc(aes))",
		prefix:   "cts-cbc-aes-",
		ivSize:   16,
		keySizes: oneKey,
		lengths:  stealing,
		new:      func(im arch.Impl) cipher { return &cts{cbc{impl: im}} },
	},
	{
		name:     "ctr(aes)",
		prefix:   "ctr-aes-",
		ivSize:   16,
		keySizes: oneKey,
		new:      func(im arch.Impl) cipher { return &ctr{impl: im} },
	},
	{
		name:     "rfc3686(ctr(aes))",
		prefix:   "rfc3686-ctr-aes-",
		ivSize:   8,
		keySizes: nonceKey,
		maxSize:  rfc3686MaxSize,
		new:      func(im arch.Impl) cipher { return &rfc3686{ctr: ctr{impl: im}} },
	},
	{
		name:     "xctr(aes)",
		prefix:   "xctr-aes-",
		ivSize:   16,
		keySizes: oneKey,
		new:      func(im arch.Impl) cipher { return &xctr{impl: im} },
	},
	{
		name:     "xts(aes)",
		prefix:   "xts-aes-",
		ivSize:   16,
		keySizes: twoKeys,
		lengths:  stealing,
		new:      func(im arch.Impl) cipher { return &xts{impl: im} },
	},
}

// driver is a mode under an implementation.
type driver struct {
	algorithm registry.Algorithm
	mode      *mode
	impl      arch.Impl
}

func (d *driver) Algorithm() registry.Algorithm { return d.algorithm }

func newDriver(m *mode, im arch.Impl, priority int) *driver {
	block := blockSize // Linux lists it also for modes that steal
	if m.lengths == anyLength {
		block = 1
	}
	return &driver{
		algorithm: registry.Algorithm{
			Name:       m.name,
			Driver:     m.prefix + im.String(),
			Priority:   priority,
			Type:       registry.SKCipher,
			BlockSize:  block,
			ChunkSize:  blockSize,
			IVSize:     m.ivSize,
			MinKeySize: m.keySizes[0],
			MaxKeySize: m.keySizes[len(m.keySizes)-1],
		},
		mode: m,
		impl: im,
	}
}

func init() {
	for _, info := range arch.All() {
		im, ok := arch.Lookup(info.Name)
		if !ok {
			continue
		}
		for _, m := range modes {
			if err := registry.Register(newDriver(m, im, info.Priority)); err != nil {
				panic(err) // a mistake in the table above
			}
		}
	}
}

// find returns the driver that the registry has for name, and the handle to release. Anyone can register drivers,
// but only those of this package make transforms.
func find(name string) (*driver, registry.Handle, error) {
	handle, err := registry.Find(registry.SKCipher, name)
	if err != nil {
		return nil, registry.Handle{}, err
	}
	d, ok := handle.Driver.(*driver)
	if !ok {
		handle.Release()
		return nil, registry.Handle{}, fmt.Errorf("skcipher: %s: %w", handle.Algorithm().Driver, ErrForeign)
	}
	return d, handle, nil
}

// registerCryptd registers the driver that runs requests of the driver or algorithm called inner on workers, if
// it is not there yet.
func registerCryptd(inner string) error {
	if _, nested := request.CutCryptd(inner); nested {
		return nil // there is no cryptd of a cryptd, and its name stays unknown
	}
	found, handle, err := find(inner)
	if err != nil {
		return err
	}
	defer handle.Release()
	d := *found
	d.algorithm.Name = request.Cryptd(d.algorithm.Name)
	d.algorithm.Driver = request.Cryptd(d.algorithm.Driver)
	d.algorithm.Priority += request.CryptdPriority
	d.algorithm.Asynchronous = true
	if err := registry.Register(&d); !errors.Is(err, registry.ErrRegistered) {
		return err
	}
	return nil
}
