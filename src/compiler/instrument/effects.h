/* What functions are said to leave alone. */
#ifndef PARCAST_INSTRUMENT_EFFECTS_H
#define PARCAST_INSTRUMENT_EFFECTS_H

#include <llvm-c/Core.h>

/** Forget it of all that may be instrumented: before anything is added to the module. */
void effects_forget(LLVMModuleRef module);

#endif
