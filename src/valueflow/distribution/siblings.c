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
#include "valueflow/graph/once.h"

enum { FEWEST_READ = 2, MOST_READ = 256, MOST_OF_PART = 4 };

struct sibling {
    uint64_t hash; /* of what it reads */
    uint32_t vertex;
};

static bool is_computed(const parcast_values *values, uint32_t v)
{
    return values->at->set_first[v] < values->at->set_first[v + 1];
}

/* What a sum alone reads, its own row of the element's matrix, tells nothing, nor does what is an input of
 * all elements. */
static bool tells(const parcast_values *values, const bool *fixed, uint32_t read)
{
    uint32_t set = read >> 1;
    bool any = !(read & 1);
    if (!any && values->set_first[set + 1] - values->set_first[set] < 2) return false;
    for (uint64_t j = values->net_first[set]; j < values->net_first[set + 1] && !any; j++) {
        uint32_t home = values->nets[j].home;
        any = fixed[home] || is_computed(values, home);
    }
    return any;
}

static uint64_t hash_reads(const parcast_values *values, const bool *fixed, uint32_t v)
{
    const struct incidence *at = values->at;
    uint64_t h = 0x9e3779b97f4a7c15ull;
    for (uint64_t i = at->set_first[v]; i < at->set_first[v + 1]; i++)
        if (tells(values, fixed, at->sets[i])) h = (h ^ at->sets[i]) * 0xff51afd7ed558ccdull, h ^= h >> 32;
    return h;
}

static bool is_sum(const parcast_values *values, uint32_t v)
{
    const struct incidence *at = values->at;
    for (uint64_t i = at->set_first[v]; i < at->set_first[v + 1]; i++)
        if (at->sets[i] & 1) return true;
    return false;
}

/* Does it read several values that others read, too? Sums that arrays hold, and long ones, are wherever their
 * terms are. */
static bool reads_shared(const parcast_values *values, const bool *fixed, const uint32_t *reads, uint32_t v)
{
    const struct incidence *at = values->at;
    uint64_t first = at->set_first[v], end = at->set_first[v + 1];
    uint32_t n = 0;
    bool is_result = values->arrays[values->vertices[v].array].is_result;
    if (end - first < FEWEST_READ || end - first > MOST_READ) return false;
    for (uint64_t i = first; i < end; i++) n += tells(values, fixed, at->sets[i]);
    return n >= FEWEST_READ && (!is_sum(values, v) || (is_result && reads[v] <= MOST_READ));
}

static uint64_t next_telling(const parcast_values *values, const bool *fixed, uint64_t i, uint64_t end)
{
    while (i < end && !tells(values, fixed, values->at->sets[i])) i++;
    return i;
}

static bool are_siblings(const parcast_values *values, const bool *fixed, const struct sibling *a,
                         const struct sibling *b)
{
    const struct incidence *at = values->at;
    uint64_t i = at->set_first[a->vertex], end_i = at->set_first[a->vertex + 1];
    uint64_t j = at->set_first[b->vertex], end_j = at->set_first[b->vertex + 1];
    if (a->hash != b->hash) return false;
    for (;; i++, j++) {
        i = next_telling(values, fixed, i, end_i);
        j = next_telling(values, fixed, j, end_j);
        if (i == end_i || j == end_j) return i == end_i && j == end_j;
        if (at->sets[i] != at->sets[j]) return false;
    }
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
    return !fixed[v] && is_computed(values, v);
}

static size_t list(const parcast_values *values, const bool *fixed, struct sibling *all)
{
    const uint32_t *reads = once_reads(values);
    size_t n = 0;
    for (uint32_t v = 0; reads && v < values->n_vertices; v++)
        if (!fixed[v] && reads_shared(values, fixed, reads, v))
            all[n++] = (struct sibling){hash_reads(values, fixed, v), v};
    qsort(all, n, sizeof *all, by_hash);
    return n;
}

