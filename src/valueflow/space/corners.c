#include "valueflow/space/corners.h"

#include <stdlib.h>

#include "valueflow/distribution/grid.h"

/* Of a large graph every so many-th run of sets, or of terms, tells as much as all, of these some words. */
enum { RUNS = 64, HOMES = 4, PINS = 64, MANY_TIMES = 4 };

struct cells {
    const parcast_values *values;
    uint64_t words;  /* of the corners */
    uint32_t every;  /* what is looked at stands for so many */
    uint64_t *pairs; /* [n_arrays] with its own corners */
    bool *is_none;   /* [n_arrays] it has others, too, or cannot be */
};

/* Of a cell there are far fewer corners than cells: the words of a vector and the rows of a matrix are as
 * many as these have words. */
static bool may_be_cells(const struct cells *c, uint32_t index)
{
    const struct graph_array *array = &c->values->arrays[index];
    if (array->is_result || !array->n_written || array->words < 2 || c->words % array->words) return false;
    uint64_t corners = c->words / array->words;
    return corners > 1 && corners <= GRID_MOST_FIELDS && array->words >= MANY_TIMES * corners;
}

static void add(struct cells *c, const struct graph_vertex *cell, const struct graph_vertex *corner)
{
    const struct graph_array *of = &c->values->arrays[corner->array];
    if (of->is_result || of->words != c->words || c->is_none[cell->array]) return;
    bool is_own = corner->offset / (c->words / c->values->arrays[cell->array].words) == cell->offset;
    c->pairs[cell->array] += is_own ? c->every : 0;
    c->is_none[cell->array] = !is_own;
}

static void add_set(struct cells *c, uint32_t set)
{
    const parcast_values *values = c->values;
    uint64_t net = values->net_first[set], net_end = values->net_first[set + 1];
    uint64_t pin = values->set_first[set], pin_end = values->set_first[set + 1];
    if (net_end > net + HOMES) net_end = net + HOMES;
    if (pin_end > pin + PINS) pin_end = pin + PINS;
    for (; net < net_end; net++) {
        const struct graph_vertex *home = &values->vertices[values->nets[net].home];
        for (uint64_t i = pin; i < pin_end; i++) {
            const struct graph_vertex *reader = &values->vertices[values->pins[i] & ~GRAPH_FOLD];
            add(c, home, reader);
            add(c, reader, home);
        }
    }
}

static void add_sets(struct cells *c)
{
    c->every = graph_every(c->values, RUNS);
    for (uint32_t s = 0; s < c->values->n_sets; s++)
        if (graph_is_in_run(s, c->every)) add_set(c, s);
}

/* Pressures times normals at the corners, say, which are added up at the nodes. */
static void add_terms(struct cells *c, const struct graph_segment *segment)
{
    const parcast_values *values = c->values;
    uint32_t n = segment->n_terms < PINS ? segment->n_terms : PINS;
    for (uint32_t i = 0; i < segment->labels; i++)
        for (uint32_t j = 0; j < segment->labels; j++) {
            const uint32_t *one = values->stream_homes + values->stream_first[segment->streams[i]],
                           *other = values->stream_homes + values->stream_first[segment->streams[j]];
            for (uint32_t k = 0; i != j && k < n; k++)
                add(c, &values->vertices[one[k]], &values->vertices[other[k]]);
        }
}

static void add_sums(struct cells *c)
{
    c->every = c->values->n_segments / GRAPH_RUN / RUNS + 1;
    for (uint32_t k = 1; k < c->values->n_segments; k++)
        if (graph_is_in_run(k, c->every)) add_terms(c, &c->values->segments[k]);
}

static uint32_t largest(const struct cells *c)
{
    uint32_t best = GRAPH_NONE;
    for (uint32_t i = 0; i < c->values->n_arrays; i++) {
        uint64_t words = c->values->arrays[i].words;
        if (c->is_none[i] || c->pairs[i] < words) continue;
        if (best == GRAPH_NONE || words > c->values->arrays[best].words) best = i;
    }
    return best;
}

uint32_t corners_cells(const parcast_values *values, uint64_t words)
{
    struct cells c = {.values = values,
                      .words = words,
                      .pairs = calloc(values->n_arrays + 1, sizeof *c.pairs),
                      .is_none = calloc(values->n_arrays + 1, sizeof *c.is_none)};
    uint32_t found = GRAPH_NONE;
    if (c.pairs && c.is_none) {
        for (uint32_t i = 0; i < values->n_arrays; i++) c.is_none[i] = !may_be_cells(&c, i);
        add_sets(&c);
        add_sums(&c);
        found = largest(&c);
    }
    free(c.pairs);
    free(c.is_none);
    return found;
}
