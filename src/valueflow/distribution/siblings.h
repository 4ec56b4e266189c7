/* Words that are computed from the same values: the forces of an element on its nodes, say. */
#ifndef PARCAST_VALUEFLOW_SIBLINGS_H
#define PARCAST_VALUEFLOW_SIBLINGS_H

#include "valueflow/graph/graph.h"

/** To which of the parts that what they read is in: the one with most of it, of equal ones the lowest or the
 * highest; or the lowest or the highest of all. */
enum siblings_side { SIBLINGS_LOW, SIBLINGS_HIGH, SIBLINGS_LOWEST, SIBLINGS_HIGHEST };

/** Put those that are not fixed in one part together, and what hangs together by what is not fixed alone. All
 * else that is not fixed is GRAPH_NONE then. *any: some have been apart; where none has, nothing has changed.
 * False without memory. */
bool siblings_gather(const parcast_values *values, size_t n_parts, const bool *fixed, enum siblings_side side,
                     uint32_t *part, bool *any);

#endif
