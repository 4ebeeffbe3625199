package tunnel

import (
	"bytes"
	"encoding/binary"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"lamina/arch"
)

var ways = []Way{Direct, Request}

func TestRuns(t *testing.T) {
	for _, way := range ways {
		for _, run := range []Run{
			{Text: MinText, Streams: 1, Duration: 30 * time.Millisecond},
			{Text: 1420, Streams: 4, Duration: 30 * time.Millisecond},
			{Text: MaxText, Streams: 1, Duration: 30 * time.Millisecond},
			{Text: 100, Streams: 3}, // nothing but the last record of each
		} {
			result, err := run.Do(way, arch.Best())
			if err != nil {
				t.Fatalf("%s, %+v: %v", way.Name, run, err)
			}
			if run.Duration == 0 && result.Records != 3 || run.Duration > 0 && result.Records < 10*run.Streams {
				t.Errorf("%s, %+v: %+v", way.Name, run, result)
			}
			if result.Elapsed < run.Duration || result.Gbits(run.Text) <= 0 {
				t.Errorf("%s, %+v: %v, %v Gbit/s", way.Name, run, result.Elapsed, result.Gbits(run.Text))
			}
		}
	}
}

// What the network loses is sent again, records and acknowledgements alike, the last ones too.
func TestLosses(t *testing.T) {
	for _, way := range ways {
		for name, lose := range map[string]func(n int) bool{
			"every 50th":     func(n int) bool { return n%50 == 0 },
			"the first":      func(n int) bool { return n == 1 },
			"the first five": func(n int) bool { return n <= 5 },
		} {
			run := Run{Text: 500, Streams: 2, Duration: 100 * time.Millisecond, lose: lose}
			result, err := run.Do(way, arch.Best())
			if err != nil || result.Again == 0 {
				t.Errorf("%s, %s is lost: %+v, %v", way.Name, name, result, err)
			}
		}
	}
}

// A network that carries nothing ends a run, and does not hang it.
func TestAllLost(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes five seconds")
	}
	run := Run{Text: 100, Streams: 1, lose: func(int) bool { return true }}
	if _, err := run.Do(Direct, arch.Best()); err == nil || !strings.Contains(err.Error(), "never acknowledged") {
		t.Errorf("the error is %v", err)
	}
}

// spoiled is a way that goes wrong at one record.
type spoiled struct {
	cipher
	spoil func(packet []byte)
}

type spoiledSealer struct {
	sealer
	spoiled
}

func (s spoiled) newSealer() sealer { return spoiledSealer{s.cipher.newSealer(), s} }

func (s spoiledSealer) seal(packet, text []byte) error {
	err := s.sealer.seal(packet, text)
	s.spoil(packet)
	return err
}

// A record that was changed on its way is found, whatever part of it, in either direction.
func TestForgeries(t *testing.T) {
	for _, way := range ways {
		for name, at := range map[string]int{"kind": 0, "stream": 3, "number": 11, "text": headerSize, "tag": -1} {
			for _, kind := range []byte{kindText, kindAck} {
				spoiling := Way{way.Name, func(im arch.Impl, key []byte) (cipher, error) {
					c, err := way.open(im, key)
					return spoiled{c, func(packet []byte) {
						if packet[0] == kind {
							packet[(at+len(packet))%len(packet)] ^= 1
						}
					}}, err
				}}
				run := Run{Text: 100, Streams: 1, Duration: 5 * time.Millisecond}
				_, err := run.Do(spoiling, arch.Best())
				if err == nil || !strings.Contains(err.Error(), "authentication failed") {
					t.Errorf("%s: the %s of kind %d was changed: %v", way.Name, name, kind, err)
				}
			}
		}
	}
}

// wrongText is a way that seals another text than it was given.
type wrongText struct{ spoiled }

func (w wrongText) newSealer() sealer { return wrongTextSealer{w.cipher.newSealer()} }

type wrongTextSealer struct{ sealer }

func (w wrongTextSealer) seal(packet, text []byte) error {
	other := bytes.Clone(text)
	other[len(other)-1] ^= 1
	return w.sealer.seal(packet, other)
}

func TestWrongText(t *testing.T) {
	way := Way{"wrong", func(im arch.Impl, key []byte) (cipher, error) {
		c, err := openDirect(im, key)
		return wrongText{spoiled{cipher: c}}, err
	}}
	run := Run{Text: 100, Streams: 1}
	start := time.Now()
	if _, err := run.Do(way, arch.Best()); err == nil || !strings.Contains(err.Error(), "another text") {
		t.Errorf("the error is %v", err)
	}
	if took := time.Since(start); took > maxTries*patience/2 {
		t.Errorf("the sender went on for %v after the receiver had given up", took)
	}
}

