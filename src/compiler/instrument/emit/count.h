/*
 * The version of a function that counts its operations and does nothing else, for a run that looks which
 * iterations do other work than others: as it was written, with one addition a block.
 */
#ifndef PARCAST_INSTRUMENT_COUNT_H
#define PARCAST_INSTRUMENT_COUNT_H

#include "compiler/instrument/function/function.h"

/** Count the operations and the stores of a function that is not instrumented. They reach the run time's
 * counters before anything is called, so that these are right there, and where the function ends. */
void count_operations(struct module_state *m, LLVMValueRef function);
/** "parcast_vf_flop", the run time's counter. */
LLVMValueRef count_global(struct module_state *m);
/** Floating-point operations of one instruction; a fused multiply-add has two. Only asked of arithmetic. */
int count_flop(LLVMValueRef value);
/** Does a coroutine wait there, so that the rest of its block comes later or never? */
bool count_waits(LLVMValueRef instruction);
/** Operations of each block, to be released. Kinds of nodes must be known. */
int *count_of_blocks(const struct function *f);

#endif
