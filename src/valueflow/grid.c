/* The words of one block decomposition. */
#include <stdio.h>
#include <stdlib.h>

#include "valueflow/describe.h"
#include "valueflow/grid.h"
#include "valueflow/place.h"

static void describe(const parcast_values *values, uint32_t array, const parcast_extents *grid,
                     const parcast_extents *extents, char *text, size_t size)
{
    int n = 0;
    for (size_t i = 0; i < grid->n; i++)
        n += snprintf(text + n, size - (size_t)n, "%s%llu", i ? " x " : "",
                      (unsigned long long)grid->extent[i]);
    n += snprintf(text + n, size - (size_t)n, " blocks of %.40s (", values->arrays[array].name);
    for (size_t i = 0; i < extents->n && n < (int)size; i++)
        n += snprintf(text + n, size - (size_t)n, "%s%llu", i ? " x " : "",
                      (unsigned long long)extents->extent[i]);
    if (n < (int)size) snprintf(text + n, size - (size_t)n, ")");
}

static parcast_status try_blocks(const parcast_values *values, const struct grid_choice *choice,
                                 bool like_arrays, parcast_flow *flow, uint32_t *part, parcast_error *error)
{
    size_t n_parts = 1;
    for (size_t i = 0; i < choice->grid.n; i++) n_parts *= choice->grid.extent[i];
    bool *fixed = calloc((size_t)values->n_vertices + 1, sizeof *fixed);
    if (!fixed)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %u words",
                                 values->n_vertices);
    parcast_status status =
        graph_place_blocks(values, choice->array, &choice->grid, &choice->extents, like_arrays, part, error);
    for (uint32_t v = 0; v < values->n_vertices; v++) fixed[v] = part[v] != GRAPH_NONE;
    if (!status) status = graph_follow(values, n_parts, fixed, part, error);
    if (!status) status = graph_refine(values, n_parts, fixed, 1e9, part, error);
    if (!status) status = graph_evaluate(values, part, n_parts, flow, error);
    free(fixed);
    return status;
}

/* Arrays that are only read may be cut like the others or follow their readers, whichever is cheaper. */
parcast_status grid_evaluate(const parcast_values *values, const struct grid_choice *choice,
                             parcast_flow *flow, uint32_t *best_part, parcast_error *error)
{
    uint32_t *part = calloc((size_t)values->n_vertices + 1, sizeof *part);
    if (!part)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %u words",
                                 values->n_vertices);
    parcast_flow like = {0}, follow = {0};
    parcast_status status = try_blocks(values, choice, true, &like, part, error);
    for (uint32_t v = 0; !status && best_part && v < values->n_vertices; v++) best_part[v] = part[v];
    if (!status) status = try_blocks(values, choice, false, &follow, part, error);
    bool second = !status && follow.words < like.words;
    for (uint32_t v = 0; second && best_part && v < values->n_vertices; v++) best_part[v] = part[v];
    free(part);
    if (!status) {
        *flow = second ? follow : like;
        describe(values, choice->array, &choice->grid, &choice->extents, flow->decomposition,
                 sizeof flow->decomposition);
    }
    parcast_flow_clear(status || !second ? &follow : &like);
    if (status) parcast_flow_clear(&like);
    return status;
}

static parcast_status find_array(const parcast_values *values, const parcast_extents *extent, uint32_t *array,
                                 parcast_error *error)
{
    *array = graph_index_array(values, extent);
    if (*array != GRAPH_NONE) return PARCAST_OK;
    if (!extent) return parcast_error_set(error, PARCAST_DATA, NULL, 0, "the region touches no array");
    unsigned long long words = 1;
    for (size_t i = 0; i < extent->n; i++) words *= extent->extent[i];
    parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                      "no array of the region has the %llu words of --extent", words);
    parcast_error_hint(error, "arrays: %s", grid_list_arrays(values, (char[400]){0}, 400));
    return PARCAST_INVALID;
}

const char *grid_list_arrays(const parcast_values *values, char *text, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < values->n_arrays && n < size; i++)
        if (!values->arrays[i].is_result && values->arrays[i].words > 1)
            n += (size_t)snprintf(text + n, size - n, "%s%.40s %llu", n ? ", " : "", values->arrays[i].name,
                                  (unsigned long long)values->arrays[i].words);
    return text;
}

parcast_status grid_nothing_sent(size_t p, const char *name, parcast_flow *flow, parcast_error *error)
{
    uint64_t *matrix = calloc(p * p, sizeof *matrix);
    if (!matrix) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu parts", p);
    *flow = (parcast_flow){.processes = p, .matrix = matrix};
    snprintf(flow->decomposition, sizeof flow->decomposition, "%s",
             name ? name : "any: no value is read by another word");
    return PARCAST_OK;
}

static size_t parts_of(const parcast_extents *grid)
{
    size_t p = 1;
    for (size_t i = 0; i < grid->n; i++) p *= grid->extent[i];
    return p;
}

parcast_status parcast_values_grid(const parcast_values *values, const parcast_extents *grid,
                                   const parcast_extents *extent, parcast_flow *flow, parcast_error *error)
{
    struct grid_choice choice = {.grid = *grid};
    if (!values->n_sets) return grid_nothing_sent(parts_of(grid), NULL, flow, error);
    parcast_status status = find_array(values, extent, &choice.array, error);
    if (status) return status;
    if (extent) {
        choice.extents = *extent;
        if (extent->n != grid->n)
            return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                     "%zu extents for a grid of %zu dimensions", extent->n, grid->n);
    } else if (!graph_infer_extents(values, choice.array, grid->n, &choice.extents)) {
        parcast_error_set(error, PARCAST_DATA, NULL, 0,
                          "cannot tell the %zu extents of '%s' from how it is used", grid->n,
                          values->arrays[choice.array].name);
        parcast_error_hint(error, "give them: --extent ROWS,COLUMNS; it has %llu words",
                           (unsigned long long)values->arrays[choice.array].words);
        return PARCAST_DATA;
    }
    uint32_t *part = calloc((size_t)values->n_vertices + 1, sizeof *part);
    if (!part)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %u words",
                                 values->n_vertices);
    status = grid_evaluate(values, &choice, flow, part, error);
    if (!status && graph_describe(values, part, parts_of(grid), choice.array, flow->decomposition,
                                  sizeof flow->decomposition)) {
        parcast_flow_clear(flow);
        status =
            parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu parts", parts_of(grid));
    }
    free(part);
    return status;
}
