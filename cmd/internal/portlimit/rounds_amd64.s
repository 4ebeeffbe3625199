//go:build amd64 && !purego

#include "textflag.h"

// Eight chains of AES rounds in registers 0 to 7, with register 8 as the round key. Two rounds a turn, so
// that the loop itself takes no time.

#define ROUNDX \
	AESENC X8, X0; \
	AESENC X8, X1; \
	AESENC X8, X2; \
	AESENC X8, X3; \
	AESENC X8, X4; \
	AESENC X8, X5; \
	AESENC X8, X6; \
	AESENC X8, X7

// func roundsXMM(pairs int)
TEXT ·roundsXMM(SB), NOSPLIT, $0-8
	MOVQ pairs+0(FP), CX

loop:
	ROUNDX
	ROUNDX
	DECQ CX
	JNZ  loop
	RET

#define ROUNDY \
	VAESENC Y8, Y0, Y0; \
	VAESENC Y8, Y1, Y1; \
	VAESENC Y8, Y2, Y2; \
	VAESENC Y8, Y3, Y3; \
	VAESENC Y8, Y4, Y4; \
	VAESENC Y8, Y5, Y5; \
	VAESENC Y8, Y6, Y6; \
	VAESENC Y8, Y7, Y7

// func roundsYMM(pairs int)
TEXT ·roundsYMM(SB), NOSPLIT, $0-8
	MOVQ pairs+0(FP), CX

loop:
	ROUNDY
	ROUNDY
	DECQ CX
	JNZ  loop
	VZEROUPPER
	RET

#define ROUNDZ \
	VAESENC Z8, Z0, Z0; \
	VAESENC Z8, Z1, Z1; \
	VAESENC Z8, Z2, Z2; \
	VAESENC Z8, Z3, Z3; \
	VAESENC Z8, Z4, Z4; \
	VAESENC Z8, Z5, Z5; \
	VAESENC Z8, Z6, Z6; \
	VAESENC Z8, Z7, Z7

// func roundsZMM(pairs int)
TEXT ·roundsZMM(SB), NOSPLIT, $0-8
	MOVQ pairs+0(FP), CX

loop:
	ROUNDZ
	ROUNDZ
	DECQ CX
	JNZ  loop
	VZEROUPPER
	RET

// func chain(pairs int)
TEXT ·chain(SB), NOSPLIT, $0-8
	MOVQ pairs+0(FP), CX

loop:
	AESENC X8, X0
	AESENC X8, X0
	DECQ   CX
	JNZ    loop
	RET
