/*
 * Schweitzer's equations for a cluster, one row per type of node, solved by Newton's method.
 *
 * Identical nodes have identical rows, so what remains of classes by stations is a list of links: a type of
 * jobs, a kind of single-server station, how many such stations a job meets and how many such classes a
 * station meets. With L the mean number at a station, X_t the throughput of a node of type t, n_t its jobs, D
 * the demand of a link: R = D (1 + L + correction) / (1 + D X_t/n_t)               the job does not wait for
 * itself Z_t = delay + sum over links in_cycle R,   C_t = private part (nodes_private.c) as a function of Z_t
 *     L = sum over links at_station X_t R,       X_t C_t = n_t
 * T Q + G + T unknowns (L, X) instead of R K. The Jacobian J is written down; the gradient of any quantity of
 * the unknowns follows from one more equation with the transposed factors: J' a = d quantity/d unknown, d
 * quantity/d D = -a' d residual/d D (the implicit function theorem).
 *
 * A few rounds of Schweitzer's iteration lead near the solution; a step of Newton that would leave the
 * positive numbers or not lower the residual is replaced by one of it.
 */
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nodes.h"

enum { FIRST_ROUNDS = 5, MAX_STEPS = 2000 };

static double jobs_of(const struct core *core, size_t type)
{
    const parcast_node_network *network = core->network;
    return network->nodes[type] > 0 ? (double)network->jobs[type] : 0;
}

static void add_link(struct core *core, size_t type, size_t station, size_t time, double in_cycle,
                     double at_station)
{
    if (in_cycle == 0 || at_station == 0 || jobs_of(core, type) == 0) return;
    core->link[core->n_links++] = (struct link){
        .type = type, .station = station, .time = time, .in_cycle = in_cycle, .at_station = at_station};
}

static void add_links(struct core *core, size_t t)
{
    const parcast_node_network *network = core->network;
    double nodes = (double)network->nodes[t];
    for (size_t q = 0; q < network->n_shared; q++) {
        size_t station = t * network->n_shared + q, n_links = core->n_links;
        add_link(core, t, station, parcast_nodes_own(network, t, q), 1, 1);
        if (core->n_links > n_links) core->link[n_links].own = true;
        add_link(core, t, station, parcast_nodes_same(network, t, q), nodes - 1, nodes - 1);
        for (size_t u = 0; u < network->n_types; u++)
            if (u != t)
                add_link(core, t, u * network->n_shared + q, parcast_nodes_other(network, t, u, q),
                         (double)network->nodes[u], nodes);
    }
    for (size_t g = 0; g < network->n_global; g++)
        add_link(core, t, network->n_types * network->n_shared + g, parcast_nodes_global(network, t, g), 1,
                 nodes);
}

static bool allocate(struct core *core)
{
    const parcast_node_network *network = core->network;
    size_t n = core->n_unknowns, n_types = network->n_types;
    size_t n_links = n_types * ((n_types + 1) * network->n_shared + network->n_global);
    core->link = calloc(n_links + 1, sizeof *core->link);
    core->pivot = calloc(n, sizeof *core->pivot);
    core->correction =
        calloc(2 * n_links + 3 * n + n * n + 3 * n_types + n_types * network->n_private, sizeof(double));
    if (!core->link || !core->pivot || !core->correction) return false;
    core->residence_s = core->correction + n_links;
    core->unknown = core->residence_s + n_links;
    core->residual = core->unknown + n;
    core->step = core->residual + n;
    core->matrix = core->step + n;
    core->cycle_s = core->matrix + n * n;
    core->outside_s = core->cycle_s + n_types;
    core->slope = core->outside_s + n_types;
    core->private_slope = core->slope + n_types;
    return true;
}

parcast_status queueing_core_create(const parcast_node_network *network, struct core *core,
                                    parcast_error *error)
{
    *core = (struct core){.network = network};
    core->n_stations = network->n_types * network->n_shared + network->n_global;
    core->n_unknowns = core->n_stations + network->n_types;
    if (!allocate(core)) {
        queueing_core_destroy(core);
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu types of nodes",
                                 network->n_types);
    }
    for (size_t t = 0; t < network->n_types; t++) add_links(core, t);
    return PARCAST_OK;
}

void queueing_core_destroy(struct core *core)
{
    free(core->link);
    free(core->pivot);
    free(core->correction);
    *core = (struct core){0};
}

static double throughput(const struct core *core, size_t type)
{
    return core->unknown[core->n_stations + type];
}

