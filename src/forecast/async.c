#include "forecast/async.h"

#include <math.h>
#include <stdlib.h>

#include "forecast/cluster.h"
#include "parcast/queueing.h"

/* Private stations of a node; its link is the shared one, for what it receives or, half duplex, for both
 * directions. */
enum { COMPUTING, SENDING };

/* Every time of the network with its derivatives; the network itself holds the values. */
struct async_network {
    parcast_node_network *network;
    dual *times; /* [network->n_times] */
};

static void add_time(struct async_network *a, size_t index, double factor, dual quantity)
{
    a->times[index] = dual_axpy(a->times[index], factor, quantity);
    a->network->time_s[index] = a->times[index].v;
}

/* Nodes of each group, and what their jobs do without the network. */
static void add_nodes(const struct async_input *in, struct async_network *a)
{
    const struct machine *m = in->machine;
    for (size_t g = 0; g < a->network->n_types; g++) a->network->nodes[g] = 0;
    for (int i = 0; i < m->n_nodes; i++) {
        const struct machine_node *node = &m->nodes[i];
        size_t g = (size_t)node->group;
        if (a->network->nodes[g]++ > 0) continue;
        double crowding = fmax(1, (double)node->n_ranks / node->cores);
        a->network->jobs[g] = node->n_ranks;
        a->network->servers[g * a->network->n_private + COMPUTING] =
            node->n_ranks <= node->cores ? PARCAST_DELAY : node->cores;
        add_time(a, parcast_nodes_private(a->network, g, COMPUTING), (1 + in->imbalance) / crowding,
                 in->mean_s[g]);
    }
}

/* Messages of a mean job of each node: start-ups and copies are delays, bytes are work of the links. */
static void add_messages(const struct async_input *in, struct async_network *a)
{
    const struct machine *m = in->machine;
    for (int i = 0; i < m->n_nodes; i++) {
        const struct machine_node *node = &m->nodes[i];
        const struct node_traffic *t = &in->traffic->nodes[i];
        size_t g = (size_t)node->group;
        double share = 1 / (in->cycles * (double)a->network->nodes[g]); /* mean over the nodes of the group */
        double starts = fmin(t->rank_out_count / in->cycles, 1) * m->latency_s * in->cycles +
                        2 * m->overhead_s * t->rank_out_count;
        double local =
            t->rank_local_count * m->local_latency_s + t->rank_local_bytes / m->local_bandwidth_bytes_per_s;
        add_time(a, parcast_nodes_delay(a->network, g), starts * share, in->theta[CLUSTER_LATENCY]);
        add_time(a, parcast_nodes_delay(a->network, g), local * share, in->theta[CLUSTER_LOCAL]);
        double out_s = t->out_bytes / node->n_ranks / node->bandwidth_bytes_per_s;
        add_time(a,
                 m->half_duplex ? parcast_nodes_own(a->network, g, 0)
                                : parcast_nodes_private(a->network, g, SENDING),
                 out_s * share, in->theta[CLUSTER_NETWORK]);
        if (m->bisection_bytes_per_s > 0)
            add_time(a, parcast_nodes_global(a->network, g, 0),
                     t->out_bytes / 2 / node->n_ranks / m->bisection_bytes_per_s * share,
                     in->theta[CLUSTER_NETWORK]);
        for (int from = 0; from < m->n_groups; from++) {
            double bytes = in->traffic->in_bytes[(size_t)i * (size_t)m->n_groups + (size_t)from];
            double jobs = (double)(a->network->nodes[from] * a->network->jobs[from]);
            double receivers = (double)a->network->nodes[g] - ((size_t)from == g ? 1 : 0);
            if (bytes <= 0 || receivers <= 0) continue;
            size_t index = (size_t)from == g ? parcast_nodes_same(a->network, g, 0)
                                             : parcast_nodes_other(a->network, (size_t)from, g, 0);
            add_time(a, index, bytes / node->bandwidth_bytes_per_s / jobs / in->cycles / receivers,
                     in->theta[CLUSTER_NETWORK]);
        }
    }
}

/* Cycle of the slowest class with its derivatives, by the chain rule through the solver's gradient. */
static dual slowest_class(const struct async_network *a, const parcast_node_solution *solution)
{
    size_t slowest = 0;
    for (size_t t = 1; t < solution->n_types; t++)
        if (solution->cycle_s[t] > solution->cycle_s[slowest]) slowest = t;
    dual cycle = dual_constant(solution->cycle_s[slowest]);
    for (size_t i = 0; i < solution->n_times; i++) {
        double slope = solution->gradient[slowest * solution->n_times + i];
        for (int k = 0; k < DUAL_N && slope != 0; k++) cycle.d[k] += slope * a->times[i].d[k];
    }
    return cycle;
}

parcast_status async_cycle(const struct async_input *input, dual *cycle_s, parcast_error *error)
{
    struct async_network a;
    parcast_node_solution *solution;
    const struct machine *m = input->machine;
    size_t private = m->half_duplex ? 1 : 2; /* only a node's own jobs send through its link */
    size_t global = m->bisection_bytes_per_s > 0 ? 1 : 0;
    parcast_status status = parcast_nodes_create((size_t)m->n_groups, private, 1, global, &a.network, error);
    if (status) return status;
    a.times = calloc(a.network->n_times, sizeof *a.times);
    if (!a.times) {
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a queueing network");
        goto destroy_network;
    }
    add_nodes(input, &a);
    add_messages(input, &a);
    status = parcast_nodes_solve(a.network, PARCAST_SOLVE_SCHWEITZER, true, &solution, error);
    if (status) goto free_times;
    *cycle_s = slowest_class(&a, solution);
    parcast_node_solution_destroy(&solution);

free_times:
    free(a.times);
destroy_network:
    parcast_nodes_destroy(&a.network);
    return status;
}
