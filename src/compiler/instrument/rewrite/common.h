/* An operation that all ways to a block end with is done where they meet. */
#ifndef PARCAST_INSTRUMENT_COMMON_H
#define PARCAST_INSTRUMENT_COMMON_H

#include <llvm-c/Core.h>

/** `*m = c ? min(*m, a) : min(*m, b)` becomes what `*m = min(*m, c ? a : b)` is. */
void common_operations(LLVMContextRef context, LLVMValueRef function);

#endif
