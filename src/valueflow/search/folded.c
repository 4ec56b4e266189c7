/*
 * Squares folded on their diagonal: where an array is worked on along its rows and then, as if it were
 * transposed, along its columns, a word should lie with the one on the other side of the diagonal; so should
 * the products of each two rows of a matrix.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "valueflow/distribution/describe.h"
#include "valueflow/search/search.h"

/* Of graphs with more pins it would take too long. */
static const uint64_t most_pins = UINT64_C(1) << 20;

static bool is_square(const struct space *space)
{
    return space->extents.n == 2 && space->count[0] == space->count[1] && space->low[0] == space->low[1];
}

/* The cell of the lower triangle. */
static uint32_t fold(const struct space *space, uint32_t cell)
{
    uint64_t n = space->count[0], i = cell / n, j = cell % n;
    return (uint32_t)(i < j ? j * n + i : i * n + j);
}

static parcast_status try_folded(struct search *s, const struct space *space)
{
    char name[sizeof s->best.decomposition], array[DESCRIBE_NAME];
    uint32_t n = s->values->n_vertices;
    struct space folded = *space;
    folded.cell = malloc(((size_t)n + 1) * sizeof *folded.cell);
    if (!folded.cell) return PARCAST_MEMORY;
    for (uint32_t v = 0; v < n; v++)
        folded.cell[v] = space->cell[v] == GRAPH_NONE ? GRAPH_NONE : fold(space, space->cell[v]);
    parcast_status status = space_bisect(s->values, &folded, s->p, s->part, s->error);
    free(folded.cell);
    snprintf(name, sizeof name, "blocks of equal work of %s folded on its diagonal (bisection)",
             describe_told(s->values, space->array, array, sizeof array));
    s->index = space->array;
    return status ? status : search_finish_within(s, name, search_cells_allow(space, s->p));
}

static uint64_t root_of(uint64_t words)
{
    uint64_t n = (uint64_t)sqrt((double)words);
    return n * n == words ? n : 0;
}

/* Where nothing tells that an array of n^2 words is a square. */
static parcast_status try_as_square(struct search *s, uint32_t array)
{
    uint64_t n = root_of(s->values->arrays[array].words);
    struct space space;
    if (s->coarse || s->extent || n * n < s->p || n < 2) return PARCAST_OK;
    parcast_status status = space_make(s->values, array, &(parcast_extents){2, {n, n}}, 1, &space, s->error);
    if (status) return status == PARCAST_DATA ? PARCAST_OK : status;
    if (is_square(&space)) status = try_folded(s, &space);
    space_clear(&space);
    return status;
}

parcast_status search_folded(struct search *s)
{
    parcast_status status = PARCAST_OK;
    bool any = false;
    if (s->values->set_first[s->values->n_sets] > most_pins) return status;
    for (size_t i = 0; !status && i < s->n_shapes; i++) {
        if (!is_square(&s->shapes[i]) || s->shapes[i].n_cells < s->p) continue;
        any = true;
        status = try_folded(s, &s->shapes[i]);
    }
    return status || any || !s->n_shapes ? status : try_as_square(s, s->shapes[0].array);
}
