/*
 * A word whose sum has terms of several parts is as near to one of them as to the other, and so each force of
 * an element on a node may lie with that node, though it takes all the element's other nodes to compute it.
 * Where each part computes what its own nodes need, one element in one place saves nothing until all those
 * along a border are; so they are put there at once.
 */
#include "valueflow/distribution/siblings.h"

#include <stdlib.h>
#include <string.h>

#include "valueflow/graph/incidence.h"

enum { FEWEST_READ = 2, MOST_READ = 256 };

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

/* The part of most of what v reads. */
static uint32_t part_of_sources(const parcast_values *values, size_t n_parts, uint32_t v, bool highest,
                                const uint32_t *part, uint64_t *votes)
{
    const struct incidence *at = values->at;
    uint32_t best = 0;
    memset(votes, 0, n_parts * sizeof *votes);
    for (uint64_t i = at->set_first[v]; i < at->set_first[v + 1]; i++) {
        uint32_t set = at->sets[i] >> 1;
        for (uint64_t j = values->net_first[set]; j < values->net_first[set + 1]; j++)
            votes[part[values->nets[j].home]] += values->nets[j].count;
    }
    for (uint32_t q = 1; q < n_parts; q++)
        if (votes[q] > votes[best] || (highest && votes[q] == votes[best])) best = q;
    return best;
}

static size_t list(const parcast_values *values, const bool *fixed, struct sibling *all)
{
    size_t n = 0;
    for (uint32_t v = 0; v < values->n_vertices; v++)
        if (!fixed[v] && reads_only(values->at, v)) all[n++] = (struct sibling){hash_reads(values->at, v), v};
    qsort(all, n, sizeof *all, by_hash);
    return n;
}

/* `to`: the parts of those that have siblings. */
static bool place(const parcast_values *values, size_t n_parts, bool highest, const struct sibling *all,
                  size_t n, const uint32_t *part, uint32_t *to, uint64_t *votes)
{
    bool any = false;
    for (size_t i = 0, end; i < n; i = end) {
        bool apart = false;
        for (end = i + 1; end < n && are_siblings(values->at, &all[i], &all[end]); end++)
            apart = apart || part[all[end].vertex] != part[all[i].vertex];
        if (end - i < 2) continue;
        any = any || apart;
        uint32_t q = part_of_sources(values, n_parts, all[i].vertex, highest, part, votes);
        for (size_t k = i; k < end; k++) to[all[k].vertex] = q;
    }
    return any;
}

bool siblings_gather(const parcast_values *values, size_t n_parts, const bool *fixed, bool highest,
                     uint32_t *part, bool *any)
{
    size_t n = (size_t)values->n_vertices + 1;
    struct sibling *all = malloc(n * sizeof *all);
    uint32_t *to = malloc(n * sizeof *to);
    uint64_t *votes = malloc(n_parts * sizeof *votes);
    bool fine = all && to && votes;
    *any = false;
    if (fine) {
        for (uint32_t v = 0; v < values->n_vertices; v++) to[v] = fixed[v] ? part[v] : GRAPH_NONE;
        *any = place(values, n_parts, highest, all, list(values, fixed, all), part, to, votes);
    }
    if (*any) memcpy(part, to, values->n_vertices * sizeof *part);
    free(all);
    free(to);
    free(votes);
    return fine;
}
