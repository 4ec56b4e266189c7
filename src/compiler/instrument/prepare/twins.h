/* Registers that always hold the same. */
#ifndef PARCAST_INSTRUMENT_TWINS_H
#define PARCAST_INSTRUMENT_TWINS_H

#include <llvm-c/Core.h>

/** What the optimiser carries through loops twice, a variable that it keeps in a register among branches say,
 * is one register. */
void twins_merge(LLVMModuleRef module);

#endif
