/* Sums of a few terms that are part of an expression. */
#ifndef PARCAST_INSTRUMENT_SHORT_SUMS_H
#define PARCAST_INSTRUMENT_SHORT_SUMS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/** Marks innermost loops of up to four turns that add up in a register what is used further, to be written
 * out; what others have that is about unrolling goes. Says whether there are any. */
bool short_sums_mark(LLVMModuleRef module);

#endif
