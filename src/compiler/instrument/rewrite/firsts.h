/* `if (!seen[k]) seen[k] = 1;`: what is noted for each key when it comes for the first time. */
#ifndef PARCAST_INSTRUMENT_FIRSTS_H
#define PARCAST_INSTRUMENT_FIRSTS_H

#include "compiler/instrument/function/function.h"

/** Let what is noted where the word has been asked be noted of all keys that ask. */
void firsts_show(struct module_state *module, LLVMValueRef function);

/** A load of a word that is counted there as well: where it is only compared with numbers, it asks for what
 * key it is, and which keys came before. */
void firsts_mark(LLVMContextRef context, LLVMValueRef load);
/** Is it such a load, or that of a word which is noted for the first time? */
bool firsts_is_marked(LLVMValueRef load);

#endif
