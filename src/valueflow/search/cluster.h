/* Groups of vertices that hang together, whatever index space they are in. */
#ifndef PARCAST_VALUEFLOW_CLUSTER_H
#define PARCAST_VALUEFLOW_CLUSTER_H

#include "valueflow/graph/graph.h"

/**
 * Groups by matching: vertices are paired with the neighbour that most values go to or come from, pairs with
 * pairs, and so on (Karypis and Kumar 1998, heavy edges), until there are n_wanted groups or hardly any pairs
 * are left.
 *
 * @param[out] group    [n_vertices] below *n_groups
 * @return PARCAST_MEMORY without memory
 *
 * Cost: O(pins) time and memory, without sets of more than 64 readers.
 */
parcast_status graph_cluster(const parcast_values *values, uint32_t n_wanted, uint32_t *group,
                             uint32_t *n_groups);

#endif