// Both ways seal a record to the same bytes, and each opens what the other sealed.
func TestWaysAgree(t *testing.T) {
	text := bytes.Repeat([]byte("text "), 20)
	var sealers []sealer
	var packets [][]byte
	for _, way := range ways {
		c, err := way.open(arch.Best(), make([]byte, keySize))
		if err != nil {
			t.Fatal(err)
		}
		s := c.newSealer()
		packet := make([]byte, headerSize+len(text)+tagSize)
		if err := s.seal(packet, text); err != nil {
			t.Fatal(err)
		}
		sealers, packets = append(sealers, s), append(packets, packet)
		t.Cleanup(func() {
			if err := c.close(); err != nil {
				t.Error(err)
			}
		})
	}
	if !bytes.Equal(packets[0], packets[1]) {
		t.Fatal("the two ways seal differently")
	}
	for i, s := range sealers {
		if err := s.open(packets[i]); err != nil || !bytes.Equal(packets[i][headerSize:][:len(text)], text) {
			t.Errorf("%s opens to %q, %v", ways[i].Name, packets[i], err)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		run  Run
		want string
	}{
		{Run{Text: MinText - 1, Streams: 1}, "between 8 and"},
		{Run{Text: MaxText + 1, Streams: 1}, "between 8 and"},
		{Run{Text: 100, Streams: 0}, "between 1 and"},
		{Run{Text: 100, Streams: MaxStreams + 1}, "between 1 and"},
	} {
		if _, err := tt.run.Do(Direct, arch.Best()); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v", tt.run, err)
		}
	}
	broken := errors.New("no cipher")
	way := Way{"broken", func(arch.Impl, []byte) (cipher, error) { return nil, broken }}
	if _, err := (Run{Text: 100, Streams: 1}).Do(way, arch.Best()); !errors.Is(err, broken) {
		t.Errorf("without a cipher: %v", err)
	}
}

func TestAdd(t *testing.T) {
	sum := Result{Records: 3, Again: 1, Elapsed: time.Second}
	sum.Add(Result{Records: 5, Again: 2, Elapsed: time.Second})
	if want := (Result{8, 3, 2 * time.Second}); sum != want {
		t.Errorf("%+v, want %+v", sum, want)
	}
	if got := sum.Gbits(1e9 / 8); got != 4 {
		t.Errorf("8 records of 1 Gbit in 2 s are %v Gbit/s", got)
	}
}

func openStream(t *testing.T, r Run) *stream {
	t.Helper()
	c, err := openDirect(arch.Best(), make([]byte, keySize))
	if err != nil {
		t.Fatal(err)
	}
	s, err := newStream(1, r, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	return s
}

// What strangers send to a receiver does not disturb it.
func TestStranger(t *testing.T) {
	s := openStream(t, Run{Text: 100, Streams: 1})
	other, err := net.DialUDP("udp4", nil, s.receiver.LocalAddr().(*net.UDPAddr))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.Write([]byte("hello")); err != nil {
		t.Fatal(err)
	}
	if err := s.run(time.Now()); err != nil || s.received != 1 {
		t.Errorf("%d records came, %v", s.received, err)
	}
}

// A receiver takes each record once, in order, and refuses what no sender of its stream sends.
func TestTake(t *testing.T) {
	s := openStream(t, Run{Text: 20, Streams: 1})
	r := &receiving{stream: s, sealer: s.cipher.newSealer(), want: s.newText(), ack: make([]byte, headerSize+ackText+tagSize)}
	for _, step := range []struct {
		name     string
		kind     byte
		number   uint64
		stream   uint32
		size     int
		received uint64
		err      string
	}{
		{"a later record", kindText, 1, 1, 20, 0, ""},
		{"the first", kindText, 0, 1, 20, 1, ""},
		{"the first again", kindText, 0, 1, 20, 1, ""},
		{"one of another stream", kindText, 1, 2, 20, 1, "a record of stream 2"},
		{"an acknowledgement", kindAck, 1, 1, 20, 1, "kind 2"},
		{"a short one", kindText, 1, 1, 19, 1, "bytes, not"},
		{"a long one", kindText, 1, 1, 21, 1, "bytes, not"},
		{"the last", kindLast, 1, 1, 20, 2, ""},
		{"the last again", kindLast, 1, 1, 20, 2, ""},
		{"one after the last", kindText, 2, 1, 20, 2, "after the last"},
	} {
		text := make([]byte, step.size)
		copy(text, s.newText())
		binary.BigEndian.PutUint64(text, step.number)
		packet := make([]byte, headerSize+step.size+tagSize)
		(&stream{id: step.stream}).putHeader(packet, step.kind, step.number)
		if err := s.cipher.newSealer().seal(packet, text); err != nil {
			t.Fatal(err)
		}
		err := r.take(packet)
		if step.err == "" && err != nil || step.err != "" && (err == nil || !strings.Contains(err.Error(), step.err)) {
			t.Errorf("%s: %v", step.name, err)
		}
		if r.received != step.received {
			t.Errorf("%s: %d records are taken, not %d", step.name, r.received, step.received)
		}
	}
}
