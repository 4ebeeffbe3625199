package aead

import (
	"encoding/binary"
	"errors"
	"math"

	"lamina/api/scatter"
)

// The errors of Records besides those of requests. With either, nothing was written.
var (
	// ErrRecordUse means that a Records was used in more than one of its four ways.
	ErrRecordUse = errors.New("aead: Records used in two ways")
	// ErrLastRecord means that the numbers of records are used up.
	ErrLastRecord = errors.New("aead: no record number is left; a new key is needed")
)

// baseIVSize is the size of the IVs under which there are Records.
const baseIVSize = 12

// Records seals or opens the records of one direction of a connection, in place, wherever the segments of a record
// lie. The IV of record n is the base IV with n XORed, big-endian, to its last 8 bytes, as TLS 1.3 has it (RFC
// 8446, section 5.3).
//
// A record is a header, which is authenticated and stays readable, the text, and behind that the tag: Seal writes it
// to the last bytes of the record, as many as the transform's tags have, which the record must have room for. Open
// leaves the tag there; the text is what is before it. A record is given as segments, cut anywhere: a net.Buffers
// can be passed as it is.
//
// For a stream, where records arrive in the order in which they were sent, Seal and Open count by themselves. For
// datagrams, which may be lost or come in another order, the number travels with the record, and SealAt and OpenAt
// are told. One Records is for one of these four, that which is called first; the others then give ErrRecordUse.
//
// What may go wrong:
//
//   - Two records sealed under one key and IV: their texts are laid open, and forgery is possible from then on. So
//     each direction of a connection needs a key or a base IV of its own; no number may be given to SealAt twice,
//     not after a restart either; and no two Records may seal under the same key and base IV.
//   - Replay: OpenAt opens the same record as often as it comes. Keep a window of the numbers that were opened.
//   - Truncation: that the last records of a stream are missing can only be seen if the last one says so.
//   - A forged record in a stream: Open gives ErrBadMessage and does not count it. The stream cannot be trusted
//     any more; end it.
//   - Too much under one key: with AES-GCM TLS 1.3 allows about 24 million records of 16 KiB (RFC 8446, section
//     5.5). Change the key long before the numbers end.
//
// Nothing is allocated for a record, errors apart. A Records serves one goroutine at a time; any number of them may
// share a transform. Under a transform with workers each call waits for its result.
type Records struct {
	request *Request
	iv      [baseIVSize]byte
	base    uint64 // the last 8 bytes of the base IV
	next    uint64
	use     recordUse
}

// recordUse is one of the ways to use Records.
type recordUse uint8

const (
	unused recordUse = iota
	sealsInOrder
	opensInOrder
	sealsByNumber
	opensByNumber
)

// NewRecords returns Records under t, which must be of an algorithm with IVs of 12 bytes, as gcm(aes) is, and that
// begin with record 0. iv is the base IV, and must have 12 bytes; both sides must have the same. It is not
// retained. If either has another size, the error is ErrIVSize.
func (t *Transform) NewRecords(iv []byte) (*Records, error) {
	if t.IVSize() != baseIVSize {
		return nil, t.failure(ErrIVSize, "its IVs have %d bytes; records need an algorithm with 12", t.IVSize())
	}
	if len(iv) != baseIVSize {
		return nil, t.failure(ErrIVSize, "base IV of %d bytes; it must have 12", len(iv))
	}
	s := &Records{request: t.NewRequest()}
	s.request.SetCallback(MayBacklog, nil)
	copy(s.iv[:], iv)
	s.base = binary.BigEndian.Uint64(iv[baseIVSize-8:])
	return s, nil
}

// Next returns the number of the record that Seal or Open will do next.
func (s *Records) Next() uint64 { return s.next }

// Seal seals the next record. headerSize is how many bytes its header has. A record that is too short for header
// and tag gives ErrLength, the last number ErrLastRecord, and what else can be wrong the errors of Encrypt; then
// nothing is written, and no number used.
func (s *Records) Seal(record [][]byte, headerSize int) error {
	return s.inOrder(sealsInOrder, record, headerSize)
}

// Open opens the next record. headerSize is how many bytes its header has. If the record is not what was sealed with
// that number, the error is ErrBadMessage, and the text is zeros. With any error the number is not used.
func (s *Records) Open(record [][]byte, headerSize int) error {
	return s.inOrder(opensInOrder, record, headerSize)
}

// SealAt seals record n, as Seal does. No n may be sealed twice.
func (s *Records) SealAt(n uint64, record [][]byte, headerSize int) error {
	return s.byNumber(sealsByNumber, n, record, headerSize)
}

// OpenAt opens record n, as Open does. It does not know which records were opened before.
func (s *Records) OpenAt(n uint64, record [][]byte, headerSize int) error {
	return s.byNumber(opensByNumber, n, record, headerSize)
}

// inOrder does the next record. The last number stays unused, so that none follows that would be 0 again.
func (s *Records) inOrder(use recordUse, record [][]byte, headerSize int) error {
	if s.next == math.MaxUint64 {
		return ErrLastRecord
	}
	err := s.byNumber(use, s.next, record, headerSize)
	if err == nil {
		s.next++
	}
	return err
}

func (s *Records) byNumber(use recordUse, n uint64, record [][]byte, headerSize int) error {
	if s.use == unused {
		s.use = use
	} else if s.use != use {
		return ErrRecordUse
	}
	r := s.request
	list := scatter.List(record)
	size := list.Len() - headerSize // of text and tag
	if headerSize >= 0 && size < r.tfm.authSize {
		return r.tfm.failure(ErrLength, "record of %d bytes; it must hold a header of %d and a tag of %d",
			list.Len(), headerSize, r.tfm.authSize)
	}
	binary.BigEndian.PutUint64(s.iv[baseIVSize-8:], s.base^n)
	r.SetAD(headerSize)
	if use == opensInOrder || use == opensByNumber {
		r.SetCrypt(list, list, size, s.iv[:])
		return Wait(r, r.Decrypt())
	}
	r.SetCrypt(list, list, size-r.tfm.authSize, s.iv[:])
	return Wait(r, r.Encrypt())
}
