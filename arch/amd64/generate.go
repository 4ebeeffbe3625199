// Package amd64 is AES, GHASH, POLYVAL and modes of AES in assembly for x86-64.
//
// Every template in gen is compiled into several functions, told apart by their suffix:
//
//	AESNI        AES-NI, PCLMULQDQ, SSSE3 and SSE4.1: no AVX
//	AESNIAVX     the same instructions in the encoding of AVX, which have three operands
//	VAESAVX2     vectors of 256 bits, 16 registers
//	VAESAVX512Y  vectors of 256 bits, 32 registers and masks
//	VAESAVX512Z  vectors of 512 bits
//
// The functions check nothing. A caller must know from Forms that the CPU has what the suffix stands for;
// package arch is the only one. With the build tag dispatch they note that they ran, for the test of the same name.
package amd64

//go:generate go run -C gen . -mode aes -out ../aes_amd64.s -stubs ../aes_amd64.go
//go:generate go run -C gen . -mode hash -out ../hash_amd64.s -stubs ../hash_amd64.go
//go:generate go run -C gen . -mode gcm -out ../gcm_amd64.s -stubs ../gcm_amd64.go
//go:generate go run -C gen . -mode ctr -out ../ctr_amd64.s -stubs ../ctr_amd64.go
//go:generate go run -C gen . -mode xts -out ../xts_amd64.s -stubs ../xts_amd64.go
//go:generate go run -C gen . -mode cbc -out ../cbc_amd64.s -stubs ../cbc_amd64.go
