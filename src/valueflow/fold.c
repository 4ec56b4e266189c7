/*
 * A part may evaluate a term of a reduction only if it owns everything that the term reads. Whether any part
 * can is first asked of whole sequences, by the parts that occur in them: a matrix product, whose n^3 terms
 * nobody wants to visit, is answered by 2 n^2 homes.
 */
#include "valueflow/fold.h"

#include <stdlib.h>
#include <string.h>

#include "valueflow/incidence.h"

struct search {
    const parcast_values *values;
    const uint32_t *part;
    size_t n_parts, n_words;
    uint64_t *stream_parts;   /* [n_streams][n_words] bits */
    uint64_t *common;         /* [n_words] */
    uint64_t *cost, *terms;   /* [n_parts] of the vertex at hand */
    uint64_t n_terms, n_sums; /* terms of its sums and other versions; versions that are sums */
    bool *pure, *mixed;       /* [n_parts] */
};

static void mark_streams(struct search *s)
{
    const parcast_values *values = s->values;
    for (uint32_t i = 0; i < values->n_streams; i++)
        for (uint64_t j = values->stream_first[i]; j < values->stream_first[i + 1]; j++) {
            uint32_t q = s->part[values->stream_homes[j]];
            s->stream_parts[i * s->n_words + q / 64] |= UINT64_C(1) << q % 64;
        }
}

/* Is there another part in all the sequences of a segment? */
static bool may_fold(struct search *s, const struct graph_segment *segment, uint32_t owner)
{
    bool any = false;
    for (size_t w = 0; w < s->n_words; w++) {
        uint64_t bits = UINT64_MAX;
        for (uint32_t j = 0; j < segment->labels; j++)
            bits &= s->stream_parts[segment->streams[j] * s->n_words + w];
        if (owner / 64 == w) bits &= ~(UINT64_C(1) << owner % 64);
        any = any || bits;
    }
    return any && segment->labels;
}

static void look_at_terms(struct search *s, const struct graph_segment *segment, uint32_t count)
{
    const parcast_values *values = s->values;
    for (uint32_t i = 0; i < segment->n_terms; i++) {
        uint32_t first = s->part[values->stream_homes[values->stream_first[segment->streams[0]] + i]];
        bool same = true;
        for (uint32_t j = 1; j < segment->labels; j++)
            same =
                same && s->part[values->stream_homes[values->stream_first[segment->streams[j]] + i]] == first;
        if (same) {
            s->pure[first] = true;
            s->terms[first] += count;
            continue;
        }
        for (uint32_t j = 0; j < segment->labels; j++)
            s->mixed[s->part[values->stream_homes[values->stream_first[segment->streams[j]] + i]]] = true;
    }
}

static void look_at_chain(struct search *s, const struct graph_chain *chain)
{
    uint32_t owner = s->part[chain->vertex];
    s->n_sums += chain->count;
    bool any = false;
    for (uint32_t key = chain->key; key; key = s->values->segments[key].before) {
        any = any || may_fold(s, &s->values->segments[key], owner);
        s->n_terms += (uint64_t)chain->count * s->values->segments[key].n_terms;
    }
    if (!any) return;
    memset(s->pure, 0, s->n_parts * sizeof *s->pure);
    for (uint32_t key = chain->key; key; key = s->values->segments[key].before)
        if (s->values->segments[key].labels) look_at_terms(s, &s->values->segments[key], chain->count);
    for (size_t q = 0; q < s->n_parts; q++)
        if (s->pure[q] && q != owner) s->cost[q] += chain->count;
}

/* Versions that are no sums: their work moves nowhere. */
static uint64_t count_others(const struct search *s, uint32_t vertex)
{
    const struct incidence *at = s->values->at;
    uint64_t versions = 0;
    for (uint64_t i = at->net_first[vertex]; i < at->net_first[vertex + 1]; i++)
        versions += at->net_counts[i];
    return versions > s->n_sums ? versions - s->n_sums : 0;
}

