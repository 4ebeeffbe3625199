package cobblestone

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"lamina/arch"
)

func benchmarkEach(b *testing.B, f func(b *testing.B, opts ...Option)) {
	for _, im := range arch.Impls() {
		for _, n := range []int{1, 2} {
			b.Run(fmt.Sprintf("%v/workers=%d", im, n), func(b *testing.B) { f(b, Implementation(im), Workers(n)) })
		}
	}
}

const benchmarkSize = 8 << 20

func BenchmarkSeal(b *testing.B) {
	plaintext := make([]byte, benchmarkSize)
	benchmarkEach(b, func(b *testing.B, opts ...Option) {
		b.SetBytes(benchmarkSize)
		for b.Loop() {
			w, err := NewWriter(io.Discard, key256, nil, opts...)
			if err != nil {
				b.Fatal(err)
			}
			w.Write(plaintext)
			if err := w.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkOpen(b *testing.B) {
	sealed := seal(b, key256, nil, make([]byte, benchmarkSize))
	benchmarkEach(b, func(b *testing.B, opts ...Option) {
		b.SetBytes(benchmarkSize)
		for b.Loop() {
			r, err := NewReader(bytes.NewReader(sealed), key256, nil, opts...)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := r.WriteTo(io.Discard); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkReadAt(b *testing.B) {
	sealed := seal(b, key256, nil, make([]byte, benchmarkSize))
	benchmarkEach(b, func(b *testing.B, opts ...Option) {
		r, err := NewReaderAt(bytes.NewReader(sealed), int64(len(sealed)), key256, nil, opts...)
		if err != nil {
			b.Fatal(err)
		}
		p := make([]byte, benchmarkSize)
		b.SetBytes(benchmarkSize)
		for b.Loop() {
			if _, err := r.ReadAt(p, 0); err != nil {
				b.Fatal(err)
			}
		}
	})
}
