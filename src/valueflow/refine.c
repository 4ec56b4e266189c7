/*
 * Local improvement on the words: vertices move to the neighbouring part that saves most (Fiduccia and
 * Mattheyses 1982, by passes without going uphill).
 */
#include <stdlib.h>

#include "valueflow/counts.h"
#include "valueflow/place.h"

enum { MOST_PASSES = 12, HUB_DEGREE = 4096 };

struct refine {
    struct counts counts;
    double limit;
    bool *near;
    uint32_t *neighbours, n_near;
};

static void note(struct refine *r, uint32_t q)
{
    if (r->near[q]) return;
    r->near[q] = true;
    r->neighbours[r->n_near++] = q;
}

static void look_at_set(struct refine *r, size_t set, bool homes)
{
    const struct counts *c = &r->counts;
    if (c->spread[set] < 2) return;
    const parcast_values *values = c->values;
    uint64_t first = values->set_first[set], end = values->set_first[set + 1];
    uint64_t net_first = values->net_first[set], net_end = homes ? values->net_first[set + 1] : net_first;
    if (2 * (end - first + net_end - net_first) < c->p) { /* fewer vertices than parts */
        for (uint64_t i = first; i < end; i++) {
            uint32_t q = c->part[values->pins[i] & ~GRAPH_FOLD];
            if (c->pins[set * c->p + q]) note(r, q);
        }
        for (uint64_t i = net_first; i < net_end; i++) {
            uint32_t q = c->part[values->nets[i].home];
            if (c->homes[set * c->p + q]) note(r, q);
        }
        return;
    }
    for (uint32_t q = 0; q < c->p; q++)
        if (c->pins[set * c->p + q] || (homes && c->homes[set * c->p + q])) note(r, q);
}

static void look_at_sum(struct refine *r, size_t sum)
{
    const struct counts *c = &r->counts;
    for (uint32_t q = 0; q < c->p; q++)
        if (c->terms[sum * c->p + q]) note(r, q);
}

static void find_neighbours(struct refine *r, uint32_t v)
{
    const struct counts *c = &r->counts;
    for (uint64_t i = c->at.set_first[v]; i < c->at.set_first[v + 1]; i++)
        look_at_set(r, c->at.sets[i] >> 1, true);
    for (uint64_t i = c->at.net_first[v]; i < c->at.net_first[v + 1]; i++)
        look_at_set(r, c->at.net_sets[i], false);
    for (uint32_t s = c->sum_first[v]; s < c->sum_first[v + 1]; s++) look_at_sum(r, s);
    for (uint64_t i = c->term_first[v]; i < c->term_first[v + 1]; i++) {
        note(r, c->part[c->sums[c->term_sums[i]].vertex]);
        look_at_sum(r, c->term_sums[i]);
    }
}

static bool improve(struct refine *r, uint32_t v)
{
    struct counts *c = &r->counts;
    uint32_t a = c->part[v], best = a;
    int64_t most = 0;
    find_neighbours(r, v);
    for (uint32_t i = 0; i < r->n_near; i++) {
        uint32_t b = r->neighbours[i];
        r->near[b] = false;
        if (b == a || c->work[b] + c->values->vertices[v].work > r->limit) continue;
        int64_t gain = counts_gain(c, v, b);
        if (gain > most || (gain == most && best != a && b < best)) {
            most = gain;
            best = b;
        }
    }
    r->n_near = 0;
    if (best != a) counts_move(c, v, best);
    return best != a;
}

static bool can_move(const struct refine *r, const bool *fixed, uint32_t v)
{
    const struct counts *c = &r->counts;
    if (fixed && fixed[v]) return false;
    if (!c->adds[v] && c->at.set_first[v + 1] - c->at.set_first[v] > HUB_DEGREE) return false;
    return !counts_inside(c, v);
}

static void refine(struct refine *r, const bool *fixed)
{
    bool moved = true;
    for (int pass = 0; pass < MOST_PASSES && moved; pass++) {
        moved = false;
        for (uint32_t v = 0; v < r->counts.values->n_vertices; v++)
            if (can_move(r, fixed, v) && improve(r, v)) moved = true;
    }
}

parcast_status graph_refine(const parcast_values *values, size_t n_parts, const bool *fixed, double imbalance,
                            uint32_t *part, parcast_error *error)
{
    struct refine r = {.limit = (1 + imbalance) * values->work / (double)n_parts};
    bool made = false;
    r.near = calloc(n_parts, sizeof *r.near);
    r.neighbours = calloc(n_parts, sizeof *r.neighbours);
    parcast_status status =
        r.near && r.neighbours ? counts_make(values, n_parts, part, &r.counts, &made) : PARCAST_MEMORY;
    if (!status && made) refine(&r, fixed);
    counts_clear(&r.counts);
    free(r.near);
    free(r.neighbours);
    return status ? parcast_error_set(error, status, NULL, 0, "out of memory for %zu parts", n_parts)
                  : status;
}
