package main

import (
	"bytes"
	"crypto/cipher"
	"encoding/binary"
	"io"
	"runtime"
	"time"

	"lamina/arch"
	"lamina/lib/cobblestone"
)

// fileRow is the speed of sealing or opening a file's bytes in memory.
type fileRow struct {
	Impl        string  `json:"impl"`
	Op          string  `json:"op"`
	Threads     int     `json:"threads"`
	Bytes       int     `json:"bytes"`
	MBs         float64 `json:"mb_per_s"`
	StandardMBs float64 `json:"standard_mb_per_s"` // crypto/cipher, on one thread
	Ratio       float64 `json:"ratio"`
}

// fileSpeeds times the chunked sealing and opening of data, against crypto/cipher sealing and opening the same
// chunks under the same kind of nonces, on one thread. Lamina's side is the whole of package cobblestone, key derivation
// included.
func fileSpeeds(impls []arch.Impl, data []byte, cell time.Duration) []fileRow {
	key := patterned(keySize)
	threads := []int{1}
	if n := runtime.GOMAXPROCS(0); n > 1 {
		threads = append(threads, n)
	}
	standard := newStandardChunks(key, data)
	var rows []fileRow
	s := session{rounds: fileRounds}
	for _, im := range impls {
		for _, op := range []string{"seal", "open"} {
			for _, n := range threads {
				s.add(4*cell, func(t []timing) {
					rows = append(rows, fileRow{
						Impl: im.String(), Op: op, Threads: n, Bytes: len(data),
						MBs: rate(len(data), t[0].best()), StandardMBs: rate(len(data), t[1].best()), Ratio: t[1].over(t[0]),
					})
				}, cobblestoneSide(im, op, key, data, n), standard.side(op))
			}
		}
	}
	s.run()
	return rows
}

// fileRounds is small, because one operation goes over a whole file.
const fileRounds = 9

// rate is in megabytes a second.
func rate(bytes int, ns float64) float64 { return float64(bytes) / ns * 1000 }

func cobblestoneSide(im arch.Impl, op string, key, data []byte, threads int) func(n int) {
	opts := []cobblestone.Option{cobblestone.Implementation(im), cobblestone.Workers(threads)}
	seal := func(dst io.Writer) {
		w, err := cobblestone.NewWriter(dst, key, nil, opts...)
		must(err)
		_, err = w.Write(data)
		must(err)
		must(w.Close())
	}
	if op == "seal" {
		return func(n int) {
			for range n {
				seal(io.Discard)
			}
		}
	}
	var sealed bytes.Buffer
	seal(&sealed)
	return func(n int) {
		for range n {
			r, err := cobblestone.NewReader(bytes.NewReader(sealed.Bytes()), key, nil, opts...)
			must(err)
			_, err = r.WriteTo(io.Discard)
			must(err)
		}
	}
}

// standardChunks does the work of a sealed file with crypto/cipher alone.
type standardChunks struct {
	aead   cipher.AEAD
	data   []byte
	sealed []byte
	buf    []byte // for one chunk
}

func newStandardChunks(key, data []byte) *standardChunks {
	c := &standardChunks{aead: newStandard(key), data: data, buf: make([]byte, cobblestone.ChunkSize+tagSize)}
	c.seal(func(chunk []byte) { c.sealed = append(c.sealed, chunk...) })
	return c
}

func (c *standardChunks) side(op string) func(n int) {
	if op == "seal" {
		return func(n int) {
			for range n {
				c.seal(func([]byte) {})
			}
		}
	}
	return func(n int) {
		for range n {
			c.open()
		}
	}
}

// seal seals chunk by chunk; the last one is shorter, and may be empty.
func (c *standardChunks) seal(emit func(chunk []byte)) {
	var nonce [nonceSize]byte
	for i := 0; i <= len(c.data)/cobblestone.ChunkSize; i++ {
		binary.BigEndian.PutUint64(nonce[4:], uint64(i))
		start := i * cobblestone.ChunkSize
		end := min(start+cobblestone.ChunkSize, len(c.data))
		emit(c.aead.Seal(c.buf[:0], nonce[:], c.data[start:end], nil))
	}
}

// open reads the sealed bytes chunk by chunk, as from a file, and opens each in place.
func (c *standardChunks) open() {
	var nonce [nonceSize]byte
	src := bytes.NewReader(c.sealed)
	for i := 0; src.Len() > 0; i++ {
		binary.BigEndian.PutUint64(nonce[4:], uint64(i))
		chunk := c.buf[:min(len(c.buf), src.Len())]
		_, err := io.ReadFull(src, chunk)
		must(err)
		_, err = c.aead.Open(chunk[:0], nonce[:], chunk, nil)
		mustOpen(err)
	}
}
