package aead

// SelfTest implements registry.Driver.
func (d *driver) SelfTest() error { return nil }
