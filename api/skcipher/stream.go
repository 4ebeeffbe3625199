package skcipher

// Direction is what a Reader or a Writer does with its text.
type Direction bool

const (
	Encrypt Direction = false // from text to ciphertext
	Decrypt Direction = true  // from ciphertext to text
)

// String returns the name of the direction.
func (d Direction) String() string {
	if d == Decrypt {
		return "decryption"
	}
	return "encryption"
}

// pieceSize is how much of a text a Reader or a Writer does in one request: enough that requests cost nothing
// beside it, and few enough to stay in the first cache.
const pieceSize = 16 << 10

// maxHeld is the most that must be held back until it is known whether the text ends there: the last two blocks
// of a mode that steals.
const maxHeld = 2 * blockSize

// stream is a text that is done in pieces, in one request each. The request keeps its state from piece to piece,
// so this works for all modes, also for those that hand back no IV to go on with.
type stream struct {
	request *Request
	iv      [maxIVSize]byte
	list    [1][]byte
}

func (s *stream) init(t *Transform, iv []byte) error {
	if !t.keyed {
		return t.noKey()
	}
	if len(iv) != t.algorithm.IVSize {
		return t.wrongIV(iv)
	}
	s.request = t.NewRequest()
	s.request.SetCallback(MayBacklog, nil)
	copy(s.iv[:], iv)
	return nil
}

// ready returns how many of n bytes can be done while there may be more to come.
func (s *stream) ready(n int) int {
	if m := s.request.tfm.mode; m.lengths == stealing {
		n = max(n-m.tail(), 0) // whereas others may end with no more than what was done
	}
	return n - n%blockSize
}

// do does the next piece, in place. All but the last have whole blocks.
func (s *stream) do(piece []byte, direction Direction, last bool) error {
	if len(piece) == 0 && !last {
		return nil
	}
	r := s.request
	s.list[0] = piece
	r.SetCrypt(s.list[:], s.list[:], len(piece), s.iv[:r.tfm.algorithm.IVSize])
	r.more = !last
	err := Wait(r, r.run(bool(direction)))
	r.offset += uint64(len(piece))
	return err
}

// wipe overwrites what there is of the text in the request.
func (s *stream) wipe() {
	s.request.chain = [16]byte{}
	s.iv = [maxIVSize]byte{}
}
