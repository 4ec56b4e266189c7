/* What blocks are meant by a grid that somebody asks for: of which array, with which extents, in which
 * reading. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "valueflow/distribution/asked.h"
#include "valueflow/distribution/describe.h"
#include "valueflow/distribution/grid.h"
#include "valueflow/graph/once.h"
#include "valueflow/space/extents/distances.h"
#include "valueflow/space/images.h"
#include "valueflow/space/turned.h"

struct uncut {
    const parcast_values *values;
    const struct grid_choice *plain;
    parcast_flow *best;
    uint32_t *best_array, *best_part, *part;
    bool is_guess; /* nothing tells the reading */
};

/* One reading of the grid, if it can be cut so. */
static parcast_status try_reading(const struct uncut *u, const parcast_extents *extents,
                                  const parcast_extents *grid, parcast_error *error)
{
    struct grid_choice choice = {.array = u->plain->array, .extents = *extents, .grid = *grid};
    parcast_flow flow = {0};
    parcast_error ignored = {0};
    parcast_status status = asked_evaluate(u->values, &choice, &flow, u->part, &ignored);
    if (status == PARCAST_INVALID) return PARCAST_OK; /* more parts than words in a dimension */
    if (status) return parcast_error_set(error, status, NULL, 0, "%s", ignored.text);
    if (u->is_guess ? asked_is_clearly_meant(&flow, u->best) : asked_is_meant(&flow, u->best)) {
        memcpy(u->best_part, u->part, u->values->n_vertices * sizeof *u->part);
        *u->best_array = choice.array;
        parcast_flow_clear(u->best);
        *u->best = flow;
    } else {
        parcast_flow_clear(&flow);
    }
    return PARCAST_OK;
}

/* Are the first of these fields one after the other, which mix in each cell? */
static bool are_layers(const struct uncut *u, const parcast_extents *extents)
{
    return extents->n == u->plain->grid.n + 1 && extents->extent[0] <= GRID_MOST_FIELDS &&
           extents_mix(u->values, u->plain->array, extents);
}

/* The dimension `uncut` of the extents stays whole, and what they have behind those of the grid. */
static parcast_status try_one(const struct uncut *u, const parcast_extents *extents, size_t uncut,
                              parcast_error *error)
{
    size_t n = u->plain->grid.n;
    parcast_extents grid = {.n = extents->n}, cells = *extents;
    uint32_t record = u->values->arrays[u->plain->array].record;
    bool is_structure = record > 1 && uncut == n && extents->extent[uncut] == record;
    cells.n = n + 1;
    if (!is_structure && !asked_is_plausible(&cells, uncut)) return PARCAST_OK;
    if (!is_structure && uncut && are_layers(u, extents)) return PARCAST_OK;
    if (!is_structure && asked_contradicts(u->values, u->plain->array, &u->plain->extents, extents))
        return PARCAST_OK;
    for (size_t i = 0, j = 0; i < extents->n; i++)
        grid.extent[i] = i == uncut || j == n ? 1 : u->plain->grid.extent[j++];
    return try_reading(u, extents, &grid, error);
}

/* An array of structures in so many dimensions; not where as many of these, or fields, come one after the
 * other.
 */
static bool infer_structures(const struct uncut *u, size_t n, parcast_extents *extents)
{
    uint32_t record = u->values->arrays[u->plain->array].record;
    return record > 1 && n < PARCAST_MAX_EXTENTS &&
           graph_infer_extents(u->values, u->plain->array, n + 1, extents) && extents->extent[n] == record &&
           extents->extent[0] != record;
}

/* In a dimension more than the grid has: a few structures for each cell, as of its sides, or several arrays
 * one after the other, as where two take turns, which are all cut alike. These are no rows that show without
 * that dimension, too, but for a few. */
static parcast_status try_groups(const struct uncut *u, const parcast_extents *extents, bool are_rows,
                                 parcast_error *error)
{
    size_t n = u->plain->grid.n;
    parcast_extents grid = {.n = n + 2};
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; i < grid.n; i++) grid.extent[i] = i < n ? u->plain->grid.extent[i] : 1;
    if (extents->extent[n] * extents->extent[n + 1] <= GRID_MOST_FIELDS)
        status = try_reading(u, extents, &grid, error);
    for (size_t i = 0; i <= n; i++) grid.extent[i] = i ? u->plain->grid.extent[i - 1] : 1;
    bool are_arrays = !are_rows && extents->extent[0] <= GRID_MOST_FIELDS;
    return status || !are_arrays ? status : try_reading(u, extents, &grid, error);
}

