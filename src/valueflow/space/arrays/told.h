/* Which array of a shape a distribution is told by. */
#ifndef PARCAST_VALUEFLOW_TOLD_H
#define PARCAST_VALUEFLOW_TOLD_H

#include "valueflow/graph/graph.h"

/** graph_array.told of all arrays. O(vertices + arrays log(arrays)). */
parcast_status told_find(parcast_values *values);

#endif
