/* A place that is chosen without a branch. */
#ifndef PARCAST_INSTRUMENT_PLACE_WAYS_H
#define PARCAST_INSTRUMENT_PLACE_WAYS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/** Let a block that chooses between a variable of the frame and another place, `c ? &mine : &m[k]`, and what
 * it does behind that, become two ways to the next block. False where there is none. */
bool place_ways_part(LLVMContextRef context, LLVMBuilderRef builder, LLVMBasicBlockRef block);

#endif
