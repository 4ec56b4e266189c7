/* Short sums in registers, one after the other of the same values, that are added to several words: what an
 * element computes for each of its nodes from what all of these have. */
#ifndef PARCAST_VALUEFLOW_SHARED_H
#define PARCAST_VALUEFLOW_SHARED_H

#include "valueflow/runtime/tables/tables.h"

#pragma GCC visibility push(hidden)

/** Has a sum, this one or one before it, been added here to another word than the one before, with one of its
 * factors the same in all terms? `where`: the place in the program. The first one is not known to be one. */
bool vf_shares_terms(uintptr_t where, uintptr_t word, const struct parcast_vf_sum *sum);

/** Add the sum to the word as one term, as if it had been kept for a moment: whether it is a result of its
 * own is seen when the graph is made (graph/splice_kept.c). It is empty afterwards. */
uint32_t vf_fold_shared(struct parcast_vf_sum *sum, void *p, uint32_t size, uint32_t work, uint32_t op);

#pragma GCC visibility pop

#endif
