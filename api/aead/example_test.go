package aead_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"

	"lamina/api/aead"
	"lamina/api/registry"
	"lamina/api/scatter"
)

// A message whose header, text and tag lie in buffers of their own is sealed where it is.
func Example() {
	tfm, err := aead.Alloc("gcm(aes)")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tfm.Close()
	if err := tfm.SetKey([]byte("an example key: never a constant")); err != nil {
		fmt.Println(err)
		return
	}

	header, text, tag := []byte("to: all"), []byte("attack at dawn"), make([]byte, tfm.AuthSize())
	message := scatter.List{header, text[:6], text[6:], tag}
	iv := make([]byte, tfm.IVSize()) // a counter; it must never repeat under one key

	req := tfm.NewRequest() // once, for any number of messages
	req.SetAD(len(header))
	req.SetCrypt(message, message, len(text), iv)
	err = req.Encrypt()
	fmt.Printf("%v, %s, encrypted: %v\n", err, header, string(text) != "attack at dawn")

	req.SetCrypt(message, message, len(text)+len(tag), iv)
	fmt.Printf("%v, %s\n", req.Decrypt(), text)

	tag[0] ^= 1
	err = req.Decrypt()
	fmt.Println(errors.Is(err, aead.ErrBadMessage), text[0])
	// Output:
	// <nil>, to: all, encrypted: true
	// <nil>, attack at dawn
	// true 0
}

// A name that does not exist gets the nearest ones.
func ExampleAlloc() {
	_, err := aead.Alloc("gmc(aes)")
	var unknown *registry.UnknownError
	if errors.As(err, &unknown) {
		fmt.Println(unknown.Nearest[0])
	}
	// Output: gcm(aes)
}

// Workers seal; the caller goes on, and waits for the result when it needs it.
func ExampleWait() {
	tfm, err := aead.Alloc("cryptd(gcm(aes))", aead.Workers(1), aead.QueueLength(4))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tfm.Close()
	if err := tfm.SetKey(make([]byte, 16)); err != nil {
		fmt.Println(err)
		return
	}
	message := scatter.List{make([]byte, 100), make([]byte, tfm.AuthSize())}
	req := tfm.NewRequest()
	req.SetCallback(aead.MayBacklog, nil) // wait, too, where the queue is full
	req.SetCrypt(message, message, 100, make([]byte, tfm.IVSize()))
	err = req.Encrypt()
	fmt.Println(err)
	fmt.Println(aead.Wait(req, err))
	// Output:
	// request is in progress
	// <nil>
}

// A callback gets the result on a worker, and may send the request off again from there.
func ExampleRequest_SetCallback() {
	tfm, err := aead.Alloc("cryptd(gcm(aes))")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tfm.Close()
	if err := tfm.SetKey(make([]byte, 16)); err != nil {
		fmt.Println(err)
		return
	}
	message := scatter.List{make([]byte, 100), make([]byte, tfm.AuthSize())}
	req := tfm.NewRequest()
	req.SetCrypt(message, message, 100, make([]byte, tfm.IVSize()))

	var done sync.WaitGroup
	done.Add(1)
	req.SetCallback(aead.MayBacklog, func(_ *aead.Request, err error) {
		if err == aead.ErrInProgress {
			return // it was on the backlog, and is now being done
		}
		fmt.Println("sealed:", err)
		done.Done()
	})
	if err := req.Encrypt(); err != aead.ErrInProgress && err != aead.ErrBusy {
		fmt.Println(err)
		return
	}
	done.Wait()
	// Output: sealed: <nil>
}

// Two lines go over a connection, each as a record: 2 bytes of length as the header, the text in the buffers in
// which it came, and a tag. Each direction would have Records of its own, with a key of its own.
func ExampleRecords() {
	key, iv := make([]byte, 32), make([]byte, 12) // from a key agreement, really
	tfm, err := aead.Alloc("gcm(aes)")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tfm.Close()
	if err := tfm.SetKey(key); err != nil {
		fmt.Println(err)
		return
	}
	client, server := net.Pipe()
	go func() {
		defer client.Close()
		if err := send(client, tfm, iv); err != nil {
			fmt.Println(err)
		}
	}()
	if err := receive(server, tfm, iv); err != nil {
		fmt.Println(err)
	}
	// Output:
	// record 0: attack at dawn
	// record 1: bring a lantern
}

const headerSize = 2

func send(w io.Writer, tfm *aead.Transform, iv []byte) error {
	records, err := tfm.NewRecords(iv)
	if err != nil {
		return err
	}
	var header [headerSize]byte
	tag := make([]byte, tfm.AuthSize())
	for _, parts := range [][]string{{"attack ", "at dawn"}, {"bring", "", " a lantern"}} {
		// WriteTo uses the list up, so it is made for each record.
		record := net.Buffers{header[:]}
		size := len(tag)
		for _, part := range parts {
			record = append(record, []byte(part))
			size += len(part)
		}
		record = append(record, tag)
		binary.BigEndian.PutUint16(header[:], uint16(size))
		if err := records.Seal(record, headerSize); err != nil {
			return err
		}
		if _, err := record.WriteTo(w); err != nil {
			return err
		}
	}
	return nil
}

func receive(r io.Reader, tfm *aead.Transform, iv []byte) error {
	records, err := tfm.NewRecords(iv)
	if err != nil {
		return err
	}
	var header [headerSize]byte
	for {
		if _, err := io.ReadFull(r, header[:]); err == io.EOF {
			return nil // a real protocol would have a last record that says so
		} else if err != nil {
			return err
		}
		body := make([]byte, binary.BigEndian.Uint16(header[:]))
		if _, err := io.ReadFull(r, body); err != nil {
			return err
		}
		number := records.Next()
		if err := records.Open(net.Buffers{header[:], body}, headerSize); err != nil {
			return err // the stream ends here: it was tampered with
		}
		fmt.Printf("record %d: %s\n", number, body[:len(body)-tfm.AuthSize()])
	}
}

// Datagrams carry their number, and are opened in the order in which they come.
func ExampleRecords_OpenAt() {
	tfm, err := aead.Alloc("gcm(aes)")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tfm.Close()
	if err := tfm.SetKey(make([]byte, 16)); err != nil {
		fmt.Println(err)
		return
	}
	iv := make([]byte, 12)
	sender, err := tfm.NewRecords(iv)
	if err != nil {
		fmt.Println(err)
		return
	}
	receiver, err := tfm.NewRecords(iv)
	if err != nil {
		fmt.Println(err)
		return
	}
	var datagrams [][]byte
	for n, text := range []string{"zero", "one", "two"} {
		datagram := binary.BigEndian.AppendUint64(nil, uint64(n))
		datagram = append(datagram, text...)
		datagram = append(datagram, make([]byte, tfm.AuthSize())...)
		if err := sender.SealAt(uint64(n), [][]byte{datagram}, 8); err != nil {
			fmt.Println(err)
			return
		}
		datagrams = append(datagrams, datagram)
	}
	for _, datagram := range [][]byte{datagrams[2], datagrams[0]} { // the other was lost
		n := binary.BigEndian.Uint64(datagram)
		err := receiver.OpenAt(n, [][]byte{datagram}, 8)
		fmt.Printf("%d: %s, %v\n", n, datagram[8:len(datagram)-tfm.AuthSize()], err)
	}
	// Output:
	// 2: two, <nil>
	// 0: zero, <nil>
}
