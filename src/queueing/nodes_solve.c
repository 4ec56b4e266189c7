/*
 * A cluster solved: Schweitzer's equations (nodes_core.c), and one round of Linearizer's correction on them.
 *
 * The queue that an arriving job of type t sees is the one of the network without that job. Linearizer
 * estimates how the queues change when the job leaves from approximate solutions with and without it:
 *     correction = L(without) - (L - Q),   Q the mean number of the job's own class at the station, over its
 * jobs, both from Schweitzer's equations. Without one job of type t one node of the type is different: the
 * reduced network has one more type, a single node with n_t - 1 jobs, and its times are those of the full one
 * under other indices (map). The gradient goes the same way back: adjoint of the corrected equations, then of
 * each solution that a correction came from.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nodes.h"
#include "nodes_solve.h"

static const size_t UNUSED = (size_t)-1;

/* The network without one job of a type. */
struct reduced {
    parcast_node_network *network; /* T + 1 types; the last is the node that misses a job */
    size_t *map;                   /* [network->n_times] index in the full network, or UNUSED */
    struct core core;
};

struct solver {
    const parcast_node_network *network;
    struct core plain, corrected;
    struct reduced *reduced; /* [T]; NULL for Schweitzer */
    double *adjoint;         /* [(T + 2) * adjoint_stride] */
    size_t adjoint_stride;
    double *reduced_gradient;
};

/* Type in the full network of a type in the reduced one. */
static size_t original(const parcast_node_network *network, size_t tagged, size_t t)
{
    return t == network->n_types ? tagged : t;
}

static void map_types(const parcast_node_network *full, size_t tagged, struct reduced *reduced)
{
    const parcast_node_network *network = reduced->network;
    for (size_t i = 0; i < network->n_times; i++) reduced->map[i] = UNUSED;
    for (size_t t = 0; t < network->n_types; t++) {
        size_t from = original(full, tagged, t);
        reduced->map[parcast_nodes_delay(network, t)] = parcast_nodes_delay(full, from);
        for (size_t p = 0; p < full->n_private; p++)
            reduced->map[parcast_nodes_private(network, t, p)] = parcast_nodes_private(full, from, p);
        for (size_t g = 0; g < full->n_global; g++)
            reduced->map[parcast_nodes_global(network, t, g)] = parcast_nodes_global(full, from, g);
        for (size_t q = 0; q < full->n_shared; q++) {
            reduced->map[parcast_nodes_own(network, t, q)] = parcast_nodes_own(full, from, q);
            reduced->map[parcast_nodes_same(network, t, q)] = parcast_nodes_same(full, from, q);
            for (size_t u = 0; u < network->n_types; u++) {
                size_t to = original(full, tagged, u);
                if (u == t) continue;
                reduced->map[parcast_nodes_other(network, t, u, q)] =
                    from == to ? parcast_nodes_same(full, from, q) : parcast_nodes_other(full, from, to, q);
            }
        }
    }
}

static void copy_types(const parcast_node_network *full, size_t tagged, struct reduced *reduced)
{
    parcast_node_network *network = reduced->network;
    size_t n_private = full->n_private;
    for (size_t t = 0; t < network->n_types; t++) {
        size_t from = original(full, tagged, t);
        network->nodes[t] = t == full->n_types ? 1 : full->nodes[t] - (t == tagged ? 1 : 0);
        network->jobs[t] = full->jobs[from] - (t == full->n_types ? 1 : 0);
        for (size_t p = 0; p < n_private; p++) {
            network->servers[t * n_private + p] = full->servers[from * n_private + p];
            network->n_rates[t * n_private + p] = full->n_rates[from * n_private + p];
            network->rates[t * n_private + p] = full->rates[from * n_private + p];
        }
    }
    for (size_t i = 0; i < network->n_times; i++)
        network->time_s[i] = reduced->map[i] == UNUSED ? 0 : full->time_s[reduced->map[i]];
}

