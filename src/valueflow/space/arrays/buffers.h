/* Arrays that are used in turn, each for a part of the work. */
#ifndef PARCAST_VALUEFLOW_BUFFERS_H
#define PARCAST_VALUEFLOW_BUFFERS_H

#include "valueflow/graph/graph.h"

/** graph_array.is_buffer of all arrays: of those that took turns in one place, none of which has nearly all
 * of what is done there, where others have as many written words. O(vertices + arrays). */
parcast_status buffers_find(parcast_values *values);

#endif