static parcast_status keep_vertex(struct search *s, uint32_t vertex, struct folds *folds)
{
    s->n_terms += count_others(s, vertex);
    for (size_t q = 0; q < s->n_parts; q++) {
        if (!s->cost[q] || s->mixed[q]) continue;
        if (folds->n == folds->capacity) {
            size_t wanted = folds->capacity ? 2 * folds->capacity : 256;
            struct fold *more = realloc(folds->fold, wanted * sizeof *more);
            if (!more) return PARCAST_MEMORY;
            folds->fold = more;
            folds->capacity = wanted;
        }
        folds->fold[folds->n] = (struct fold){.vertex = vertex,
                                              .part = (uint32_t)q,
                                              .cost = s->cost[q],
                                              .group = (uint32_t)folds->n,
                                              .work_ratio = (double)s->terms[q] / (double)s->n_terms};
        folds->n++;
    }
    memset(s->cost, 0, s->n_parts * sizeof *s->cost);
    memset(s->terms, 0, s->n_parts * sizeof *s->terms);
    s->n_terms = s->n_sums = 0;
    memset(s->mixed, 0, s->n_parts * sizeof *s->mixed);
    return PARCAST_OK;
}

static parcast_status search_chains(struct search *s, struct folds *folds)
{
    const parcast_values *values = s->values;
    uint32_t v = 0;
    for (size_t i = 0; i < values->n_chains;) {
        uint32_t vertex = values->chains[i].vertex;
        for (; v <= vertex; v++) folds->first[v] = (uint32_t)folds->n;
        for (; i < values->n_chains && values->chains[i].vertex == vertex; i++)
            look_at_chain(s, &values->chains[i]);
        if (keep_vertex(s, vertex, folds)) return PARCAST_MEMORY;
    }
    for (; v <= values->n_vertices; v++) folds->first[v] = (uint32_t)folds->n;
    return PARCAST_OK;
}

parcast_status folds_find(const parcast_values *values, const uint32_t *part, size_t n_parts,
                          struct folds *folds)
{
    *folds = (struct folds){0};
    if (!values->n_chains || n_parts < 2) return PARCAST_OK;
    struct search s = {.values = values, .part = part, .n_parts = n_parts, .n_words = (n_parts + 63) / 64};
    s.stream_parts = calloc((size_t)values->n_streams * s.n_words + 1, sizeof *s.stream_parts);
    s.cost = calloc(n_parts, sizeof *s.cost);
    s.terms = calloc(n_parts, sizeof *s.terms);
    s.pure = calloc(n_parts, sizeof *s.pure);
    s.mixed = calloc(n_parts, sizeof *s.mixed);
    folds->first = calloc((size_t)values->n_vertices + 1, sizeof *folds->first);
    parcast_status status = PARCAST_MEMORY;
    if (s.stream_parts && s.cost && s.terms && s.pure && s.mixed && folds->first) {
        mark_streams(&s);
        status = search_chains(&s, folds);
    }
    free(s.stream_parts);
    free(s.cost);
    free(s.terms);
    free(s.pure);
    free(s.mixed);
    if (status) folds_clear(folds);
    return status;
}

struct fold *folds_at(const struct folds *folds, uint32_t vertex, uint32_t part)
{
    if (!folds->first) return NULL;
    for (uint32_t i = folds->first[vertex]; i < folds->first[vertex + 1]; i++)
        if (folds->fold[i].part == part) return &folds->fold[i];
    return NULL;
}

uint32_t folds_group(struct folds *folds, uint32_t i)
{
    while (folds->fold[i].group != i) {
        folds->fold[i].group = folds->fold[folds->fold[i].group].group;
        i = folds->fold[i].group;
    }
    return i;
}

void folds_join(struct folds *folds, uint32_t a, uint32_t b)
{
    a = folds_group(folds, a);
    b = folds_group(folds, b);
    if (a < b)
        folds->fold[b].group = a;
    else
        folds->fold[a].group = b;
}

void folds_clear(struct folds *folds)
{
    free(folds->fold);
    free(folds->first);
    *folds = (struct folds){0};
}