/* An array of structures is cut between these. */
static parcast_status try_structures(const struct uncut *u, parcast_error *error)
{
    size_t n = u->plain->grid.n;
    parcast_extents extents, more;
    if (!infer_structures(u, n, &extents)) return PARCAST_OK;
    parcast_status status = try_one(u, &extents, n, error);
    if (status || !infer_structures(u, n + 1, &more)) return status;
    bool are_rows = more.extent[0] == extents.extent[0] && more.extent[0] > GRID_FIELDS;
    return try_groups(u, &more, are_rows, error);
}

/* A line that does not divide the work may be fields one after the other, of which nothing else tells. */
static parcast_status try_fields(const struct uncut *u, parcast_error *error)
{
    uint64_t words = images_front(u->values, u->plain->array);
    parcast_status status = PARCAST_OK;
    for (uint64_t fields = 2; !status && fields <= GRID_FIELDS && fields < words; fields++)
        if (words % fields == 0)
            status = try_one(u, &(parcast_extents){2, {fields, words / fields}}, 0, error);
    return status;
}

/* Planes or blocks one after the other, as their distances tell, where a line is asked for. */
static parcast_status try_planes(const struct uncut *u, parcast_error *error)
{
    uint64_t words = images_front(u->values, u->plain->array);
    parcast_extents extents;
    parcast_status status = PARCAST_OK;
    for (size_t n = 3; !status && n <= PARCAST_MAX_EXTENTS; n++)
        if (graph_infer_extents(u->values, u->plain->array, n, &extents) && extents.extent[0] <= GRID_FIELDS)
            status =
                try_one(u, &(parcast_extents){2, {extents.extent[0], words / extents.extent[0]}}, 0, error);
    return status;
}

/* As many fields one after the other as another array that is written fits into this one, of which rows tell
 * and nothing else: what the stages of a step have computed, say. */
static parcast_status try_stages(const struct uncut *u, parcast_error *error)
{
    const parcast_values *values = u->values;
    const parcast_extents *plain = &u->plain->extents;
    const uint64_t words = images_front(values, u->plain->array);
    uint32_t tried = 0;
    parcast_status status = PARCAST_OK;
    for (uint32_t i = 0; !status && i < values->n_arrays; i++) {
        const struct graph_array *array = &values->arrays[i];
        uint64_t fields = array->words && words % array->words == 0 ? words / array->words : 0;
        bool is_field = !array->is_result && 2 * (uint64_t)array->n_written > array->words;
        if (fields < 2 || fields > GRID_FIELDS || !is_field || plain->extent[0] % fields) continue;
        if (tried >> fields & 1) continue;
        tried |= UINT32_C(1) << fields;
        parcast_extents extents = {.n = plain->n + 1, .extent = {fields, plain->extent[0] / fields}};
        for (size_t k = 1; k < plain->n; k++) extents.extent[k + 1] = plain->extent[k];
        status = try_one(u, &extents, 0, error);
    }
    return status;
}

/* Structures that were allocated one by one are not cut, nor are rows of data that terms read within where
 * distances tell none. */
static uint64_t row_of(const struct uncut *u, bool is_told)
{
    const struct graph_array *array = &u->values->arrays[u->plain->array];
    bool are_blocks = array->n_blocks > 1 && array->block_words > 1 && array->block_words <= GRID_MOST_FIELDS;
    if (are_blocks) return array->block_words;
    return is_told ? 0 : asked_row_of_data(u->values, u->plain->array);
}

/* The same grid on an array of one more dimension, which is not cut: rows of a matrix, or the fields of a
 * mesh that lie in one array, of which two halves need not show in the distances. */
