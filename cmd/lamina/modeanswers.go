package main

import (
	"fmt"
	"strings"
)

// Known answers of the modes other than GCM, in hexadecimal, from the documents that define them.

// modeAnswer is one text. iv is the counter block, the IV or the tweak.
type modeAnswer struct{ key, iv, plaintext, ciphertext string }

// The keys and the text of SP 800-38A, appendix F, and of SP 800-38B, appendix D.
const (
	nistKey128 = "2b7e151628aed2a6abf7158809cf4f3c"
	nistKey192 = "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b"
	nistKey256 = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"
	nistText   = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51" +
		"30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
	nistCounter = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"
)

// ctrAnswers are SP 800-38A, appendices F.5.1, F.5.3 and F.5.5.
var ctrAnswers = []modeAnswer{
	{
		nistKey128, nistCounter, nistText,
		"874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff" +
			"5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee",
	}, {
		nistKey192, nistCounter, nistText,
		"1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e94" +
			"1e36b26bd1ebc670d1bd1d665620abf74f78a7f6d29809585a97daec58c6b050",
	}, {
		nistKey256, nistCounter, nistText,
		"601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5" +
			"2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6",
	},
}

// xctrAnswers were computed block by block with a command-line AES; the paper that defines XCTR has none.
var xctrAnswers = []modeAnswer{
	{
		nistKey128, nistCounter, nistText[:106],
		"85781124e7f77c43dc4b8c8e92726f2f50bd44e1bcd0da2f246015d34c2e41c8" +
			"f6ad7243cd7451f50e671a1e46f76e5d9d8393eea0",
	}, {
		nistKey256, nistCounter, nistText[:106],
		"e2a3ebf758cd3df5bfea714f09bbb4ae32c38525fea2f98ba30f875cc3ebccbf" +
			"675a347a1a1632b769dd2c8f2b8adb0b4b17a5cd19",
	},
}

// cbcAnswers are SP 800-38A, appendices F.2.1, F.2.3 and F.2.5.
var cbcAnswers = []modeAnswer{
	{
		nistKey128, "000102030405060708090a0b0c0d0e0f", nistText,
		"7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2" +
			"73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7",
	}, {
		nistKey192, "000102030405060708090a0b0c0d0e0f", nistText,
		"4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a" +
			"571b242012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd",
	}, {
		nistKey256, "000102030405060708090a0b0c0d0e0f", nistText,
		"f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d" +
			"39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b",
	},
}

const (
	// ctsKey is "chicken teriyaki".
	ctsKey = "636869636b656e207465726979616b69"
	// ctsText is "I would like the General Gau's Chicken, please, and wonton soup."
	ctsText = "4920776f756c64206c696b65207468652047656e6572616c2047617527732043" +
		"6869636b656e2c20706c656173652c20616e6420776f6e746f6e20736f75702e"
)

// ctsAnswers are RFC 3962, appendix B.
var ctsAnswers = []modeAnswer{
	{ctsKey, zeroBlock, ctsText[:2*17], "c6353568f2bf8cb4d8a580362da7ff7f97"},
	{ctsKey, zeroBlock, ctsText[:2*31], "fc00783e0efdb2c1d445d4c8eff7ed2297687268d6ecccc0c07b25e25ecfe5"},
	{ctsKey, zeroBlock, ctsText[:2*32], "39312523a78662d5be7fcbcc98ebf5a897687268d6ecccc0c07b25e25ecfe584"},
	{
		ctsKey, zeroBlock, ctsText[:2*47],
		"97687268d6ecccc0c07b25e25ecfe584b3fffd940c16a18c1b5549d2f838029e39312523a78662d5be7fcbcc98ebf5",
	}, {
		ctsKey, zeroBlock, ctsText[:2*48],
		"97687268d6ecccc0c07b25e25ecfe5849dad8bbb96c4cdc03bc103e1a194bbd839312523a78662d5be7fcbcc98ebf5a8",
	}, {
		ctsKey, zeroBlock, ctsText,
		"97687268d6ecccc0c07b25e25ecfe58439312523a78662d5be7fcbcc98ebf5a8" +
			"4807efe836ee89a526730dbc2f7bc8409dad8bbb96c4cdc03bc103e1a194bbd8",
	},
}

const (
	xtsTweak3     = "33333333330000000000000000000000"
	xtsTweak9a    = "9a785634120000000000000000000000"
	xtsKeyFF      = "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0"
	xtsKeyBF      = "bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0"
	xtsStolenText = "000102030405060708090a0b0c0d0e0f10111213"
)

// xtsAnswers are of IEEE 1619-2007, annex B: vectors 2 and 3, the first two blocks of vector 10, and vectors
// 15 to 18, which steal.
var xtsAnswers = []modeAnswer{
	{
		strings.Repeat("11", 16) + strings.Repeat("22", 16), xtsTweak3, strings.Repeat("44", 32),
		"c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0",
	}, {
		xtsKeyFF + strings.Repeat("22", 16), xtsTweak3, strings.Repeat("44", 32),
		"af85336b597afc1a900b2eb21ec949d292df4c047e0b21532186a5971a227a89",
	}, {
		"2718281828459045235360287471352662497757247093699959574966967627" +
			"3141592653589793238462643383279502884197169399375105820974944592",
		"ff000000000000000000000000000000",
		"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
		"1c3b3a102f770386e4836c99e370cf9bea00803f5e482357a4ae12d414a3e63b",
	},
	{xtsKeyFF + xtsKeyBF, xtsTweak9a, xtsStolenText[:2*17], "6c1625db4671522d3d7599601de7ca09ed"},
	{xtsKeyFF + xtsKeyBF, xtsTweak9a, xtsStolenText[:2*18], "d069444b7a7e0cab09e24447d24deb1fedbf"},
	{xtsKeyFF + xtsKeyBF, xtsTweak9a, xtsStolenText[:2*19], "e5df1351c0544ba1350b3363cd8ef4beedbf9d"},
	{xtsKeyFF + xtsKeyBF, xtsTweak9a, xtsStolenText[:2*20], "9d84c813f719aa2c7be3f66171c7c5c2edbf9dac"},
}

