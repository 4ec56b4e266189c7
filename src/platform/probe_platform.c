/*
 * From measurements to a platform: hosts that are alike become one node type.
 */
#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/keys.h"
#include "platform/probe_internal.h"

/* Relative differences that are none: of steps of a curve, and of links, which scatter more. */
#define TOLERANCE      0.05
#define LINK_TOLERANCE 0.15

/* Messages from this size on take long enough to show whether they share the link. */
#define DUPLEX_FROM_BYTES 4096.0

struct builder {
    const parcast_probe *probe;
    double *link_bytes_per_s; /* [n_hosts] NAN where nothing was measured */
    size_t *type_of;          /* [n_hosts] */
    double *values;           /* [larger of n_hosts, n_pairs] for medians */
};

static double rounded(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.4g", value);
    return strtod(text, NULL);
}

/* Rounded in the unit that it is written in, so that it stays short there: 16.6 GB, 55.03 ns. */
static double rounded_amount(double value)
{
    double unit = value >= 1e9 ? 1e9 : value >= 1e6 ? 1e6 : value >= 1e3 ? 1e3 : 1;
    return rounded(value / unit) * unit;
}

static double rounded_time(double value_s)
{
    double unit = value_s < 1e-6 ? 1e-9 : value_s < 1e-3 ? 1e-6 : value_s < 1 ? 1e-3 : 1;
    return rounded(value_s / unit) * unit;
}

static bool close_to(double a, double b, double tolerance)
{
    if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
    return fabs(a - b) <= tolerance * fmax(a, b);
}

static double best_memory(const parcast_probe_host *host)
{
    double best = NAN;
    for (int i = 0; i < host->n_memory; i++) best = fmax(best, host->memory_bytes_per_s[i]);
    return best;
}

/* Bytes per second on top of the time of the smallest message. */
static double rate_at(const parcast_probe_pair *pair, int size)
{
    double time_s = pair->one_way_s[size] - pair->one_way_s[0];
    return time_s > 0 ? (pair->bytes[size] - pair->bytes[0]) / time_s : INFINITY;
}

/* The better rate of the two largest sizes, if they take long enough to be told from the latency. */
static double pair_bandwidth(const parcast_probe_pair *pair)
{
    int last = pair->n_sizes - 1;
    double best = 0;
    for (int i = last > 1 ? last - 1 : 1; i <= last; i++)
        if (pair->one_way_s[i] > 4 * pair->one_way_s[0]) best = fmax(best, rate_at(pair, i));
    return best > 0 ? best : pair->bytes[last] / pair->one_way_s[last];
}

static void find_links(struct builder *b)
{
    for (size_t i = 0; i < b->probe->n_hosts; i++) b->link_bytes_per_s[i] = NAN;
    for (size_t i = 0; i < b->probe->n_pairs; i++) {
        const parcast_probe_pair *pair = &b->probe->pairs[i];
        double bandwidth = pair_bandwidth(pair);
        b->link_bytes_per_s[pair->a] = fmax(b->link_bytes_per_s[pair->a], bandwidth);
        b->link_bytes_per_s[pair->b] = fmax(b->link_bytes_per_s[pair->b], bandwidth);
    }
}

typedef double host_value(const parcast_probe_host *host);

static double calibration_of(const parcast_probe_host *host)
{
    return host->calibration;
}

static double flop_rate_of(const parcast_probe_host *host)
{
    return host->flop_rate_flop_per_s;
}

static double memory_of(const parcast_probe_host *host)
{
    return host->memory_bytes;
}

static double shared_latency_of(const parcast_probe_host *host)
{
    return host->shared_latency_s;
}

static double shared_bandwidth_of(const parcast_probe_host *host)
{
    return host->shared_bandwidth_bytes_per_s;
}

enum { ALL_TYPES = -1 };

/* Median over the hosts of a type, those without the value left out; NAN if none has it. */
static double median_of(struct builder *b, int type, host_value *value)
{
    size_t n = 0;
    for (size_t i = 0; i < b->probe->n_hosts; i++) {
        double v = value(&b->probe->hosts[i]);
        if ((type == ALL_TYPES || b->type_of[i] == (size_t)type) && v > 0) b->values[n++] = v;
    }
    return n ? probe_median(b->values, n) : NAN;
}

