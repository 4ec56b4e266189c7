/*
 * Words that a value is computed of, in the order in which they lie in memory, are some words apart from each
 * other. Such gaps within one array are the same wherever one looks: 1 and a row less one for five points.
 * From one array to another one there are gaps, too, but others, or as long as an array. So where gaps that
 * are common within a piece reach into the next one as often as they reach across any of its words, the two
 * are one array.
 */
#include "valueflow/space/arrays/piece_gaps.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PAIRS = 1 << 23, COMMON = 16, MUCH = 4, PLACE_BITS = 40 };

size_t pool_piece_of(const struct pool *pool, uint64_t offset)
{
    size_t low = 0, high = pool->n;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (pool->pieces[middle].first <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void take_over(struct piece *piece, const struct piece *next)
{
    if (next->used) piece->end = next->first + next->end - piece->first;
    piece->used += next->used;
    piece->words = next->first + next->words - piece->first;
}

void pool_join(struct pool *pool, const bool *is_end)
{
    size_t kept = 1;
    for (size_t i = 1; i < pool->n; i++)
        if (is_end[i])
            pool->pieces[kept++] = pool->pieces[i];
        else
            take_over(&pool->pieces[kept - 1], &pool->pieces[i]);
    pool->n = kept;
}

/* How often each gap is seen between words of a piece, and from the piece before: [end] of each. */
struct counts {
    uint64_t *within, *across;
};

struct gaps {
    const parcast_values *values;
    struct pool *pools;
    size_t n_pools;
    struct counts **counts; /* [n_pools][n pieces] */
    uint32_t every;         /* one of so many vertices is looked at */
    size_t *first;          /* [n_vertices + 2] */
    uint32_t *homes;        /* in pools, that a vertex reads */
    uint64_t *places;       /* of those of one vertex: pool << PLACE_BITS | offset */
    uint64_t *weight;       /* [n_segments] how many sums have these terms */
};

static bool is_in_pool(const struct gaps *g, uint32_t vertex)
{
    return g->values->vertices[vertex].array != GRAPH_NONE;
}

static bool is_asked(const struct gaps *g, uint32_t vertex)
{
    return vertex % g->every == 0;
}

static uint64_t homes_in_pools(const struct gaps *g, uint32_t set)
{
    uint64_t n = 0;
    for (uint64_t i = g->values->net_first[set]; i < g->values->net_first[set + 1]; i++)
        n += is_in_pool(g, g->values->nets[i].home);
    return n;
}

static void choose(struct gaps *g)
{
    uint64_t pairs = 0;
    for (uint32_t s = 0; s < g->values->n_sets; s++)
        pairs += homes_in_pools(g, s) * (g->values->set_first[s + 1] - g->values->set_first[s]);
    g->every = (uint32_t)(pairs / MOST_PAIRS) + 1;
}

static void put_homes(struct gaps *g, uint32_t set)
{
    const parcast_values *values = g->values;
    for (uint64_t j = values->net_first[set]; j < values->net_first[set + 1]; j++) {
        uint32_t home = values->nets[j].home;
        if (!is_in_pool(g, home)) continue;
        for (uint64_t i = values->set_first[set]; i < values->set_first[set + 1]; i++) {
            uint32_t pin = values->pins[i] & ~GRAPH_FOLD;
            if (is_asked(g, pin)) g->homes[g->first[pin + 1]++] = home;
        }
    }
}

/* What each vertex reads: that of v was counted at v + 2, is filled from v + 1 on, and ends where v + 1
 * begins. */
static bool list_homes(struct gaps *g)
{
    const parcast_values *values = g->values;
    size_t most = 0;
    g->first = calloc((size_t)values->n_vertices + 2, sizeof *g->first);
    if (!g->first) return false;
    for (uint32_t s = 0; s < values->n_sets; s++) {
        uint64_t homes = homes_in_pools(g, s);
        for (uint64_t i = values->set_first[s]; homes && i < values->set_first[s + 1]; i++) {
            uint32_t pin = values->pins[i] & ~GRAPH_FOLD;
            if (is_asked(g, pin)) g->first[pin + 2] += homes;
        }
    }
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        if (g->first[v + 2] > most) most = g->first[v + 2];
        g->first[v + 2] += g->first[v + 1];
    }
    g->homes = malloc((g->first[values->n_vertices + 1] + 1) * sizeof *g->homes);
    g->places = malloc((most + 2) * sizeof *g->places);
    if (!g->homes || !g->places) return false;
    for (uint32_t s = 0; s < values->n_sets; s++) put_homes(g, s);
    return true;
}

/* Who reads so many words as half of both pieces, their sum, reads the ends of both. */
static void count_gap(struct gaps *g, uint32_t number, uint64_t low, uint64_t high, uint64_t n_read,
                      uint64_t times)
{
    const struct pool *pool = &g->pools[number];
    size_t from = pool_piece_of(pool, low), to = pool_piece_of(pool, high);
    const struct piece *piece = &pool->pieces[to];
    uint64_t gap = high - low;
    if (!gap || gap >= piece->end) return;
    if (from == to)
        g->counts[number][to].within[gap] += times;
    else if (from + 1 == to && 2 * n_read < pool->pieces[from].used + piece->used)
        g->counts[number][to].across[gap] += times;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t place_of(const struct gaps *g, uint32_t vertex)
{
    const struct graph_vertex *v = &g->values->vertices[vertex];
    return (uint64_t)v->array << PLACE_BITS | v->offset;
}

/* Of the words that a vertex reads, and itself. */
static void count_read(struct gaps *g, uint32_t vertex)
{
    size_t n = 0;
    for (size_t i = g->first[vertex]; i < g->first[vertex + 1]; i++)
        g->places[n++] = place_of(g, g->homes[i]);
    if (n && is_in_pool(g, vertex)) g->places[n++] = place_of(g, vertex);
    qsort(g->places, n, sizeof *g->places, by_number);
    for (size_t i = 1; i < n; i++) {
        uint64_t low = g->places[i - 1], high = g->places[i], pool = low >> PLACE_BITS;
        uint64_t first = pool << PLACE_BITS;
        if (high >> PLACE_BITS == pool) count_gap(g, (uint32_t)pool, low - first, high - first, n, g->every);
    }
}

/* Of the terms of a sum, which are read in turn. */
static void count_stream(struct gaps *g, uint32_t stream, uint64_t times)
{
    const parcast_values *values = g->values;
    for (uint64_t i = values->stream_first[stream] + 1; i < values->stream_first[stream + 1]; i++) {
        const struct graph_vertex *a = &values->vertices[values->stream_homes[i - 1]];
        const struct graph_vertex *b = &values->vertices[values->stream_homes[i]];
        if (a->array != b->array || a->array == GRAPH_NONE) continue;
        bool is_up = a->offset < b->offset;
        count_gap(g, a->array, is_up ? a->offset : b->offset, is_up ? b->offset : a->offset, 0, times);
    }
}

/* A segment comes before all that go on from it. */
static void count_sums(struct gaps *g)
{
    const parcast_values *values = g->values;
    for (size_t i = 0; i < values->n_chains; i++) g->weight[values->chains[i].key]++;
    for (uint32_t k = values->n_segments; k-- > 1;) {
        const struct graph_segment *segment = &values->segments[k];
        g->weight[segment->before] += g->weight[k];
        for (uint32_t j = 0; g->weight[k] && j < segment->labels; j++)
            count_stream(g, segment->streams[j], g->weight[k]);
    }
}

static bool is_common(const struct piece *piece, uint64_t n)
{
    return n && n * COMMON >= piece->used;
}

/* Do gaps that are common on either side reach across the beginning of a piece, not much less often than
 * across the words of one of both? */
static bool is_one(const struct pool *pool, const struct counts *counts, size_t at)
{
    const struct piece *before = &pool->pieces[at - 1], *behind = &pool->pieces[at];
    uint64_t least = before->end < behind->end ? before->end : behind->end;
    double across = 0, left = 0, right = 0;
    for (uint64_t gap = 1; gap < least; gap++) {
        uint64_t in_left = counts[at - 1].within[gap], in_right = counts[at].within[gap];
        if (!is_common(before, in_left) && !is_common(behind, in_right)) continue;
        across += (double)counts[at].across[gap];
        left += (double)in_left * (double)gap / (double)before->used;
        right += (double)in_right * (double)gap / (double)behind->used;
    }
    return across > 0 && MUCH * across >= (left > right ? left : right);
}

static void join(struct pool *pool, const struct counts *counts)
{
    bool is_end[MOST_PIECES];
    for (size_t i = 1; i < pool->n; i++) is_end[i] = !is_one(pool, counts, i);
    pool_join(pool, is_end);
}

static struct counts *make_counts(const struct pool *pool)
{
    struct counts *counts = calloc(pool->n, sizeof *counts);
    bool fine = counts;
    for (size_t i = 0; fine && i < pool->n; i++) {
        counts[i].within = calloc(pool->pieces[i].end + 1, sizeof *counts[i].within);
        counts[i].across = calloc(pool->pieces[i].end + 1, sizeof *counts[i].across);
        fine = counts[i].within && counts[i].across;
    }
    return counts;
}

static void free_counts(struct counts *counts, size_t n)
{
    for (size_t i = 0; counts && i < n; i++) {
        free(counts[i].within);
        free(counts[i].across);
    }
    free(counts);
}

static bool begin(struct gaps *g, const size_t *n_pieces)
{
    g->counts = calloc(g->n_pools + 1, sizeof *g->counts);
    g->weight = calloc((size_t)g->values->n_segments + 1, sizeof *g->weight);
    bool fine = n_pieces && g->counts && g->weight;
    for (size_t i = 0; fine && i < g->n_pools; i++) {
        g->counts[i] = make_counts(&g->pools[i]);
        fine = g->counts[i];
        for (size_t k = 0; fine && k < n_pieces[i]; k++)
            fine = g->counts[i][k].within && g->counts[i][k].across;
    }
    if (fine) choose(g);
    return fine && list_homes(g);
}

bool piece_gaps_join(const parcast_values *values, struct pool *pools, size_t n_pools)
{
    struct gaps g = {.values = values, .pools = pools, .n_pools = n_pools};
    size_t *n_pieces = calloc(n_pools + 1, sizeof *n_pieces);
    for (size_t i = 0; n_pieces && i < n_pools; i++) n_pieces[i] = pools[i].n;
    bool fine = begin(&g, n_pieces);
    for (uint32_t v = 0; fine && v < values->n_vertices; v++) count_read(&g, v);
    if (fine) count_sums(&g);
    for (size_t i = 0; fine && i < n_pools; i++) join(&pools[i], g.counts[i]);
    for (size_t i = 0; g.counts && n_pieces && i < n_pools; i++) free_counts(g.counts[i], n_pieces[i]);
    free(n_pieces);
    free(g.counts);
    free(g.weight);
    free(g.first);
    free(g.homes);
    free(g.places);
    return fine;
}
