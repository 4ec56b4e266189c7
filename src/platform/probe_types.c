/*
 * Which hosts are alike. Hosts of one kind scatter around one value; two kinds leave a gap. A group of hosts
 * is divided at its widest gap in any measured value, if the gap is wider than a difference that matters, and
 * wider than what the measurements of the two hosts beside it leave open:
 *
 *     b - a > max(least b, z sqrt(sigma_a^2 + sigma_b^2)),    z = 4
 *
 * sigma is the standard error of a host's own repetitions. At z = 4 two equal hosts are told apart by chance
 * once in 16,000, so that the pairs of a hundred hosts and their values are no trouble. Values that lie close
 * to each other in a chain are one kind: there is no place that divides them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "platform/probe_internal.h"

static const double z = 4;

struct value {
    double value, error; /* NAN where it was not measured */
    size_t host;
};

struct classifier {
    const parcast_probe *probe;
    const double *link_bytes_per_s;
    struct value *values; /* [n_hosts] of the group that is being looked at */
    size_t *type_of;
    size_t n_types;
};

enum trait { CORES, SOCKETS, MEMORY, SPEED, LINK, TRIAD, N_TRAITS };

/* Relative differences below which hosts are of one kind. */
static const double least[N_TRAITS] = {[MEMORY] = 0.05, [SPEED] = 0.08, [LINK] = 0.15, [TRIAD] = 0.5};

static double best_triad(const parcast_probe_host *host)
{
    double best = NAN;
    for (int i = 0; i < host->n_memory; i++) best = fmax(best, host->memory_bytes_per_s[i]);
    return best;
}

static struct value value_of(const struct classifier *c, enum trait trait, size_t i)
{
    const parcast_probe_host *host = &c->probe->hosts[i];
    switch (trait) {
    case CORES:
        return (struct value){host->cores, 0, i};
    case SOCKETS:
        return (struct value){host->sockets, 0, i};
    case MEMORY:
        return (struct value){host->memory_bytes, 0, i};
    case SPEED:
        return (struct value){host->calibration, host->calibration_error, i};
    case LINK:
        return (struct value){c->link_bytes_per_s[i], 0, i};
    default:
        return (struct value){best_triad(host), 0, i};
    }
}

/* What was not measured comes last; equal ones in the order of hosts. */
static int ascending(const void *left, const void *right)
{
    const struct value *a = left, *b = right;
    if (isnan(a->value) != isnan(b->value)) return isnan(a->value) ? 1 : -1;
    if (a->value != b->value && !isnan(a->value)) return a->value < b->value ? -1 : 1;
    return (a->host > b->host) - (a->host < b->host);
}

/* Above 1 where two neighbours are of two kinds. */
static double gap_ratio(const struct value *a, const struct value *b, double least_ratio)
{
    if (isnan(a->value) || isnan(b->value)) return isnan(a->value) == isnan(b->value) ? 0 : INFINITY;
    double needed = fmax(least_ratio * b->value, z * hypot(a->error, b->error)), gap = b->value - a->value;
    if (gap <= 0) return 0;
    return needed > 0 ? gap / needed : INFINITY;
}

/* Hosts below the widest gap of a group; 0 if nothing divides it. The group is in the order of that value
 * then. */
static size_t divide(struct classifier *c, size_t *group, size_t n)
{
    for (int trait = 0; trait < N_TRAITS; trait++) {
        size_t at = 0;
        double widest = 1;
        for (size_t i = 0; i < n; i++) c->values[i] = value_of(c, (enum trait)trait, group[i]);
        qsort(c->values, n, sizeof *c->values, ascending);
        for (size_t i = 1; i < n; i++) {
            double ratio = gap_ratio(&c->values[i - 1], &c->values[i], least[trait]);
            if (ratio <= widest) continue;
            widest = ratio;
            at = i;
        }
        if (!at) continue;
        for (size_t i = 0; i < n; i++) group[i] = c->values[i].host;
        return at;
    }
    return 0;
}

static void classify(struct classifier *c, size_t *group, size_t n)
{
    while (n > 0) {
        size_t below = divide(c, group, n), n_alike = below ? below : n;
        if (below && below < n) {
            classify(c, group, below);
        } else {
            for (size_t i = 0; i < n_alike; i++) c->type_of[group[i]] = c->n_types;
            c->n_types++;
        }
        group += n_alike;
        n -= n_alike;
    }
}

/* Types are counted in the order of their first hosts. */
static void renumber(const struct classifier *c, size_t *number)
{
    size_t n = 0;
    for (size_t t = 0; t < c->n_types; t++) number[t] = SIZE_MAX;
    for (size_t i = 0; i < c->probe->n_hosts; i++) {
        if (number[c->type_of[i]] == SIZE_MAX) number[c->type_of[i]] = n++;
        c->type_of[i] = number[c->type_of[i]];
    }
}

parcast_status probe_find_types(const parcast_probe *probe, const double *link_bytes_per_s, size_t *type_of,
                                size_t *n_types)
{
    struct classifier c = {.probe = probe, .link_bytes_per_s = link_bytes_per_s, .type_of = type_of};
    c.values = calloc(probe->n_hosts, sizeof *c.values);
    size_t *group = calloc(probe->n_hosts, sizeof *group);
    parcast_status status = c.values && group ? PARCAST_OK : PARCAST_MEMORY;
    if (!status) {
        for (size_t i = 0; i < probe->n_hosts; i++) group[i] = i;
        classify(&c, group, probe->n_hosts);
        renumber(&c, group);
        *n_types = c.n_types;
    }
    free(group);
    free(c.values);
    return status;
}
