package aes

import (
	"lamina/arch"
	"lamina/arch/keys"
)

// Schedule returns what the packages of modes hand to the hooks of package arch: the implementation that the
// key was set for, and its schedule, which is only to be read. It panics if the key was not set or was wiped.
// Programs that use modes need not call it.
func (k *EncKey) Schedule() (arch.Impl, *keys.Enc) {
	k.check()
	return k.im, &k.enc
}

// InverseSchedule is Schedule for decryption.
func (k *Key) InverseSchedule() (arch.Impl, *keys.Dec) {
	k.check()
	return k.im, &k.dec
}
