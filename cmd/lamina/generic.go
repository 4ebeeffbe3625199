package main

import (
	"crypto/aes"
	"fmt"
	"io"

	"lamina/arch"
	"lamina/cmd/internal/plainaes"
	"lamina/lib/aesctr"
)

// genericRow compares ways to do AES in portable code.
type genericRow struct {
	Way         string  `json:"way"`
	KeyBits     int     `json:"key_bits"`
	Bytes       int     `json:"bytes"`
	NS          float64 `json:"ns"`
	MBPerSecond float64 `json:"mb_per_second"` // 10^6 bytes
}

// genericBytes is how long the text is: enough for every way to come into its stride.
const genericBytes = 4096

// genericWay encrypts genericBytes at once, or block by block.
type genericWay struct {
	name string
	side func(key []byte) func(n int)
}

// genericWays have what a serial mode can do, block by block, first, and what a parallel one can then.
var genericWays = []genericWay{
	{"four tables, block by block", func(key []byte) func(int) {
		k := new(plainaes.FourTables)
		must(k.Init(key))
		return blockByBlock(k.Encrypt)
	}},
	{"S-box read every round, block by block", func(key []byte) func(int) {
		k := new(plainaes.FixedTime)
		must(k.Init(key))
		return blockByBlock(k.Encrypt)
	}},
	{"crypto/aes, block by block", func(key []byte) func(int) { return blockByBlock(standardBlock(key).Encrypt) }},
	{"lamina generic, block by block: 1 KiB table", func(key []byte) func(int) {
		return blockByBlock(laminaKey(arch.Generic, key).EncryptBlock)
	}},
	{"lamina generic, many blocks: bit-sliced", func(key []byte) func(int) {
		k, buf := laminaKey(arch.Generic, key), alignedBytes(genericBytes, 0)
		return func(n int) {
			for range n {
				k.EncryptBlocks(buf, buf)
			}
		}
	}},
	{"lamina generic, CTR: bit-sliced", func(key []byte) func(int) {
		k, buf, number := laminaKey(arch.Generic, key), alignedBytes(genericBytes, 0), uint64(0)
		return func(n int) {
			for range n {
				number++
				counter := messageIV(number)
				aesctr.CTR(&k.EncKey, &counter, buf, buf)
			}
		}
	}},
}

func blockByBlock(encrypt func(dst, src []byte)) func(n int) {
	buf := alignedBytes(genericBytes, 0)
	return func(n int) {
		for range n {
			for i := 0; i < len(buf); i += aes.BlockSize {
				encrypt(buf[i:i+aes.BlockSize], buf[i:i+aes.BlockSize])
			}
		}
	}
}

func (rep *report) measureGeneric(s *session, o speedOptions, _ []arch.Impl) {
	for _, bits := range o.keySizes {
		var sides []func(n int)
		for _, way := range genericWays {
			sides = append(sides, way.side(patterned(bits/8)))
		}
		s.add(8*o.cell, func(t []timing) {
			for i, way := range genericWays {
				best := t[i].best()
				rep.Generic = append(rep.Generic, genericRow{way.name, bits, genericBytes, best, genericBytes / best * 1000})
			}
		}, sides...)
	}
}

func (rep *report) printGeneric(w io.Writer) error {
	if len(rep.Generic) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\nAES in portable code, %d bytes, MB/s\n", genericBytes)
	var t table
	header, rows := []string{""}, make([][]string, len(genericWays))
	for i, r := range rep.Generic {
		way := i % len(genericWays)
		if way == 0 {
			header = append(header, fmt.Sprintf("AES-%d", r.KeyBits))
		}
		if rows[way] == nil {
			rows[way] = []string{r.Way}
		}
		rows[way] = append(rows[way], fmt.Sprintf("%.0f", r.MBPerSecond))
	}
	t.lines = append([][]string{header}, rows...)
	return t.print(w)
}
