/*
 * Local improvement on the words: vertices move to the neighbouring part that saves most (Fiduccia and
 * Mattheyses 1982, by passes without going uphill).
 */
#include <stdlib.h>

#include "valueflow/distribution/place.h"
#include "valueflow/distribution/together.h"
#include "valueflow/graph/once.h"
#include "valueflow/words/counts.h"

enum { MOST_PASSES = 12, HUB_DEGREE = 4096, MOST_TURNS = 4 };
enum { FEW_TERMS = 32 }; /* a sum of so few values may as well read them, where others read them, too */

struct refine {
    struct counts counts;
    double limit;
    uint32_t *looked; /* [n_vertices] moves before a vertex was looked at in vain, + 1; 0 */
    uint64_t *full; /* [n_vertices] mask of parts that had no room for it then; those from 64 on in one bit */
    int64_t *gain;  /* [p] */
    uint64_t *near; /* mask of parts */
    bool moved;
};

static bool has_room(const struct refine *r, uint32_t v, uint32_t b)
{
    return r->counts.work[b] + r->counts.carried[v] <= r->limit;
}

/* The part where most is saved, the lowest of equal ones; its own where nothing is. `full`: those that would
 * save more and have no room now. */
static uint32_t choose(struct refine *r, uint32_t v, uint64_t *full)
{
    const struct counts *c = &r->counts;
    uint32_t a = c->part[v], best = a;
    int64_t most = 0;
    *full = 0;
    counts_gains(c, v, r->gain, r->near);
    for (uint32_t b = 0; b < c->p; b++) {
        if (!(r->near[b / 64] >> b % 64 & 1) || b == a || r->gain[b] <= most) continue;
        if (!has_room(r, v, b)) {
            *full |= UINT64_C(1) << (b < 63 ? b : 63);
            continue;
        }
        most = r->gain[b];
        best = b;
    }
    return best;
}

static bool improve(struct refine *r, uint32_t v)
{
    struct counts *c = &r->counts;
    uint32_t best = choose(r, v, &r->full[v]);
    if (best == c->part[v]) {
        r->looked[v] = c->now + 1;
        return false;
    }
    counts_move(c, v, best);
    r->looked[v] = 0;
    return true;
}

/* Would it be in vain again? */
static bool is_settled(const struct refine *r, uint32_t v)
{
    if (!r->looked[v] || r->full[v] >> 63) return false;
    for (uint64_t full = r->full[v]; full; full &= full - 1)
        if (has_room(r, v, (uint32_t)__builtin_ctzll(full))) return false;
    return !counts_have_changed(&r->counts, v, r->looked[v] - 1);
}

static bool can_move(const struct refine *r, const bool *fixed, uint32_t v)
{
    const struct counts *c = &r->counts;
    if ((fixed && fixed[v]) || is_settled(r, v)) return false;
    if (!c->adds[v] && c->at.set_first[v + 1] - c->at.set_first[v] > HUB_DEGREE) return false;
    return !counts_inside(c, v);
}

static void move_each(struct refine *r, const bool *fixed)
{
    bool moved = true;
    for (int pass = 0; pass < MOST_PASSES && moved; pass++) {
        moved = false;
        for (uint32_t v = 0; v < r->counts.values->n_vertices; v++)
            if (can_move(r, fixed, v) && improve(r, v)) moved = true;
        r->moved = r->moved || moved;
    }
}

static void refine(struct refine *r, const bool *fixed)
{
    move_each(r, fixed);
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        if (!together_move(&r->counts, r->limit, fixed, r->gain, r->near)) return;
        r->moved = true;
        move_each(r, fixed);
    }
}

parcast_status graph_refine(const parcast_values *values, size_t n_parts, const bool *fixed, double imbalance,
                            const bool *adds, uint32_t *part, bool *moved, parcast_error *error)
{
    struct refine r = {.limit = (1 + imbalance - PLACE_ROUNDING) * values->work / (double)n_parts};
    bool made = false;
    r.looked = calloc((size_t)values->n_vertices + 1, sizeof *r.looked);
    r.full = calloc((size_t)values->n_vertices + 1, sizeof *r.full);
    r.gain = calloc(n_parts, sizeof *r.gain);
    r.near = calloc(n_parts, sizeof *r.near);
    parcast_status status = r.looked && r.full && r.gain && r.near
                                ? counts_make(values, n_parts, part, adds, &r.counts, &made)
                                : PARCAST_MEMORY;
    if (!status && made) refine(&r, fixed);
    if (moved) *moved = r.moved;
    counts_clear(&r.counts);
    free(r.looked);
    free(r.full);
    free(r.gain);
    free(r.near);
    return status ? parcast_error_set(error, status, NULL, 0, "out of memory for %zu parts", n_parts)
                  : status;
}

static parcast_status find_adding(const parcast_values *values, const uint32_t *part, size_t n_parts,
                                  bool *adds)
{
    const uint32_t *reads = once_reads(values);
    parcast_status status = reads ? graph_find_adding(values, part, n_parts, adds) : PARCAST_MEMORY;
    for (uint32_t v = 0; !status && v < values->n_vertices; v++) adds[v] = adds[v] && reads[v] > FEW_TERMS;
    return status;
}

parcast_status graph_refine_freely(const parcast_values *values, size_t n_parts, const bool *fixed,
                                   double imbalance, uint32_t *part, parcast_error *error)
{
    bool *adds = calloc((size_t)values->n_vertices + 1, sizeof *adds);
    parcast_status status = adds ? find_adding(values, part, n_parts, adds) : PARCAST_MEMORY;
    if (status)
        parcast_error_set(error, status, NULL, 0, "out of memory for %zu parts", n_parts);
    else
        status = graph_refine(values, n_parts, fixed, imbalance, adds, part, NULL, error);
    free(adds);
    return status;
}
