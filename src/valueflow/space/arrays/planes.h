/* Several arrays that a program keeps in one, as `double u[2][n][n]` whose planes take turns. */
#ifndef PARCAST_VALUEFLOW_PLANES_H
#define PARCAST_VALUEFLOW_PLANES_H

#include "valueflow/graph/graph.h"

/** Part an array of which every plane is computed of others and none of its own words, and some of later
 * ones: each plane becomes an array, and so does what lies before and behind them. For a graph without what
 * is worked out of its arrays. */
parcast_status planes_part(parcast_values *values);

#endif
