package suite

import (
	"encoding/binary"
	"reflect"
	"testing"
	"unsafe"

	"lamina/arch"
	"lamina/internal/fence"
	"lamina/internal/montecarlo"
)

// sizes are lengths of messages: all up to 1024, and around where the loops of the widest implementations, of
// batches and of steps, begin and end, up to 70000.
func sizes() (list []int) {
	for n := range 1025 {
		if !testing.Short() || n < 70 || n%7 == 3 || n%128 < 2 || n%16 == 15 && n%5 == 0 {
			list = append(list, n)
		}
	}
	bounds := []int{8192, 16384, 32768, 65536, 70000}
	for n := 1152; n <= 4096; n += 128 {
		bounds = append(bounds, n)
	}
	for i, bound := range bounds {
		if testing.Short() && i%4 != 0 {
			continue
		}
		for _, d := range []int{-17, -16, -15, -1, 0, 1, 15, 16, 17} {
			list = append(list, bound+d)
		}
	}
	return list
}

// lengths tries every length of text and of associated data, with all sizes of key. A message of a MAC counts as
// associated data.
func (s *state[K]) lengths() {
	for i, n := range sizes() {
		for j := range s.mode.Keys {
			if testing.Short() && i%len(s.mode.Keys) != j && n > 70 {
				continue
			}
			index := i*len(s.mode.Keys) + j
			if m, ok := s.random(index, n, n*7%67); ok && s.mode.Unit > 0 {
				s.everywhere(m)
			}
			if m, ok := s.random(index, s.mode.Fits(n*5%37), n); ok && s.mode.AD {
				s.everywhere(m)
			}
		}
	}
}

// alignments moves each buffer in turn over every distance from a multiple of 64.
func (s *state[K]) alignments() {
	mem := new(canaried)
	s.mem = mem
	for i, n := range []int{1, 16, 31, 77, 200, 528, 1111} {
		if testing.Short() && n > 77 {
			continue
		}
		m, ok := s.random(i, s.mode.Fits(n), n*3/2)
		if !ok {
			continue
		}
		for r := range roles {
			for align := range 64 {
				mem.at = [roles]int{3, 3, 3, 3, 5, 7}
				mem.at[r] = align
				s.everywhere(m)
			}
		}
	}
}

// guards has every buffer, and the key in use, against a page that may not be touched: behind it, and before it.
func (s *state[K]) guards() {
	for _, atEnd := range []bool{true, false} {
		s.mem = newGuarded(s.t, 5000, atEnd)
		k := fence.Object[K](fence.NewGuarded(s.t, 1), atEnd)
		for i, n := range sizes() {
			if n > 4200 {
				continue
			}
			for j, lengths := range [][2]int{{n, n * 7 % 67}, {s.mode.Fits(n * 5 % 67), n}} {
				m, ok := s.random(i+i/len(s.mode.Keys), lengths[0], lengths[1])
				if !ok || !s.mode.AD && j > 0 {
					continue
				}
				for _, im := range arch.Impls() {
					s.check(s.set(k, im, m), im, m)
				}
			}
		}
	}
}

// wraps has counters and tweaks in each of whose words, of 32 and of 64 bits, a wrap is near: big-endian and
// little-endian, with random bytes around them and with ones, which carry it on.
func (s *state[K]) wraps() {
	ivSize := pick(s.mode.IVs, 0)
	if s.mode.Start != nil {
		ivSize = 16
	}
	before := []int{1, 2, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 40, 63, 64, 65, 69}
	if testing.Short() {
		before = []int{1, 7, 8, 33}
	}
	i := 0
	for _, word := range []int{4, 8} {
		for at := 0; at+word <= ivSize; at += word {
			for _, n := range before {
				for _, order := range []binary.ByteOrder{binary.BigEndian, binary.LittleEndian} {
					for _, ones := range []bool{false, true} {
						block := s.some(ivSize)
						if ones {
							for j := range block {
								block[j] = 0xff
							}
						}
						if word == 4 {
							order.PutUint32(block[at:], uint32(-n))
						} else {
							order.PutUint64(block[at:], uint64(-n))
						}
						s.from(i, block)
						i++
					}
				}
			}
		}
	}
}

// from encrypts a message whose counters or tweaks begin with block.
func (s *state[K]) from(i int, block []byte) {
	m, ok := s.random(i, s.mode.Fits(16*73+i%16), i%40)
	if !ok {
		return
	}
	iv := block
	if s.mode.Start != nil {
		iv = s.mode.Start(m.key, block)
	}
	s.everywhere(s.message(m.key, iv, m.text, m.ad, len(m.tag)))
}

// otherKeys uses keys under other implementations than the one that set them.
func (s *state[K]) otherKeys() {
	for i, n := range []int{16, 63, 160, 300, 1111, 4097} {
		for j := range s.mode.Keys {
			m, ok := s.random(i*len(s.mode.Keys)+j, s.mode.Fits(n), n)
			if !ok {
				continue
			}
			for _, by := range arch.Impls() {
				k := s.set(&s.key, by, m)
				for _, im := range arch.Impls() {
					s.move(k, im)
					s.check(k, im, m)
				}
			}
		}
	}
}

// move makes a key one for another implementation, by writing to its field of the type arch.Impl.
func (s *state[K]) move(k *K, im arch.Impl) {
	s.t.Helper()
	if moveFields(reflect.ValueOf(k).Elem(), im) != 1 {
		s.t.Fatalf("%T has not one implementation in it", k)
	}
}

// moveFields sets the fields of type arch.Impl in v and returns how many there are.
func moveFields(v reflect.Value, im arch.Impl) (found int) {
	if v.Type() == reflect.TypeFor[arch.Impl]() {
		*(*arch.Impl)(unsafe.Pointer(v.UnsafeAddr())) = im
		return 1
	}
	if v.Kind() == reflect.Struct {
		for i := range v.NumField() {
			found += moveFields(v.Field(i), im)
		}
	}
	return found
}

// monteCarlo runs long chains and compares their sums with those of the textbook.
func (s *state[K]) monteCarlo() {
	for _, size := range s.mode.Keys {
		short, long := montecarlo.Want(s.mode.Mode, size)
		for _, im := range arch.Impls() {
			c := montecarlo.NewChain(s.mode.Mode, size)
			encrypt := func(key, iv, text, ad []byte, tagSize int) (out, tag, next []byte) {
				return s.link(im, key, iv, text, ad, tagSize)
			}
			reach := func(n int, want string) {
				if got := c.Sum(n, encrypt); got != want {
					s.t.Fatalf("%v, key of %d bytes: after %d messages the sum is %s, want %s", im, size, n, got, want)
				}
			}
			if reach(montecarlo.Short, short); !testing.Short() {
				reach(montecarlo.Long, long)
			}
		}
	}
}

// link encrypts one message of a chain, and decrypts it again.
func (s *state[K]) link(im arch.Impl, key, iv, text, ad []byte, tagSize int) (out, tag, next []byte) {
	m := &message{key: key, iv: iv, text: text, ad: ad, tag: make([]byte, tagSize)}
	k := s.set(&s.key, im, m)
	c := s.call("chained encryption of", im, m, text, false)
	s.mode.Encrypt(k, c.dst, m.tag, c.iv, c.src, c.ad)
	m.sealed, m.next = append([]byte{}, c.dst...), append([]byte{}, c.iv...)
	if s.mode.Decrypt != nil {
		s.decrypt(k, im, m, true)
	}
	return m.sealed, m.tag, m.next
}
