/* Searches that end where something is found. */
#ifndef PARCAST_INSTRUMENT_EARLY_H
#define PARCAST_INSTRUMENT_EARLY_H

#include "compiler/instrument/function/function.h"

/** Let a register keep what is found in each turn, as if the loop went on. */
void early_ends(struct module_state *module, LLVMValueRef function);

#endif
