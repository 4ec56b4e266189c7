/* Stores behind a comparison with what they replace. */
#ifndef PARCAST_INSTRUMENT_GUARDED_H
#define PARCAST_INSTRUMENT_GUARDED_H

#include <llvm-c/Core.h>

/** Make reductions of them: a choice that is always stored. */
void guarded_stores(LLVMContextRef context, LLVMValueRef function);
/** Let the program store where it did, when all that is called for labels is there. */
void guarded_back(LLVMContextRef context, LLVMValueRef function);

#endif
