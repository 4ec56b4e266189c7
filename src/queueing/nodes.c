/* Description of a cluster network: making, checking, releasing. */
#include <math.h>
#include <stdlib.h>

#include "nodes_solve.h"

enum { MAX_COUNT = 64 };

void parcast_nodes_destroy(parcast_node_network **network)
{
    if (!network || !*network) return;
    free((*network)->nodes);
    free((*network)->jobs);
    free((*network)->servers);
    free((*network)->n_rates);
    free((*network)->rates);
    free((*network)->time_s);
    free(*network);
    *network = NULL;
}

parcast_status queueing_nodes_allocate(size_t n_types, size_t n_private, size_t n_shared, size_t n_global,
                                       parcast_node_network **network, parcast_error *error)
{
    size_t n_cells = n_types * n_private;
    parcast_node_network *made = calloc(1, sizeof *made);
    if (!made) goto out_of_memory;
    made->n_types = n_types;
    made->n_private = n_private;
    made->n_shared = n_shared;
    made->n_global = n_global;
    made->n_times = n_types * (1 + n_private + (2 + n_types) * n_shared + n_global);
    made->nodes = calloc(n_types, sizeof *made->nodes);
    made->jobs = calloc(n_types, sizeof *made->jobs);
    made->servers = calloc(n_cells + 1, sizeof *made->servers);
    made->n_rates = calloc(n_cells + 1, sizeof *made->n_rates);
    made->rates = calloc(n_cells + 1, sizeof *made->rates);
    made->time_s = calloc(made->n_times, sizeof *made->time_s);
    if (!made->nodes || !made->jobs || !made->servers || !made->n_rates || !made->rates || !made->time_s)
        goto out_of_memory;
    for (size_t t = 0; t < n_types; t++) made->nodes[t] = made->jobs[t] = 1;
    for (size_t i = 0; i < n_cells; i++) made->servers[i] = 1;
    *network = made;
    return PARCAST_OK;

out_of_memory:
    parcast_nodes_destroy(&made);
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a cluster");
}

parcast_status parcast_nodes_create(size_t n_types, size_t n_private, size_t n_shared, size_t n_global,
                                    parcast_node_network **network, parcast_error *error)
{
    if (n_types == 0)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                 "a cluster needs at least one type of node");
    if (n_types > MAX_COUNT || n_private > MAX_COUNT || n_shared > MAX_COUNT || n_global > MAX_COUNT)
        return parcast_error_set(error, PARCAST_LIMIT, NULL, 0,
                                 "more than %d types of nodes or stations of a kind", MAX_COUNT);
    return queueing_nodes_allocate(n_types, n_private, n_shared, n_global, network, error);
}

static parcast_status check_private(const parcast_node_network *network, size_t t, size_t p,
                                    parcast_error *error)
{
    size_t i = t * network->n_private + p;
    if (network->servers[i] < 1 && network->servers[i] != PARCAST_DELAY)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                 "type %zu: private station %zu has %d servers", t, p, network->servers[i]);
    for (size_t j = 0; j < network->n_rates[i]; j++)
        if (!(network->rates[i][j] > 0) || !isfinite(network->rates[i][j]))
            return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                     "type %zu: rate %zu of private station %zu is %g", t, j, p,
                                     network->rates[i][j]);
    return PARCAST_OK;
}

/* Time of a cycle of type t without any waiting; the private demands at the speed of a job alone. */
static double shortest_cycle(const parcast_node_network *network, size_t t)
{
    double sum_s = network->time_s[parcast_nodes_delay(network, t)];
    for (size_t p = 0; p < network->n_private; p++)
        sum_s += network->time_s[parcast_nodes_private(network, t, p)];
    for (size_t q = 0; q < network->n_shared; q++) {
        sum_s += network->time_s[parcast_nodes_own(network, t, q)];
        if (network->nodes[t] > 1) sum_s += network->time_s[parcast_nodes_same(network, t, q)];
        for (size_t u = 0; u < network->n_types; u++)
            if (u != t) sum_s += network->time_s[parcast_nodes_other(network, t, u, q)];
    }
    for (size_t g = 0; g < network->n_global; g++)
        sum_s += network->time_s[parcast_nodes_global(network, t, g)];
    return sum_s;
}

parcast_status queueing_nodes_validate(const parcast_node_network *network, parcast_error *error)
{
    for (size_t i = 0; i < network->n_times; i++)
        if (!isfinite(network->time_s[i]) || network->time_s[i] < 0)
            return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "time %zu of a cluster is %g s", i,
                                     network->time_s[i]);
    for (size_t t = 0; t < network->n_types; t++) {
        if (network->nodes[t] < 1 || network->jobs[t] < 0)
            return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                     "type %zu has %lld nodes with %lld jobs", t,
                                     (long long)network->nodes[t], (long long)network->jobs[t]);
        if (network->jobs[t] > 0 && !(shortest_cycle(network, t) > 0))
            return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                     "the jobs of type %zu take no time at all", t);
        for (size_t p = 0; p < network->n_private; p++) {
            parcast_status status = check_private(network, t, p, error);
            if (status) return status;
        }
    }
    return PARCAST_OK;
}

void parcast_node_solution_destroy(parcast_node_solution **solution)
{
    if (!solution || !*solution) return;
    free((*solution)->cycle_s); /* all arrays are behind it */
    free(*solution);
    *solution = NULL;
}

parcast_status queueing_nodes_solution_create(const parcast_node_network *network, bool with_gradient,
                                              parcast_node_solution **solution, parcast_error *error)
{
    size_t n_types = network->n_types, n_cells = n_types * network->n_shared;
    size_t n_gradient = with_gradient ? n_types * network->n_times : 0;
    parcast_node_solution *made = calloc(1, sizeof *made);
    if (made)
        made->cycle_s =
            calloc(3 * n_types + 2 * n_cells + 2 * network->n_global + n_gradient, sizeof(double));
    if (!made || !made->cycle_s) {
        free(made);
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a solution");
    }
    made->n_types = n_types;
    made->n_shared = network->n_shared;
    made->n_global = network->n_global;
    made->n_times = network->n_times;
    made->private_s = made->cycle_s + n_types;
    made->shared_s = made->private_s + n_types;
    made->shared_queue = made->shared_s + n_types;
    made->shared_utilization = made->shared_queue + n_cells;
    made->global_queue = made->shared_utilization + n_cells;
    made->global_utilization = made->global_queue + network->n_global;
    made->gradient = with_gradient ? made->global_utilization + network->n_global : NULL;
    *solution = made;
    return PARCAST_OK;
}
