/* Words that are computed from the same values: the forces of an element on its nodes, say. */
#ifndef PARCAST_VALUEFLOW_SIBLINGS_H
#define PARCAST_VALUEFLOW_SIBLINGS_H

#include "valueflow/graph/graph.h"

/** Put those that are not fixed in one part together: the one that most of what they read is in, of equal
 * ones the lowest or the highest; so what hangs together by what is not fixed alone. All else that is not
 * fixed is GRAPH_NONE then. *any: some have been apart; where none has, nothing has changed. False without
 * memory. */
bool siblings_gather(const parcast_values *values, size_t n_parts, const bool *fixed, bool highest,
                     uint32_t *part, bool *any);

#endif
