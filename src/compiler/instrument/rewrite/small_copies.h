/* Structures that are copied from a chosen place. */
#ifndef PARCAST_INSTRUMENT_SMALL_COPIES_H
#define PARCAST_INSTRUMENT_SMALL_COPIES_H

#include <llvm-c/Core.h>

/** Let memcpy from a place that was chosen, a small structure in the frame or another one, copy member by
 * member. */
void small_copies_part(LLVMContextRef context, LLVMValueRef function);

#endif
