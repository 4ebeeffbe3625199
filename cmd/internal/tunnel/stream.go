package tunnel

import (
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"time"
)

// The kinds of records.
const (
	kindText byte = iota
	kindLast      // the same, and there are no more
	kindAck
)

// stream is a sender and a receiver, with a socket each.
type stream struct {
	id     uint32
	text   int
	lose   func(n int) bool
	cipher cipher
	window uint64 // records that may be under way

	sender, receiver *net.UDPConn
	from             netip.AddrPort // the sender's

	received uint64 // records that came in order
	again    int    // records that were sent again
}

func newStream(id int, r Run, c cipher) (*stream, error) {
	s := &stream{id: uint32(id), text: r.Text, lose: r.lose, cipher: c}
	s.window = uint64(min(maxWindow, windowBytes/(headerSize+r.Text+tagSize)))
	loopback := &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}
	var err error
	if s.receiver, err = net.ListenUDP("udp4", loopback); err != nil {
		return nil, err
	}
	if s.sender, err = net.DialUDP("udp4", loopback, s.receiver.LocalAddr().(*net.UDPAddr)); err != nil {
		s.receiver.Close()
		return nil, err
	}
	s.from = s.sender.LocalAddr().(*net.UDPAddr).AddrPort()
	return s, nil
}

func (s *stream) close() {
	s.sender.Close()
	s.receiver.Close()
}

// run sends until the deadline, and returns when all that was sent has been acknowledged.
func (s *stream) run(deadline time.Time) error {
	receiving := make(chan error, 1)
	go func() {
		err := s.receive()
		if err != nil {
			s.sender.Close() // what is sent from now on is sent in vain
		}
		receiving <- err
	}()
	sent, err := s.send(deadline)
	s.receiver.Close()
	if failure := <-receiving; failure != nil {
		err = failure // and the reason why nobody acknowledged
	}
	if err == nil && s.received != sent {
		err = fmt.Errorf("%d records were sent, and %d arrived", sent, s.received)
	}
	if err != nil {
		return fmt.Errorf("stream %d: %w", s.id, err)
	}
	return nil
}

func (s *stream) putHeader(packet []byte, kind byte, number uint64) {
	binary.BigEndian.PutUint32(packet, uint32(kind)<<24|s.id)
	binary.BigEndian.PutUint64(packet[4:], number)
}

// newText returns what records carry: their number in the first 8 bytes, and then the same in all.
func (s *stream) newText() []byte {
	text := make([]byte, s.text)
	for i := range text {
		text[i] = byte(i*7 + i>>8)
	}
	return text
}

// record is what a packet says.
type record struct {
	kind   byte
	number uint64
	text   []byte
}

// openRecord opens a packet of this stream that has so many bytes of text and one of these kinds.
func (s *stream) openRecord(o sealer, packet []byte, size int, kinds ...byte) (r record, err error) {
	if len(packet) != headerSize+size+tagSize {
		return r, fmt.Errorf("a datagram has %d bytes, not %d", len(packet), headerSize+size+tagSize)
	}
	first := binary.BigEndian.Uint32(packet)
	id := first & 0xffffff
	r = record{kind: byte(first >> 24), number: binary.BigEndian.Uint64(packet[4:]), text: packet[headerSize:][:size]}
	if err := o.open(packet); err != nil {
		return r, fmt.Errorf("record %d of kind %d: %w", r.number, r.kind, err)
	}
	if id != s.id || !slices.Contains(kinds, r.kind) {
		return r, fmt.Errorf("a record of stream %d and kind %d came", id, r.kind)
	}
	return r, nil
}

// lossy is a socket's way out, which loses datagrams where a test wants that.
type lossy struct {
	lose func(n int) bool
	n    int
}

func (l *lossy) lost() bool {
	l.n++
	return l.lose != nil && l.lose(l.n)
}