static double demand(const struct core *core, size_t link)
{
    return core->network->time_s[core->link[link].time];
}

/* Residence times and cycle times from the unknowns. */
static parcast_status evaluate(struct core *core, parcast_error *error)
{
    const parcast_node_network *network = core->network;
    for (size_t t = 0; t < network->n_types; t++)
        core->outside_s[t] = network->time_s[parcast_nodes_delay(network, t)];
    for (size_t i = 0; i < core->n_links; i++) {
        const struct link *link = &core->link[i];
        double seen = 1 + core->unknown[link->station] + core->correction[i];
        double share = throughput(core, link->type) / jobs_of(core, link->type);
        core->residence_s[i] = demand(core, i) * seen / (1 + demand(core, i) * share);
        core->outside_s[link->type] += link->in_cycle * core->residence_s[i];
    }
    parcast_status status = PARCAST_OK;
    for (size_t t = 0; !status && t < network->n_types; t++)
        if (jobs_of(core, t) > 0)
            status = queueing_nodes_private_cycle(network, t, core->outside_s[t], &core->cycle_s[t],
                                                  &core->slope[t],
                                                  core->private_slope + t * network->n_private, error);
    return status;
}

/* Residuals, queues in jobs and cycles relative; returns the largest, measured against the jobs. */
static double measure(struct core *core)
{
    double largest = 0, sum = 0;
    for (size_t k = 0; k < core->n_stations; k++) core->residual[k] = core->unknown[k];
    for (size_t i = 0; i < core->n_links; i++) {
        const struct link *link = &core->link[i];
        core->residual[link->station] -=
            link->at_station * throughput(core, link->type) * core->residence_s[i];
    }
    for (size_t k = 0; k < core->n_stations; k++) {
        largest = fmax(largest, fabs(core->residual[k]) / (1 + core->unknown[k]));
        sum += core->residual[k];
    }
    for (size_t t = 0; t < core->network->n_types; t++) {
        double n = jobs_of(core, t), *residual = &core->residual[core->n_stations + t];
        *residual = n > 0 ? throughput(core, t) * core->cycle_s[t] / n - 1 : throughput(core, t);
        largest = fmax(largest, fabs(*residual));
        sum += *residual;
    }
    return isfinite(sum) ? largest : INFINITY; /* fmax would pass over a NaN */
}

/* One round of Schweitzer's iteration, after evaluate. */
static void iterate(struct core *core)
{
    for (size_t t = 0; t < core->network->n_types; t++) {
        double n = jobs_of(core, t);
        core->unknown[core->n_stations + t] = n > 0 ? n / core->cycle_s[t] : 0;
    }
    memset(core->unknown, 0, core->n_stations * sizeof *core->unknown);
    for (size_t i = 0; i < core->n_links; i++) {
        const struct link *link = &core->link[i];
        core->unknown[link->station] +=
            link->at_station * throughput(core, link->type) * core->residence_s[i];
    }
}

struct residence_slopes queueing_core_residence_slopes(const struct core *core, size_t i)
{
    double n = jobs_of(core, core->link[i].type), d = demand(core, i);
    double seen = 1 + core->unknown[core->link[i].station] + core->correction[i];
    double own = 1 + d * throughput(core, core->link[i].type) / n;
    return (struct residence_slopes){
        .demand = seen / (own * own), .queue = d / own, .throughput = -d * d * seen / (n * own * own)};
}

static void fill_jacobian(struct core *core)
{
    size_t n = core->n_unknowns;
    memset(core->matrix, 0, n * n * sizeof *core->matrix);
    for (size_t k = 0; k < core->n_stations; k++) core->matrix[k * n + k] = 1;
    for (size_t t = 0; t < core->network->n_types; t++) {
        size_t x = core->n_stations + t;
        core->matrix[x * n + x] = jobs_of(core, t) > 0 ? core->cycle_s[t] / jobs_of(core, t) : 1;
    }
    for (size_t i = 0; i < core->n_links; i++) {
        const struct link *link = &core->link[i];
        size_t k = link->station, x = core->n_stations + link->type;
        double rate = core->unknown[x];
        struct residence_slopes slopes = queueing_core_residence_slopes(core, i);
        double cycle = rate * core->slope[link->type] * link->in_cycle / jobs_of(core, link->type);
        core->matrix[k * n + k] -= link->at_station * rate * slopes.queue;
        core->matrix[x * n + k] -= link->at_station * (core->residence_s[i] + rate * slopes.throughput);
        core->matrix[k * n + x] += cycle * slopes.queue;
        core->matrix[x * n + x] += cycle * slopes.throughput;
    }
}

