/*
 * Segments that have become alike: what the run time knew by different instances may be the same vertices
 * once these are united, so that the versions of one word with the same terms came with a chain each. A chain
 * is named by the first one that it is like.
 */
#include <stdlib.h>
#include <string.h>

#include "valueflow/graph/build.h"

struct table {
    uint32_t *slots, mask; /* numbers + 1 */
};

static bool begin(struct table *t, size_t n)
{
    size_t size = 16;
    while (size < 2 * n) size *= 2;
    t->mask = (uint32_t)(size - 1);
    t->slots = calloc(size, sizeof *t->slots);
    return size <= UINT32_MAX && t->slots;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static bool are_same_homes(const parcast_values *values, uint32_t a, uint32_t b)
{
    uint64_t n = values->stream_first[a + 1] - values->stream_first[a];
    return n == values->stream_first[b + 1] - values->stream_first[b] &&
           memcmp(values->stream_homes + values->stream_first[a],
                  values->stream_homes + values->stream_first[b], n * sizeof *values->stream_homes) == 0;
}

static bool find_same_streams(const parcast_values *values, uint32_t *same)
{
    struct table t;
    bool fine = begin(&t, values->n_streams);
    for (uint32_t s = 0; fine && s < values->n_streams; s++) {
        uint64_t hash = 0;
        for (uint64_t i = values->stream_first[s]; i < values->stream_first[s + 1]; i++)
            hash = mix(hash, values->stream_homes[i]);
        uint32_t slot = (uint32_t)(hash >> 20) & t.mask;
        while (t.slots[slot] && !are_same_homes(values, t.slots[slot] - 1, s)) slot = (slot + 1) & t.mask;
        if (!t.slots[slot]) t.slots[slot] = s + 1;
        same[s] = t.slots[slot] - 1;
    }
    free(t.slots);
    return fine;
}

static bool are_same_segments(const struct graph_segment *a, const struct graph_segment *b)
{
    bool same = a->before == b->before && a->labels == b->labels && a->n_terms == b->n_terms;
    for (uint32_t j = 0; same && j < a->labels; j++) same = a->streams[j] == b->streams[j];
    return same;
}

/* What a segment follows stands before it. */
static bool find_same_segments(const parcast_values *values, const uint32_t *same_stream, uint32_t *same)
{
    struct table t;
    struct graph_segment *named = malloc(((size_t)values->n_segments + 1) * sizeof *named);
    bool fine = begin(&t, values->n_segments) && named;
    if (values->n_segments) same[0] = 0;
    for (uint32_t k = 1; fine && k < values->n_segments; k++) {
        struct graph_segment *segment = &named[k];
        *segment = values->segments[k];
        if (segment->before < k) segment->before = same[segment->before];
        uint64_t hash = mix(segment->before, segment->labels + ((uint64_t)segment->n_terms << 3));
        for (uint32_t j = 0; j < segment->labels; j++) {
            segment->streams[j] = same_stream[segment->streams[j]];
            hash = mix(hash, segment->streams[j]);
        }
        uint32_t slot = (uint32_t)(hash >> 20) & t.mask;
        while (t.slots[slot] && !are_same_segments(&named[t.slots[slot] - 1], segment))
            slot = (slot + 1) & t.mask;
        if (!t.slots[slot]) t.slots[slot] = k + 1;
        same[k] = t.slots[slot] - 1;
    }
    free(t.slots);
    free(named);
    return fine;
}

bool build_same_keys(const parcast_values *values, uint32_t *same)
{
    uint32_t *same_stream = malloc(((size_t)values->n_streams + 1) * sizeof *same_stream);
    bool fine = same_stream && find_same_streams(values, same_stream) &&
                find_same_segments(values, same_stream, same);
    free(same_stream);
    return fine;
}
