// Package generic is AES, GHASH, POLYVAL and GCM in portable Go.
package generic

import "lamina/arch/keys"

// EncryptBlocks encrypts each 16-byte block of src to dst.
func EncryptBlocks(k *keys.Enc, dst, src []byte) { encryptTable(k, dst, src) }

// DecryptBlocks decrypts each 16-byte block of src to dst.
func DecryptBlocks(k *keys.Key, dst, src []byte) { decryptTable(&k.Dec, dst, src) }
