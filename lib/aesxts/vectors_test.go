package aesxts

import (
	"bytes"
	"testing"

	"lamina/arch"
)

// vector is a test vector of IEEE 1619-2018, annex B.
type vector struct {
	number       int // of the vector there
	key          string
	sector       uint64
	text, cipher []byte
}

// counting returns n bytes that count from 0 on.
func counting(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i)
	}
	return b
}

var vectors = []vector{
	{
		1, "0000000000000000000000000000000000000000000000000000000000000000", 0,
		unhex("0000000000000000000000000000000000000000000000000000000000000000"),
		unhex("917cf69ebd68b2ec9b9fe9a3eadda692cd43d2f59598ed858c02c2652fbf922e"),
	},
	{
		2, "1111111111111111111111111111111122222222222222222222222222222222", 0x3333333333,
		unhex("4444444444444444444444444444444444444444444444444444444444444444"),
		unhex("c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0"),
	},
	{
		3, "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f022222222222222222222222222222222", 0x3333333333,
		unhex("4444444444444444444444444444444444444444444444444444444444444444"),
		unhex("af85336b597afc1a900b2eb21ec949d292df4c047e0b21532186a5971a227a89"),
	},
	{
		4, "2718281828459045235360287471352631415926535897932384626433832795", 0,
		counting(512),
		unhex("" +
			"27a7479befa1d476489f308cd4cfa6e2a96e4bbe3208ff25287dd3819616e89cc78cf7f5e543445f8333d8fa7f560000" +
			"05279fa5d8b5e4ad40e736ddb4d35412328063fd2aab53e5ea1e0a9f332500a5df9487d07a5c92cc512c8866c7e860ce" +
			"93fdf166a24912b422976146ae20ce846bb7dc9ba94a767aaef20c0d61ad02655ea92dc4c4e41a8952c651d33174be51" +
			"a10c421110e6d81588ede82103a252d8a750e8768defffed9122810aaeb99f9172af82b604dc4b8e51bcb08235a6f434" +
			"1332e4ca60482a4ba1a03b3e65008fc5da76b70bf1690db4eae29c5f1badd03c5ccf2a55d705ddcd86d449511ceb7ec3" +
			"0bf12b1fa35b913f9f747a8afd1b130e94bff94effd01a91735ca1726acd0b197c4e5b03393697e126826fb6bbde8ecc" +
			"1e08298516e2c9ed03ff3c1b7860f6de76d4cecd94c8119855ef5297ca67e9f3e7ff72b1e99785ca0a7e7720c5b36dc6" +
			"d72cac9574c8cbbc2f801e23e56fd344b07f22154beba0f08ce8891e643ed995c94d9a69c9f1b5f499027a78572aeebd" +
			"74d20cc39881c213ee770b1010e4bea718846977ae119f7a023ab58cca0ad752afe656bb3c17256a9f6e9bf19fdd5a38" +
			"fc82bbe872c5539edb609ef4f79c203ebb140f2e583cb2ad15b4aa5b655016a8449277dbd477ef2c8d6c017db738b18d" +
			"eb4a427d1923ce3ff262735779a418f20a282df920147beabe421ee5319d0568"),
	},
	{
		10, "2718281828459045235360287471352662497757247093699959574966967627" +
			"3141592653589793238462643383279502884197169399375105820974944592", 0xff,
		counting(512),
		unhex("" +
			"1c3b3a102f770386e4836c99e370cf9bea00803f5e482357a4ae12d414a3e63b5d31e276f8fe4a8d66b317f9ac683f44" +
			"680a86ac35adfc3345befecb4bb188fd5776926c49a3095eb108fd1098baec70aaa66999a72a82f27d848b21d4a741b0" +
			"c5cd4d5fff9dac89aeba122961d03a757123e9870f8acf1000020887891429ca2a3e7a7d7df7b10355165c8b9a6d0a7d" +
			"e8b062c4500dc4cd120c0f7418dae3d0b5781c34803fa75421c790dfe1de1834f280d7667b327f6c8cd7557e12ac3a0f" +
			"93ec05c52e0493ef31a12d3d9260f79a289d6a379bc70c50841473d1a8cc81ec583e9645e07b8d9670655ba5bbcfecc6" +
			"dc3966380ad8fecb17b6ba02469a020a84e18e8f84252070c13e9f1f289be54fbc481457778f616015e1327a02b140f1" +
			"505eb309326d68378f8374595c849d84f4c333ec4423885143cb47bd71c5edae9be69a2ffeceb1bec9de244fbe15992b" +
			"11b77c040f12bd8f6a975a44a0f90c29a9abc3d4d893927284c58754cce294529f8614dcd2aba991925fedc4ae74ffac" +
			"6e333b93eb4aff0479da9a410e4450e0dd7ae4c6e2910900575da401fc07059f645e8b7e9bfdef33943054ff84011493" +
			"c27b3429eaedb4ed5376441a77ed43851ad77f16f541dfd269d50d6a5f14fb0aab1cbb4c1550be97f7ab4066193c4caa" +
			"773dad38014bd2092fa755c824bb5e54c4f36ffda9fcea70b9c6e693e148c151"),
	},
	{
		15, "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0", 0x123456789a,
		counting(17),
		unhex("6c1625db4671522d3d7599601de7ca09ed"),
	},
	{
		16, "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0", 0x123456789a,
		counting(18),
		unhex("d069444b7a7e0cab09e24447d24deb1fedbf"),
	},
	{
		17, "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0", 0x123456789a,
		counting(19),
		unhex("e5df1351c0544ba1350b3363cd8ef4beedbf9d"),
	},
	{
		18, "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0", 0x123456789a,
		counting(20),
		unhex("9d84c813f719aa2c7be3f66171c7c5c2edbf9dac"),
	},
}

func TestVectors(t *testing.T) {
	forEachImpl(t, func(t *testing.T, im arch.Impl) {
		for _, v := range vectors {
			var k Key
			if err := k.InitAllowWeakImpl(im, unhex(v.key)); err != nil { // the halves of vector 1 are equal
				t.Fatal(err)
			}
			got, tweak := make([]byte, len(v.text)), tweakOf(v.sector)
			if k.Encrypt(got, v.text, &tweak); !bytes.Equal(got, v.cipher) {
				t.Errorf("vector %d: encrypted to %x, want %x", v.number, got, v.cipher)
			}
			tweak = tweakOf(v.sector)
			if k.Decrypt(got, v.cipher, &tweak); !bytes.Equal(got, v.text) {
				t.Errorf("vector %d: decrypted to %x, want %x", v.number, got, v.text)
			}
			if k.EncryptSectors(got, v.text, v.sector, len(got)); !bytes.Equal(got, v.cipher) {
				t.Errorf("vector %d: EncryptSectors is wrong", v.number)
			}
			if k.DecryptSectors(got, got, v.sector, len(got)); !bytes.Equal(got, v.text) {
				t.Errorf("vector %d: DecryptSectors is wrong", v.number)
			}
		}
	})
}
