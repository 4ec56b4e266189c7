#include "valueflow/graph/reach.h"

#include <stdlib.h>
#include <string.h>

enum { PINS_PER_SET = 256, RUNS = 512 };

/* Words that only pass on what they are computed from. */
static bool is_result(const parcast_values *values, uint32_t v)
{
    const struct graph_array *array = &values->arrays[values->vertices[v].array];
    return array->is_result || array->is_terms;
}

static bool has_results(const parcast_values *values)
{
    for (size_t i = 0; i < values->n_arrays; i++)
        if (values->arrays[i].is_result || values->arrays[i].is_terms) return true;
    return false;
}

static void add_source(struct reach *reach, uint32_t result, uint32_t word)
{
    uint32_t *source = reach->source + (size_t)result * REACH_SOURCES;
    for (uint8_t i = 0; i < reach->n[result]; i++)
        if (source[i] == word) return;
    if (reach->n[result] < REACH_SOURCES) source[reach->n[result]++] = word;
}

parcast_status reach_make(const parcast_values *values, struct reach *reach)
{
    size_t n = (size_t)values->n_vertices + 1;
    reach->source = malloc(n * REACH_SOURCES * sizeof *reach->source);
    reach->n = calloc(n, sizeof *reach->n);
    if (!reach->source || !reach->n) {
        reach_clear(reach);
        return PARCAST_MEMORY;
    }
    bool any = has_results(values);
    for (uint32_t s = 0; any && s < values->n_sets; s++) {
        uint64_t first = values->set_first[s], end = values->set_first[s + 1];
        if (end > first + PINS_PER_SET) continue; /* read everywhere: tells nothing */
        for (uint64_t j = values->net_first[s]; j < values->net_first[s + 1]; j++)
            for (uint64_t i = first; i < end && !is_result(values, values->nets[j].home); i++)
                if (is_result(values, values->pins[i] & ~GRAPH_FOLD))
                    add_source(reach, values->pins[i] & ~GRAPH_FOLD, values->nets[j].home);
    }
    return PARCAST_OK;
}

/* What a result had before goes on to those that read it; what it gets now does not, so that the nearest come
 * first. */
static void pass_on(const parcast_values *values, uint64_t set, const uint8_t *had, struct reach *reach)
{
    uint64_t first = values->set_first[set], end = values->set_first[set + 1];
    if (end > first + PINS_PER_SET) return;
    for (uint64_t j = values->net_first[set]; j < values->net_first[set + 1]; j++) {
        uint32_t home = values->nets[j].home;
        const uint32_t *source = reach->source + (size_t)home * REACH_SOURCES;
        for (uint64_t i = first; i < end && had[home]; i++) {
            uint32_t pin = values->pins[i] & ~GRAPH_FOLD;
            for (uint8_t k = 0; is_result(values, pin) && k < had[home]; k++)
                add_source(reach, pin, source[k]);
        }
    }
}

parcast_status reach_deepen(const parcast_values *values, struct reach *reach)
{
    size_t n = (size_t)values->n_vertices + 1;
    uint8_t *had = malloc(n);
    if (!had) return PARCAST_MEMORY;
    for (int results = 1; results < REACH_RESULTS; results++) {
        memcpy(had, reach->n, n);
        for (uint32_t s = 0; s < values->n_sets; s++) pass_on(values, s, had, reach);
    }
    free(had);
    return PARCAST_OK;
}

void reach_clear(struct reach *reach)
{
    free(reach->source);
    free(reach->n);
    *reach = (struct reach){0};
}

/* A home or what it is computed from, and the size of its array. */
struct source {
    uint32_t vertex;
    uint64_t words;
};

static size_t list_source(const parcast_values *values, uint32_t v, struct source *sources, size_t n)
{
    const struct graph_array *array = &values->arrays[values->vertices[v].array];
    if (array->is_result) return n;
    sources[n] = (struct source){v, array->words};
    return n + 1;
}

static size_t list_sources(const parcast_values *values, const struct reach *reach, uint32_t home,
                           struct source *sources)
{
    size_t n = list_source(values, home, sources, 0);
    for (uint8_t k = 0; k < reach->n[home]; k++)
        n = list_source(values, reach->source[(size_t)home * REACH_SOURCES + k], sources, n);
    return n;
}

uint32_t reach_pairs_every(const parcast_values *values)
{
    return graph_every(values, RUNS);
}

void reach_pairs(const parcast_values *values, const struct reach *reach,
                 void (*tell)(void *context, uint32_t from, uint32_t to), void *context)
{
    uint32_t every = reach_pairs_every(values);
    for (uint32_t s = 0; s < values->n_sets; s++) {
        uint64_t first = values->set_first[s], end = values->set_first[s + 1];
        if (!graph_is_in_run(s, every)) continue;
        if (end > first + PINS_PER_SET) end = first + PINS_PER_SET;
        uint64_t nets = values->net_first[s + 1] - values->net_first[s];
        for (uint64_t j = 0; j < nets && j < PINS_PER_SET; j++) {
            struct source sources[REACH_SOURCES + 1];
            size_t n = list_sources(values, reach, values->nets[values->net_first[s] + j].home, sources);
            for (uint64_t i = first; i < end && n; i++) {
                uint32_t pin = values->pins[i] & ~GRAPH_FOLD;
                const struct graph_array *array = &values->arrays[values->vertices[pin].array];
                for (size_t k = 0; k < n && !array->is_result; k++)
                    if (sources[k].words == array->words) tell(context, sources[k].vertex, pin);
            }
        }
    }
}
