/* Arithmetic that heeds rounding modes and traps. */
#ifndef PARCAST_INSTRUMENT_CONSTRAINED_H
#define PARCAST_INSTRUMENT_CONSTRAINED_H

#include <llvm-c/Core.h>

/** Make plain operations of calls that options and pragmas of the environment of floating-point numbers ask
 * for. */
void constrained_make_plain(LLVMModuleRef module);

#endif
