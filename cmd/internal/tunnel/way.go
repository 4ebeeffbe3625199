package tunnel

import (
	"errors"

	"lamina/api/aead"
	"lamina/api/scatter"
	"lamina/arch"
	"lamina/lib/aesgcm"
)

// Way is one of the two ways to seal and open records.
type Way struct {
	Name string
	open func(im arch.Impl, key []byte) (cipher, error)
}

var (
	// Direct calls Encrypt and Decrypt of package aesgcm.
	Direct = Way{"direct", openDirect}
	// Request makes requests of package api/aead, in which header, text and tag are segments of their own.
	Request = Way{"request", openRequest}
)

// cipher is a way with a key. It serves all streams.
type cipher interface {
	// newSealer returns what one goroutine uses.
	newSealer() sealer
	close() error
}

// sealer seals and opens packets, which are a header, a text and a tag. The header is the nonce too. Packets are never
// too short for them.
type sealer interface {
	// seal encrypts text to its place in packet, which has room for it and no more, and adds the tag.
	seal(packet, text []byte) error
	// open decrypts packet in place.
	open(packet []byte) error
}

// direct is both: a key needs nothing for each goroutine.
type direct struct{ key aesgcm.Key }

func openDirect(im arch.Impl, key []byte) (cipher, error) {
	d := new(direct)
	return d, d.key.InitImpl(im, key, tagSize)
}

func (d *direct) newSealer() sealer { return d }

func (d *direct) close() error {
	d.key.Wipe()
	return nil
}

func (d *direct) seal(packet, text []byte) error {
	header, room, tag := parts(packet)
	d.key.Encrypt(room, tag, header, text, header)
	return nil
}

func (d *direct) open(packet []byte) error {
	header, text, tag := parts(packet)
	return d.key.Decrypt(text, header, text, tag, header)
}

// parts divides a packet.
func parts(packet []byte) (header, text, tag []byte) {
	end := len(packet) - tagSize
	return packet[:headerSize], packet[headerSize:end], packet[end:]
}

type requests struct{ tfm *aead.Transform }

func openRequest(im arch.Impl, key []byte) (cipher, error) {
	tfm, err := aead.Alloc("gcm-aes-" + im.String())
	if err != nil {
		return nil, err
	}
	if err := tfm.SetKey(key); err != nil {
		return nil, errors.Join(err, tfm.Close())
	}
	return requests{tfm}, nil
}

func (r requests) newSealer() sealer {
	s := &requester{request: r.tfm.NewRequest()}
	s.request.SetAD(headerSize)
	return s
}

func (r requests) close() error { return r.tfm.Close() }

// requester has a request and the lists that it works on, and uses them for one packet after the other.
type requester struct {
	request *aead.Request
	plain   [2][]byte // header and text
	packet  [3][]byte // header, text and tag
}

func (r *requester) seal(packet, text []byte) error {
	r.packet[0], r.packet[1], r.packet[2] = parts(packet)
	r.plain[0], r.plain[1] = r.packet[0], text
	r.request.SetCrypt(scatter.List(r.plain[:]), scatter.List(r.packet[:]), len(text), r.packet[0])
	return r.request.Encrypt()
}

func (r *requester) open(packet []byte) error {
	r.packet[0], r.packet[1], r.packet[2] = parts(packet)
	list := scatter.List(r.packet[:])
	r.request.SetCrypt(list, list, len(packet)-headerSize, r.packet[0])
	return r.request.Decrypt()
}
