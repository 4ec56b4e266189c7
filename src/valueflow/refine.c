/*
 * Local improvement on the exact words (partial sums apart): vertices move to the neighbouring part that
 * saves most (Fiduccia and Mattheyses 1982, by passes without going uphill). For every set the number of its
 * pins in each part and the weight of its homes there are kept up to date.
 */
#include <stdlib.h>

#include "valueflow/incidence.h"
#include "valueflow/place.h"

enum { MOST_PASSES = 12, HUB_PINS = 4096, HUB_DEGREE = 4096, CROWD = 512 };
static const uint64_t most_cells = UINT64_C(1) << 27;

struct refine {
    const parcast_values *values;
    struct incidence at;
    size_t p;
    uint32_t *part, *pins; /* pins[set * p + q] */
    uint64_t *homes;       /* homes[set * p + q] */
    uint64_t *total;       /* [n_sets] versions */
    double *work, limit;   /* [p] */
    bool *near;
    uint32_t *neighbours, n_near;
};

static bool is_hub(const struct refine *r, uint32_t set)
{
    return r->values->set_first[set + 1] - r->values->set_first[set] > HUB_PINS;
}

static void count(struct refine *r)
{
    const parcast_values *values = r->values;
    for (uint32_t s = 0; s < values->n_sets; s++) {
        for (uint64_t i = values->set_first[s]; i < values->set_first[s + 1]; i++)
            r->pins[s * r->p + r->part[values->pins[i] & ~GRAPH_FOLD]]++;
        for (uint64_t i = values->net_first[s]; i < values->net_first[s + 1]; i++) {
            r->homes[s * r->p + r->part[values->nets[i].home]] += values->nets[i].count;
            r->total[s] += values->nets[i].count;
        }
    }
    for (uint32_t v = 0; v < values->n_vertices; v++) r->work[r->part[v]] += values->vertices[v].work;
}

static void find_neighbours(struct refine *r, uint32_t v)
{
    for (uint64_t i = r->at.set_first[v]; i < r->at.set_first[v + 1]; i++) {
        uint32_t set = r->at.sets[i] >> 1;
        for (uint32_t q = 0; q < r->p; q++)
            if (!r->near[q] && (r->pins[set * r->p + q] || r->homes[set * r->p + q])) {
                r->near[q] = true;
                r->neighbours[r->n_near++] = q;
            }
    }
    for (uint64_t i = r->at.net_first[v]; i < r->at.net_first[v + 1]; i++) {
        uint32_t set = r->at.net_sets[i];
        if (is_hub(r, set)) continue;
        for (uint32_t q = 0; q < r->p; q++)
            if (!r->near[q] && r->pins[set * r->p + q]) {
                r->near[q] = true;
                r->neighbours[r->n_near++] = q;
            }
    }
}

/* Words saved by moving v from a to b: of the values that it reads, and of its own. */
static int64_t gain_of(const struct refine *r, uint32_t v, uint32_t a, uint32_t b)
{
    int64_t gain = 0;
    for (uint64_t i = r->at.set_first[v]; i < r->at.set_first[v + 1]; i++) {
        size_t set = r->at.sets[i] >> 1;
        if (r->at.sets[i] & 1) continue; /* can_move() */
        if (r->pins[set * r->p + a] == 1) gain += (int64_t)(r->total[set] - r->homes[set * r->p + a]);
        if (r->pins[set * r->p + b] == 0) gain -= (int64_t)(r->total[set] - r->homes[set * r->p + b]);
    }
    for (uint64_t i = r->at.net_first[v]; i < r->at.net_first[v + 1]; i++) {
        size_t set = r->at.net_sets[i];
        if (r->pins[set * r->p + b]) gain += r->at.net_counts[i];
        if (r->pins[set * r->p + a]) gain -= r->at.net_counts[i];
    }
    return gain;
}

