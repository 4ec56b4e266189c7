/* What results are computed from, seen from the words that read them. */
#ifndef PARCAST_VALUEFLOW_REACH_H
#define PARCAST_VALUEFLOW_REACH_H

#include "valueflow/graph/graph.h"

enum { REACH_MOST_RESULTS = 3 };

/** Calls `tell` for pairs of words of one shape where the second is computed from the first, at once or
 * through so many results, one behind the other, up to REACH_MOST_RESULTS; of each of these for some of the
 * words that it is computed from, the nearest first. Of a large graph one in reach_pairs_every() runs of
 * neighbouring sets tells as much as all. False when memory is out. */
bool reach_pairs(const parcast_values *values, size_t through,
                 void (*tell)(void *context, uint32_t from, uint32_t to), void *context);
uint32_t reach_pairs_every(const parcast_values *values);

#endif