static parcast_status try_uncut(const struct uncut *u, parcast_error *error)
{
    size_t n = u->plain->grid.n;
    uint64_t words = images_front(u->values, u->plain->array);
    parcast_extents extents = {0}, halves = {2, {2, words / 2}};
    parcast_status status = PARCAST_OK;
    if (n == PARCAST_MAX_EXTENTS) return PARCAST_OK;
    if (!infer_structures(u, n, &extents) && graph_infer_extents(u->values, u->plain->array, n + 1, &extents))
        for (size_t i = 0; !status && i <= n; i++) status = try_one(u, &extents, i, error);
    else if (u->plain->extents.n == n)
        status = try_stages(u, error);
    uint64_t row = !status && n == 1 ? row_of(u, extents.n) : 0;
    if (row && words % row == 0) status = try_one(u, &(parcast_extents){2, {words / row, row}}, 1, error);
    bool seen = extents.n && extents.extent[0] == 2;
    struct uncut guess = *u;
    guess.is_guess = true;
    if (!status && n == 1 && words % 2 == 0 && words > 2 && !seen)
        status = try_one(&guess, &halves, 0, error);
    if (status || n > 1) return status;
    return asked_is_lopsided(u->best) ? try_fields(u, error) : try_planes(u, error);
}

/* Blocks of the data may be blocks of what sums over it are: where there are many of these, or blocks of the
 * data would give all sums to one part, as those of a matrix by columns do. */
static parcast_status try_sums(const struct uncut *u, parcast_error *error)
{
    struct grid_choice choice = {.array = graph_written_array(u->values), .grid = u->plain->grid};
    struct uncut of_sums = *u;
    of_sums.plain = &choice;
    if (choice.grid.n > 1 || choice.array == GRAPH_NONE || choice.array == u->plain->array ||
        !(asked_is_lopsided(u->best) ||
          asked_of_rows(u->values, u->plain->array, choice.array, choice.grid.extent[0])) ||
        !graph_infer_extents(u->values, choice.array, 1, &choice.extents))
        return PARCAST_OK;
    return try_reading(&of_sums, &choice.extents, &choice.grid, error);
}

/* Extents that were given, one more than the grid has: the fields of a cell, or of a mesh. Where the types
 * tell structures of as many words as the last one, these are what stays whole. */
static parcast_status try_given(const struct uncut *u, const parcast_extents *extents, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    uint64_t last = extents->extent[extents->n - 1];
    bool is_known = last > 1 && last == u->values->arrays[u->plain->array].record;
    bool is_one = is_known && extents->n == u->plain->grid.n + 1;
    for (size_t i = is_one ? extents->n - 1 : 0; !status && i <= u->plain->grid.n; i++)
        status = try_one(u, extents, i, error);
    if (status || u->best->processes) return status;
    return parcast_error_set(
        error, PARCAST_INVALID, NULL, 0,
        "%zu extents for a grid of %zu dimensions, and neither the first nor the last is of "
        "at most %d fields",
        extents->n, u->plain->grid.n, GRID_MOST_FIELDS);
}

/* Has the index array as many words for each word of this one, as corners of a cell? */
static bool has_cells(const struct uncut *u, uint32_t array)
{
    const parcast_values *values = u->values;
    uint64_t words = values->arrays[u->plain->array].words, cells = values->arrays[array].words;
    return cells > 1 && words > cells && words % cells == 0 && words / cells <= GRID_MOST_FIELDS;
}

/* A few words that are computed from all others may not be as many as the grid has parts, or leave all the
 * work to one of them, or need all the others: what is divided are those, of which there are more. */
static parcast_status try_others(const struct uncut *u, parcast_error *error)
{
    enum { FEW_OF_A_PART = 16 };
    uint32_t arrays[GRAPH_INDEX_ARRAYS];
    size_t n_first, n = graph_index_arrays(u->values, NULL, arrays, &n_first);
    const struct graph_array *own = &u->values->arrays[u->plain->array];
    bool are_few = own->n_written < FEW_OF_A_PART * grid_parts(&u->plain->grid) ||
                   asked_is_of_more(u->values, u->plain->array);
    bool is_none = !u->best->processes || asked_is_lopsided(u->best);
    uint64_t own_words = are_few && own->n_written ? own->n_written : own->words; /* there may be more room */
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; !status && (are_few || is_none) && i < n; i++) {
        struct grid_choice choice = {.array = arrays[i], .grid = u->plain->grid};
        struct uncut of_other = *u;
        of_other.plain = &choice;
        const struct graph_array *other = &u->values->arrays[arrays[i]];
        bool is_divided = is_none && !own->n_written && other->n_written; /* lists of neighbours, say */
        if ((other->words <= own_words && !is_divided) ||
            !graph_infer_extents(u->values, arrays[i], choice.grid.n, &choice.extents))
            continue;
        status = try_reading(&of_other, &choice.extents, &choice.grid, error);
    }
    return status;
}

