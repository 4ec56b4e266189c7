/* Meshes of several sizes that a program keeps in one array, one after the other, as the levels of a
 * multigrid method. */
#ifndef PARCAST_VALUEFLOW_LEVELS_H
#define PARCAST_VALUEFLOW_LEVELS_H

#include "valueflow/graph/graph.h"

/** Part arrays of one shape in which meshes lie one after the other, each at least half as large again as the
 * next one, or as the one before: each mesh becomes an array, and so does what lies around them. For a graph
 * without what is worked out of its arrays. */
parcast_status levels_part(parcast_values *values);

#endif
