package main

import (
	"fmt"
	"io"

	"lamina/arch"
)

// sectorsRow compares a byte of many sectors in one call with a byte of one message of sectorsMessage.
type sectorsRow struct {
	Impl           string  `json:"impl"`
	KeyBits        int     `json:"key_bits"`
	Op             string  `json:"op"`
	Sectors        int     `json:"sectors"`
	SectorBytes    int     `json:"sector_bytes"`
	NSPerKiB       float64 `json:"ns_per_kib"`
	MessageBytes   int     `json:"message_bytes"`
	MessagePerKiB  float64 `json:"message_ns_per_kib"`
	StandardPerKiB float64 `json:"standard_ns_per_kib"` // x/crypto/xts, sector by sector
	Ratio          float64 `json:"ratio"`               // of the message's time to the sectors'
}

const (
	sectors        = 64
	sectorBytes    = 4096
	sectorsMessage = 16384
)

func (rep *report) measureSectors(s *session, o speedOptions, impls []arch.Impl) {
	m := findMode("xts")
	for _, bits := range o.keySizes {
		for _, op := range m.ops {
			if !o.wants(m, op) {
				continue
			}
			for _, im := range impls {
				r := sectorsRow{Impl: im.String(), KeyBits: bits, Op: op, Sectors: sectors, SectorBytes: sectorBytes, MessageBytes: sectorsMessage}
				message := modeCase{bits, op, sectorsMessage}
				s.add(4*o.cell, func(t []timing) {
					r.NSPerKiB = t[0].best() / (sectors * sectorBytes / 1024)
					r.MessagePerKiB = t[1].best() / (sectorsMessage / 1024)
					r.StandardPerKiB = t[2].best() / (sectorBytes / 1024)
					r.Ratio = r.MessagePerKiB / r.NSPerKiB
					rep.Sectors = append(rep.Sectors, r)
				}, sectorsSide(im, bits, op), xtsSide(im, message), standardXTSSide(modeCase{bits, op, sectorBytes}))
			}
		}
	}
}

// sectorsSide does n calls over all sectors.
func sectorsSide(im arch.Impl, bits int, op string) func(n int) {
	c := modeCase{bits, op, sectors * sectorBytes}
	k, buf, first := laminaXTS(im, c), c.buffer(), uint64(0)
	if op == "decrypt" {
		return func(n int) {
			for range n {
				first += sectors
				k.DecryptSectors(buf, buf, first, sectorBytes)
			}
		}
	}
	return func(n int) {
		for range n {
			first += sectors
			k.EncryptSectors(buf, buf, first, sectorBytes)
		}
	}
}

func (rep *report) printSectors(w io.Writer) error {
	if len(rep.Sectors) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\nXTS, nanoseconds for 1024 bytes: %d sectors of %d bytes in one call, and one message of %d\n",
		sectors, sectorBytes, sectorsMessage)
	var t table
	t.add("", "x/crypto/xts", "one message", "sectors", "message/sectors")
	for _, r := range rep.Sectors {
		t.add(fmt.Sprintf("AES-%d %s, %s", r.KeyBits, r.Op, r.Impl), ns(r.StandardPerKiB), ns(r.MessagePerKiB), ns(r.NSPerKiB),
			ratio(r.Ratio))
	}
	return t.print(w)
}
