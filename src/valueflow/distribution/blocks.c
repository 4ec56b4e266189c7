/* Blocks of an array's index space. */
#include "valueflow/distribution/place.h"

static uint32_t block_at(const struct space *space, const parcast_extents *grid, const uint32_t *halved,
                         const struct graph_vertex *vertex)
{
    uint64_t at[PARCAST_MAX_EXTENTS] = {0}, block = 0, cell = 0;
    space_find_place(space, vertex, at);
    if (halved) {
        for (size_t i = 0; i < space->extents.n; i++) cell = cell * space->count[i] + at[i];
        return halved[cell];
    }
    for (size_t i = 0; i < grid->n; i++)
        block = block * grid->extent[i] + at[i] * grid->extent[i] / space->count[i];
    return (uint32_t)block;
}

parcast_status graph_place_blocks(const parcast_values *values, const struct space *space,
                                  const parcast_extents *grid, const uint32_t *halved, bool like_arrays,
                                  uint32_t *part, parcast_error *error)
{
    const struct graph_array *index = &values->arrays[space->array];
    parcast_status status = halved ? PARCAST_OK : space_check_grid(values, space, grid, error);
    for (uint32_t v = 0; !status && v < values->n_vertices; v++) {
        const struct graph_array *own = &values->arrays[values->vertices[v].array];
        bool decided = space_has_place(values, space, v) && (own == index || like_arrays || own->n_written);
        part[v] = decided ? block_at(space, grid, halved, &values->vertices[v]) : GRAPH_NONE;
    }
    return status;
}
