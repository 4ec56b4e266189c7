/* Bits that one of two ways sets and the other one clears. */
#ifndef PARCAST_INSTRUMENT_BITS_H
#define PARCAST_INSTRUMENT_BITS_H

#include <llvm-c/Core.h>

/** `if (c) *w |= m; else *w &= ~m;`, of which the optimiser has made one store, puts (c ? m : 0) into the
 * word that is there where the ways meet. */
void bits_put(LLVMContextRef context, LLVMValueRef function);

#endif
