package aead

import (
	"testing"

	"lamina/arch"
)

// FuzzRequest compares requests under every driver with direct calls. Each byte of cuts is the size of a segment,
// and those of 128 and more are in units of 32 bytes; odd ones by their place are of the source.
func FuzzRequest(f *testing.F) {
	f.Add(uint64(0), uint8(0), uint8(16), uint16(0), []byte{})
	f.Add(uint64(1), uint8(7), uint8(3), uint16(1000), []byte{1, 0, 3, 200, 0, 0, 255})
	f.Add(uint64(2), uint8(19), uint8(20), uint16(5000), []byte{200, 3, 255, 255, 1, 1, 16, 17})
	f.Fuzz(func(t *testing.T, seed uint64, choice, adSize uint8, n uint16, cuts []byte) {
		var patterns [2][]int
		for i, c := range cuts {
			size := int(c)
			if size >= 128 {
				size = 32 * (size - 128)
			}
			patterns[i%2] = append(patterns[i%2], size)
		}
		size := int(n) % 10000
		for _, m := range modes {
			for _, im := range arch.Impls() {
				tfm := allocIn(t, m, im)
				keySize := 16 + 8*(int(choice)%3)
				s := newMessage(m, im, seed, keySize, m.authSizes[int(choice)/3%len(m.authSizes)], int(adSize), size)
				s.use(t, tfm)
				total := len(s.ad) + size + s.authSize
				srcSizes, dstSizes := cycle(total, append(patterns[0], 999)...), cycle(total, append(patterns[1], 777)...)
				s.check(t, tfm.NewRequest(), way(choice)%ways, srcSizes, dstSizes)
			}
		}
	})
}

// allocIn returns a transform that needs no Close, and costs no self-test.
func allocIn(t *testing.T, m *mode, im arch.Impl) *Transform {
	tfm, err := newTransform(newDriver(m, im, 0), nil)
	if err != nil {
		t.Fatal(err)
	}
	return tfm
}
