/*
 * A word whose sum has terms of several parts is as near to one of them as to the other, and so each force of
 * an element on a node may lie with that node, though it takes all the element's other nodes to compute it.
 * Where each part computes what its own nodes need, one element in one place saves nothing until all those
 * along a border are; so they are put there at once. What an element is computed by, its matrix say, hangs
 * together with its forces and with nothing else that is free.
 */
#include "valueflow/distribution/siblings.h"

#include <stdlib.h>
#include <string.h>

#include "valueflow/distribution/place.h"
#include "valueflow/graph/incidence.h"

enum { FEWEST_READ = 2, MOST_READ = 256, MOST_OF_PART = 4 };

struct sibling {
    uint64_t hash; /* of what it reads */
    uint32_t vertex;
};

static uint64_t hash_reads(const struct incidence *at, uint32_t v)
{
    uint64_t h = 0x9e3779b97f4a7c15ull;
    for (uint64_t i = at->set_first[v]; i < at->set_first[v + 1]; i++)
        h = (h ^ at->sets[i]) * 0xff51afd7ed558ccdull, h ^= h >> 32;
    return h;
}

/* Does it read several values, and add none of them up? */
static bool reads_only(const struct incidence *at, uint32_t v)
{
    uint64_t first = at->set_first[v], end = at->set_first[v + 1];
    if (end - first < FEWEST_READ || end - first > MOST_READ) return false;
    for (uint64_t i = first; i < end; i++)
        if (at->sets[i] & 1) return false;
    return true;
}

static bool are_siblings(const struct incidence *at, const struct sibling *a, const struct sibling *b)
{
    uint32_t first = at->set_first[a->vertex], other = at->set_first[b->vertex];
    uint32_t n = at->set_first[a->vertex + 1] - first;
    return a->hash == b->hash && n == at->set_first[b->vertex + 1] - other &&
           memcmp(at->sets + first, at->sets + other, n * sizeof *at->sets) == 0;
}

static int by_hash(const void *a, const void *b)
{
    const struct sibling *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

/* Is it computed, and nowhere yet? */
static bool is_free(const parcast_values *values, const bool *fixed, uint32_t v)
{
    return !fixed[v] && values->at->set_first[v] < values->at->set_first[v + 1];
}

static size_t list(const parcast_values *values, const bool *fixed, struct sibling *all)
{
    size_t n = 0;
    for (uint32_t v = 0; v < values->n_vertices; v++)
        if (!fixed[v] && reads_only(values->at, v)) all[n++] = (struct sibling){hash_reads(values->at, v), v};
    qsort(all, n, sizeof *all, by_hash);
    return n;
}

static void join_siblings(const parcast_values *values, const struct sibling *all, size_t n, uint32_t *up)
{
    for (size_t i = 1; i < n; i++)
        if (are_siblings(values->at, &all[i - 1], &all[i])) graph_join(up, all[i - 1].vertex, all[i].vertex);
}

/* Who computes with what is free. */
static void join_readers(const parcast_values *values, const bool *fixed, uint32_t *up)
{
    for (uint32_t s = 0; s < values->n_sets; s++)
        for (uint64_t i = values->net_first[s]; i < values->net_first[s + 1]; i++) {
            uint32_t home = values->nets[i].home;
            if (!is_free(values, fixed, home)) continue;
            for (uint64_t j = values->set_first[s]; j < values->set_first[s + 1]; j++) {
                uint32_t reader = values->pins[j] & ~GRAPH_FOLD;
                if (is_free(values, fixed, reader)) graph_join(up, home, reader);
            }
        }
}

/* Of groups, by their first vertex. */
struct gathering {
    const parcast_values *values;
    const uint32_t *part;
    size_t n_parts;
    uint32_t *up, *size;
    double *work;
    bool *is_apart, *is_group, any_apart;
    double *votes; /* [n_groups] [n_parts] */
    uint32_t *number, n_groups;
};

/* What hangs together through readers is one group unless that is a good deal of a part's work, as where an
 * array is free that has to do with everything. */
static bool join_small(struct gathering *g, const bool *fixed)
{
    const parcast_values *values = g->values;
    size_t n = (size_t)values->n_vertices + 1;
    double most = values->work / (double)g->n_parts / MOST_OF_PART, *work = calloc(n, sizeof *work);
    uint32_t *up = malloc(n * sizeof *up);
    bool fine = work && up;
    if (fine) {
        memcpy(up, g->up, values->n_vertices * sizeof *up);
        join_readers(values, fixed, up);
        for (uint32_t v = 0; v < values->n_vertices; v++) work[graph_root(up, v)] += values->vertices[v].work;
        for (uint32_t v = 0; v < values->n_vertices; v++)
            if (work[graph_root(up, v)] <= most) graph_join(g->up, v, graph_root(up, v));
    }
    free(work);
    free(up);
    return fine;
}

static bool begin(struct gathering *g, const bool *fixed)
{
    size_t n = (size_t)g->values->n_vertices + 1;
    struct sibling *all = malloc(n * sizeof *all);
    g->up = malloc(n * sizeof *g->up);
    g->size = calloc(n, sizeof *g->size);
    g->work = calloc(n, sizeof *g->work);
    g->is_apart = calloc(n, sizeof *g->is_apart);
    g->is_group = calloc(n, sizeof *g->is_group);
    g->number = calloc(n, sizeof *g->number);
    bool fine = all && g->up && g->size && g->work && g->is_apart && g->is_group && g->number;
    if (fine) {
        for (uint32_t v = 0; v < g->values->n_vertices; v++) g->up[v] = v;
        join_siblings(g->values, all, list(g->values, fixed, all), g->up);
        fine = join_small(g, fixed);
    }
    free(all);
    return fine;
}

/* A group that is a good deal of a part's work is no element. */
static void find_groups(struct gathering *g)
{
    const parcast_values *values = g->values;
    double most = values->work / (double)g->n_parts / MOST_OF_PART;
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        uint32_t root = graph_root(g->up, v);
        g->size[root]++;
        g->work[root] += values->vertices[v].work;
        if (g->part[v] != g->part[root]) g->is_apart[root] = true;
    }
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        g->is_group[v] = g->size[v] > 1 && g->work[v] <= most;
        g->any_apart = g->any_apart || (g->is_group[v] && g->is_apart[v]);
        if (g->is_group[v]) g->number[v] = g->n_groups++;
    }
}

