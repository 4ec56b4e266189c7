/* Words that are computed anew in each turn of what they held. */
#ifndef PARCAST_INSTRUMENT_STATE_H
#define PARCAST_INSTRUMENT_STATE_H

#include "compiler/instrument/function/store.h"

/** Is the store one of a word, or of several of a structure, that data choose, and computed of what these
 * held and of other numbers, the terms? `mean[k] += (x - mean[k]) / ++n[k]` in a structure. */
bool state_is_update(const struct function *f, int store, struct update *update);
/** Is a term of the update computed of words that are written beside this one? */
bool state_is_shared(const struct function *f, int store, const struct update *update);

#endif
