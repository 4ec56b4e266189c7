/* Of which array, and with which extents, a grid is that somebody asks for. */
#include "valueflow/distribution/asked.h"

/* The structures of an array that is written, as many as the extents say: their words are its last extent.
 * GRAPH_NONE: there are none. */
static uint32_t find_structures(const parcast_values *values, const parcast_extents *extent)
{
    uint64_t n = graph_words_of(extent), most = 0;
    uint32_t best = GRAPH_NONE;
    for (uint32_t i = 0; i < values->n_arrays; i++) {
        const struct graph_array *array = &values->arrays[i];
        if (array->record < 2 || array->words % array->record || array->words / array->record != n ||
            array->n_written <= most)
            continue;
        most = array->n_written;
        best = i;
    }
    return best;
}

parcast_status grid_take_extent(const parcast_values *values, const parcast_extents *given,
                                parcast_extents *extent, parcast_error *error)
{
    *extent = *given;
    if (asked_join_tiles(values, extent)) return PARCAST_OK;
    uint32_t array = graph_index_array(values, given);
    if (array != GRAPH_NONE && values->arrays[array].n_written) return PARCAST_OK;
    uint32_t structures =
        given->n < PARCAST_MAX_EXTENTS ? find_structures(values, given) : (uint32_t)GRAPH_NONE;
    if (structures != GRAPH_NONE) extent->extent[extent->n++] = values->arrays[structures].record;
    if (structures != GRAPH_NONE || array != GRAPH_NONE) return PARCAST_OK;
    parcast_extents plane = *given;
    if (asked_leave_planes(values, &plane)) return grid_take_extent(values, &plane, extent, error);
    parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                      "no array of the region has the %llu words of --extent",
                      (unsigned long long)graph_words_of(given));
    parcast_error_hint(error, "arrays: %s", grid_list_arrays(values, (char[400]){0}, 400));
    return PARCAST_INVALID;
}

static parcast_status find_array(const parcast_values *values, const parcast_extents *extent, uint32_t *array,
                                 parcast_error *error)
{
    *array = graph_index_array(values, extent);
    if (*array != GRAPH_NONE) return PARCAST_OK;
    return parcast_error_set(error, PARCAST_DATA, NULL, 0, "the region touches no array");
}

/* Structures that are read only, in one dimension, and their words: rows, columns and numbers of a matrix
 * that are listed together, say. */
static bool are_listed(const parcast_values *values, const struct grid_choice *choice)
{
    const struct graph_array *array = &values->arrays[choice->array];
    return choice->grid.n == 2 && !array->n_written && array->record > 1 &&
           choice->extents.extent[1] == array->record;
}

/* Where the index array tells no such extents, another that the work might be divided by may: the elements of
 * a mesh, say, of which the largest array holds all corners. */
static bool infer_extents(const parcast_values *values, struct grid_choice *choice)
{
    uint32_t arrays[GRAPH_INDEX_ARRAYS];
    bool fine = graph_infer_extents(values, choice->array, choice->grid.n, &choice->extents);
    if (fine && !are_listed(values, choice)) return true;
    size_t n_first, n = graph_index_arrays(values, NULL, arrays, &n_first);
    for (size_t i = 0; i < n; i++) {
        struct grid_choice other = *choice;
        other.array = arrays[i];
        if (!graph_infer_extents(values, other.array, other.grid.n, &other.extents)) continue;
        if (are_listed(values, &other)) continue;
        *choice = other;
        return true;
    }
    return fine;
}

static const char *const extents_to_give[] = {"",        "WORDS",    "ROWS,COLUMNS", "PLANES,ROWS,COLUMNS",
                                              "N,N,N,N", "N,N,N,N,N"};

parcast_status asked_find_extents(const parcast_values *values, const parcast_extents *extent,
                                  struct grid_choice *choice, parcast_error *error)
{
    parcast_status status = find_array(values, extent, &choice->array, error);
    if (status) return status;
    if (extent) {
        choice->extents = *extent;
        uint64_t last = extent->extent[extent->n - 1];
        bool of_structures = last > 1 && last == values->arrays[choice->array].record;
        if (extent->n >= choice->grid.n && extent->n <= choice->grid.n + 1 + of_structures) return PARCAST_OK;
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "%zu extents for a grid of %zu dimensions",
                                 extent->n, choice->grid.n);
    }
    if (infer_extents(values, choice)) return PARCAST_OK;
    parcast_error_set(error, PARCAST_DATA, NULL, 0, "cannot tell the %zu extents of '%s' from how it is used",
                      choice->grid.n, values->arrays[choice->array].name);
    parcast_error_hint(error, "give them: --extent %s; it has %llu words", extents_to_give[choice->grid.n],
                       (unsigned long long)values->arrays[choice->array].words);
    return PARCAST_DATA;
}
