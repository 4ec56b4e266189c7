/* Branches that end in stores of one word become one store of what they choose. */
#ifndef PARCAST_INSTRUMENT_SUNK_H
#define PARCAST_INSTRUMENT_SUNK_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/** `if (c) s[i] = a; else s[i] = b;` becomes what `s[i] = c ? a : b` is. Says whether anything has. */
bool sink_stores(LLVMModuleRef module);

#endif