static double median_link(struct builder *b, size_t type)
{
    size_t n = 0;
    for (size_t i = 0; i < b->probe->n_hosts; i++)
        if (b->type_of[i] == type && !isnan(b->link_bytes_per_s[i])) b->values[n++] = b->link_bytes_per_s[i];
    return n ? rounded_amount(probe_median(b->values, n)) : NAN;
}

/* cluster-07 and cluster-08 are "cluster"; a lone host keeps its name. */
static char *type_name(const struct builder *b, size_t type, const parcast_platform *platform)
{
    const char *first = "node";
    size_t members = 0;
    for (size_t i = 0; i < b->probe->n_hosts; i++)
        if (b->type_of[i] == type && members++ == 0) first = b->probe->hosts[i].name;
    size_t length = strlen(first);
    if (members > 1)
        while (length > 0 && (isdigit((unsigned char)first[length - 1]) || first[length - 1] == '-'))
            length--;
    char *name = length ? strndup(first, length) : strdup("node");
    for (size_t i = 0; name && i < platform->n_types; i++) {
        if (strcmp(platform->types[i].name, name) != 0) continue;
        free(name);
        return asprintf(&name, "%s-%zu", first, type + 1) < 0 ? NULL : name;
    }
    return name;
}

/* The throughput of 1..cores cores relative to one, straight lines between the measured counts. */
static parcast_status set_memory_scaling(const parcast_probe_host *host, parcast_node_type *type)
{
    if (host->n_memory < 2 || host->cores < 2) return PARCAST_OK;
    type->memory_scaling = calloc((size_t)host->cores, sizeof *type->memory_scaling);
    if (!type->memory_scaling) return PARCAST_MEMORY;
    int last = host->memory_cores[host->n_memory - 1];
    type->n_memory_scaling = (size_t)(last < host->cores ? last : host->cores);
    for (int n = 1, point = 0; n <= (int)type->n_memory_scaling; n++) {
        while (point + 2 < host->n_memory && host->memory_cores[point + 1] < n) point++;
        double x0 = host->memory_cores[point], x1 = host->memory_cores[point + 1];
        double y0 = host->memory_bytes_per_s[point], y1 = host->memory_bytes_per_s[point + 1];
        double rate = y0 + (y1 - y0) * (n - x0) / (x1 - x0);
        type->memory_scaling[n - 1] = n == 1 ? 1 : rounded(rate / host->memory_bytes_per_s[0]);
    }
    return PARCAST_OK;
}

static parcast_status add_type(struct builder *b, size_t number, parcast_platform *platform)
{
    parcast_node_type *type = &platform->types[number];
    const parcast_probe_host *first = NULL;
    node_type_defaults(type);
    for (size_t i = 0; i < b->probe->n_hosts; i++) {
        if (b->type_of[i] != number) continue;
        if (!first) first = &b->probe->hosts[i];
        type->count++;
    }
    type->name = type_name(b, number, platform);
    platform->n_types++;
    if (!type->name) return PARCAST_MEMORY;
    assert(first); /* every type has a first host */
    type->hosts = calloc((size_t)type->count, sizeof *type->hosts);
    if (!type->hosts) return PARCAST_MEMORY;
    for (size_t i = 0; i < b->probe->n_hosts; i++) {
        if (b->type_of[i] != number) continue;
        type->hosts[type->n_hosts] = strdup(b->probe->hosts[i].name);
        if (!type->hosts[type->n_hosts++]) return PARCAST_MEMORY;
    }
    type->cores = first->cores;
    type->sockets = first->sockets;
    type->calibration = rounded(median_of(b, (int)number, calibration_of));
    type->flop_rate_flop_per_s = rounded_amount(median_of(b, (int)number, flop_rate_of));
    type->memory_bytes = rounded_amount(median_of(b, (int)number, memory_of));
    type->memory_bandwidth_bytes_per_s = rounded_amount(median_of(b, (int)number, best_memory));
    type->bandwidth_bytes_per_s = median_link(b, number);
    return set_memory_scaling(first, type);
}

