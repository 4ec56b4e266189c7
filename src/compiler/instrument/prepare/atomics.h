/* Atomic operations on structures. */
#ifndef PARCAST_INSTRUMENT_ATOMICS_H
#define PARCAST_INSTRUMENT_ATOMICS_H

#include <llvm-c/Core.h>

/** Make copies of the calls of libatomic that load, store and exchange what is larger than a register: there
 * is one thread where values are followed. */
void atomics_make_copies(LLVMModuleRef module);

#endif
