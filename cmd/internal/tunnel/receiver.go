package tunnel

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
)

// receiving is the state of a receiver.
type receiving struct {
	*stream
	sealer sealer
	out    lossy
	want   []byte // the text of the next record
	packet []byte // with room for a byte too many
	ack    []byte
	acks   uint64 // acknowledgements sent
	ended  bool   // the last record came
}

// receive takes records until the socket is closed.
func (s *stream) receive() error {
	r := &receiving{stream: s, sealer: s.cipher.newSealer(), out: lossy{lose: s.lose}, want: s.newText(),
		packet: make([]byte, headerSize+s.text+tagSize+1), ack: make([]byte, headerSize+ackText+tagSize)}
	for {
		n, from, err := s.receiver.ReadFromUDPAddrPort(r.packet)
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			return err
		}
		if from != s.from {
			continue // not one of ours
		}
		if err := r.take(r.packet[:n]); err != nil {
			return err
		}
	}
}

// take opens a packet, and counts and acknowledges it if it is the next.
func (r *receiving) take(packet []byte) error {
	got, err := r.openRecord(r.sealer, packet, r.text, kindText, kindLast)
	if err != nil {
		return err
	}
	switch {
	case got.number > r.received:
		return nil // one before it was lost, and both will be sent again
	case got.number < r.received:
		return r.acknowledge() // the acknowledgement was lost
	case r.ended:
		return fmt.Errorf("record %d came after the last", got.number)
	}
	binary.BigEndian.PutUint64(r.want, got.number)
	if !bytes.Equal(got.text, r.want) {
		return fmt.Errorf("record %d opens to another text than was sealed", got.number)
	}
	r.received++
	r.ended = got.kind == kindLast
	if r.received%max(1, r.window/4) == 0 || r.ended {
		return r.acknowledge()
	}
	return nil
}

// acknowledge says which record is expected next.
func (r *receiving) acknowledge() error {
	r.putHeader(r.ack, kindAck, r.acks)
	r.acks++
	var text [ackText]byte
	binary.BigEndian.PutUint64(text[:], r.received)
	if err := r.sealer.seal(r.ack, text[:]); err != nil {
		return err
	}
	if r.out.lost() {
		return nil
	}
	_, err := r.receiver.WriteToUDPAddrPort(r.ack, r.from)
	if errors.Is(err, net.ErrClosed) {
		return nil // the sender has all it needs
	}
	return err
}
