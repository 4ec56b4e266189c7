/* Words that meet since both are computed of the same one, where a result or a sum lies between: cells beside
 * a face, say, that add up what flows through theirs. */
#ifndef PARCAST_VALUEFLOW_MEET_BEHIND_H
#define PARCAST_VALUEFLOW_MEET_BEHIND_H

#include "valueflow/graph/graph.h"

enum { MEET_BEHIND_MOST = 27 };

/** Calls `tell` for all pairs of words that read a home in sums or behind results, where these are no more
 * than MEET_BEHIND_MOST; of a large graph for some runs of homes and sets. False when memory is out. */
bool meet_behind(const parcast_values *values,
                 void (*tell)(void *context, uint32_t home, uint32_t one, uint32_t other), void *context);

#endif
