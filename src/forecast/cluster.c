#include "forecast/cluster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forecast/async.h"
#include "forecast/traffic.h"

static const struct {
    const char *text, *unit;
} parameters[CLUSTER_PARAMETERS] = {
#define ROW(constant, text, unit) [CLUSTER_##constant] = {text, unit},
    CLUSTER_PARAMETER_LIST(ROW)
#undef ROW
};

const char *cluster_parameter_text(enum cluster_parameter parameter)
{
    return parameters[parameter].text;
}

const char *cluster_parameter_unit(enum cluster_parameter parameter)
{
    return parameters[parameter].unit;
}

/* ---- expected maximum ---- */

static double normal_cdf(double z)
{
    return 0.5 * erfc(-z * M_SQRT1_2);
}

static double normal_pdf(double z)
{
    return 0.39894228040143268 * exp(-0.5 * z * z);
}

double expected_maximum(int n_groups, const double mu[], const double sigma[], const double count[],
                        double d_mu[], double d_sigma[])
{
    enum { STEPS = 200 };
    double low = -INFINITY, high = -INFINITY;
    for (int g = 0; g < n_groups; g++) {
        d_mu[g] = d_sigma[g] = 0;
        low = fmax(low, mu[g] - 7 * sigma[g]); /* the largest is hardly below any variable's own lower end */
        high = fmax(high, mu[g] + (7 + 0.5 * log(fmax(count[g], 1))) * sigma[g]);
    }
    double h = (high - low) / STEPS, sum = 0;
    for (int step = 0; step <= STEPS; step++) {
        double x = low + h * step, product = 1, weight = step == 0 || step == STEPS ? 0.5 * h : h;
        for (int g = 0; g < n_groups; g++) product *= pow(normal_cdf((x - mu[g]) / sigma[g]), count[g]);
        sum += weight * (1 - product);
        if (product <= 0) continue;
        for (int g = 0; g < n_groups; g++) {
            double z = (x - mu[g]) / sigma[g], phi = normal_cdf(z);
            double density = product * count[g] * normal_pdf(z) / (phi * sigma[g]) * weight;
            d_mu[g] += density;
            d_sigma[g] += density * z;
        }
    }
    return low + sum;
}

/* ---- one cycle ---- */

struct cycle {
    const struct workload *workload;
    const struct machine *machine;
    const struct traffic *traffic;
    dual theta[CLUSTER_PARAMETERS]; /* the quantities themselves, not their logarithms */
    double s;                       /* cycles */
    double imbalance;
    dual *mean_s; /* [n_groups] computing per cycle of a mean process on a node of the group */
};

/* Throughput of j cores relative to one, from the probed curve; without a curve nothing is lost. */
static double memory_rate(const struct machine_node *node, double j)
{
    if (!node->memory_scaling || node->n_memory_scaling == 0 || j <= 1) return j;
    int last = node->n_memory_scaling - 1, i = (int)j - 1;
    if (i >= last) return node->memory_scaling[last];
    double share = j - floor(j);
    return node->memory_scaling[i] + share * (node->memory_scaling[i + 1] - node->memory_scaling[i]);
}

/* W_0 + W/n and the other forms of computing per process, as chosen. */
static dual work_at(const struct workload *w, const dual theta[], double n)
{
    dual work = dual_scale(theta[CLUSTER_WORK], growth_term_value(w->work.form.term[0], n));
    if (w->work.form.term[1] != GROWTH_NONE)
        work = dual_axpy(work, growth_term_value(w->work.form.term[1], n), theta[CLUSTER_WORK2]);
    return work;
}

/*
 * Computing of a mean process on a node: d_i = work/(v_i s) [(1-mu) + mu j/mem(j)] max(1, n_i/c_i), j
 * processes per node that compute at the same time.
 */
static dual computing_on(const struct machine_node *node, dual work, dual mu)
{
    double j = fmin(node->n_ranks, node->cores);
    double slowdown = fmax(j / memory_rate(node, j), 1) - 1;
    double crowding = fmax(1, (double)node->n_ranks / node->cores);
    dual d = dual_scale(work, crowding / node->speed);
    return slowdown > 0 ? dual_multiply(d, dual_axpy(dual_constant(1), slowdown, mu)) : d;
}

