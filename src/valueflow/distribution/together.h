/* Words that move together: each for itself would save nothing. */
#ifndef PARCAST_VALUEFLOW_TOGETHER_H
#define PARCAST_VALUEFLOW_TOGETHER_H

#include "valueflow/words/counts.h"

/** Moves all readers that a value has in a part to where it is made, where that saves words and no part comes
 * to have more work than `limit`. `fixed` (may be NULL) stay; gain [p] and near (a mask) are room to work in.
 * Returns whether any has moved. */
bool together_move(struct counts *counts, double limit, const bool *fixed, int64_t *gain, uint64_t *near);

#endif
