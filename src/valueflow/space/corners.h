/* Arrays that hold several words of each word of a smaller one: the corners of the cells of a mesh, say. */
#ifndef PARCAST_VALUEFLOW_CORNERS_H
#define PARCAST_VALUEFLOW_CORNERS_H

#include "valueflow/graph/graph.h"

/** The array of these cells, for arrays of so many words: the largest written one of which each word reads,
 * or is read by, its own corners only, 2 to GRID_MOST_FIELDS of them. GRAPH_NONE if there is none. */
uint32_t corners_cells(const parcast_values *values, uint64_t words);

#endif
