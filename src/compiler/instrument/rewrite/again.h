/* What a block does, done again on each of several ways. */
#ifndef PARCAST_INSTRUMENT_AGAIN_H
#define PARCAST_INSTRUMENT_AGAIN_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/** Stores and loads, and steps of numbers and pointers. */
bool again_can_be(LLVMValueRef instruction);
/** Is it used in its block only, where it is made again, and by phis of the next one? */
bool again_is_used_behind(LLVMValueRef value, LLVMBasicBlockRef block, LLVMBasicBlockRef next);
/** May memory be another one behind it: a store, an atomic operation, a call? */
bool again_changes_memory(LLVMValueRef instruction);

#endif