static bool factor(struct core *core)
{
    lapack_int n = (lapack_int)core->n_unknowns;
    fill_jacobian(core);
    return LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, core->matrix, n, core->pivot) == 0;
}

/* A Newton step into step; false where it would not stay positive. */
static bool newton(struct core *core)
{
    lapack_int n = (lapack_int)core->n_unknowns;
    if (!factor(core)) return false;
    memcpy(core->step, core->residual, core->n_unknowns * sizeof *core->step);
    if (LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, core->matrix, n, core->pivot, core->step, n) != 0)
        return false;
    for (size_t i = 0; i < core->n_unknowns; i++) {
        double next = core->unknown[i] - core->step[i];
        if (!isfinite(next) || next < 0) return false;
        if (i >= core->n_stations && core->unknown[i] > 0 && !(next > 0.05 * core->unknown[i])) return false;
    }
    return true;
}

/* One step down, by Newton if that helps. On return everything is evaluated at the new unknowns. */
static parcast_status advance(struct core *core, double *residual, parcast_error *error)
{
    if (newton(core)) {
        for (size_t i = 0; i < core->n_unknowns; i++) core->unknown[i] -= core->step[i];
        parcast_status status = evaluate(core, error);
        double lower = status ? 0 : measure(core);
        if (status || lower < *residual) {
            *residual = lower;
            return status;
        }
        for (size_t i = 0; i < core->n_unknowns; i++) core->unknown[i] += core->step[i];
        status = evaluate(core, error);
        if (status) return status;
    }
    iterate(core);
    parcast_status status = evaluate(core, error);
    if (!status) *residual = measure(core);
    return status;
}

parcast_status queueing_core_solve(struct core *core, const double *guess, parcast_error *error)
{
    double residual = INFINITY;
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; i < core->n_unknowns; i++) core->unknown[i] = guess ? guess[i] : 0;
    for (int i = 0; !guess && !status && i < FIRST_ROUNDS; i++) {
        status = evaluate(core, error);
        if (!status) iterate(core);
    }
    if (!status) status = evaluate(core, error);
    if (status) return status;
    residual = measure(core);
    for (int i = 0; i < MAX_STEPS && residual > 4 * DBL_EPSILON; i++) {
        double before = residual;
        status = advance(core, &residual, error);
        if (status) return status;
        if (!(residual < before) && before < 1e-12) break; /* rounding */
    }
    if (!(residual < 1e-11) || !factor(core))
        return parcast_error_set(error, PARCAST_NOT_CONVERGED, NULL, 0,
                                 "the queues of the cluster did not converge (residual %.3g)", residual);
    return PARCAST_OK;
}

/* - a' d residual / d residence of a link */
static double residence_weight(const struct core *core, const double *adjoint, size_t i)
{
    const struct link *link = &core->link[i];
    size_t x = core->n_stations + link->type;
    double rate = core->unknown[x];
    double cycle = rate * core->slope[link->type] * link->in_cycle / jobs_of(core, link->type);
    return adjoint[link->station] * link->at_station * rate - adjoint[x] * cycle;
}

double queueing_core_correction_slope(const struct core *core, const double *adjoint, size_t link)
{
    return residence_weight(core, adjoint, link) * queueing_core_residence_slopes(core, link).queue;
}

void queueing_core_adjoint(const struct core *core, double *adjoint, double *gradient)
{
    const parcast_node_network *network = core->network;
    lapack_int n = (lapack_int)core->n_unknowns;
    /* fails only for arguments of the wrong size */
    (void)LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', n, 1, core->matrix, n, core->pivot, adjoint, n);
    for (size_t i = 0; i < core->n_links; i++)
        gradient[core->link[i].time] +=
            residence_weight(core, adjoint, i) * queueing_core_residence_slopes(core, i).demand;
    for (size_t t = 0; t < network->n_types; t++) {
        if (jobs_of(core, t) == 0) continue;
        double weight = -adjoint[core->n_stations + t] * throughput(core, t) / jobs_of(core, t);
        gradient[parcast_nodes_delay(network, t)] += weight * core->slope[t];
        for (size_t p = 0; p < network->n_private; p++)
            gradient[parcast_nodes_private(network, t, p)] +=
                weight * core->private_slope[t * network->n_private + p];
    }
}
