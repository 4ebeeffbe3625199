// RECORD begins every generated function. It is nothing, unless the package is built with the tag dispatch: then the
// function notes that it ran. The tag reaches assembly through a constant that is only declared with it.

#include "go_asm.h"

#ifdef const_recordCapacity
#define RECORD CALL ·record(SB)
#else
#define RECORD
#endif
