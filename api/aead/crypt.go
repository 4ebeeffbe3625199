package aead

import "lamina/api/scatter"

// A message is done in one of four ways, the first that fits:
//
//   - Where all of it is in the first segment of both lists, the library does it in one call.
//   - The same where associated data and text lie in one piece each, wherever they are.
//   - A short message is joined in the request's buffer first, and still done in one call: each segment costs two
//     short copies, which is less than a call for each.
//   - A long message is walked through in steps.

func (r *Request) seal() error {
	n := r.textSize()
	if in, out, ok := r.whole(r.adSize+n, r.adSize+n+r.tfm.authSize); ok {
		ad := in[:r.adSize]
		if !r.inPlace {
			copy(out, ad)
		}
		out = out[r.adSize:]
		r.tfm.cipher.seal(r, out[:n], out[n:], in[r.adSize:], r.authenticated(ad))
		return nil
	}
	if r.sealPieces(n) {
		return nil
	}
	if r.adSize+n <= scatter.BounceSize {
		r.sealJoined(n)
		return nil
	}
	return r.sealLong(n)
}

func (r *Request) open() error {
	n := r.textSize()
	if in, out, ok := r.whole(r.adSize+r.cryptSize, r.adSize+n); ok {
		ad := in[:r.adSize]
		if !r.inPlace {
			copy(out, ad)
		}
		in = in[r.adSize:]
		return badMessage(r.tfm.cipher.open(r, out[r.adSize:], in[:n], in[n:], r.authenticated(ad)))
	}
	if done, err := r.openPieces(n); done {
		return err
	}
	if r.adSize+n <= scatter.BounceSize {
		return r.openJoined(n)
	}
	return r.openLong(n)
}

// badMessage returns this package's error for that of a failed opening.
func badMessage(err error) error {
	if err != nil {
		return ErrBadMessage
	}
	return nil
}

// whole returns the first need bytes of the source and room bytes of the destination, if the first segment of
// each holds as many.
func (r *Request) whole(need, room int) (in, out []byte, ok bool) {
	if len(r.src) == 0 || len(r.dst) == 0 || len(r.src[0]) < need || len(r.dst[0]) < room {
		return nil, nil, false
	}
	return r.src[0][:need], r.dst[0][:room], true
}

// pieces is a message whose parts lie in one piece each.
type pieces struct {
	ad, text      []byte // in the source
	dstAD, output []byte // in the destination
}

// take fills p with the parts of the message, if each lies in one piece.
func (p *pieces) take(r *Request, n int) (ok bool) {
	if p.text, ok = r.src.Piece(r.adSize, n); !ok {
		return false
	}
	if p.ad, ok = r.src.Piece(0, r.adSize); !ok {
		return false
	}
	if r.inPlace {
		p.dstAD, p.output = p.ad, p.text
	} else if p.output, ok = r.dst.Piece(r.adSize, n); !ok {
		return false
	} else if p.dstAD, ok = r.dst.Piece(0, r.adSize); !ok {
		return false
	}
	// A list may name the same memory twice, as associated data and as text; the library would panic.
	return !scatter.Shared(p.ad, p.output)
}

func (r *Request) sealPieces(n int) bool {
	var p pieces
	if !p.take(r, n) {
		return false
	}
	if !r.inPlace {
		copy(p.dstAD, p.ad)
	}
	tag := r.tag[:r.tfm.authSize]
	r.tfm.cipher.seal(r, p.output, tag, p.text, r.authenticated(p.ad))
	r.dst.Scatter(tag, r.adSize+n)
	return true
}

func (r *Request) openPieces(n int) (done bool, err error) {
	var p pieces
	if !p.take(r, n) {
		return false, nil
	}
	tag := r.tag[:r.tfm.authSize]
	r.src.Gather(tag, r.adSize+n)
	if !r.inPlace {
		copy(p.dstAD, p.ad)
	}
	return true, badMessage(r.tfm.cipher.open(r, p.output, p.text, tag, r.authenticated(p.ad)))
}

func (r *Request) sealJoined(n int) {
	src := r.src.Start()
	joined := r.walk.Buffer()[:r.adSize+n+r.tfm.authSize]
	message, tag := joined[:r.adSize+n], joined[r.adSize+n:]
	src.Gather(message)
	ad, text := message[:r.adSize], message[r.adSize:]
	r.tfm.cipher.seal(r, text, tag, text, r.authenticated(ad))
	dst := r.dst.Start()
	r.scatterAD(&dst, ad)
	dst.Scatter(joined[r.adSize:])
}

func (r *Request) openJoined(n int) error {
	src := r.src.Start()
	message := r.walk.Buffer()[:r.adSize+n]
	src.Gather(message)
	tag := r.tag[:r.tfm.authSize]
	src.Gather(tag)
	ad, text := message[:r.adSize], message[r.adSize:]
	err := r.tfm.cipher.open(r, text, text, tag, r.authenticated(ad))
	dst := r.dst.Start()
	r.scatterAD(&dst, ad)
	dst.Scatter(text) // zeros if the message is forged
	clear(text)
	return badMessage(err)
}

func (r *Request) sealLong(n int) error {
	c := r.tfm.cipher
	dst, src := r.dst.Start(), r.src.Start()
	if err := r.begin(&dst, &src, n); err != nil {
		return err
	}
	r.walk.Start(dst, src, n, 16, 1)
	for {
		out, in := r.walk.Next()
		if len(in) == 0 {
			break
		}
		c.encrypt(r, out, in)
	}
	tag := r.tag[:r.tfm.authSize]
	c.sealed(r, tag)
	dst.Skip(n)
	dst.Scatter(tag)
	return nil
}

func (r *Request) openLong(n int) error {
	c := r.tfm.cipher
	dst, src := r.dst.Start(), r.src.Start()
	if err := r.begin(&dst, &src, n); err != nil {
		return err
	}
	tag := r.tag[:r.tfm.authSize]
	end := src
	end.Skip(n)
	end.Gather(tag)
	r.walk.Start(dst, src, n, 16, 1)
	for {
		out, in := r.walk.Next()
		if len(in) == 0 {
			break
		}
		c.decrypt(r, out, in)
	}
	r.walk.Wipe()
	err := c.opened(r, tag)
	if err != nil {
		dst.Clear(n)
	}
	return badMessage(err)
}

// authenticated returns the part of the associated data that is authenticated as such.
func (r *Request) authenticated(ad []byte) []byte { return ad[:len(ad)-r.unauthenticated] }

// scatterAD copies the associated data to where it belongs, unless it is there.
func (r *Request) scatterAD(dst *scatter.Cursor, ad []byte) {
	if r.inPlace {
		dst.Skip(len(ad))
	} else {
		dst.Scatter(ad)
	}
}

// begin begins a message that is done in steps: it authenticates the associated data, segment by segment, and
// copies it. Both cursors are at the text then.
func (r *Request) begin(dst, src *scatter.Cursor, n int) error {
	c := r.tfm.cipher
	left := r.adSize - r.unauthenticated
	if err := c.begin(r, left, n); err != nil {
		return err
	}
	for ad := *src; left > 0; {
		run := ad.Run()
		run = run[:min(len(run), left)]
		c.auth(r, run)
		ad.Advance(len(run))
		left -= len(run)
	}
	scatter.Copy(dst, src, r.adSize)
	return nil
}
