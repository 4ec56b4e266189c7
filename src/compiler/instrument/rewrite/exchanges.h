/* Two words of an array on the stack that are compared and exchanged. */
#ifndef PARCAST_INSTRUMENT_EXCHANGES_H
#define PARCAST_INSTRUMENT_EXCHANGES_H

#include "compiler/instrument/function/function.h"

/** Let both words be stored whether they are exchanged or not, for their labels. */
void exchanges_show(struct module_state *module, LLVMValueRef function);
/** Is it what one of the words holds afterwards? */
bool exchanges_chooses(LLVMValueRef value);
/** The comparison by which a store of such a word chooses; NULL for other stores. */
LLVMValueRef exchanges_compared(LLVMValueRef store);

#endif