/* Path of the slowest process of a node: computing, then its own messages one after the other on the link. */
static dual path_of(const struct cycle *c, int node_index)
{
    const struct machine *m = c->machine;
    const struct machine_node *node = &m->nodes[node_index];
    const struct node_traffic *t = &c->traffic->nodes[node_index];
    dual path = dual_scale(c->mean_s[node->group], 1 + c->imbalance);
    double start =
        t->rank_out_count / c->s * 2 * m->overhead_s + (t->rank_out_bytes > 0 || t->rank_out_count > 0
                                                            ? fmin(t->rank_out_count / c->s, 1) * m->latency_s
                                                            : 0);
    path = dual_axpy(path, start, c->theta[CLUSTER_LATENCY]);
    path = dual_axpy(path, t->rank_out_bytes / c->s / node->bandwidth_bytes_per_s, c->theta[CLUSTER_NETWORK]);
    double local = t->rank_local_count / c->s * m->local_latency_s +
                   t->rank_local_bytes / c->s / m->local_bandwidth_bytes_per_s;
    return dual_axpy(path, local, c->theta[CLUSTER_LOCAL]);
}

/* Work that reaches a queue: from `arrival` (group whose computing precedes it) on. */
struct queue_item {
    int group;
    bool crosses; /* came over the network: latency before it */
    double work_s;
};

/*
 * Drain time F_q = max over items l of (arrival_l + work of l and of everything that arrives later) + L. The
 * items are few (one per group of senders), so the maximum is searched in values and the winning piece built
 * as a dual.
 */
static dual drain(const struct cycle *c, const struct queue_item *items, int n_items)
{
    const struct machine *m = c->machine;
    double latency = m->latency_s * c->theta[CLUSTER_LATENCY].v, network = c->theta[CLUSTER_NETWORK].v;
    double best = -INFINITY, best_work = 0;
    int winner = 0;
    for (int l = 0; l < n_items; l++) {
        double arrival = c->mean_s[items[l].group].v + (items[l].crosses ? latency : 0), work = 0;
        for (int k = 0; k < n_items; k++)
            if (c->mean_s[items[k].group].v + (items[k].crosses ? latency : 0) >= arrival)
                work += items[k].work_s;
        if (arrival + network * work > best) {
            best = arrival + network * work;
            best_work = work;
            winner = l;
        }
    }
    dual f = dual_axpy(c->mean_s[items[winner].group], best_work, c->theta[CLUSTER_NETWORK]);
    return dual_axpy(f, m->latency_s, c->theta[CLUSTER_LATENCY]);
}

enum { MAX_ITEMS = 66 };

/* Sending and receiving side of a node's link; one queue where it is half duplex. */
static dual link_drain(const struct cycle *c, int node_index)
{
    const struct machine *m = c->machine;
    const struct machine_node *node = &m->nodes[node_index];
    const double *in = &c->traffic->in_bytes[(size_t)node_index * (size_t)m->n_groups];
    struct queue_item items[MAX_ITEMS];
    int n = 0;
    double scale = 1 / (c->s * node->bandwidth_bytes_per_s);
    items[n++] = (struct queue_item){node->group, false, c->traffic->nodes[node_index].out_bytes * scale};
    dual out = drain(c, items, 1);
    if (!m->half_duplex) n = 0;
    for (int g = 0; g < m->n_groups && n < MAX_ITEMS; g++)
        if (in[g] > 0) items[n++] = (struct queue_item){g, true, in[g] * scale};
    return n > 0 ? dual_max(out, drain(c, items, n)) : out;
}

/* Everything that crosses the machine passes its bisection, about half of the random traffic. */
static dual switch_drain(const struct cycle *c)
{
    struct queue_item item = {0, false,
                              c->traffic->away_bytes / 2 / c->s / c->machine->bisection_bytes_per_s};
    for (int i = 0; i < c->machine->n_nodes; i++)
        if (c->mean_s[c->machine->nodes[i].group].v < c->mean_s[item.group].v)
            item.group = c->machine->nodes[i].group;
    return drain(c, &item, 1);
}

/* Slowest path, with the noise of every process: groups of equal nodes are one term of the expected maximum.
 */
