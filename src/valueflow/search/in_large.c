/*
 * What was best in a small graph, and its best blocks, once more in the large one. What lies between their
 * words is tied to blocks of cells there; here it follows the words vertex by vertex, as in the grid that
 * somebody asks for: results of pairs whose particles are in two boxes, say. Where no blocks are near the
 * best, groups of neighbours are the wrong ones, and vertices are parted one by one.
 */
#include <stdlib.h>
#include <string.h>

#include "valueflow/distribution/place.h"
#include "valueflow/search/search.h"

/* The best so far stays. */
static bool make_room(struct search *s)
{
    uint32_t **parts[] = {&s->part, &s->uneven.part, &s->few.part};
    bool fine = true;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        free(*parts[i]);
        *parts[i] = malloc(((size_t)s->all->n_vertices + 1) * sizeof **parts[i]);
        fine = fine && *parts[i];
    }
    free(s->fixed);
    s->fixed = malloc((size_t)s->all->n_vertices + 1);
    parcast_flow_clear(&s->uneven.flow);
    parcast_flow_clear(&s->few.flow);
    return fine && s->fixed;
}

static bool has_results(const parcast_values *values)
{
    for (size_t i = 0; i < values->n_arrays; i++)
        if (values->arrays[i].is_result && values->arrays[i].n_written) return true;
    return false;
}

static bool is_same(const struct rough *a, const struct rough *b)
{
    return a->shape == b->shape && a->grid.n == b->grid.n &&
           memcmp(a->grid.extent, b->grid.extent, a->grid.n * sizeof *a->grid.extent) == 0;
}

/* Uneven ones with fewer words than the best are made even. */
static parcast_status count(struct search *s, const struct rough *rough)
{
    struct grid_trials trials = {0};
    parcast_status status = search_grid_begin(s, rough, &trials);
    if (!status && !s->tried_even && s->tried_words < s->best.words)
        status = search_make_still_even(s, rough, &trials);
    grid_clear(&trials);
    return status;
}

/* Words of the array that the best one was found on, and of its shape; NULL where it was on none. */
static const bool *words_of_best(const struct search *s)
{
    for (size_t i = 0; i < s->n_shapes; i++)
        if (s->shapes[i].array == s->best_index) return s->shapes[i].fixed;
    return NULL;
}

/* Parts that are no blocks: words stay where they are, what lies between them goes with these. */
static parcast_status follow_best(struct search *s)
{
    const bool *words = words_of_best(s);
    bool are_blocks = s->block.processes && s->block.words == s->best.words;
    parcast_flow flow = {0};
    if (!words || are_blocks) return PARCAST_OK;
    for (uint32_t v = 0; v < s->all->n_vertices; v++) {
        s->fixed[v] = words[v];
        s->part[v] = words[v] ? s->best_part[v] : GRAPH_NONE;
    }
    parcast_status status = graph_follow(s->all, s->p, s->fixed, s->part, s->error);
    if (!status) status = graph_evaluate(s->all, s->part, s->p, s->best_allowed, &flow, s->error);
    if (status) return status;
    memcpy(flow.decomposition, s->best.decomposition, sizeof flow.decomposition);
    s->index = s->best_index;
    return search_keep(s, &flow, s->best_allowed);
}

/* What lies between words follows those of the best, and of the best blocks. */
static parcast_status follow(struct search *s)
{
    struct rough compact[SEARCH_COMPACT], best = s->best_of[0];
    parcast_status status = follow_best(s);
    if (status || !best.grid.n) return status;
    size_t n = search_compact(s, 0, compact);
    status = count(s, &best);
    return status || !n || is_same(&best, &compact[0]) ? status : count(s, &compact[0]);
}

parcast_status search_in_large(struct search *s)
{
    bool follows = s->n_shapes && has_results(s->all), parts = search_is_irregular(s);
    if (!follows && !parts) return PARCAST_OK;
    if (!make_room(s)) return PARCAST_MEMORY;
    s->values = s->all;
    search_take_fine_spaces(s);
    parcast_status status = follows ? follow(s) : PARCAST_OK;
    return status || !parts ? status : search_partitions(s);
}