static void move(struct refine *r, uint32_t v, uint32_t a, uint32_t b)
{
    for (uint64_t i = r->at.set_first[v]; i < r->at.set_first[v + 1]; i++) {
        size_t set = r->at.sets[i] >> 1;
        r->pins[set * r->p + a]--;
        r->pins[set * r->p + b]++;
    }
    for (uint64_t i = r->at.net_first[v]; i < r->at.net_first[v + 1]; i++) {
        size_t set = r->at.net_sets[i];
        r->homes[set * r->p + a] -= r->at.net_counts[i];
        r->homes[set * r->p + b] += r->at.net_counts[i];
    }
    r->work[a] -= r->values->vertices[v].work;
    r->work[b] += r->values->vertices[v].work;
    r->part[v] = b;
}

static bool improve(struct refine *r, uint32_t v)
{
    uint32_t a = r->part[v], best = a;
    int64_t most = 0;
    find_neighbours(r, v);
    for (uint32_t i = 0; i < r->n_near; i++) {
        uint32_t b = r->neighbours[i];
        r->near[b] = false;
        if (b == a || r->work[b] + r->values->vertices[v].work > r->limit) continue;
        int64_t gain = gain_of(r, v, a, b);
        if (gain > most || (gain == most && best != a && b < best)) {
            most = gain;
            best = b;
        }
    }
    r->n_near = 0;
    if (best == a) return false;
    move(r, v, a, best);
    return true;
}

/* Readers that add up may do with partial sums: what only they read is left where it is. A sum over very many
 * terms gets one from everywhere, wherever it is. */
static bool can_move(const struct refine *r, const bool *fixed, uint32_t v)
{
    if (fixed && fixed[v]) return false;
    uint64_t terms = 0, sets = r->at.set_first[v + 1] - r->at.set_first[v];
    for (uint64_t i = r->at.set_first[v]; i < r->at.set_first[v + 1]; i++) terms += r->at.sets[i] & 1;
    if (sets - terms > HUB_DEGREE || (terms && terms <= CROWD)) return false;
    for (uint64_t i = r->at.net_first[v]; i < r->at.net_first[v + 1]; i++) {
        uint32_t set = r->at.net_sets[i];
        for (uint64_t j = r->values->set_first[set]; j < r->values->set_first[set + 1]; j++)
            if (r->values->pins[j] & GRAPH_FOLD) return false;
    }
    return true;
}

static bool prepare(struct refine *r)
{
    size_t cells = (size_t)r->values->n_sets * r->p;
    r->pins = calloc(cells + 1, sizeof *r->pins);
    r->homes = calloc(cells + 1, sizeof *r->homes);
    r->total = calloc((size_t)r->values->n_sets + 1, sizeof *r->total);
    r->work = calloc(r->p, sizeof *r->work);
    r->near = calloc(r->p, sizeof *r->near);
    r->neighbours = calloc(r->p, sizeof *r->neighbours);
    return r->pins && r->homes && r->total && r->work && r->near && r->neighbours &&
           incidence_make(r->values, &r->at) == PARCAST_OK;
}

parcast_status graph_refine(const parcast_values *values, size_t n_parts, const bool *fixed, double imbalance,
                            uint32_t *part, parcast_error *error)
{
    if ((uint64_t)values->n_sets * n_parts > most_cells) return PARCAST_OK; /* too large to keep the counts */
    struct refine r = {.values = values,
                       .p = n_parts,
                       .part = part,
                       .limit = (1 + imbalance) * values->work / (double)n_parts};
    parcast_status status = PARCAST_OK;
    if (prepare(&r)) {
        count(&r);
        bool moved = true;
        for (int pass = 0; pass < MOST_PASSES && moved; pass++) {
            moved = false;
            for (uint32_t v = 0; v < values->n_vertices; v++)
                if (can_move(&r, fixed, v) && improve(&r, v)) moved = true;
        }
    } else {
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu parts", n_parts);
    }
    incidence_clear(&r.at);
    free(r.pins);
    free(r.homes);
    free(r.total);
    free(r.work);
    free(r.near);
    free(r.neighbours);
    return status;
}
