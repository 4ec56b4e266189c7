/* Planes that take turns are arrays of their own (arrays/planes.h): who asks for blocks of u[2][n][m], or of
 * u[n][m][2], may count them as a dimension, which is not cut. */
#include <string.h>

#include "valueflow/distribution/asked.h"

static void leave(parcast_extents *extents, bool last)
{
    extents->n--;
    if (!last) memmove(extents->extent, extents->extent + 1, extents->n * sizeof *extents->extent);
}

/* How many planes the extents say. */
static uint64_t planes_of(const parcast_extents *extents, bool last)
{
    return extents->extent[last ? extents->n - 1 : 0];
}

bool asked_leave_planes(const parcast_values *values, parcast_extents *extents)
{
    if (extents->n < 2) return false;
    for (size_t i = 0; i < values->n_arrays; i++) {
        const struct graph_array *array = &values->arrays[i];
        parcast_extents plane = *extents;
        leave(&plane, array->are_side_by_side);
        uint64_t words = graph_words_of(&plane);
        if (array->planes < 2 || array->planes != planes_of(extents, array->are_side_by_side)) continue;
        if (array->words != words && array->words / array->record != words) continue;
        *extents = plane;
        return true;
    }
    return false;
}

bool asked_leave_uncut(const parcast_values *values, parcast_extents *grid)
{
    uint32_t array = graph_index_array(values, NULL);
    if (grid->n < 2 || array == GRAPH_NONE || values->arrays[array].planes < 2) return false;
    bool last = values->arrays[array].are_side_by_side;
    if (planes_of(grid, last) != 1) return false;
    leave(grid, last);
    return true;
}
