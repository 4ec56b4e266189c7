/* `if (.not. seen .or. x > m) m = x` in one condition. */
#ifndef PARCAST_INSTRUMENT_GUARDED_EITHER_H
#define PARCAST_INSTRUMENT_GUARDED_EITHER_H

#include <llvm-c/Core.h>

/** Where one of two conditions, either of which leads to a store, compares the word with what is stored: let
 * the ways part by the other one first. `store`: the first access to memory of its block. */
void guarded_part_either(LLVMContextRef context, LLVMBuilderRef builder, LLVMValueRef store);

#endif