static parcast_status solve_reduced(const parcast_node_network *full, size_t tagged, struct reduced *reduced,
                                    parcast_error *error)
{
    parcast_status status = queueing_nodes_allocate(full->n_types + 1, full->n_private, full->n_shared,
                                                    full->n_global, &reduced->network, error);
    if (status) return status;
    reduced->map = malloc(reduced->network->n_times * sizeof *reduced->map);
    if (!reduced->map)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a cluster");
    map_types(full, tagged, reduced);
    copy_types(full, tagged, reduced);
    status = queueing_core_create(reduced->network, &reduced->core, error);
    return status ? status : queueing_core_solve(&reduced->core, NULL, error);
}

/* Unknown of the reduced network that holds the queue at the station of a link of the type that lost a job.
 */
static size_t reduced_station(const parcast_node_network *full, const struct link *link)
{
    size_t n_shared = full->n_shared, n_local = full->n_types * n_shared;
    if (link->station >= n_local) return link->station + n_shared; /* global: one more type before it */
    return link->own ? n_local + link->station % n_shared : link->station;
}

static double own_queue(const struct core *core, size_t i)
{
    return core->unknown[core->n_stations + core->link[i].type] * core->residence_s[i];
}

static void correct(struct solver *s)
{
    for (size_t i = 0; i < s->corrected.n_links; i++) {
        const struct link *link = &s->corrected.link[i];
        double n = (double)s->network->jobs[link->type];
        double without = s->reduced[link->type].core.unknown[reduced_station(s->network, link)];
        double seen = s->plain.unknown[link->station] - own_queue(&s->plain, i) / n;
        s->corrected.correction[i] = without - seen;
    }
}

static parcast_status linearize(struct solver *s, parcast_error *error)
{
    size_t n_types = s->network->n_types;
    s->reduced = calloc(n_types, sizeof *s->reduced);
    if (!s->reduced) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a cluster");
    parcast_status status = PARCAST_OK;
    for (size_t t = 0; !status && t < n_types; t++)
        if (s->network->jobs[t] > 0) status = solve_reduced(s->network, t, &s->reduced[t], error);
    if (!status) status = queueing_core_create(s->network, &s->corrected, error);
    if (status) return status;
    correct(s);
    return queueing_core_solve(&s->corrected, s->plain.unknown, error);
}

static void release(struct solver *s)
{
    for (size_t t = 0; s->reduced && t < s->network->n_types; t++) {
        queueing_core_destroy(&s->reduced[t].core);
        free(s->reduced[t].map);
        parcast_nodes_destroy(&s->reduced[t].network);
    }
    free(s->reduced);
    free(s->adjoint);
    free(s->reduced_gradient);
    queueing_core_destroy(&s->plain);
    queueing_core_destroy(&s->corrected);
}

/* What the corrections contribute to a gradient, from the adjoint of the corrected equations. */
static void add_corrections(struct solver *s, const double *adjoint, double *gradient)
{
    double *plain = s->adjoint + s->adjoint_stride;
    for (size_t i = 0; i < s->corrected.n_links; i++) {
        const struct link *link = &s->corrected.link[i];
        size_t x = s->plain.n_stations + link->type;
        double weight = queueing_core_correction_slope(&s->corrected, adjoint, i);
        double share = weight / (double)s->network->jobs[link->type], rate = s->plain.unknown[x];
        struct residence_slopes slopes = queueing_core_residence_slopes(&s->plain, i);
        double *without = s->adjoint + (2 + link->type) * s->adjoint_stride;
        without[reduced_station(s->network, link)] += weight;
        plain[link->station] += share * rate * slopes.queue - weight;
        plain[x] += share * (s->plain.residence_s[i] + rate * slopes.throughput);
        gradient[link->time] += share * rate * slopes.demand;
    }
    queueing_core_adjoint(&s->plain, plain, gradient);
    for (size_t t = 0; t < s->network->n_types; t++) {
        const struct reduced *reduced = &s->reduced[t];
        if (!reduced->network) continue;
        memset(s->reduced_gradient, 0, reduced->network->n_times * sizeof *s->reduced_gradient);
        queueing_core_adjoint(&reduced->core, s->adjoint + (2 + t) * s->adjoint_stride, s->reduced_gradient);
        for (size_t i = 0; i < reduced->network->n_times; i++)
            if (reduced->map[i] != UNUSED) gradient[reduced->map[i]] += s->reduced_gradient[i];
    }
}