static void vote(struct gathering *g, uint32_t root, uint32_t other, double weight)
{
    if (g->is_group[root] && graph_root(g->up, other) != root)
        g->votes[(size_t)g->number[root] * g->n_parts + g->part[other]] += weight;
}

/* Each group for where what it reads is. */
static void count_votes(struct gathering *g)
{
    const parcast_values *values = g->values;
    for (uint32_t s = 0; s < values->n_sets; s++)
        for (uint64_t i = values->net_first[s]; i < values->net_first[s + 1]; i++) {
            const struct graph_net *net = &values->nets[i];
            for (uint64_t j = values->set_first[s]; j < values->set_first[s + 1]; j++) {
                uint32_t reader = values->pins[j] & ~GRAPH_FOLD, root = graph_root(g->up, reader);
                vote(g, root, net->home, net->count);
            }
        }
}

static uint32_t winner(const struct gathering *g, uint32_t root, bool highest)
{
    const double *votes = g->votes + (size_t)g->number[root] * g->n_parts;
    uint32_t best = 0;
    for (uint32_t q = 1; q < g->n_parts; q++)
        if (votes[q] > votes[best] || (highest && votes[q] >= votes[best])) best = q;
    return best;
}

static void place(struct gathering *g, const bool *fixed, bool highest, uint32_t *part)
{
    for (uint32_t v = 0; v < g->values->n_vertices; v++) {
        uint32_t root = graph_root(g->up, v);
        bool stays = fixed[v] || (g->size[root] > 1 && !g->is_group[root]);
        if (!stays) part[v] = g->is_group[root] ? winner(g, root, highest) : GRAPH_NONE;
    }
}

bool siblings_gather(const parcast_values *values, size_t n_parts, const bool *fixed, bool highest,
                     uint32_t *part, bool *any)
{
    struct gathering g = {.values = values, .part = part, .n_parts = n_parts};
    bool fine = begin(&g, fixed);
    if (fine) find_groups(&g);
    *any = fine && g.any_apart;
    if (*any) g.votes = calloc((size_t)g.n_groups * n_parts, sizeof *g.votes);
    fine = fine && (!*any || g.votes);
    if (fine && *any) {
        count_votes(&g);
        place(&g, fixed, highest, part);
    }
    free(g.up);
    free(g.size);
    free(g.work);
    free(g.is_apart);
    free(g.is_group);
    free(g.number);
    free(g.votes);
    return fine;
}
