package aead

import (
	"testing"

	"lamina/api/scatter"
	"lamina/arch"
)

// TestNoAllocations holds that a request that is used again allocates nothing, whichever way its message is done.
func TestNoAllocations(t *testing.T) {
	shapes := []struct {
		name  string
		n     int
		sizes []int
	}{
		{"whole", 1000, []int{1100}},
		{"pieces", 1000, []int{16, 1000, 50}},
		{"joined", 1000, cycle(1040, 100)},
		{"long", 9000, cycle(9040, 700)},
	}
	forEachDriver(t, func(t *testing.T, m *mode, im arch.Impl) {
		for _, name := range []string{m.prefix + im.String(), cryptdOf(m, im)} {
			tfm := allocKeyed(t, name)
			r := tfm.NewRequest()
			iv := make([]byte, tfm.IVSize())
			iv[0] = 2
			for _, shape := range shapes {
				list, other := newArena(shape.sizes).list, newArena(shape.sizes).list
				for _, dst := range []scatter.List{list, other} {
					if n := testing.AllocsPerRun(20, func() {
						r.SetAD(16)
						r.SetCrypt(list, dst, shape.n, iv)
						if err := Wait(r, r.Encrypt()); err != nil {
							t.Fatal(err)
						}
						r.SetCrypt(dst, list, shape.n+16, iv)
						if err := Wait(r, r.Decrypt()); err != nil {
							t.Fatal(err)
						}
					}); n != 0 {
						t.Errorf("%s, %s: %v allocations, want 0", name, shape.name, n)
					}
				}
			}
		}
	})
}
