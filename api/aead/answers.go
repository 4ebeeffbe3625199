package aead

// answer is a message of which it is known what it is sealed to. All is in hexadecimal.
type answer struct {
	algorithm string
	key       string // with the salt behind it
	iv        string
	ad        string
	text      string
	sealed    string // the text encrypted, and the tag
}

// answers are cases 1, 4, 10 and 16 of the GCM specification (McGrew and Viega, appendix B), examples 1 to 3 of
// SP 800-38C (appendix C), and for the RFCs, which have none, what OpenSSL 3 makes of nonces of salt and IV.
var answers = []answer{
	{
		algorithm: "gcm(aes)",
		key:       "00000000000000000000000000000000",
		iv:        "000000000000000000000000",
		sealed:    "58e2fccefa7e3061367f1d57a4e7455a",
	},
	{
		algorithm: "gcm(aes)",
		key:       "feffe9928665731c6d6a8f9467308308",
		iv:        "cafebabefacedbaddecaf888",
		ad:        "feedfacedeadbeeffeedfacedeadbeefabaddad2",
		text: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525" +
			"b16aedf5aa0de657ba637b39",
		sealed: "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa05" +
			"1ba30b396a0aac973d58e0915bc94fbc3221a5db94fae95ae7121a47",
	},
	{
		algorithm: "gcm(aes)",
		key:       "feffe9928665731c6d6a8f9467308308feffe9928665731c",
		iv:        "cafebabefacedbaddecaf888",
		ad:        "feedfacedeadbeeffeedfacedeadbeefabaddad2",
		text: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525" +
			"b16aedf5aa0de657ba637b39",
		sealed: "3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c7d773d00c144c525ac619d18c84a3f47" +
			"18e2448b2fe324d9ccda27102519498e80f1478f37ba55bd6d27618c",
	},
	{
		algorithm: "gcm(aes)",
		key:       "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
		iv:        "cafebabefacedbaddecaf888",
		ad:        "feedfacedeadbeeffeedfacedeadbeefabaddad2",
		text: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525" +
			"b16aedf5aa0de657ba637b39",
		sealed: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838" +
			"c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b",
	},
	{
		algorithm: "rfc4106(gcm(aes))",
		key:       "101112131415161718191a1b1c1d1e1fc0c1c2c3",
		iv:        "e0e1e2e3e4e5e6e7",
		ad:        "8081828384858687e0e1e2e3e4e5e6e7",
		text:      "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f4041424344454647",
		sealed: "31ccc117f5b2ac007fc0d7def2eb8d461af36397f29c2940950f1627676b65f506f68f3f91d796e9442016df9dc20a17" +
			"2a52c4748a8c7b30",
	},
	{
		algorithm: "rfc4106(gcm(aes))",
		key:       "101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2fc0c1c2c3",
		iv:        "e0e1e2e3e4e5e6e7",
		ad:        "808182838485868788898a8be0e1e2e3e4e5e6e7",
		text: "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f" +
			"505152535455565758595a5b5c",
		sealed: "1eacfe6382bf423593d89685d55f05a85a6629a0a154a29271a715d67470a076113f13071ea1bfdd9d73dbb3863832b7" +
			"d253dcdf6248de5a308eb5ede13681735cb8c2891cc6922d0e",
	},
	{
		algorithm: "ccm(aes)",
		key:       "404142434445464748494a4b4c4d4e4f",
		iv:        "07101112131415160000000000000000",
		ad:        "0001020304050607",
		text:      "20212223",
		sealed:    "7162015b4dac255d",
	},
	{
		algorithm: "ccm(aes)",
		key:       "404142434445464748494a4b4c4d4e4f",
		iv:        "06101112131415161700000000000000",
		ad:        "000102030405060708090a0b0c0d0e0f",
		text:      "202122232425262728292a2b2c2d2e2f",
		sealed:    "d2a1f0e051ea5f62081a7792073d593d1fc64fbfaccd",
	},
	{
		algorithm: "ccm(aes)",
		key:       "404142434445464748494a4b4c4d4e4f",
		iv:        "02101112131415161718191a1b000000",
		ad:        "000102030405060708090a0b0c0d0e0f10111213",
		text:      "202122232425262728292a2b2c2d2e2f3031323334353637",
		sealed:    "e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5484392fbc1b09951",
	},
	{
		algorithm: "rfc4309(ccm(aes))",
		key:       "101112131415161718191a1b1c1d1e1fc0c1c2",
		iv:        "e0e1e2e3e4e5e6e7",
		ad:        "8081828384858687e0e1e2e3e4e5e6e7",
		text:      "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f4041424344454647",
		sealed: "2c7049d11ee4a769acdc2e3f4d0b8e1c7ad45e9f035f75786f2fbe4fd6fba27e45b7180ab4bcbd8b4d9dbd9b6519f72b" +
			"94a1fad4cae62159",
	},
	{
		algorithm: "rfc4309(ccm(aes))",
		key:       "101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2fc0c1c2",
		iv:        "e0e1e2e3e4e5e6e7",
		ad:        "808182838485868788898a8be0e1e2e3e4e5e6e7",
		text: "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f" +
			"505152535455565758595a5b5c",
		sealed: "8142eeb986dafd3647a662b14c98c0640b98e599c2760911751d3ba63da7ea53d3efae88402ac1486b6c074234134163" +
			"9bdf674770830868b5f5be2e39ee2089406e5bb9d61df971e2",
	},
}
