package cobblestone

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// FuzzOpen opens arbitrary bytes. Mutation finds no way past the commitment, so this is about headers;
// FuzzDamage is about chunks.
func FuzzOpen(f *testing.F) {
	for _, size := range []int{0, 30, ChunkSize, 2*ChunkSize + 5} {
		f.Add(referenceSeal(key128, []byte("context"), salt, random(size, 1)))
	}
	f.Add([]byte{})
	f.Add(make([]byte, HeaderSize))
	f.Fuzz(func(t *testing.T, sealed []byte) {
		for _, n := range []int{1, 2} {
			checkOpens(t, key128, []byte("context"), sealed, Workers(n))
			checkOpens(t, key256, nil, sealed, Workers(n))
		}
	})
}

// FuzzDamage seals a message of some size and does to it what edits says: each edit is an operation, a place
// of four bytes and a value. All that comes out of any way to open it must be what the reference finds
// authentic.
func FuzzDamage(f *testing.F) {
	const editSize = 6
	edit := func(op, value byte, place uint32) []byte {
		return append(binary.BigEndian.AppendUint32([]byte{op}, place<<1), value)
	}
	f.Add(uint32(100), []byte{})
	f.Add(uint32(3*ChunkSize), edit(0, 1, HeaderSize+5))
	f.Add(uint32(17*ChunkSize), edit(1, 0, HeaderSize+16*sealedChunkSize))
	f.Add(uint32(2*ChunkSize+1), edit(2, 3, 1000))
	f.Add(uint32(4*ChunkSize+1), append(edit(3, 0, 1), edit(4, 1, 2)...))
	f.Add(uint32(4*ChunkSize), edit(5, 9, 0))
	f.Fuzz(func(t *testing.T, size uint32, edits []byte) {
		plaintext := random(int(size%(20*ChunkSize)), 1)
		sealed := referenceSeal(key128, nil, salt, plaintext)
		for ; len(edits) >= editSize; edits = edits[editSize:] {
			sealed = damage(sealed, edits[0], edits[5], int(binary.BigEndian.Uint32(edits[1:])>>1))
		}
		if got, _, _ := referenceOpen(key128, nil, sealed); !bytes.HasPrefix(plaintext, got) {
			t.Fatal("the reference opens what was never sealed")
		}
		for _, n := range []int{1, 3} {
			checkOpens(t, key128, nil, sealed, Workers(n))
		}
	})
}

// damage changes a byte, cuts, appends, or takes out, repeats or swaps chunks.
func damage(sealed []byte, op, value byte, place int) []byte {
	if len(sealed) < HeaderSize {
		return sealed
	}
	header, chunks := pieces(bytes.Clone(sealed))
	at, chunk, other := place%len(sealed), 0, 0
	if len(chunks) > 0 {
		chunk, other = place%len(chunks), int(value)%len(chunks)
	}
	switch op % 6 {
	case 0:
		out := bytes.Clone(sealed)
		out[at] ^= value
		return out
	case 1:
		return bytes.Clone(sealed[:at])
	case 2:
		return append(bytes.Clone(sealed), bytes.Repeat([]byte{value}, place%(2*sealedChunkSize))...)
	}
	if len(chunks) > 0 {
		switch op % 6 {
		case 3:
			chunks = append(chunks[:chunk], chunks[chunk+1:]...)
		case 4:
			chunks[chunk], chunks[other] = chunks[other], chunks[chunk]
		case 5:
			chunks = append(chunks, chunks[other])
		}
	}
	return append(bytes.Clone(header), bytes.Join(chunks, nil)...)
}
