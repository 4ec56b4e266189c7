/* The content of a word that is added to in nested loops, where the optimiser has it in a register as well.
 */
#ifndef PARCAST_INSTRUMENT_CONTINUED_H
#define PARCAST_INSTRUMENT_CONTINUED_H

#include "compiler/instrument/function/function.h"

/** The address of the word whose content a phi is behind two loops or more, at the beginning of its block:
 * its label then is that of the word. To join labels on the way would end the sum with every turn of an outer
 * loop. NULL where there is none. */
LLVMValueRef continued_word(const struct function *f, int phi);
/** Is a phi the content of such a word, wherever it is? */
bool is_continued(const struct function *f, int phi);
/** Does a call, or a move of memory, end any number of values? */
bool ends_many(const struct function *f, LLVMValueRef instruction);

#endif
