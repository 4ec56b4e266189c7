/* Reductions: the sequences of homes behind every chain, in the order of their terms. */
#include <stdlib.h>

#include "valueflow/graph/build.h"
#include "valueflow/graph/ranks.h"

static uint32_t length_of(const struct build *b, uint32_t step)
{
    uint32_t n = 0;
    for (; step; step = b->file.step_parents[step]) n++;
    return n;
}

/* The steps that streams end with, each once, and the numbers of these streams + 1. */
struct ends {
    struct ranks steps;
    uint32_t *streams;
};

static uint32_t *stream_of(const struct ends *ends, uint32_t step)
{
    return &ends->streams[ranks_of(&ends->steps, step)];
}

static bool find_ends(const struct values_file *file, struct ends *ends)
{
    if (!ranks_begin(&ends->steps, file->header.n_steps)) return false;
    for (uint64_t i = 1; i < file->header.n_chains; i++)
        for (int j = 0; j < GRAPH_TERM_LABELS; j++)
            if (file->chains[i].streams[j]) ranks_add(&ends->steps, file->chains[i].streams[j]);
    ranks_count(&ends->steps);
    ends->streams = calloc((size_t)ends->steps.n + 1, sizeof *ends->streams);
    return ends->streams;
}

/* In the order of chains; stream_first as for sizes first. */
static void number_streams(struct build *b, const struct ends *ends)
{
    parcast_values *values = b->values;
    for (uint64_t i = 1; i < b->file.header.n_chains; i++)
        for (int j = 0; j < GRAPH_TERM_LABELS; j++) {
            uint32_t step = b->file.chains[i].streams[j];
            if (!step || *stream_of(ends, step)) continue;
            *stream_of(ends, step) = ++values->n_streams;
            values->stream_first[values->n_streams] = length_of(b, step);
        }
    for (uint32_t s = 0; s < values->n_streams; s++) values->stream_first[s + 1] += values->stream_first[s];
}

static parcast_status make_streams(struct build *b, const struct ends *ends)
{
    parcast_values *values = b->values;
    values->stream_first = calloc((size_t)ends->steps.n + 1, sizeof *values->stream_first);
    if (!values->stream_first) return PARCAST_MEMORY;
    number_streams(b, ends);
    uint64_t total = values->stream_first[values->n_streams];
    values->stream_homes = malloc((total ? total : 1) * sizeof *values->stream_homes);
    if (!values->stream_homes) return PARCAST_MEMORY;
    for (uint64_t end = 1; end < b->file.header.n_steps; end++) {
        if (!ranks_has(&ends->steps, (uint32_t)end)) continue;
        uint64_t at = values->stream_first[*stream_of(ends, (uint32_t)end)];
        for (uint32_t step = (uint32_t)end; step; step = b->file.step_parents[step])
            values->stream_homes[--at] = b->number[b->file.homes[step]] - 1;
    }
    return PARCAST_OK;
}

static parcast_status make_segments(struct build *b, const struct ends *ends)
{
    parcast_values *values = b->values;
    uint64_t n = b->file.header.n_chains;
    values->segments = calloc(n ? n : 1, sizeof *values->segments);
    if (!values->segments) return PARCAST_MEMORY;
    values->n_segments = (uint32_t)n;
    for (uint64_t i = 1; i < n; i++) {
        const struct vf_dump_chain *chain = &b->file.chains[i];
        struct graph_segment *segment = &values->segments[i];
        segment->before = chain->before;
        segment->labels = chain->op_and_labels & 0xff;
        for (uint32_t j = 0; j < segment->labels; j++) {
            if (!chain->streams[j]) return PARCAST_FORMAT;
            uint32_t stream = *stream_of(ends, chain->streams[j]);
            segment->streams[j] = stream - 1;
            uint32_t length = (uint32_t)(values->stream_first[stream] - values->stream_first[stream - 1]);
            if (j == 0 || length < segment->n_terms) segment->n_terms = length;
        }
    }
    return PARCAST_OK;
}

static parcast_status make_terms(struct build *b)
{
    struct ends ends = {0};
    parcast_status status = find_ends(&b->file, &ends) ? make_streams(b, &ends) : PARCAST_MEMORY;
    if (!status) status = make_segments(b, &ends);
    ranks_clear(&ends.steps);
    free(ends.streams);
    return status;
}

static int by_vertex(const void *a, const void *b)
{
    const struct graph_chain *x = a, *y = b;
    if (x->vertex != y->vertex) return x->vertex < y->vertex ? -1 : 1;
    return x->key < y->key ? -1 : x->key > y->key;
}

/* Versions of one vertex with the same terms are one chain, however many times the file tells of them. */
static size_t merge_chains(struct graph_chain *chains, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        struct graph_chain *last = kept ? &chains[kept - 1] : NULL;
        bool is_same = last && last->vertex == chains[i].vertex && last->key == chains[i].key;
        if (is_same && last->count <= UINT32_MAX - chains[i].count)
            last->count += chains[i].count;
        else
            chains[kept++] = chains[i];
    }
    return kept;
}

parcast_status build_chains(struct build *b)
{
    parcast_values *values = b->values;
    uint64_t n = b->file.header.n_chain_nets;
    parcast_status status = make_terms(b);
    if (status) return status;
    values->chains = malloc((n ? n : 1) * sizeof *values->chains);
    uint32_t *same = malloc(((size_t)values->n_segments + 1) * sizeof *same);
    if (!values->chains || !same || !build_same_keys(values, same)) {
        free(same);
        return PARCAST_MEMORY;
    }
    for (uint64_t i = 0; i < n; i++) {
        const struct vf_dump_net *net = &b->file.chain_nets[i];
        values->chains[i] = (struct graph_chain){b->number[net->vertex] - 1, same[net->what], net->count};
    }
    free(same);
    qsort(values->chains, n, sizeof *values->chains, by_vertex);
    values->n_chains = merge_chains(values->chains, n);
    return PARCAST_OK;
}
