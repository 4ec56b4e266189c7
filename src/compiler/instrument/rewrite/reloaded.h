/* Words that the optimiser loads again where they may have changed. */
#ifndef PARCAST_INSTRUMENT_RELOADED_H
#define PARCAST_INSTRUMENT_RELOADED_H

#include "compiler/instrument/function/function.h"

/** The address of the one word that a phi was loaded from on every way, if nothing in its loops stores into
 * that array; NULL. For labels: it may be loaded where the phi is. */
LLVMValueRef reloaded_word(const struct function *f, int phi);

#endif
