package tunnel

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"time"
)

// sending is the state of a sender: the records from first to next are under way.
type sending struct {
	*stream
	sealer      sealer
	out         lossy
	text        []byte
	packets     [][]byte // of the records under way, by number modulo window
	ack         []byte
	first, next uint64
	last        bool // the record before next is the last
	tries       int
}

// send sends records until the deadline, and returns how many it sent when all have been acknowledged.
func (s *stream) send(deadline time.Time) (uint64, error) {
	d := &sending{stream: s, sealer: s.cipher.newSealer(), out: lossy{lose: s.lose}, text: s.newText(),
		ack: make([]byte, headerSize+ackText+tagSize+1)}
	d.packets = make([][]byte, s.window)
	for i := range d.packets {
		d.packets[i] = make([]byte, headerSize+s.text+tagSize)
	}
	for !d.last || d.first < d.next {
		for !d.last && d.next-d.first < d.window {
			if err := d.sendNext(deadline); err != nil {
				return d.next, err
			}
		}
		if err := d.await(); err != nil {
			return d.next, err
		}
	}
	return d.next, nil
}

func (d *sending) sendNext(deadline time.Time) error {
	kind := kindText
	if d.last = !time.Now().Before(deadline); d.last {
		kind = kindLast
	}
	packet := d.packets[d.next%d.window]
	d.putHeader(packet, kind, d.next)
	binary.BigEndian.PutUint64(d.text, d.next)
	if err := d.sealer.seal(packet, d.text); err != nil {
		return err
	}
	d.next++
	return d.write(packet)
}

func (d *sending) write(packet []byte) error {
	if d.out.lost() {
		return nil
	}
	_, err := d.sender.Write(packet)
	return err
}

// await waits for an acknowledgement, or sends all that is under way again.
func (d *sending) await() error {
	if err := d.sender.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	n, err := d.sender.Read(d.ack)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return d.sendAgain()
	}
	if err != nil {
		return err
	}
	ack, err := d.openRecord(d.sealer, d.ack[:n], ackText, kindAck)
	if err != nil {
		return err
	}
	// An acknowledgement may be older than one that came before it.
	if expected := binary.BigEndian.Uint64(ack.text); expected > d.first && expected <= d.next {
		d.first, d.tries = expected, 0
	}
	return nil
}

func (d *sending) sendAgain() error {
	if d.tries++; d.tries > maxTries {
		return fmt.Errorf("record %d was sent %d times, and never acknowledged", d.first, d.tries)
	}
	for i := d.first; i < d.next; i++ {
		d.again++
		if err := d.write(d.packets[i%d.window]); err != nil {
			return err
		}
	}
	return nil
}
