package skcipher

// A text is done in one of three ways, the first that fits:
//
//   - Where all of it is in the first segment of both lists, the library does it in one call.
//   - A short text is joined in the request's buffer, and still done in one call.
//   - A long text is walked through in steps.

// joinMax is up to which size that buffer is used. For twice as much in a few long segments, the copies to it
// and back take longer than the calls that they save.
const joinMax = 2048

// crypt does a request that prepare found nothing wrong with.
func (r *Request) crypt() {
	if r.size == 0 {
		return // neither is there anything to do, nor need there be an IV
	}
	c := r.tfm.cipher
	if r.offset == 0 {
		c.begin(r)
	}
	if in, out, ok := r.whole(); ok {
		r.part(out, in, !r.more)
	} else if r.size <= joinMax {
		r.join()
	} else {
		r.walkThrough()
	}
	c.end(r)
}

// whole returns the text in the source and the room for it in the destination, if the first segment of each
// holds all of it.
func (r *Request) whole() (in, out []byte, ok bool) {
	if len(r.src[0]) < r.size || len(r.dst[0]) < r.size {
		return nil, nil, false
	}
	return r.src[0][:r.size], r.dst[0][:r.size], true
}

// part does one part of the text.
func (r *Request) part(out, in []byte, last bool) {
	if r.decrypting {
		r.tfm.cipher.decrypt(r, out, in, last)
	} else {
		r.tfm.cipher.encrypt(r, out, in, last)
	}
}

// join does a short text in the buffer of the walk.
func (r *Request) join() {
	src, dst := r.src.Start(), r.dst.Start()
	text := r.walk.Buffer()[:r.size]
	src.Gather(text)
	r.part(text, text, true)
	dst.Scatter(text)
	if r.decrypting {
		clear(text)
	}
}

// walkThrough does the text in the steps of a walk.
func (r *Request) walkThrough() {
	joined := 0 // how much of the walk's buffer was used
	r.walk.Start(r.dst.Start(), r.src.Start(), r.size, blockSize, r.tfm.mode.tail())
	for left := r.size; ; {
		out, in := r.walk.Next()
		if len(in) == 0 {
			break
		}
		left -= len(in)
		if &out[0] == &r.walk.Buffer()[0] {
			joined = max(joined, len(out))
		}
		r.part(out, in, left == 0)
	}
	if r.decrypting {
		clear(r.walk.Buffer()[:joined])
	}
}
