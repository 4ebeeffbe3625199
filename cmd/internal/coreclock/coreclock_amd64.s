//go:build amd64 && !purego

#include "textflag.h"

// Both operands are registers: some CPUs add small constants before execution, in no time. The count of turns
// is kept beside the chain and takes no time of its own.

#define ADD4 \
	ADDQ BX, AX; \
	ADDQ BX, AX; \
	ADDQ BX, AX; \
	ADDQ BX, AX

#define ADD16 \
	ADD4; \
	ADD4; \
	ADD4; \
	ADD4

// func additions(turns int)
TEXT ·additions(SB), NOSPLIT, $0-8
	MOVQ  turns+0(FP), CX
	TESTQ CX, CX
	JLE   done

loop:
	ADD16
	ADD16
	ADD16
	ADD16
	DECQ CX
	JNZ  loop

done:
	RET
