package main

// Known answers, in hexadecimal, from the documents that define the functions.

// aesAnswer is one block.
type aesAnswer struct{ key, plaintext, ciphertext string }

// aesAnswers are FIPS 197, appendix C.
var aesAnswers = []aesAnswer{
	{
		"000102030405060708090a0b0c0d0e0f",
		"00112233445566778899aabbccddeeff",
		"69c4e0d86a7b0430d8cdb78070b4c55a",
	}, {
		"000102030405060708090a0b0c0d0e0f1011121314151617",
		"00112233445566778899aabbccddeeff",
		"dda97ca4864cdfe06eaf70a0ec0d7191",
	}, {
		"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
		"00112233445566778899aabbccddeeff",
		"8ea2b7ca516745bfeafc49904b496089",
	},
}

// hashAnswer is the hash of whole blocks.
type hashAnswer struct {
	function        string // "GHASH" or "POLYVAL"
	key, data, hash string
}

// hashAnswers are test case 2 of the GCM specification and the example of RFC 8452, appendix A.
var hashAnswers = []hashAnswer{
	{
		"GHASH", "66e94bd4ef8a2c3b884cfa59ca342b2e",
		"0388dace60b6a392f328c2b971b2fe78" + "00000000000000000000000000000080",
		"f38cbb1ad69223dcc3457ae5b6b0f885",
	}, {
		"GHASH", "25629347589242761d31f826ba4b757b",
		"4f4f95668c83dfb6401762bb2d01a262" + "d1a24ddd2721d006bbe45f20d3c9f362",
		"bd9b3997046731fb96251b91f9c99d7a",
	}, {
		"POLYVAL", "25629347589242761d31f826ba4b757b",
		"4f4f95668c83dfb6401762bb2d01a262" + "d1a24ddd2721d006bbe45f20d3c9f362",
		"f7a3b47b846119fae5b7866cf5e5b77e",
	},
}

// gcmAnswer is one sealed message.
type gcmAnswer struct{ key, nonce, ad, plaintext, ciphertext, tag string }

const (
	gcmKey       = "feffe9928665731c6d6a8f9467308308"
	gcmNonce     = "cafebabefacedbaddecaf888"
	gcmNonce8    = "cafebabefacedbad"
	gcmNonce60   = "9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728c3c0c95156809539fcf0e2429a6b525416aedbf5a0de6a57a637b39b"
	gcmAD        = "feedfacedeadbeeffeedfacedeadbeefabaddad2"
	gcmPlaintext = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
	zeroBlock    = "00000000000000000000000000000000"
	zeroNonce    = "000000000000000000000000"
)

// gcmAnswers are test cases 1 to 18 of the GCM specification (McGrew and Viega, 2005), in order.
var gcmAnswers = []gcmAnswer{
	{
		zeroBlock, zeroNonce, "", "",
		"",
		"58e2fccefa7e3061367f1d57a4e7455a",
	}, {
		zeroBlock, zeroNonce, "", zeroBlock,
		"0388dace60b6a392f328c2b971b2fe78",
		"ab6e47d42cec13bdf53a67b21257bddf",
	}, {
		gcmKey, gcmNonce, "", gcmPlaintext + "1aafd255",
		"42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985",
		"4d5c2af327cd64a62cf35abd2ba6fab4",
	}, {
		gcmKey, gcmNonce, gcmAD, gcmPlaintext,
		"42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091",
		"5bc94fbc3221a5db94fae95ae7121a47",
	}, {
		gcmKey, gcmNonce8, gcmAD, gcmPlaintext,
		"61353b4c2806934a777ff51fa22a4755699b2a714fcdc6f83766e5f97b6c742373806900e49f24b22b097544d4896b424989b5e1ebac0f07c23f4598",
		"3612d2e79e3b0785561be14aaca2fccb",
	}, {
		gcmKey, gcmNonce60, gcmAD, gcmPlaintext,
		"8ce24998625615b603a033aca13fb894be9112a5c3a211a8ba262a3cca7e2ca701e4a9a4fba43c90ccdcb281d48c7c6fd62875d2aca417034c34aee5",
		"619cc5aefffe0bfa462af43c1699d050",
	}, {
		zeroBlock + zeroBlock[:16], zeroNonce, "", "",
		"",
		"cd33b28ac773f74ba00ed1f312572435",
	}, {
		zeroBlock + zeroBlock[:16], zeroNonce, "", zeroBlock,
		"98e7247c07f0fe411c267e4384b0f600",
		"2ff58d80033927ab8ef4d4587514f0fb",
	}, {
		gcmKey + gcmKey[:16], gcmNonce, "", gcmPlaintext + "1aafd255",
		"3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c7d773d00c144c525ac619d18c84a3f4718e2448b2fe324d9ccda2710acade256",
		"9924a7c8587336bfb118024db8674a14",
	}, {
		gcmKey + gcmKey[:16], gcmNonce, gcmAD, gcmPlaintext,
		"3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c7d773d00c144c525ac619d18c84a3f4718e2448b2fe324d9ccda2710",
		"2519498e80f1478f37ba55bd6d27618c",
	}, {
		gcmKey + gcmKey[:16], gcmNonce8, gcmAD, gcmPlaintext,
		"0f10f599ae14a154ed24b36e25324db8c566632ef2bbb34f8347280fc4507057fddc29df9a471f75c66541d4d4dad1c9e93a19a58e8b473fa0f062f7",
		"65dcc57fcf623a24094fcca40d3533f8",
	}, {
		gcmKey + gcmKey[:16], gcmNonce60, gcmAD, gcmPlaintext,
		"d27e88681ce3243c4830165a8fdcf9ff1de9a1d8e6b447ef6ef7b79828666e4581e79012af34ddd9e2f037589b292db3e67c036745fa22e7e9b7373b",
		"dcf566ff291c25bbb8568fc3d376a6d9",
	}, {
		zeroBlock + zeroBlock, zeroNonce, "", "",
		"",
		"530f8afbc74536b9a963b4f1c4cb738b",
	}, {
		zeroBlock + zeroBlock, zeroNonce, "", zeroBlock,
		"cea7403d4d606b6e074ec5d3baf39d18",
		"d0d1c8a799996bf0265b98b5d48ab919",
	}, {
		gcmKey + gcmKey, gcmNonce, "", gcmPlaintext + "1aafd255",
		"522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad",
		"b094dac5d93471bdec1a502270e3cc6c",
	}, {
		gcmKey + gcmKey, gcmNonce, gcmAD, gcmPlaintext,
		"522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
		"76fc6ece0f4e1768cddf8853bb2d551b",
	}, {
		gcmKey + gcmKey, gcmNonce8, gcmAD, gcmPlaintext,
		"c3762df1ca787d32ae47c13bf19844cbaf1ae14d0b976afac52ff7d79bba9de0feb582d33934a4f0954cc2363bc73f7862ac430e64abe499f47c9b1f",
		"3a337dbf46a792c45e454913fe2ea8f2",
	}, {
		gcmKey + gcmKey, gcmNonce60, gcmAD, gcmPlaintext,
		"5a8def2f0c9e53f1f75d7853659e2a20eeb2b22aafde6419a058ab4f6f746bf40fc0c3b780f244452da3ebf1c5d82cdea2418997200ef82e44ae7e3f",
		"a44a8266ee1c8eb0c8b5d4cf5ae9f19a",
	},
}

// sweepAnswer is the SHA-256 of many messages of all lengths, each sealed: see sweepDigest. crypto/cipher gives the
// same.
const sweepAnswer = "7cb98da4106a4b8e1e624af97a1a6e47e78b089ffc82c989dcffc384df7a6130"
