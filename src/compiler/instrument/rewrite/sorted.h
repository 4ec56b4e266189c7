/* Words of the frame that are sorted by comparing them. */
#ifndef PARCAST_INSTRUMENT_SORTED_H
#define PARCAST_INSTRUMENT_SORTED_H

#include "compiler/instrument/function/flow.h"

/** After what carries a label is known: sets the condition of stores that move words of a sorted window. */
void sorted_take_conditions(struct function *f);
/** The comparison that a store takes labels from; false when it takes none. */
bool sorted_use(const struct function *f, int store, struct use *use);

#endif
