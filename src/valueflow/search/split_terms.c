/*
 * Sums divided along their terms: of a product of an m x k and a k x n matrix with long k each part may hold
 * columns of the one and the same rows of the other, and sends (p - 1) m n partial sums. No array's extents
 * say so where every word of a column stands far from the next; where in its sum a term stands does.
 */
#include <stdio.h>
#include <stdlib.h>

#include "valueflow/distribution/describe.h"
#include "valueflow/search/search.h"

/* Where a word stands in the sums that it is a term of, from 0 to 1; first > last: in none. */
struct stand {
    float first, last;
};

static uint64_t terms_of(const parcast_values *values, uint32_t key)
{
    uint64_t n = 0;
    for (; key; key = values->segments[key].before) n += values->segments[key].n_terms;
    return n;
}

static void note(struct stand *stand, float at)
{
    if (at < stand->first) stand->first = at;
    if (at > stand->last) stand->last = at;
}

static void note_chain(const parcast_values *values, uint32_t key, struct stand *stands)
{
    uint64_t all = terms_of(values, key), end = all;
    for (; key; key = values->segments[key].before) {
        const struct graph_segment *segment = &values->segments[key];
        end -= segment->n_terms;
        for (uint32_t j = 0; j < segment->labels; j++) {
            const uint32_t *homes = values->stream_homes + values->stream_first[segment->streams[j]];
            for (uint32_t i = 0; i < segment->n_terms; i++)
                note(&stands[homes[i]], ((float)(end + i) + 0.5f) / (float)all);
        }
    }
}

/* What partial sums of every part but one come to. */
static uint64_t most_words(const parcast_values *values, size_t p)
{
    uint64_t n = 0;
    for (size_t i = 0; i < values->n_chains; i++) n += values->chains[i].count;
    return n * (p - 1);
}

/* Returns how many words stand in one place only. */
static uint32_t place(const parcast_values *values, const struct stand *stands, size_t p, uint32_t *part)
{
    uint32_t n = 0;
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        uint32_t first = (uint32_t)(stands[v].first * (float)p), last = (uint32_t)(stands[v].last * (float)p);
        bool is_known = stands[v].first <= stands[v].last && first == last && first < p;
        part[v] = is_known ? first : GRAPH_NONE;
        n += is_known;
    }
    return n;
}

/* The array that most sums are of. */
static uint32_t adding_array(const parcast_values *values)
{
    uint32_t best = GRAPH_NONE;
    for (uint32_t i = 0; i < values->n_arrays; i++)
        if (values->arrays[i].n_summed &&
            (best == GRAPH_NONE || values->arrays[i].n_summed > values->arrays[best].n_summed))
            best = i;
    return best;
}

parcast_status search_terms(struct search *s)
{
    const parcast_values *values = s->values;
    uint32_t adding = adding_array(values);
    if (adding == GRAPH_NONE || !s->best.processes || most_words(values, s->p) >= s->best.words)
        return PARCAST_OK;
    struct stand *stands = malloc(((size_t)values->n_vertices + 1) * sizeof *stands);
    if (!stands) return PARCAST_MEMORY;
    for (uint32_t v = 0; v < values->n_vertices; v++) stands[v] = (struct stand){1, 0};
    for (size_t i = 0; i < values->n_chains; i++) note_chain(values, values->chains[i].key, stands);
    uint32_t n = place(values, stands, s->p, s->part);
    free(stands);
    if (!n) return PARCAST_OK;
    char name[sizeof s->best.decomposition], array[DESCRIBE_NAME];
    snprintf(name, sizeof name, "sums of %s divided along their terms",
             describe_name(values, adding, array, sizeof array));
    s->index = GRAPH_NONE; /* none says how long a row is */
    return search_finish(s, name);
}