/* Which of both the mesh is divided by does not matter to who asks for blocks of it: those that divide it
 * with fewer words. */
static parcast_status try_mesh(const struct uncut *u, uint32_t array, parcast_error *error)
{
    size_t n = u->plain->grid.n;
    parcast_status status = PARCAST_OK;
    struct grid_choice choice = {.array = array, .grid = u->plain->grid};
    struct uncut of_other = *u;
    parcast_extents extents;
    of_other.plain = &choice;
    for (int k = 0; !status && k < 4; k++) {
        const uint32_t both[2] = {u->plain->array, array};
        const bool fields[2] = {k / 2, k % 2};
        if (!graph_infer_beside(u->values, both, fields, n, &extents)) continue;
        status = fields[1] ? try_one(&of_other, &extents, n, error)
                           : try_reading(&of_other, &extents, &choice.grid, error);
    }
    bool has_rows = asked_has_better_rows(u->values, u->plain, array, &extents);
    if (!status && (has_rows || (has_cells(u, array) && graph_infer_extents(u->values, array, n, &extents))))
        status = try_reading(&of_other, &extents, &choice.grid, error);
    return status;
}

static parcast_status try_meshes(const struct uncut *u, parcast_error *error)
{
    uint32_t arrays[GRAPH_INDEX_ARRAYS];
    size_t n_first, n = graph_index_arrays(u->values, NULL, arrays, &n_first);
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; !status && u->plain->grid.n > 1 && i < n; i++)
        if (arrays[i] != u->plain->array) status = try_mesh(u, arrays[i], error);
    return status;
}

/* The same array with a dimension less: it might be cut inside of a structure, and is not meant so. */
static bool has_rows_of_structures(const struct uncut *u)
{
    const parcast_extents *extents = &u->plain->extents;
    uint64_t row = extents->extent[extents->n - 1], record = u->values->arrays[u->plain->array].record;
    return row > record && row % record == 0;
}

/* In a dimension less than they show in, cells of a few words are rows of these: a grid cuts between cells.
 */
static parcast_status try_cells(const struct uncut *u, parcast_error *error)
{
    const parcast_extents *plain = &u->plain->extents;
    parcast_extents cells;
    size_t n = plain->n;
    if (n < 2 || n == PARCAST_MAX_EXTENTS || plain->extent[n - 1] > GRID_FIELDS ||
        !graph_infer_extents(u->values, u->plain->array, n + 1, &cells) ||
        cells.extent[n] != plain->extent[n - 1])
        return PARCAST_OK;
    return try_one(u, &cells, n, error);
}

/* Likewise fields one after the other, of which rows show only in a dimension more. */
static parcast_status try_layers(const struct uncut *u, parcast_error *error)
{
    const parcast_extents *plain = &u->plain->extents;
    parcast_extents layers;
    size_t n = plain->n;
    if (n != 2 || !graph_infer_extents(u->values, u->plain->array, n + 1, &layers) ||
        layers.extent[0] != plain->extent[0] || !(asked_is_few(&layers, 0) || are_layers(u, &layers)))
        return PARCAST_OK;
    return try_one(u, &layers, 0, error);
}

/* What was given, or what the types say, or the array in as many dimensions as the grid has. */
static parcast_status try_first(const struct uncut *u, const parcast_extents *extent, parcast_error *error)
{
    if (extent && extent->n > u->plain->grid.n) return try_given(u, extent, error);
    parcast_status status = extent ? PARCAST_OK : try_cells(u, error);
    if (!status && !extent) status = try_layers(u, error);
    if (status || u->best->processes) return status;
    status = extent ? PARCAST_OK : try_structures(u, error);
    if (status || (u->best->processes && has_rows_of_structures(u))) return status;
    if (u->best->processes) return try_reading(u, &u->plain->extents, &u->plain->grid, error);
    return asked_evaluate(u->values, u->plain, u->best, u->best_part, error);
}

/* `best` and its part are set where it is PARCAST_OK. */
static parcast_status try_readings(const struct uncut *u, const parcast_extents *extent, parcast_error *error)
{
    parcast_status status = try_first(u, extent, error);
    if ((status && status != PARCAST_INVALID) || extent) return status;
    parcast_error ignored = {0};
    parcast_status more = try_uncut(u, &ignored);
    if (!more) more = try_others(u, &ignored);
    if (more && error) *error = ignored;
    if (more || u->best->processes) status = more;
    if (!status && error) *error = (parcast_error){0};
    if (!status) status = try_meshes(u, error);
    return status ? status : try_sums(u, error);
}

