package aead

// What rfc4106(gcm(aes)) and rfc4309(ccm(aes)) share, which are for packets of IPsec's ESP: a nonce of a salt,
// that comes with the key, and an IV of 8 bytes, that is in the packet behind the associated data proper.

const (
	espIVSize = 8
	// The associated data with the IV behind it: 8 bytes of SPI and sequence number, or 12 with the extended one.
	espShortAD = 8 + espIVSize
	espLongAD  = 12 + espIVSize
)

func (r *Request) checkESP() error {
	if r.adSize != espShortAD && r.adSize != espLongAD {
		return r.tfm.failure(ErrLength, "%d bytes of associated data; it must have 16 or 20, the IV of 8 at its end included", r.adSize)
	}
	r.unauthenticated = espIVSize
	return nil
}

// esp4309 is rfc4309(ccm(aes)).
type esp4309 struct {
	ccm
	salt [3]byte
}

func (e *esp4309) init(key, salt []byte, authSize int) error {
	copy(e.salt[:], salt)
	return e.ccm.init(key, nil, authSize)
}

func (e *esp4309) prepare(r *Request, n int) error {
	if err := r.checkESP(); err != nil {
		return err
	}
	copy(r.nonce[:], e.salt[:])
	copy(r.nonce[len(e.salt):], r.iv)
	r.nonceSize = len(e.salt) + espIVSize
	return e.checkText(r, n)
}

func (e *esp4309) wipe() {
	e.ccm.wipe()
	clear(e.salt[:])
}
