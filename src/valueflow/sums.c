/* Reductions: the sequences of homes behind every chain, in the order of their terms. */
#include <stdlib.h>

#include "valueflow/build.h"

static uint32_t length_of(const struct build *b, uint32_t step)
{
    uint32_t n = 0;
    for (; step; step = b->file.step_parents[step]) n++;
    return n;
}

/* Every stream that a chain ends in, once: stream_of[step] is its number + 1. */
static parcast_status make_streams(struct build *b, uint32_t *stream_of)
{
    parcast_values *values = b->values;
    uint64_t total = 0;
    for (uint64_t i = 1; i < b->file.header.n_chains; i++)
        for (int j = 0; j < GRAPH_TERM_LABELS; j++) {
            uint32_t step = b->file.chains[i].streams[j];
            if (!step || stream_of[step]) continue;
            stream_of[step] = ++values->n_streams;
            total += length_of(b, step);
        }
    values->stream_first = calloc((size_t)values->n_streams + 1, sizeof *values->stream_first);
    values->stream_homes = malloc((total ? total : 1) * sizeof *values->stream_homes);
    if (!values->stream_first || !values->stream_homes) return PARCAST_MEMORY;
    for (uint64_t step = 1; step < b->file.header.n_steps; step++)
        if (stream_of[step]) values->stream_first[stream_of[step]] = length_of(b, (uint32_t)step);
    for (uint32_t s = 0; s < values->n_streams; s++) values->stream_first[s + 1] += values->stream_first[s];
    for (uint64_t end = 1; end < b->file.header.n_steps; end++) {
        if (!stream_of[end]) continue;
        uint64_t at = values->stream_first[stream_of[end]];
        for (uint32_t step = (uint32_t)end; step; step = b->file.step_parents[step])
            values->stream_homes[--at] = b->number[b->file.homes[step]] - 1;
    }
    return PARCAST_OK;
}

static parcast_status make_segments(struct build *b, const uint32_t *stream_of)
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
            uint32_t stream = stream_of[chain->streams[j]];
            if (!stream) return PARCAST_FORMAT;
            segment->streams[j] = stream - 1;
            uint32_t length = (uint32_t)(values->stream_first[stream] - values->stream_first[stream - 1]);
            if (j == 0 || length < segment->n_terms) segment->n_terms = length;
        }
    }
    return PARCAST_OK;
}

static int by_vertex(const void *a, const void *b)
{
    const struct graph_chain *x = a, *y = b;
    if (x->vertex != y->vertex) return x->vertex < y->vertex ? -1 : 1;
    return x->key < y->key ? -1 : x->key > y->key;
}

parcast_status build_chains(struct build *b)
{
    parcast_values *values = b->values;
    uint64_t n = b->file.header.n_chain_nets, n_steps = b->file.header.n_steps;
    uint32_t *stream_of = calloc(n_steps ? n_steps : 1, sizeof *stream_of);
    values->chains = malloc((n ? n : 1) * sizeof *values->chains);
    parcast_status status = stream_of && values->chains ? make_streams(b, stream_of) : PARCAST_MEMORY;
    if (!status) status = make_segments(b, stream_of);
    free(stream_of);
    if (status) return status;
    for (uint64_t i = 0; i < n; i++) {
        const struct vf_dump_net *net = &b->file.chain_nets[i];
        values->chains[i] = (struct graph_chain){b->number[net->vertex] - 1, net->what, net->count};
    }
    values->n_chains = n;
    qsort(values->chains, n, sizeof *values->chains, by_vertex);
    return PARCAST_OK;
}
