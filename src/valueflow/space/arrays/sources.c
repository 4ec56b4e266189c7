/* What the sums of an array are of: the largest array that they read, which the work may be divided by. */
#include <stdlib.h>

#include "valueflow/space/arrays/sources.h"

/* The array that stands for each array where sums read it: itself, or for results, which have no place of
 * their own, the largest one that these come of, through sums or at once. */
static uint64_t words_behind(const parcast_values *values, const uint32_t *behind, uint32_t array)
{
    return behind[array] == GRAPH_NONE ? 0 : values->arrays[behind[array]].span;
}

static bool is_behind(const parcast_values *values, uint32_t *behind, uint32_t array, uint32_t source)
{
    if (source == GRAPH_NONE || !values->arrays[array].is_result ||
        values->arrays[source].span <= words_behind(values, behind, array))
        return false;
    behind[array] = source;
    return true;
}

/* What results read at once: the largest of what each set's values come of is behind all its readers. */
static bool find_behind(const parcast_values *values, uint32_t *behind)
{
    bool found = false;
    for (uint32_t s = 0; s < values->n_sets; s++) {
        uint32_t most = GRAPH_NONE;
        for (uint64_t j = values->net_first[s]; j < values->net_first[s + 1]; j++) {
            uint32_t array = values->vertices[values->nets[j].home].array;
            if (most == GRAPH_NONE || words_behind(values, behind, array) > values->arrays[most].span)
                most = behind[array];
        }
        for (uint64_t i = values->set_first[s]; most != GRAPH_NONE && i < values->set_first[s + 1]; i++) {
            uint32_t reader = values->vertices[values->pins[i] & ~GRAPH_FOLD].array;
            found = is_behind(values, behind, reader, most) || found;
        }
    }
    return found;
}

/* The largest array that each stream reads. */
static void find_stream_sources(const parcast_values *values, const uint32_t *behind, uint32_t *largest)
{
    for (uint32_t s = 0; s < values->n_streams; s++) {
        largest[s] = GRAPH_NONE;
        for (uint64_t i = values->stream_first[s]; i < values->stream_first[s + 1]; i++) {
            uint32_t array = behind[values->vertices[values->stream_homes[i]].array];
            if (array == GRAPH_NONE) continue;
            if (largest[s] == GRAPH_NONE || values->arrays[array].span > values->arrays[largest[s]].span)
                largest[s] = array;
        }
    }
}

/* Whether an array has found a larger one. */
static bool find_array_sources(parcast_values *values, const uint32_t *largest, uint32_t *behind)
{
    bool found = false;
    for (size_t i = 0; i < values->n_chains; i++) {
        uint32_t index = values->vertices[values->chains[i].vertex].array;
        struct graph_array *array = &values->arrays[index];
        for (uint32_t key = values->chains[i].key; key; key = values->segments[key].before)
            for (uint32_t j = 0; j < values->segments[key].labels; j++) {
                uint32_t source = largest[values->segments[key].streams[j]];
                uint64_t before = array->source == GRAPH_NONE ? 0 : values->arrays[array->source].span;
                if (source == GRAPH_NONE || values->arrays[source].span <= before) continue;
                array->source_words = values->arrays[source].words;
                array->source = source;
                found = true;
                is_behind(values, behind, index, source);
            }
    }
    return found;
}

static void count_summed(parcast_values *values)
{
    uint32_t last = GRAPH_NONE;
    for (size_t i = 0; i < values->n_chains; i++) {
        uint32_t v = values->chains[i].vertex;
        struct graph_array *array = &values->arrays[values->vertices[v].array];
        if (v != last) array->n_summed++;
        for (uint32_t key = values->chains[i].key; key; key = values->segments[key].before)
            array->n_terms += values->segments[key].n_terms;
        last = v;
    }
}

/* What is declared or allocated for more than there is, as the centres of at most so many clusters, is no
 * larger for that. */
static void measure(parcast_values *values)
{
    for (size_t i = 0; i < values->n_arrays; i++) values->arrays[i].span = 0;
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        struct graph_array *array = &values->arrays[values->vertices[v].array];
        if (values->vertices[v].offset >= array->span) array->span = values->vertices[v].offset + 1;
    }
}

/* The largest array that each array's sums read, through sums of sums and other results: every round sees one
 * further, and sizes only grow. Blocks of what other results come of are no help in a large graph, whose
 * groups are too near to one another there: pairs of points, say. */
parcast_status sources_find(parcast_values *values)
{
    uint32_t *largest = malloc(((size_t)values->n_streams + values->n_arrays + 1) * sizeof *largest);
    if (!largest) return PARCAST_MEMORY;
    uint32_t *behind = largest + values->n_streams;
    bool results = false, more = true;
    for (uint32_t i = 0; i < values->n_arrays; i++) {
        values->arrays[i].source = GRAPH_NONE;
        behind[i] = values->arrays[i].is_result ? GRAPH_NONE : i;
        results = results || values->arrays[i].is_result;
    }
    measure(values);
    count_summed(values);
    bool through = results && values->n_chains && values->n_vertices <= GRAPH_LARGE;
    while (more) {
        while (through && find_behind(values, behind)) {
        }
        find_stream_sources(values, behind, largest);
        more = find_array_sources(values, largest, behind) && results;
    }
    free(largest);
    return PARCAST_OK;
}
