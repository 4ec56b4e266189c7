/*
 * Fiduccia and Mattheyses 1982, with going uphill: in each pass every vertex moves once, the one that saves
 * most first, whether anything is saved or not, and what stays is the best that has been on the way. Where
 * parts are full, something moves out of what has become too full, so that vertices change places.
 */
#include <stdlib.h>
#include <string.h>

#include "valueflow/distribution/place.h"
#include "valueflow/words/counts.h"

enum { MOST_PASSES = 16, IN_VAIN = 48, HUB_DEGREE = 4096 };

struct climbed {
    uint32_t vertex, from;
};

struct climb {
    struct counts counts;
    double limit, slack;
    int64_t *gain;    /* [n_vertices] [p] */
    uint64_t *near;   /* [n_vertices] masks of parts */
    uint32_t *looked; /* [n_vertices] moves before its gains were found, + 1; 0 */
    bool *moved;      /* [n_vertices] in this pass */
    struct climbed *path;
    uint32_t n_path;
};

struct step {
    uint32_t vertex, to;
    int64_t gain;
};

static bool make_room(struct climb *c, uint32_t n, size_t p, size_t n_words)
{
    size_t all = (size_t)n + 1;
    c->gain = malloc(all * p * sizeof *c->gain);
    c->near = malloc(all * n_words * sizeof *c->near);
    c->looked = calloc(all, sizeof *c->looked);
    c->moved = calloc(all, sizeof *c->moved);
    c->path = malloc(all * sizeof *c->path);
    return c->gain && c->near && c->looked && c->moved && c->path;
}

static double excess_of(const struct climb *c)
{
    double most = 0;
    for (size_t q = 0; q < c->counts.p; q++)
        if (c->counts.work[q] - c->limit > most) most = c->counts.work[q] - c->limit;
    return most;
}

static void look_at(struct climb *c, uint32_t v)
{
    const struct counts *counts = &c->counts;
    if (c->looked[v] && !counts_have_changed(counts, v, c->looked[v] - 1)) return;
    counts_gains(counts, v, c->gain + (size_t)v * counts->p, c->near + (size_t)v * counts->n_words);
    c->looked[v] = counts->now + 1;
}

static void try_vertex(struct climb *c, uint32_t v, uint32_t full, struct step *best)
{
    const struct counts *counts = &c->counts;
    uint32_t a = counts->part[v];
    double work = counts->carried[v];
    bool must_leave = full < counts->p;
    if (must_leave && (a != full || work <= 0)) return;
    look_at(c, v);
    const int64_t *gain = c->gain + (size_t)v * counts->p;
    const uint64_t *near = c->near + (size_t)v * counts->n_words;
    for (uint32_t b = 0; b < counts->p; b++) {
        if (b == a || !(near[b / 64] >> b % 64 & 1)) continue;
        if (counts->work[b] + work > c->limit + (must_leave ? 0 : c->slack)) continue;
        if (best->vertex == GRAPH_NONE || gain[b] > best->gain) *best = (struct step){v, b, gain[b]};
    }
}

static bool can_move(const struct climb *c, uint32_t v)
{
    const struct counts *counts = &c->counts;
    uint64_t degree = counts->at.set_first[v + 1] - counts->at.set_first[v];
    return !c->moved[v] && (counts->adds[v] || degree <= HUB_DEGREE) && !counts_inside(counts, v);
}

static struct step choose(struct climb *c)
{
    struct step best = {.vertex = GRAPH_NONE};
    uint32_t full = counts_fullest(&c->counts, c->limit);
    for (uint32_t v = 0; v < c->counts.values->n_vertices; v++)
        if (can_move(c, v)) try_vertex(c, v, full, &best);
    return best;
}

static void go_back(struct climb *c, uint32_t kept)
{
    while (c->n_path > kept) {
        struct climbed *last = &c->path[--c->n_path];
        counts_move(&c->counts, last->vertex, last->from);
    }
}

/* Has anything got better? */
static bool pass(struct climb *c)
{
    int64_t saved = 0, most = 0;
    double excess = excess_of(c), least = excess;
    uint32_t kept = 0;
    memset(c->moved, 0, c->counts.values->n_vertices * sizeof *c->moved);
    for (c->n_path = 0; c->n_path < kept + IN_VAIN;) {
        struct step step = choose(c);
        if (step.vertex == GRAPH_NONE) break;
        c->path[c->n_path++] = (struct climbed){step.vertex, c->counts.part[step.vertex]};
        c->moved[step.vertex] = true;
        counts_move(&c->counts, step.vertex, step.to);
        saved += step.gain;
        excess = excess_of(c);
        if (excess > least || (excess >= least && saved <= most)) continue;
        least = excess;
        most = saved;
        kept = c->n_path;
    }
    go_back(c, kept);
    return kept > 0;
}

static double heaviest(const parcast_values *values)
{
    double most = 0;
    for (uint32_t v = 0; v < values->n_vertices; v++)
        if (values->vertices[v].work > most) most = values->vertices[v].work;
    return most;
}

parcast_status graph_climb(const parcast_values *values, size_t n_parts, double imbalance, uint32_t *part,
                           parcast_error *error)
{
    double mean = values->work / (double)n_parts;
    struct climb c = {.limit = (1 + imbalance - PLACE_ROUNDING) * mean, .slack = heaviest(values)};
    bool made = false;
    if (c.slack > mean / 4) c.slack = mean / 4;
    parcast_status status = counts_make(values, n_parts, part, NULL, &c.counts, &made);
    if (!status && made && !make_room(&c, values->n_vertices, n_parts, c.counts.n_words))
        status = PARCAST_MEMORY;
    for (int i = 0; !status && made && i < MOST_PASSES && pass(&c); i++) {
    }
    counts_clear(&c.counts);
    free(c.gain);
    free(c.near);
    free(c.looked);
    free(c.moved);
    free(c.path);
    return status ? parcast_error_set(error, status, NULL, 0, "out of memory for %zu parts", n_parts)
                  : status;
}