static void join_siblings(const parcast_values *values, const bool *fixed, const struct sibling *all,
                          size_t n, uint32_t *up)
{
    for (size_t i = 1; i < n; i++)
        if (are_siblings(values, fixed, &all[i - 1], &all[i]))
            graph_join(up, all[i - 1].vertex, all[i].vertex);
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
    bool *is_apart, *is_group, *has_sums, any_apart;
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
    g->has_sums = calloc(n, sizeof *g->has_sums);
    g->number = calloc(n, sizeof *g->number);
    bool fine = all && g->up && g->size && g->work && g->is_apart && g->is_group && g->has_sums && g->number;
    if (fine) {
        for (uint32_t v = 0; v < g->values->n_vertices; v++) g->up[v] = v;
        join_siblings(g->values, fixed, all, list(g->values, fixed, all), g->up);
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
        if (is_sum(values, v)) g->has_sums[root] = true;
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

/* The group that alone reads a set; GRAPH_NONE. */
static uint32_t only_reader(const struct gathering *g, uint32_t set)
{
    const parcast_values *values = g->values;
    uint32_t only = GRAPH_NONE;
    for (uint64_t j = values->set_first[set]; j < values->set_first[set + 1]; j++) {
        uint32_t root = graph_root(g->up, values->pins[j] & ~GRAPH_FOLD);
        if (only != GRAPH_NONE && root != only) return GRAPH_NONE;
        only = root;
    }
    return only;
}

/* Each group for where what it reads is. What no block decides about goes with sums if they alone read it,
 * and is an input of all elements if nobody computes it. */
static void count_votes(struct gathering *g, const bool *fixed)
{
    const parcast_values *values = g->values;
    for (uint32_t s = 0; s < values->n_sets; s++) {
        bool is_own = only_reader(g, s) != GRAPH_NONE;
        for (uint64_t i = values->net_first[s]; i < values->net_first[s + 1]; i++) {
            const struct graph_net *net = &values->nets[i];
            bool follows = !fixed[net->home] && (is_own || !is_computed(values, net->home));
            for (uint64_t j = values->set_first[s]; j < values->set_first[s + 1]; j++) {
                uint32_t reader = values->pins[j] & ~GRAPH_FOLD, root = graph_root(g->up, reader);
                if (!follows || !g->has_sums[root]) vote(g, root, net->home, net->count);
            }
        }
    }
}

static uint32_t winner(const struct gathering *g, uint32_t root, enum siblings_side side)
{
    const double *votes = g->votes + (size_t)g->number[root] * g->n_parts;
    bool highest = side == SIBLINGS_HIGH || side == SIBLINGS_HIGHEST, any = side >= SIBLINGS_LOWEST;
    uint32_t best = 0;
    for (uint32_t q = 1; q < g->n_parts; q++) {
        bool is_more = any ? votes[q] > 0 && (highest || !(votes[best] > 0)) : votes[q] > votes[best];
        if (is_more || (!any && highest && votes[q] >= votes[best])) best = q;
    }
    return best;
}

static void place(struct gathering *g, const bool *fixed, enum siblings_side side, uint32_t *part)
{
    for (uint32_t v = 0; v < g->values->n_vertices; v++) {
        uint32_t root = graph_root(g->up, v);
        bool stays = fixed[v] || (g->size[root] > 1 && !g->is_group[root]);
        if (!stays) part[v] = g->is_group[root] ? winner(g, root, side) : GRAPH_NONE;
    }
}

bool siblings_gather(const parcast_values *values, size_t n_parts, const bool *fixed, enum siblings_side side,
                     uint32_t *part, bool *any)
{
    struct gathering g = {.values = values, .part = part, .n_parts = n_parts};
    bool fine = begin(&g, fixed);
    if (fine) find_groups(&g);
    *any = fine && g.any_apart;
    if (*any) g.votes = calloc((size_t)g.n_groups * n_parts, sizeof *g.votes);
    fine = fine && (!*any || g.votes);
    if (fine && *any) {
        count_votes(&g, fixed);
        place(&g, fixed, side, part);
    }
    free(g.up);
    free(g.size);
    free(g.work);
    free(g.is_apart);
    free(g.is_group);
    free(g.has_sums);
    free(g.number);
    free(g.votes);
    return fine;
}
