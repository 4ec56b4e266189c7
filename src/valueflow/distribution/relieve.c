/*
 * Parts that have too much work give it to their neighbours: vertices at the border of the fullest part go to
 * a part that has room, those first that cost fewest words for their work. What parts have at first is exact;
 * what moves is as much as goes with a vertex wherever it is.
 */
#include <stdlib.h>

#include "valueflow/distribution/place.h"
#include "valueflow/words/counts.h"

enum { ROUNDS_OF_A_PART = 16, HUB_DEGREE = 4096 };
/* What one round takes of what is too much: gains are found anew for the rest. */
static const double taken_ratio = 0.5;

struct way_out {
    double gain; /* words saved for each operation */
    uint32_t vertex, to;
};

struct relief {
    struct counts counts;
    double limit;
    int64_t *gain;  /* [p] */
    uint64_t *near; /* mask of parts */
    struct way_out *ways;
    size_t n;
};

static bool has_room(const struct relief *r, uint32_t v, uint32_t b)
{
    return r->counts.work[b] + r->counts.carried[v] <= r->limit;
}

/* Its own part: there is no way out. */
static uint32_t best_way(struct relief *r, uint32_t v)
{
    const struct counts *c = &r->counts;
    uint32_t a = c->part[v], best = a;
    counts_gains(c, v, r->gain, r->near);
    for (uint32_t b = 0; b < c->p; b++) {
        if (b == a || !(r->near[b / 64] >> b % 64 & 1) || !has_room(r, v, b)) continue;
        if (best == a || r->gain[b] > r->gain[best]) best = b;
    }
    return best;
}

static double gain_of(const struct relief *r, uint32_t v, uint32_t b)
{
    return (double)r->gain[b] / r->counts.carried[v];
}

static bool can_move(const struct counts *c, uint32_t v)
{
    if (c->carried[v] <= 0) return false;
    if (!c->adds[v] && c->at.set_first[v + 1] - c->at.set_first[v] > HUB_DEGREE) return false;
    return !counts_inside(c, v);
}

static int by_gain(const void *a, const void *b)
{
    const struct way_out *x = a, *y = b;
    if (x->gain != y->gain) return x->gain > y->gain ? -1 : 1;
    return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

static void find_ways(struct relief *r, uint32_t full)
{
    r->n = 0;
    for (uint32_t v = 0; v < r->counts.values->n_vertices; v++) {
        if (r->counts.part[v] != full || !can_move(&r->counts, v)) continue;
        uint32_t to = best_way(r, v);
        if (to != full) r->ways[r->n++] = (struct way_out){gain_of(r, v, to), v, to};
    }
    qsort(r->ways, r->n, sizeof *r->ways, by_gain);
}

/* False where nothing can go. What has become worse by what went before waits. */
static bool relieve(struct relief *r, uint32_t full)
{
    double enough = r->counts.work[full] - (r->counts.work[full] - r->limit) * taken_ratio;
    bool any = false;
    find_ways(r, full);
    for (size_t i = 0; i < r->n && r->counts.work[full] > enough; i++) {
        uint32_t v = r->ways[i].vertex, to = best_way(r, v);
        if (to == full || (i && gain_of(r, v, to) < r->ways[i].gain)) continue;
        counts_move(&r->counts, v, to);
        any = true;
    }
    return any;
}

parcast_status graph_relieve(const parcast_values *values, size_t n_parts, double imbalance, uint32_t *part,
                             parcast_error *error)
{
    struct relief r = {.limit = (1 + imbalance - PLACE_ROUNDING) * values->work / (double)n_parts};
    bool made = false;
    r.gain = calloc(n_parts, sizeof *r.gain);
    r.near = calloc(n_parts, sizeof *r.near);
    r.ways = malloc(((size_t)values->n_vertices + 1) * sizeof *r.ways);
    parcast_status status = r.gain && r.near && r.ways
                                ? counts_make(values, n_parts, part, NULL, &r.counts, &made)
                                : PARCAST_MEMORY;
    if (!status && made) status = graph_find_loads(values, part, n_parts, r.counts.work);
    for (size_t i = 0; !status && made && i < ROUNDS_OF_A_PART * n_parts; i++) {
        uint32_t full = counts_fullest(&r.counts, r.limit);
        if (full == n_parts || !relieve(&r, full)) break;
    }
    counts_clear(&r.counts);
    free(r.gain);
    free(r.near);
    free(r.ways);
    return status ? parcast_error_set(error, status, NULL, 0, "out of memory for %zu parts", n_parts)
                  : status;
}
