/* Arrays of variable length in C, all of which clang calls alike. */
#ifndef PARCAST_INSTRUMENT_LENGTHS_H
#define PARCAST_INSTRUMENT_LENGTHS_H

#include <llvm-c/Core.h>

/** Call them as the lines of the source do that declare them, before the unit is optimised. */
void lengths_name(LLVMModuleRef unit);

#endif
