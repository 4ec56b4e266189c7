/* Words that are stored under a condition: `if (c) *p = f(*p);`, `if (c) *p = 1; else *p = 0;`. */
#ifndef PARCAST_INSTRUMENT_DETOURS_H
#define PARCAST_INSTRUMENT_DETOURS_H

#include "compiler/instrument/function/function.h"

/** Let `*p = c ? f(*p) : *p`, or what it is chosen from, say where the ways meet what the word holds. What is
 * put in is taken away by kept_forget(). */
void detours_close(struct module_state *module, LLVMValueRef function);

#endif
