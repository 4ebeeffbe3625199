package skcipher

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
		r.part(out, in, left == 0 && !r.more)
	}
	if r.decrypting {
		clear(r.walk.Buffer()[:joined])
	}
}
