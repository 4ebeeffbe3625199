package aead

import (
	"errors"
	"fmt"
	"slices"

	"lamina/api/internal/request"
	"lamina/api/registry"
	"lamina/arch"
)

const (
	maxKeySize = 32 + 4
	maxTagSize = 16
)

// cipher is a mode with a key. All that belongs to one message is in the request.
type cipher interface {
	// init sets the key, the salt and the tag size, all of which are of sizes that the mode has.
	init(key, salt []byte, authSize int) error
	// prepare makes the nonce of the request's IV, and checks what is particular to the mode: the IV's form and
	// the lengths of the associated data and of n bytes of text.
	prepare(r *Request, n int) error
	// seal and open do a whole message. ad is what is authenticated, and tag has the size of the key's tags.
	seal(r *Request, dst, tag, src, ad []byte)
	open(r *Request, dst, src, tag, ad []byte) error
	// begin, auth, encrypt or decrypt, and sealed or opened do a message of n bytes of text in pieces.
	begin(r *Request, adSize, n int) error
	auth(r *Request, ad []byte)
	encrypt(r *Request, dst, src []byte)
	decrypt(r *Request, dst, src []byte)
	sealed(r *Request, tag []byte)
	opened(r *Request, tag []byte) error
	wipe()
}

// mode is an algorithm, without an implementation.
type mode struct {
	name      string
	prefix    string // of its drivers' names
	ivSize    int
	saltSize  int // how many bytes of the key are salt
	authSizes []int
	new       func(arch.Impl) cipher
}

func (m *mode) hasAuthSize(size int) bool { return slices.Contains(m.authSizes, size) }

var modes = []*mode{
	{
		name:      "gcm(aes)",
		prefix:    "gcm-aes-",
		ivSize:    12,
		authSizes: []int{4, 8, 12, 13, 14, 15, 16},
		new:       func(im arch.Impl) cipher { return &gcm{impl: im} },
	},
	{
		name:      "rfc4106(gcm(aes))",
		prefix:    "rfc4106-gcm-aes-",
		ivSize:    espIVSize,
		saltSize:  4,
		authSizes: []int{8, 12, 16},
		new:       func(im arch.Impl) cipher { return &gcm{impl: im, esp: true} },
	},
	{
		name:      "ccm(aes)",
		prefix:    "ccm-aes-",
		ivSize:    ccmIVSize,
		authSizes: []int{4, 6, 8, 10, 12, 14, 16},
		new:       func(im arch.Impl) cipher { return &ccm{impl: im} },
	},
	{
		name:      "rfc4309(ccm(aes))",
		prefix:    "rfc4309-ccm-aes-",
		ivSize:    espIVSize,
		saltSize:  3,
		authSizes: []int{8, 12, 16},
		new:       func(im arch.Impl) cipher { return &esp4309{ccm: ccm{impl: im}} },
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
	return &driver{
		algorithm: registry.Algorithm{
			Name:        m.name,
			Driver:      m.prefix + im.String(),
			Priority:    priority,
			Type:        registry.AEAD,
			BlockSize:   1,
			ChunkSize:   16,
			IVSize:      m.ivSize,
			MinKeySize:  16 + m.saltSize,
			MaxKeySize:  32 + m.saltSize,
			MaxAuthSize: maxTagSize,
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
	handle, err := registry.Find(registry.AEAD, name)
	if err != nil {
		return nil, registry.Handle{}, err
	}
	d, ok := handle.Driver.(*driver)
	if !ok {
		handle.Release()
		return nil, registry.Handle{}, fmt.Errorf("aead: %s: %w", handle.Algorithm().Driver, ErrForeign)
	}
	return d, handle, nil
}

// registerCryptd registers the driver that runs requests of the driver or algorithm called inner on workers, if
// it is not there yet.
func registerCryptd(inner string) error {
	found, handle, err := find(inner)
	if err != nil {
		return err
	}
	defer handle.Release()
	d := *found
	if d.algorithm.Asynchronous {
		return nil // there is no cryptd of a cryptd, and its name stays unknown
	}
	d.algorithm.Name = request.Cryptd(d.algorithm.Name)
	d.algorithm.Driver = request.Cryptd(d.algorithm.Driver)
	d.algorithm.Priority += request.CryptdPriority
	d.algorithm.Asynchronous = true
	if err := registry.Register(&d); !errors.Is(err, registry.ErrRegistered) {
		return err
	}
	return nil
}
