#include "valueflow/graph/reach.h"

#include <stdlib.h>
#include <string.h>

#include "valueflow/graph/incidence.h"

enum { SOURCES = 12, PINS_PER_SET = 256, RUNS = 512 };

/* Words that only pass on what they are computed from. */
static bool is_result(const parcast_values *values, uint32_t v)
{
    const struct graph_array *array = &values->arrays[values->vertices[v].array];
    return array->is_result || array->is_terms;
}

/* Words that a result reads, the nearest first, some of them: source[v * SOURCES + i], through m results the
 * first n[v * (MOST + 1) + m], or NOT_KNOWN. Worked out where somebody asks. */
struct reach {
    const parcast_values *values;
    uint32_t *source;
    uint8_t *n;
};

enum { MOST = REACH_MOST_RESULTS, NOT_KNOWN = 0xff };

static uint8_t *count_of(const struct reach *reach, uint32_t v, size_t through)
{
    return &reach->n[(size_t)v * (MOST + 1) + through];
}

static void add_source(struct reach *reach, uint32_t result, uint32_t word, uint8_t *n)
{
    uint32_t *source = reach->source + (size_t)result * SOURCES;
    for (uint8_t i = 0; i < *n; i++)
        if (source[i] == word) return;
    if (*n < SOURCES) source[(*n)++] = word;
}

static uint8_t find_reach(struct reach *reach, uint32_t v, size_t through);

/* What is itself a result passes on what it has through fewer of them. */
static void add_home(struct reach *reach, uint32_t v, uint32_t home, size_t through, uint8_t *n)
{
    if (through == 1) {
        if (!is_result(reach->values, home)) add_source(reach, v, home, n);
        return;
    }
    uint8_t its = find_reach(reach, home, through - 1);
    for (uint8_t k = 0; k < its; k++) add_source(reach, v, reach->source[(size_t)home * SOURCES + k], n);
}

/* How many there are through so many results, v itself among them; 0 where it is none. */
static uint8_t find_reach(struct reach *reach, uint32_t v, size_t through)
{
    const parcast_values *values = reach->values;
    const struct incidence *at = values->at;
    uint8_t *known = count_of(reach, v, through);
    if (*known != NOT_KNOWN) return *known;
    if (!through || !is_result(values, v)) return *known = 0;
    uint8_t n = find_reach(reach, v, through - 1);
    for (uint32_t i = at->set_first[v]; i < at->set_first[v + 1] && n < SOURCES; i++) {
        uint32_t s = at->sets[i] >> 1;
        if (values->set_first[s + 1] - values->set_first[s] > PINS_PER_SET) continue; /* tells nothing */
        for (uint64_t j = values->net_first[s]; j < values->net_first[s + 1]; j++)
            if (values->nets[j].home != v) add_home(reach, v, values->nets[j].home, through, &n);
    }
    return *known = n;
}

static bool begin(const parcast_values *values, struct reach *reach)
{
    size_t n = (size_t)values->n_vertices + 1;
    *reach = (struct reach){.values = values,
                            .source = malloc(n * SOURCES * sizeof *reach->source), /* most is not touched */
                            .n = malloc(n * (MOST + 1))};
    if (reach->n) memset(reach->n, NOT_KNOWN, n * (MOST + 1));
    return reach->source && reach->n;
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

static size_t list_sources(struct reach *reach, uint32_t home, size_t through, struct source *sources)
{
    uint8_t n_reached = find_reach(reach, home, through);
    size_t n = list_source(reach->values, home, sources, 0);
    for (uint8_t k = 0; k < n_reached; k++)
        n = list_source(reach->values, reach->source[(size_t)home * SOURCES + k], sources, n);
    return n;
}

uint32_t reach_pairs_every(const parcast_values *values)
{
    return graph_every(values, RUNS);
}

static void tell_set(struct reach *reach, uint32_t s, size_t through,
                     void (*tell)(void *context, uint32_t from, uint32_t to), void *context)
{
    const parcast_values *values = reach->values;
    uint64_t first = values->set_first[s], end = values->set_first[s + 1];
    if (end > first + PINS_PER_SET) end = first + PINS_PER_SET;
    uint64_t nets = values->net_first[s + 1] - values->net_first[s];
    for (uint64_t j = 0; j < nets && j < PINS_PER_SET; j++) {
        struct source sources[SOURCES + 1];
        size_t n = list_sources(reach, values->nets[values->net_first[s] + j].home, through, sources);
        for (uint64_t i = first; i < end && n; i++) {
            uint32_t pin = values->pins[i] & ~GRAPH_FOLD;
            const struct graph_array *array = &values->arrays[values->vertices[pin].array];
            for (size_t k = 0; k < n && !array->is_result; k++)
                if (sources[k].words == array->words) tell(context, sources[k].vertex, pin);
        }
    }
}

bool reach_pairs(const parcast_values *values, size_t through,
                 void (*tell)(void *context, uint32_t from, uint32_t to), void *context)
{
    struct reach reach;
    uint32_t every = reach_pairs_every(values);
    bool fine = begin(values, &reach);
    for (uint32_t s = 0; fine && s < values->n_sets; s++)
        if (graph_is_in_run(s, every)) tell_set(&reach, s, through, tell, context);
    free(reach.source);
    free(reach.n);
    return fine;
}
