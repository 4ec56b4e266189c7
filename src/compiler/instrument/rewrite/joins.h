/* Blocks that very many others lead to. */
#ifndef PARCAST_COMPILER_INSTRUMENT_JOINS_H
#define PARCAST_COMPILER_INSTRUMENT_JOINS_H

#include <llvm-c/Core.h>

/** Blocks with phis of more than MOST_USES (flow.h) edges get these through blocks in between. Left as they
 * are: what is thrown, and what computed jumps lead to. */
void joins_split(LLVMContextRef context, LLVMValueRef function);

/** The edges of those n blocks to this one, one each, lead to a new one before it. */
void joins_part(LLVMContextRef context, LLVMBasicBlockRef block, const LLVMBasicBlockRef *from, unsigned n);

#endif
