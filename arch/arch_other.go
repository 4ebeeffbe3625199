//go:build !amd64 || purego

package arch

import "lamina/arch/keys"

// This architecture has the portable implementation only.

var (
	implNames = [...]string{"generic"}
	available = []Impl{Generic}
)

func describe() []Info {
	return []Info{{Name: "generic", Needs: "nothing", Priority: 100, Available: true}}
}

func expandKey(Impl, *keys.Enc, []byte) bool                                     { return false }
func invertKey(Impl, *keys.Dec, *keys.Enc) bool                                  { return false }
func encryptBlocks(Impl, *keys.Enc, []byte, []byte) bool                         { return false }
func decryptBlocks(Impl, *keys.Key, []byte, []byte) bool                         { return false }
func prepareHash(Impl, *keys.Hash, keys.Element) bool                            { return false }
func ghashBlocks(Impl, *keys.Hash, *keys.Element, []byte) bool                   { return false }
func polyvalBlocks(Impl, *keys.Hash, *keys.Element, []byte) bool                 { return false }
func prepareGCM(Impl, *keys.GCM, []byte) bool                                    { return false }
func gcmEncrypt(Impl, *keys.GCM, *keys.Element, *[16]byte, []byte, []byte) bool  { return false }
func gcmDecrypt(Impl, *keys.GCM, *keys.Element, *[16]byte, []byte, []byte) bool  { return false }
func gcmSeal(Impl, *keys.GCM, *[16]byte, []byte, []byte, *[12]byte, []byte) bool { return false }
func gcmOpen(Impl, *keys.GCM, *[16]byte, []byte, []byte, *[12]byte, []byte) bool { return false }
