/** Memory and checks of the solver for clusters. */
#ifndef PARCAST_QUEUEING_NODES_SOLVE_H
#define PARCAST_QUEUEING_NODES_SOLVE_H

#include "parcast/queueing.h"

/** parcast_nodes_create without the limits on counts. */
parcast_status queueing_nodes_allocate(size_t n_types, size_t n_private, size_t n_shared, size_t n_global,
                                       parcast_node_network **network, parcast_error *error);
parcast_status queueing_nodes_validate(const parcast_node_network *network, parcast_error *error);
parcast_status queueing_nodes_solution_create(const parcast_node_network *network, bool with_gradient,
                                              parcast_node_solution **solution, parcast_error *error);

#endif
