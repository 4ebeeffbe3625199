//go:build libcrypto && cgo

package libcrypto

/*
#cgo LDFLAGS: -lcrypto

#include <stdlib.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>

// crypt_all runs a cipher without padding, in one call over all of src. cts is the kind of ciphertext
// stealing, or NULL.
static int crypt_all(const char *name, char *cts, int encrypt, const unsigned char *key, const unsigned char *iv,
		unsigned char *dst, const unsigned char *src, int n)
{
	OSSL_PARAM params[2] = { OSSL_PARAM_construct_end(), OSSL_PARAM_construct_end() };
	EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, NULL);
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int done = 0, last = 0, ok;

	if (cts != NULL)
		params[0] = OSSL_PARAM_construct_utf8_string(OSSL_CIPHER_PARAM_CTS_MODE, cts, 0);
	ok = cipher != NULL && ctx != NULL &&
		EVP_CipherInit_ex2(ctx, cipher, key, iv, encrypt, params) == 1 &&
		EVP_CIPHER_CTX_set_padding(ctx, 0) == 1 &&
		EVP_CipherUpdate(ctx, dst, &done, src, n) == 1 &&
		EVP_CipherFinal_ex(ctx, dst + done, &last) == 1 &&
		done + last == n;
	EVP_CIPHER_CTX_free(ctx);
	EVP_CIPHER_free(cipher);
	return ok;
}

// seal runs an AEAD. CCM wants its lengths before anything else.
static int seal(const char *name, int ccm, const unsigned char *key, const unsigned char *nonce, int nonce_size,
		const unsigned char *ad, int ad_size, unsigned char *dst, const unsigned char *src, int n,
		unsigned char *tag, int tag_size)
{
	EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, NULL);
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int done = 0, last = 0, ignored, ok;

	ok = cipher != NULL && ctx != NULL &&
		EVP_CipherInit_ex2(ctx, cipher, NULL, NULL, 1, NULL) == 1 &&
		EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, nonce_size, NULL) == 1 &&
		(!ccm || EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, tag_size, NULL) == 1) &&
		EVP_CipherInit_ex2(ctx, NULL, key, nonce, 1, NULL) == 1 &&
		(!ccm || EVP_CipherUpdate(ctx, NULL, &ignored, NULL, n) == 1) &&
		(ad_size == 0 || EVP_CipherUpdate(ctx, NULL, &ignored, ad, ad_size) == 1) &&
		EVP_CipherUpdate(ctx, dst, &done, src, n) == 1 &&
		EVP_CipherFinal_ex(ctx, dst + done, &last) == 1 &&
		done + last == n &&
		EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, tag_size, tag) == 1;
	EVP_CIPHER_CTX_free(ctx);
	EVP_CIPHER_free(cipher);
	return ok;
}

static int cmac(char *name, const unsigned char *key, int key_size, unsigned char *sum, const unsigned char *src, size_t n)
{
	OSSL_PARAM params[2] = { OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, name, 0), OSSL_PARAM_construct_end() };
	EVP_MAC *mac = EVP_MAC_fetch(NULL, "CMAC", NULL);
	EVP_MAC_CTX *ctx = mac == NULL ? NULL : EVP_MAC_CTX_new(mac);
	size_t size = 0;
	int ok = ctx != NULL &&
		EVP_MAC_init(ctx, key, key_size, params) == 1 &&
		EVP_MAC_update(ctx, src, n) == 1 &&
		EVP_MAC_final(ctx, sum, &size, 16) == 1 &&
		size == 16;

	EVP_MAC_CTX_free(ctx);
	EVP_MAC_free(mac);
	return ok;
}
*/
import "C"

import (
	"fmt"
	"strings"
	"unsafe"
)

// Version is what libcrypto calls itself.
func Version() string { return C.GoString(C.OpenSSL_version(C.OPENSSL_VERSION)) }

// Crypt encrypts src, or decrypts it, by a cipher of libcrypto's name, such as AES-256-XTS, without padding.
// A name that ends in -CTS means CS3. It fails where libcrypto refuses something.
func Crypt(name string, encrypt bool, key, iv, src []byte) ([]byte, error) {
	cname := C.CString(name)
	defer C.free(unsafe.Pointer(cname))
	var cts *C.char
	if strings.HasSuffix(name, "-CTS") {
		cts = C.CString("CS3")
		defer C.free(unsafe.Pointer(cts))
	}
	var direction C.int
	if encrypt {
		direction = 1
	}
	dst := make([]byte, len(src)+blockSize) // with room for a block of padding, which libcrypto may count on
	if C.crypt_all(cname, cts, direction, data(key), data(iv), data(dst), data(src), C.int(len(src))) != 1 {
		return nil, fmt.Errorf("libcrypto refuses %s with a key of %d bytes, an IV of %d and a text of %d",
			name, len(key), len(iv), len(src))
	}
	return dst[:len(src)], nil
}

// Seal encrypts text by an AEAD of libcrypto's name, such as AES-256-CCM, and appends a tag of tagSize bytes.
func Seal(name string, tagSize int, key, nonce, text, ad []byte) ([]byte, error) {
	cname := C.CString(name)
	defer C.free(unsafe.Pointer(cname))
	var ccm C.int
	if strings.HasSuffix(name, "-CCM") {
		ccm = 1
	}
	dst, tag := make([]byte, len(text)+blockSize), make([]byte, blockSize)
	if C.seal(cname, ccm, data(key), data(nonce), C.int(len(nonce)), data(ad), C.int(len(ad)),
		data(dst), data(text), C.int(len(text)), data(tag), C.int(tagSize)) != 1 {
		return nil, fmt.Errorf("libcrypto refuses %s with a nonce of %d bytes, a tag of %d, associated data of %d and a text of %d",
			name, len(nonce), tagSize, len(ad), len(text))
	}
	return append(dst[:len(text)], tag[:tagSize]...), nil
}

// CMAC returns the CMAC of text under AES.
func CMAC(key, text []byte) ([]byte, error) {
	cname := C.CString(fmt.Sprintf("AES-%d-CBC", len(key)*8))
	defer C.free(unsafe.Pointer(cname))
	sum := make([]byte, blockSize)
	if C.cmac(cname, data(key), C.int(len(key)), data(sum), data(text), C.size_t(len(text))) != 1 {
		return nil, fmt.Errorf("libcrypto refuses CMAC with a key of %d bytes and a text of %d", len(key), len(text))
	}
	return sum, nil
}

const blockSize = 16

var nothing [1]byte

// data returns a pointer to the bytes of b. It is never nil, for libcrypto takes nil to mean something else.
func data(b []byte) *C.uchar {
	if len(b) == 0 {
		return (*C.uchar)(&nothing[0])
	}
	return (*C.uchar)(unsafe.SliceData(b))
}