static parcast_status fill_gradient(struct solver *s, double *gradient, parcast_error *error)
{
    const parcast_node_network *network = s->network;
    const struct core *core = s->reduced ? &s->corrected : &s->plain;
    size_t n_types = network->n_types, more_types = n_types + 1;
    size_t n_reduced =
        more_types * (1 + network->n_private + (2 + more_types) * network->n_shared + network->n_global);
    s->adjoint_stride = core->n_unknowns + network->n_shared + 1;
    s->adjoint = calloc((n_types + 2) * s->adjoint_stride, sizeof *s->adjoint);
    s->reduced_gradient = calloc(n_reduced, sizeof *s->reduced_gradient);
    if (!s->adjoint || !s->reduced_gradient)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a gradient");
    for (size_t t = 0; t < n_types; t++) {
        double rate = core->unknown[core->n_stations + t], *row = gradient + t * network->n_times;
        if (network->jobs[t] == 0) continue;
        memset(s->adjoint, 0, (n_types + 2) * s->adjoint_stride * sizeof *s->adjoint);
        s->adjoint[core->n_stations + t] = -core->cycle_s[t] / rate; /* C = n/X */
        queueing_core_adjoint(core, s->adjoint, row);
        if (s->reduced) add_corrections(s, s->adjoint, row);
    }
    return PARCAST_OK;
}

static void fill_solution(const struct core *core, parcast_node_solution *solution)
{
    const parcast_node_network *network = core->network;
    size_t n_local = network->n_types * network->n_shared;
    memcpy(solution->shared_queue, core->unknown, n_local * sizeof *solution->shared_queue);
    memcpy(solution->global_queue, core->unknown + n_local,
           network->n_global * sizeof *solution->global_queue);
    for (size_t i = 0; i < core->n_links; i++) {
        const struct link *link = &core->link[i];
        double load =
            link->at_station * core->unknown[core->n_stations + link->type] * network->time_s[link->time];
        solution->shared_s[link->type] += link->in_cycle * core->residence_s[i];
        if (link->station < n_local)
            solution->shared_utilization[link->station] += load;
        else
            solution->global_utilization[link->station - n_local] += load;
    }
    for (size_t t = 0; t < network->n_types; t++) {
        if (network->jobs[t] == 0) continue;
        solution->cycle_s[t] = core->cycle_s[t];
        solution->private_s[t] = core->cycle_s[t] - core->outside_s[t];
    }
}

parcast_status parcast_nodes_solve(const parcast_node_network *network, parcast_solve_method method,
                                   bool with_gradient, parcast_node_solution **solution, parcast_error *error)
{
    struct solver s = {.network = network};
    parcast_node_solution *made = NULL;
    if (method != PARCAST_SOLVE_SCHWEITZER && method != PARCAST_SOLVE_LINEARIZER)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                 "a cluster is solved by schweitzer or linearizer");
    parcast_status status = queueing_nodes_validate(network, error);
    if (status) return status;
    status = queueing_core_create(network, &s.plain, error);
    if (!status) status = queueing_core_solve(&s.plain, NULL, error);
    if (!status && method == PARCAST_SOLVE_LINEARIZER) status = linearize(&s, error);
    if (!status) status = queueing_nodes_solution_create(network, with_gradient, &made, error);
    if (!status) fill_solution(s.reduced ? &s.corrected : &s.plain, made);
    if (!status && with_gradient) status = fill_gradient(&s, made->gradient, error);
    release(&s);
    if (status)
        parcast_node_solution_destroy(&made);
    else
        *solution = made;
    return status;
}