static dual slowest_path(const struct cycle *c, const dual *paths, const double *counts, int *slowest)
{
    enum { MAX_GROUPS = 64 };
    int n = c->machine->n_groups;
    *slowest = 0;
    for (int g = 1; g < n; g++)
        if (paths[g].v > paths[*slowest].v) *slowest = g;
    double noise = c->theta[CLUSTER_NOISE].v;
    if (noise < 1e-7 || n < 1 || n > MAX_GROUPS) return paths[*slowest];
    double mu[MAX_GROUPS], sigma[MAX_GROUPS], d_mu[MAX_GROUPS], d_sigma[MAX_GROUPS];
    for (int g = 0; g < n; g++) {
        mu[g] = paths[g].v;
        sigma[g] = fmax(noise * c->mean_s[g].v, 1e-12 * paths[*slowest].v + 1e-300);
    }
    dual result = dual_constant(expected_maximum(n, mu, sigma, counts, d_mu, d_sigma));
    for (int g = 0; g < n; g++) {
        dual s = dual_multiply(c->theta[CLUSTER_NOISE], c->mean_s[g]);
        for (int i = 0; i < DUAL_N; i++) result.d[i] += d_mu[g] * paths[g].d[i] + d_sigma[g] * s.d[i];
    }
    return result;
}

/* C_barrier (docs/models/cluster.md, eq. 6): slowest path or longest drain, whichever ends last. */
static dual barrier_cycle(const struct cycle *c, struct cluster_time *time, dual *paths, double *counts)
{
    const struct machine *m = c->machine;
    for (int g = 0; g < m->n_groups; g++) {
        paths[g] = dual_constant(-1);
        counts[g] = 0;
    }
    for (int i = 0; i < m->n_nodes; i++) {
        int g = m->nodes[i].group;
        dual path = path_of(c, i);
        if (path.v > paths[g].v) paths[g] = path;
        counts[g] += m->nodes[i].n_ranks;
    }
    int slowest;
    dual best = slowest_path(c, paths, counts, &slowest);
    bool talks = c->theta[CLUSTER_LATENCY].v * m->latency_s >
                 0.5 * (paths[slowest].v - c->mean_s[slowest].v * (1 + c->imbalance));
    time->limit_group = slowest;
    snprintf(time->limit, sizeof time->limit, "%s",
             c->mean_s[slowest].v * (1 + c->imbalance) > 0.5 * paths[slowest].v ? "computing"
             : talks                                                            ? "latency"
                                                                                : "messages");
    if (c->traffic->away_bytes <= 0) return best;
    for (int i = 0; i < m->n_nodes; i++) {
        dual f = link_drain(c, i);
        if (f.v <= best.v) continue;
        best = f;
        time->limit_group = m->nodes[i].group;
        snprintf(time->limit, sizeof time->limit, "link");
    }
    if (m->bisection_bytes_per_s > 0) {
        dual f = switch_drain(c);
        if (f.v > best.v) {
            best = f;
            snprintf(time->limit, sizeof time->limit, "bisection of the network");
        }
    }
    return best;
}

/* ---- collectives and the sum ---- */

/* Seconds of all calls of a kind, size by size. */
static parcast_status calls_cost(const struct cycle *c, const struct used_collective *u,
                                 struct transfer_cost *sum, parcast_error *error)
{
    double n = c->machine->n_ranks, count = growth_value(&u->count, n), bytes = growth_value(&u->bytes, n);
    int members = u->size_exponent >= 1 ? (int)n : (int)fmax(lround(pow(n, u->size_exponent)), 1);
    *sum = (struct transfer_cost){0, 0, 0};
    for (int i = 0; i < u->mix.n; i++) {
        struct transfer_cost cost;
        parcast_status status = collective_cost(u->kind, c->workload->library, c->machine, members,
                                                bytes * u->mix.bytes_ratio[i], u->rotates, &cost, error);
        if (status) return status;
        double calls = count * u->mix.count_share[i];
        sum->start_s += calls * cost.start_s;
        sum->network_s += calls * cost.network_s;
        sum->local_s += calls * cost.local_s;
    }
    return PARCAST_OK;
}

static parcast_status collectives_time(const struct cycle *c, dual *total, parcast_error *error)
{
    *total = dual_constant(0);
    for (int i = 0; i < c->workload->n_collectives; i++) {
        struct transfer_cost cost;
        parcast_status status = calls_cost(c, &c->workload->collectives[i], &cost, error);
        if (status) return status;
        *total = dual_axpy(*total, cost.start_s, c->theta[CLUSTER_LATENCY]);
        *total = dual_axpy(*total, cost.network_s, c->theta[CLUSTER_NETWORK]);
        *total = dual_axpy(*total, cost.local_s, c->theta[CLUSTER_LOCAL]);
    }
    return PARCAST_OK;
}

/* Mean over the ranks of 1/speed: what is waited for is another rank's computing, now on this node, now on
 * that. */
