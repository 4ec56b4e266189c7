/* What a truth value is on the way that it sent the program. */
#ifndef PARCAST_COMPILER_INSTRUMENT_TRUTHS_H
#define PARCAST_COMPILER_INSTRUMENT_TRUTHS_H

#include <llvm-c/Core.h>

/** `any = any || c` and `all = all && c` in a loop go on from what they were, not from a constant, where c is
 * not asked. */
void truths_go_on(LLVMContextRef context, LLVMValueRef function);

#endif