// macAnswer is the tag of a message.
type macAnswer struct {
	function       string // "CMAC" or "XCBC-MAC"
	key, data, tag string
}

const xcbcKey = "000102030405060708090a0b0c0d0e0f"

// macAnswers are SP 800-38B, appendix D, and RFC 3566, section 4.6.
var macAnswers = []macAnswer{
	{"CMAC", nistKey128, "", "bb1d6929e95937287fa37d129b756746"},
	{"CMAC", nistKey128, nistText[:2*16], "070a16b46b4d4144f79bdd9dd04a287c"},
	{"CMAC", nistKey128, nistText[:2*40], "dfa66747de9ae63030ca32611497c827"},
	{"CMAC", nistKey128, nistText, "51f0bebf7e3b9d92fc49741779363cfe"},
	{"CMAC", nistKey192, "", "d17ddf46adaacde531cac483de7a9367"},
	{"CMAC", nistKey192, nistText[:2*16], "9e99a7bf31e710900662f65e617c5184"},
	{"CMAC", nistKey192, nistText[:2*40], "8a1de5be2eb31aad089a82e6ee908b0e"},
	{"CMAC", nistKey192, nistText, "a1d5df0eed790f794d77589659f39a11"},
	{"CMAC", nistKey256, "", "028962f61b7bf89efc6b551f4667d983"},
	{"CMAC", nistKey256, nistText[:2*16], "28a7023f452e8f82bd4bf28d8c37c35c"},
	{"CMAC", nistKey256, nistText[:2*40], "aaf3d8f1de5640c232f5b169b9c911e6"},
	{"CMAC", nistKey256, nistText, "e1992190549f6ed5696a2c056c315410"},
	{"XCBC-MAC", xcbcKey, "", "75f0251d528ac01c4573dfd584d79f29"},
	{"XCBC-MAC", xcbcKey, "000102", "5b376580ae2f19afe7219ceef172756f"},
	{"XCBC-MAC", xcbcKey, "000102030405060708090a0b0c0d0e0f", "d2a246fa349b68a79998a4394ff7a263"},
	{"XCBC-MAC", xcbcKey, "000102030405060708090a0b0c0d0e0f10111213", "47f51b4564966215b8985c63055ed308"},
	{
		"XCBC-MAC", xcbcKey, "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
		"f54f0ec8d2b9f3d36807734bd5283fd4",
	}, {
		"XCBC-MAC", xcbcKey, "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021",
		"becbb3bccdb518a30677d5481fb6b4d8",
	},
	{"XCBC-MAC", xcbcKey, strings.Repeat("00", 1000), "f0dafee895db30253761103b5d84528f"},
}

// ccmAnswer is one sealed message. Its tag is what sealed has more than plaintext.
type ccmAnswer struct{ nonce, ad, plaintext, sealed string }

const (
	ccmKey  = "404142434445464748494a4b4c4d4e4f"
	ccmText = "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f"
)

// ccmAnswers are SP 800-38C, appendices C.1 to C.4. The associated data of the last is 0 to 255, 256 times.
var ccmAnswers = []ccmAnswer{
	{"10111213141516", "0001020304050607", ccmText[:2*4], "7162015b4dac255d"},
	{
		"1011121314151617", "000102030405060708090a0b0c0d0e0f", ccmText[:2*16],
		"d2a1f0e051ea5f62081a7792073d593d1fc64fbfaccd",
	}, {
		"101112131415161718191a1b", "000102030405060708090a0b0c0d0e0f10111213", ccmText[:2*24],
		"e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5484392fbc1b09951",
	}, {
		"101112131415161718191a1b1c", strings.Repeat(allBytes(), 256), ccmText,
		"69915dad1e84c6376a68c2967e4dab615ae0fd1faec44cc484828529463ccf72b4ac6bec93e8598e7f0dadbcea5b",
	},
}

// The SHA-256 of what sweep makes in each mode, and for CCM sweepDigest. Programs without Lamina give the
// same.
const (
	ctrDigest  = "48a0d1e9ba06cd6b83d91f3eb23630d8922fa1486eb5374676ab6d91353a1bd4"
	xctrDigest = "ad6e6d4abe23d0ef5f06a1f4981d83e71f66dd9490556bd52aebad64fae22365"
	xtsDigest  = "65f5e23f188c3e615072cfb7196783037735fd6a874be8a90458dfe90ee08b53"
	cbcDigest  = "b9f7c12f7b38aafdf00f7e38f308bf39e321b8a24fd87d92e5b4b41f055847b2"
	ctsDigest  = "1b4c15960336d87b7ffecfd57478e11e9608799d86f220067119474c99dd47af"
	cmacDigest = "b4d2fc0975174ac6007cf6348c72a94a0926fdd2a6693266a75029c6410fd8b8"
	xcbcDigest = "f4ef232234d282b789f9fa67e369a71bd6f5e696e9481de2a612db676194bd6c"
	ccmDigest  = "c87c667881d667c1bf47b2511c856d53e77b74218fff69cd2ef0044fc6a3bf48"
)

// allBytes returns the bytes 0 to 255.
func allBytes() string {
	var b strings.Builder
	for i := range 256 {
		fmt.Fprintf(&b, "%02x", i)
	}
	return b.String()
}