/* The fastest link is the network's, types that reach it need none of their own. */
static void set_bandwidth(parcast_platform *platform)
{
    double best = NAN;
    for (size_t i = 0; i < platform->n_types; i++)
        best = fmax(best, platform->types[i].bandwidth_bytes_per_s);
    platform->network.bandwidth_bytes_per_s = best;
    for (size_t i = 0; i < platform->n_types; i++)
        if (close_to(platform->types[i].bandwidth_bytes_per_s, best, LINK_TOLERANCE))
            platform->types[i].bandwidth_bytes_per_s = NAN;
}

/* Half a round trip is the latency and the CPU time of both sides. */
static void set_latency(struct builder *b, parcast_network_description *network)
{
    size_t n = b->probe->n_pairs;
    for (size_t i = 0; i < n; i++) {
        const parcast_probe_pair *pair = &b->probe->pairs[i];
        b->values[i] = fmin(pair->overhead_s, 0.45 * pair->one_way_s[0]);
    }
    network->overhead_s = rounded_time(probe_median(b->values, n));
    for (size_t i = 0; i < n; i++) b->values[i] = b->probe->pairs[i].one_way_s[0];
    double one_way_s = probe_median(b->values, n);
    network->overhead_s = fmin(network->overhead_s, rounded_time(0.45 * one_way_s));
    network->latency_s = rounded_time(one_way_s - 2 * network->overhead_s);
}

/* A link that is half duplex halves messages of every size; MPI libraries may halve the long ones only. */
static void set_duplex(struct builder *b, parcast_network_description *network)
{
    const double shared_ratio = 1.8;
    size_t n = 0;
    for (size_t i = 0; i < b->probe->n_pairs; i++) {
        const parcast_probe_pair *pair = &b->probe->pairs[i];
        double lowest = pair->both_ways_ratio;
        for (int k = 1; k < pair->n_sizes; k++)
            if (pair->bytes[k] >= DUPLEX_FROM_BYTES && pair->exchange_s[k] > 0)
                lowest = fmin(lowest, pair->exchange_s[k] / pair->one_way_s[k]);
        if (lowest > 0) b->values[n++] = lowest;
    }
    if (n && probe_median(b->values, n) > shared_ratio) network->duplex = PARCAST_HALF_DUPLEX;
}

/* A limit of its own only where the pairs together stayed below their links. */
static void set_bisection(struct builder *b, parcast_network_description *network)
{
    const parcast_probe *probe = b->probe;
    size_t half = (size_t)probe->bisection_pairs;
    double links = 0;
    if (half < 2 || !(probe->bisection_bytes_per_s > 0) || 2 * half > probe->n_hosts) return;
    for (size_t i = 0; i < half; i++)
        links += fmin(b->link_bytes_per_s[i], b->link_bytes_per_s[i + probe->n_hosts / 2]);
    if (probe->bisection_bytes_per_s < 0.9 * links)
        network->bisection_bytes_per_s = rounded_amount(probe->bisection_bytes_per_s);
}

/* Rate at a size, as a share of the pair's best. */
static double bandwidth_factor(const parcast_probe_pair *pair, int k)
{
    double rate = rate_at(pair, k);
    return isfinite(rate) ? rate / pair_bandwidth(pair) : NAN;
}

/* Rate of each direction while both are busy, as a share of that of one alone. */
static double exchange_factor(const parcast_probe_pair *pair, int k)
{
    double beyond_s = pair->exchange_s[k] - pair->exchange_s[0],
           one_way_s = pair->one_way_s[k] - pair->one_way_s[0];
    return beyond_s > 0 && one_way_s > 0 ? fmin(one_way_s / beyond_s, 1) : NAN;
}

typedef double pair_factor(const parcast_probe_pair *pair, int k);

/* Median over the pairs. */
static double factor_at(struct builder *b, pair_factor *factor, double bytes)
{
    size_t n = 0;
    for (size_t i = 0; i < b->probe->n_pairs; i++) {
        const parcast_probe_pair *pair = &b->probe->pairs[i];
        for (int k = 1; k < pair->n_sizes; k++) {
            double value = pair->bytes[k] == bytes ? factor(pair, k) : NAN;
            if (!isnan(value)) b->values[n++] = value;
        }
    }
    return n ? probe_median(b->values, n) : NAN;
}