parcast_status grid_meant(const parcast_values *values, const parcast_extents *grid,
                          const parcast_extents *extent, parcast_flow *flow, uint32_t *array, uint32_t *part,
                          parcast_error *error)
{
    struct grid_choice choice = {.grid = *grid};
    parcast_flow best = {0};
    parcast_status status = asked_find_extents(values, extent, &choice, error);
    uint32_t *trial = status ? NULL : calloc((size_t)values->n_vertices + 1, sizeof *trial);
    struct uncut u = {values, &choice, &best, array, part, trial, false};
    if (status) return status;
    *array = choice.array;
    status = trial ? try_readings(&u, extent, error) : PARCAST_MEMORY;
    free(trial);
    if (status == PARCAST_MEMORY)
        parcast_error_set(error, status, NULL, 0, "out of memory for %zu parts", grid_parts(grid));
    if (status)
        parcast_flow_clear(&best);
    else
        *flow = best;
    return status;
}

/* The grid as it is or, where that cannot be cut, without its dimension of planes, which the array has not.
 */
static parcast_status find_meant(const parcast_values *values, const parcast_extents *grid,
                                 const parcast_extents *extent, uint32_t *part, parcast_flow *flow,
                                 uint32_t *array, parcast_error *error)
{
    parcast_extents less = *grid;
    parcast_error ignored = {0};
    parcast_status status = grid_meant(values, grid, extent, flow, array, part, error);
    if (!status || status == PARCAST_MEMORY || !asked_leave_uncut(values, &less) ||
        grid_meant(values, &less, extent, flow, array, part, &ignored))
        return status;
    if (error) *error = (parcast_error){0};
    return PARCAST_OK;
}

static parcast_status describe_meant(const parcast_values *values, const parcast_extents *grid,
                                     const parcast_extents *extent, uint32_t *part, parcast_flow *flow,
                                     parcast_error *error)
{
    uint32_t array;
    parcast_flow found = {0};
    parcast_status status = find_meant(values, grid, extent, part, &found, &array, error);
    if (!status) describe_unevenness(&found);
    if (!status)
        status = graph_describe(values, part, grid_parts(grid), array, found.decomposition,
                                sizeof found.decomposition);
    if (status)
        parcast_flow_clear(&found);
    else
        *flow = found;
    return status;
}

/* As if no array were turned to another one, should that be fewer words. */
static parcast_status try_plain(const parcast_values *values, const parcast_extents *grid,
                                const parcast_extents *extent, uint32_t *part, parcast_flow *flow,
                                parcast_error *error)
{
    parcast_flow other = {0};
    values->once->is_plain = true;
    parcast_status status = describe_meant(values, grid, extent, part, &other, error);
    values->once->is_plain = false;
    if (!status && asked_is_meant(&other, flow)) {
        parcast_flow_clear(flow);
        *flow = other;
    } else {
        parcast_flow_clear(&other);
    }
    return status;
}

parcast_status parcast_values_grid(const parcast_values *values, const parcast_extents *grid,
                                   const parcast_extents *extent, parcast_flow *flow, parcast_error *error)
{
    size_t p = grid_parts(grid);
    parcast_flow found = {0};
    parcast_extents taken, cuts = *grid;
    if (!values->n_sets) return grid_nothing_sent(p, NULL, flow, error);
    if (graph_only_copies(values)) return grid_nothing_sent(p, GRID_COPIES, flow, error);
    parcast_status status = extent ? grid_take_extent(values, extent, &taken, error) : PARCAST_OK;
    if (status) return status;
    uint32_t *part = calloc((size_t)values->n_vertices + 1, sizeof *part);
    if (!part) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu parts", p);
    asked_join_cuts(values, extent, &cuts);
    if (extent) extent = &taken;
    status = describe_meant(values, &cuts, extent, part, &found, error);
    if (!status && turned_any(values)) status = try_plain(values, &cuts, extent, part, &found, error);
    free(part);
    if (status)
        parcast_flow_clear(&found);
    else
        *flow = found;
    return status;
}