static double mean_slowness(const struct machine *m)
{
    double sum = 0;
    for (int i = 0; i < m->n_nodes; i++) sum += m->nodes[i].n_ranks / m->nodes[i].speed;
    return sum / m->n_ranks;
}

/* Cycles per process: communication rounds, or synchronisations, or one. */
static double cycles_of(const struct workload *w, double n)
{
    if (n < 2) return 1;
    double rounds = w->pattern.kind == PATTERN_NONE ? 0 : growth_value(&w->rounds, n);
    return fmax(fmax(rounds, growth_value(&w->syncs, n)), 1);
}

static void set_theta(const double theta[CLUSTER_PARAMETERS], dual out[CLUSTER_PARAMETERS])
{
    for (int i = 0; i < CLUSTER_PARAMETERS; i++) {
        double v = exp(theta[i]);
        if (i == CLUSTER_SYNC) { /* beta = 1/(1 + exp(-theta)) */
            double beta = 1 / (1 + exp(-theta[i]));
            out[i] = dual_scale(dual_variable(0, i), beta * (1 - beta));
            out[i].v = beta;
        } else {
            out[i] = dual_scale(dual_variable(0, i), v);
            out[i].v = v;
        }
    }
}

/* Mean over ranks, and the slowest process, of the computing in a whole run. */
static void sum_computing(const struct cycle *c, struct cluster_time *time)
{
    const struct machine *m = c->machine;
    dual mean = dual_constant(0), slowest = dual_constant(0);
    for (int i = 0; i < m->n_nodes; i++) {
        dual d = c->mean_s[m->nodes[i].group];
        double crowding = fmax(1, (double)m->nodes[i].n_ranks / m->nodes[i].cores);
        mean = dual_axpy(mean, (double)m->nodes[i].n_ranks / m->n_ranks / crowding,
                         d); /* CPU time, not waiting for a core */
        slowest = dual_max(slowest, d);
    }
    time->mean_compute_s = dual_scale(mean, c->s);
    time->compute_s = dual_scale(slowest, c->s * (1 + c->imbalance));
}

parcast_status cluster_time(const struct workload *workload, const double theta[CLUSTER_PARAMETERS],
                            const struct machine *machine, struct cluster_time *time, parcast_error *error)
{
    struct traffic traffic;
    parcast_status status = traffic_create(&workload->pattern, machine, &traffic, error);
    if (status) return status;
    size_t groups = (size_t)machine->n_groups;
    dual *scratch = calloc(2 * groups, sizeof *scratch);
    double *counts = calloc(groups, sizeof *counts);
    if (!scratch || !counts) {
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for the cluster model");
        goto free_scratch;
    }
    double n = machine->n_ranks;
    struct cycle c = {.workload = workload, .machine = machine, .traffic = &traffic, .mean_s = scratch};
    set_theta(theta, c.theta);
    c.s = cycles_of(workload, n);
    c.imbalance = imbalance_value(&workload->imbalance, n);
    dual work = dual_scale(work_at(workload, c.theta, n), 1 / c.s);
    for (int i = 0; i < machine->n_nodes; i++)
        c.mean_s[machine->nodes[i].group] = computing_on(&machine->nodes[i], work, c.theta[CLUSTER_MEMORY]);
    struct cluster_time result = {.cycles = c.s};
    dual cycle = barrier_cycle(&c, &result, scratch + groups, counts);
    if (traffic.away_bytes > 0 && c.theta[CLUSTER_SYNC].v < 1 - 1e-9) {
        struct async_input input = {machine, &traffic, c.mean_s, c.theta, c.s, c.imbalance};
        dual async, beta = c.theta[CLUSTER_SYNC];
        status = async_cycle(&input, &async, error);
        if (status) goto free_scratch;
        cycle =
            dual_add(dual_multiply(beta, cycle), dual_multiply(dual_subtract(dual_constant(1), beta), async));
    }
    sum_computing(&c, &result);
    result.total_s = dual_axpy(dual_scale(cycle, c.s), mean_slowness(machine), c.theta[CLUSTER_FIXED]);
    if (n > 1) {
        dual collectives;
        status = collectives_time(&c, &collectives, error);
        if (status) goto free_scratch;
        result.total_s = dual_add(result.total_s, collectives);
    }
    result.total_s.v += workload->io_s;
    *time = result;

free_scratch:
    free(scratch);
    free(counts);
    traffic_clear(&traffic);
    return status;
}
