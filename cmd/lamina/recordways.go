package main

import (
	"crypto/cipher"

	"lamina/api/aead"
	"lamina/api/scatter"
	"lamina/arch"
	"lamina/lib/aesgcm"
)

// packet is a record whose associated data, text and tag follow each other in memory, as on a network. The text
// starts at a cache line.
type packet struct {
	*record
	memory []byte
}

func newPacket(s shape) packet {
	r := newRecord(s, newStandard(s.key()))
	start := (s.AD + cacheLine - 1) / cacheLine * cacheLine
	memory := alignedBytes(start+len(r.buf), 0)[start-s.AD:]
	copy(memory, r.ad)
	copy(memory[s.AD:], r.buf)
	r.ad, r.buf = memory[:s.AD:s.AD], memory[s.AD:]
	return packet{r, memory}
}

// segments divides the packet into n: 3 are its parts, any other number is as even as it can be.
func (p packet) segments(n int) scatter.List {
	if n == 3 {
		return scatter.List{p.ad, p.buf[:p.bytes], p.buf[p.bytes:]}
	}
	return cutEvenly(p.memory, n)
}

// transforms is one key in the hands of everybody who does the same work in another way.
type transforms struct {
	key      *aesgcm.Key
	request  *aead.Transform
	standard cipher.AEAD
}

func newTransforms(im arch.Impl, key []byte) (t transforms, err error) {
	t.key, t.standard = newLamina(im, key), newStandard(key)
	if t.request, err = aead.Alloc("gcm-aes-" + im.String()); err != nil {
		return t, err
	}
	return t, t.request.SetKey(key)
}

// recordWay is a way to seal and open records.
type recordWay struct {
	name     string // in JSON
	title    string // in tables
	segments int    // of requests
	side     func(t transforms, p packet, op string) func(n int)
}

const directWay = "direct"

var recordWays = []recordWay{
	{directWay, "direct call", 0, func(t transforms, p packet, op string) func(n int) {
		return laminaOn(p.record, op, t.key)
	}},
	{"three calls", "three calls", 0, splitSide},
	requestWay("request, 1 segment", 1),
	requestWay("request, 2 segments", 2),
	requestWay("request, 3 segments: the parts", 3),
	requestWay("request, 4 segments", 4),
	requestWay("request, 16 segments", 16),
	{"crypto/cipher", "crypto/cipher", 0, func(t transforms, p packet, op string) func(n int) {
		return standardOn(p.record, op, t.standard)
	}},
}

// splitSide does each record in three calls: the associated data, the text and the tag.
func splitSide(t transforms, p packet, op string) func(n int) {
	text, tag := p.buf[:p.bytes], p.buf[p.bytes:]
	if op == "open" {
		return func(n int) {
			for range n {
				p.nextOpen()
				c := aesgcm.NewCtx(t.key, p.nonce[:])
				c.AuthUpdate(p.ad)
				c.DecryptUpdate(text, text)
				mustOpen(c.DecryptFinal(tag))
			}
		}
	}
	return func(n int) {
		for range n {
			p.nextSeal()
			c := aesgcm.NewCtx(t.key, p.nonce[:])
			c.AuthUpdate(p.ad)
			c.EncryptUpdate(text, text)
			c.EncryptFinal(tag)
		}
	}
}

// requestWay does each record in a request, with the packet in so many segments. All that a caller has to say about
// a record is said anew for each, but the list is made once.
func requestWay(title string, segments int) recordWay {
	return recordWay{"request", title, segments, func(t transforms, p packet, op string) func(n int) {
		list := p.segments(segments)
		r := t.request.NewRequest()
		if op == "open" {
			return func(n int) {
				for range n {
					p.nextOpen()
					r.SetAD(len(p.ad))
					r.SetCrypt(list, list, p.bytes+tagSize, p.nonce[:])
					mustOpen(r.Decrypt())
				}
			}
		}
		return func(n int) {
			for range n {
				p.nextSeal()
				r.SetAD(len(p.ad))
				r.SetCrypt(list, list, p.bytes, p.nonce[:])
				must(r.Encrypt())
			}
		}
	}}
}
