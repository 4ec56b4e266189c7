/* Arrays that are used for two things in turn, which lie in different places. */
#ifndef PARCAST_VALUEFLOW_TWO_USES_H
#define PARCAST_VALUEFLOW_TWO_USES_H

#include "valueflow/load/load.h"

/**
 * Which instances are values of such an array, [n_vertices], as a workspace has them; NULL without memory.
 *
 * Cost: O(readers of nets + instances * log(instances)).
 */
bool *two_uses_find(const struct values_file *file);

#endif