/* Below this size the time beyond the latency drowns in noise, and does not count. */
#define CURVE_FROM_BYTES 1024.0

/* A factor by message size; from the middle (geometric) between two measured sizes on the larger one's
   counts. Steps below TOLERANCE are left out, a flat curve altogether. */
static parcast_status set_curve(struct builder *b, pair_factor *factor_of, parcast_breakpoint **curve,
                                size_t *n)
{
    const parcast_probe_pair *widest = &b->probe->pairs[0];
    for (size_t i = 1; i < b->probe->n_pairs; i++)
        if (b->probe->pairs[i].n_sizes > widest->n_sizes) widest = &b->probe->pairs[i];
    *curve = calloc((size_t)widest->n_sizes, sizeof **curve);
    if (!*curve) return PARCAST_MEMORY;
    bool flat = true;
    for (int k = 1; k < widest->n_sizes; k++) {
        double factor = widest->bytes[k] < CURVE_FROM_BYTES ? NAN : factor_at(b, factor_of, widest->bytes[k]);
        if (isnan(factor)) continue;
        factor = rounded(fmin(fmax(factor, 0.01), 100));
        if (*n && close_to((*curve)[*n - 1].value, factor, TOLERANCE)) continue;
        (*curve)[*n].bytes = *n ? rint(sqrt(widest->bytes[k - 1] * widest->bytes[k])) : 0;
        (*curve)[(*n)++].value = factor;
        flat = flat && close_to(factor, 1, 2 * TOLERANCE);
    }
    if (!flat) return PARCAST_OK;
    free(*curve);
    *curve = NULL;
    *n = 0;
    return PARCAST_OK;
}

/* Median over the pairs that were measured at this size. */
static double overlap_at(struct builder *b, double bytes)
{
    size_t n = 0;
    for (size_t i = 0; i < b->probe->n_pairs; i++) {
        const parcast_probe_pair *pair = &b->probe->pairs[i];
        for (int k = 0; k < pair->n_overlap; k++)
            if (pair->overlap_bytes[k] == bytes) b->values[n++] = pair->overlap_ratio[k];
    }
    return n ? probe_median(b->values, n) : NAN;
}

/* By size as the factors are, but every step counts from 0 to 1 alike. */
static parcast_status set_overlap(struct builder *b, parcast_network_description *network)
{
    const double step = 0.05;
    const parcast_probe_pair *widest = &b->probe->pairs[0];
    for (size_t i = 1; i < b->probe->n_pairs; i++)
        if (b->probe->pairs[i].n_overlap > widest->n_overlap) widest = &b->probe->pairs[i];
    if (!widest->n_overlap) return PARCAST_OK;
    network->overlap = calloc((size_t)widest->n_overlap, sizeof *network->overlap);
    if (!network->overlap) return PARCAST_MEMORY;
    for (int k = 0; k < widest->n_overlap; k++) {
        double ratio = rint(1000 * overlap_at(b, widest->overlap_bytes[k])) / 1000;
        size_t n = network->n_overlap;
        if (n && fabs(network->overlap[n - 1].value - ratio) < step) continue;
        double from = k ? rint(sqrt(widest->overlap_bytes[k - 1] * widest->overlap_bytes[k])) : 0;
        network->overlap[network->n_overlap++] = (parcast_breakpoint){from, ratio};
    }
    return PARCAST_OK;
}

static parcast_status set_network(struct builder *b, parcast_platform *platform)
{
    if (b->probe->n_pairs == 0) return PARCAST_OK;
    set_bandwidth(platform);
    set_latency(b, &platform->network);
    set_duplex(b, &platform->network);
    set_bisection(b, &platform->network);
    parcast_network_description *network = &platform->network;
    parcast_status status =
        set_curve(b, bandwidth_factor, &network->bandwidth_factors, &network->n_bandwidth_factors);
    if (!status && network->duplex == PARCAST_FULL_DUPLEX) /* a half-duplex link says it already */
        status = set_curve(b, exchange_factor, &network->exchange_factors, &network->n_exchange_factors);
    return status ? status : set_overlap(b, network);
}

