/*
 * The blocks that were best in a small graph, once more in the large one. What lies between their words is
 * tied to blocks of cells there; here it follows the words vertex by vertex, as in the grid that somebody
 * asks for: results of pairs whose particles are in two boxes, say.
 */
#include <stdlib.h>
#include <string.h>

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

static parcast_status count(struct search *s, const struct rough *rough)
{
    struct grid_trials trials = {0};
    parcast_status status = search_grid_still(s, rough, NULL, &trials);
    grid_clear(&trials);
    return status;
}

parcast_status search_in_large(struct search *s)
{
    struct rough compact[SEARCH_COMPACT], best = s->best_of[0];
    parcast_status status = PARCAST_OK;
    if (!s->n_shapes || !best.grid.n || !has_results(s->all)) return status;
    if (!make_room(s)) return PARCAST_MEMORY;
    s->values = s->all;
    search_take_fine_spaces(s);
    size_t n = search_compact(s, 0, compact);
    status = count(s, &best);
    return status || !n || is_same(&best, &compact[0]) ? status : count(s, &compact[0]);
}
