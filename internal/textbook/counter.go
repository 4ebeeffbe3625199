package textbook

import (
	"bytes"
	"encoding/binary"
)

// counted encrypts text with the key stream of which block gives each block before it is encrypted.
func counted(key, text []byte, block func(i int) []byte) (out []byte) {
	b := newAES(key)
	for i, p := range blocks(text) {
		out = append(out, xor(p, encrypted(b, block(i)))...)
	}
	return out
}

// increment adds 1 to a big-endian integer.
func increment(counter []byte) {
	for i := len(counter) - 1; i >= 0; i-- {
		if counter[i]++; counter[i] != 0 {
			return
		}
	}
}

// encryptCTR is SP 800-38A, section 6.5, with all of the block as the counter.
func encryptCTR(key, iv, text, _ []byte, _ int) (out, tag, next []byte) {
	next = bytes.Clone(iv)
	out = counted(key, text, func(int) []byte {
		block := bytes.Clone(next)
		increment(next)
		return block
	})
	return out, nil, next
}

// encryptXCTR is HCTR2's counter mode ("Length-preserving encryption with HCTR2", section 2): a counter of 64
// bits, little-endian, added to the IV.
func encryptXCTR(key, iv, text, _ []byte, _ int) (out, tag, next []byte) {
	counter := binary.LittleEndian.Uint64(iv)
	out = counted(key, text, func(int) []byte {
		block := bytes.Clone(iv[8:])
		for j := range 8 {
			block[j] ^= byte(counter >> (8 * j))
		}
		counter++
		return block
	})
	return out, nil, append(binary.LittleEndian.AppendUint64(nil, counter), iv[8:]...)
}

// encryptCCM is SP 800-38C, section 6.1, with the formats of its appendix A.
func encryptCCM(key, iv, text, ad []byte, tagSize int) (out, tag, next []byte) {
	q := 15 - len(iv)
	flags := (tagSize-2)/2*8 + q - 1
	if len(ad) > 0 {
		flags += 64
	}
	data := append([]byte{byte(flags)}, iv...)
	data = append(data, bigEndian(uint64(len(text)), q)...)
	switch n := uint64(len(ad)); {
	case n == 0:
	case n < 1<<16-1<<8:
		data = append(data, bigEndian(n, 2)...)
	case n < 1<<32:
		data = append(append(data, 0xff, 0xfe), bigEndian(n, 4)...)
	default:
		data = append(append(data, 0xff, 0xff), bigEndian(n, 8)...)
	}
	data = append(padded(append(data, ad...)), padded(text)...)
	stream := counted(key, make([]byte, 16+len(text)), func(i int) []byte {
		return append(append([]byte{byte(q - 1)}, iv...), bigEndian(uint64(i), q)...)
	})
	return xor(text, stream[16:]), xor(cbcMAC(key, data), stream[:tagSize]), iv
}
