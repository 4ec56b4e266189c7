/* Arrays that are stored in tiles, as `double u[n/4][m/4][4][4]`. */
#ifndef PARCAST_VALUEFLOW_TILES_H
#define PARCAST_VALUEFLOW_TILES_H

#include "valueflow/graph/graph.h"

/** Number the words of arrays that are stored in tiles by rows of what they mean; fields of a tile become
 * arrays. For a graph without what is worked out of its arrays. */
parcast_status tiles_unfold(parcast_values *values);

#endif
