/* Counts that stop at a number. */
#ifndef PARCAST_INSTRUMENT_CAPPED_H
#define PARCAST_INSTRUMENT_CAPPED_H

#include "compiler/instrument/rewrite/detours/detour.h"

/** Let what is counted in a word as long as this is not a number, `if (*p < 255) ++*p;`, be added to a load
 * of the word where it is stored. */
void capped_counts(LLVMContextRef context, LLVMValueRef function);
/** Is a detour such a count? What is asked for says nothing that the word does not say. */
bool capped_is_count(const struct function *f, const struct detour *detour);

#endif