static parcast_status build(struct builder *b, const char *name, parcast_platform *platform)
{
    find_links(b);
    size_t n_types;
    if (probe_find_types(b->probe, b->link_bytes_per_s, b->type_of, &n_types)) return PARCAST_MEMORY;
    platform->name = strdup(name);
    platform->currency = strdup("USD");
    platform->types = calloc(n_types + 1, sizeof *platform->types);
    if (!platform->name || !platform->currency || !platform->types) return PARCAST_MEMORY;
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; i < n_types && !status; i++) status = add_type(b, i, platform);
    double latency_s = median_of(b, ALL_TYPES, shared_latency_of);
    double bandwidth = median_of(b, ALL_TYPES, shared_bandwidth_of);
    if (!isnan(latency_s)) platform->shared_memory.latency_s = rounded_time(latency_s);
    if (!isnan(bandwidth)) platform->shared_memory.bandwidth_bytes_per_s = rounded_amount(bandwidth);
    return status ? status : set_network(b, platform);
}

/* The reader has the last word on whether this is a machine. */
static parcast_status check(const parcast_platform *platform, parcast_error *error)
{
    char *text = NULL;
    size_t length = 0;
    parcast_status status = parcast_platform_format(platform, &text, &length, error);
    free(text);
    return status;
}

parcast_status parcast_probe_platform(const parcast_probe *probe, const char *name,
                                      parcast_platform **platform, parcast_error *error)
{
    size_t n = probe->n_hosts > probe->n_pairs ? probe->n_hosts : probe->n_pairs;
    struct builder b = {.probe = probe};
    if (n == 0) return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "the probe measured no host");
    parcast_platform *result = malloc(sizeof *result);
    b.link_bytes_per_s = calloc(n, sizeof *b.link_bytes_per_s);
    b.type_of = calloc(n, sizeof *b.type_of);
    b.values = calloc(n * (PARCAST_PROBE_POINTS + 1), sizeof *b.values);
    parcast_status status = PARCAST_MEMORY;
    if (result) platform_defaults(result);
    if (result && b.link_bytes_per_s && b.type_of && b.values) status = build(&b, name, result);
    free(b.values);
    free(b.type_of);
    free(b.link_bytes_per_s);
    if (status == PARCAST_MEMORY) parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    if (!status) status = check(result, error);
    if (status)
        parcast_platform_destroy(&result);
    else
        *platform = result;
    return status;
}

static void add_note(char (*notes)[PARCAST_PROBE_NOTE], size_t size, size_t *n, const char *format,
                     const char *host, double a, double b)
{
    if (*n < size) snprintf(notes[(*n)++], PARCAST_PROBE_NOTE, format, host, a, b);
}

size_t parcast_probe_notes(const parcast_probe *probe, char (*notes)[PARCAST_PROBE_NOTE], size_t n_notes)
{
    size_t n = 0;
    for (size_t i = 0; i < probe->n_hosts; i++) {
        const parcast_probe_host *h = &probe->hosts[i];
        if (h->load_ratio > 0.2)
            add_note(
                notes, n_notes, &n,
                "%s: load was %.1f per core before the probe (%g cores): bandwidths and latencies may be low",
                h->name, h->load_ratio, h->cores);
        if (h->calibration_busy < 0.9 * h->calibration)
            add_note(notes, n_notes, &n,
                     "%s: a core reaches %.0f %% of its speed when all %g are busy (clock or shared units)",
                     h->name, 100 * h->calibration_busy / h->calibration, h->cores);
        if (h->dilation_ratio < 0.8)
            add_note(
                notes, n_notes, &n,
                "%s: MPI_Wtime ran %.2f times slower than CPU time over %g ms: speed is given by MPI_Wtime",
                h->name, 1 / h->dilation_ratio, 2);
        if (h->ranks > h->cores)
            add_note(notes, n_notes, &n, "%s: %g ranks on %g cores: message times include waiting for a core",
                     h->name, h->ranks, h->cores);
    }
    return n;
}
