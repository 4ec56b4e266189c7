/* Rectangular blocks of an array's index space. */
#include <stdlib.h>

#include "valueflow/embed.h"
#include "valueflow/place.h"
#include "valueflow/turned.h"

struct box {
    uint64_t low[PARCAST_MAX_EXTENTS], high[PARCAST_MAX_EXTENTS];
};

/* The words that are written: a frame of fixed values belongs to whoever is beside it. */
static bool find_box(const parcast_values *values, uint32_t array, const parcast_extents *extents,
                     bool written, struct box *box)
{
    bool any = false;
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        uint64_t at[PARCAST_MAX_EXTENTS] = {0};
        if (values->vertices[v].array != array || (written && !(values->vertices[v].work > 0))) continue;
        space_coordinates(extents, values->vertices[v].offset, at);
        for (size_t i = 0; i < extents->n; i++) {
            if (!any || at[i] < box->low[i]) box->low[i] = at[i];
            if (!any || at[i] > box->high[i]) box->high[i] = at[i];
        }
        any = true;
    }
    return any;
}

static uint32_t block_at(const parcast_extents *grid, const parcast_extents *extents, const struct box *box,
                         uint64_t offset)
{
    uint64_t at[PARCAST_MAX_EXTENTS] = {0}, block = 0;
    space_coordinates(extents, offset, at);
    for (size_t i = 0; i < grid->n; i++) {
        uint64_t x = at[i] < box->low[i] ? box->low[i] : at[i] > box->high[i] ? box->high[i] : at[i];
        uint64_t n = box->high[i] - box->low[i] + 1;
        block = block * grid->extent[i] + (x - box->low[i]) * grid->extent[i] / n;
    }
    return (uint32_t)block;
}

parcast_status graph_place_blocks(const parcast_values *values, uint32_t array, const parcast_extents *grid,
                                  const parcast_extents *extents, bool like_arrays, uint32_t *part,
                                  parcast_error *error)
{
    const struct graph_array *index = &values->arrays[array];
    const struct once_turns *turns = turned_arrays(values, array, extents);
    struct box box = {0};
    if (!find_box(values, array, extents, true, &box) && !find_box(values, array, extents, false, &box))
        return parcast_error_set(error, PARCAST_DATA, NULL, 0,
                                 "the region computes nothing that can be distributed");
    for (size_t i = 0; i < grid->n; i++) {
        unsigned long long parts = grid->extent[i], words = box.high[i] - box.low[i] + 1;
        if (parts > words)
            return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                     "%llu parts for %llu words of '%s' in dimension %zu", parts, words,
                                     index->name, i + 1);
    }
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        uint32_t at = values->vertices[v].array;
        const struct graph_array *own = &values->arrays[at];
        bool like = graph_are_alike(own, index) && (like_arrays || own->n_written);
        part[v] = at == array || like
                      ? block_at(grid, extents, &box, turned_offset(turns, &values->vertices[v]))
                      : GRAPH_NONE;
    }
    return PARCAST_OK;
}
