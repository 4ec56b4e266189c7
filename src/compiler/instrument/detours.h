/* Words that are made anew of themselves under a condition: `if (c) *p = f(*p);`. */
#ifndef PARCAST_INSTRUMENT_DETOURS_H
#define PARCAST_INSTRUMENT_DETOURS_H

#include "function.h"

/** Let `*p = c ? f(*p) : *p` behind the detour say what the word holds. What is put in is taken away by
 * kept_forget(). */
void detours_close(struct module_state *module, LLVMValueRef function);

#endif
