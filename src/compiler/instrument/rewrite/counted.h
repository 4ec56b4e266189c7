/* `list[n[k]++] = i`: counts that say where something is put, too. */
#ifndef PARCAST_INSTRUMENT_COUNTED_H
#define PARCAST_INSTRUMENT_COUNTED_H

#include <llvm-c/Core.h>

/** Where a word is added to that others use, too, let the addition load it for itself. */
void counted_load_again(LLVMValueRef function);

#endif
