/* `if (c) ++*p;`: a term whether c holds or not. */
#ifndef PARCAST_INSTRUMENT_ASKED_H
#define PARCAST_INSTRUMENT_ASKED_H

#include "compiler/instrument/function/store.h"

/** Where one word is added to behind a condition that stands for the term, which carries no label: go to
 * where the ways part, where the sum has its term whichever is taken, and return the address there. NULL, and
 * behind the store, where there is no such condition. */
LLVMValueRef asked_place(struct function *f, int store, const struct update *update);

#endif
