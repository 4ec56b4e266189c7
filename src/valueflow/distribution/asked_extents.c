/* Of which array, and with which extents, a grid is that somebody asks for. */
#include "valueflow/distribution/asked.h"
#include "valueflow/space/extents/distances.h"
#include "valueflow/space/images.h"

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

/* Structures in one dimension, and their words: rows, columns and numbers of a matrix that are listed
 * together, say, or coordinates of nodes. */
static bool are_listed(const parcast_values *values, const struct grid_choice *choice)
{
    uint32_t record = values->arrays[choice->array].record;
    return choice->grid.n == 2 && record > 1 && choice->extents.extent[1] == record;
}

/* Data that sums are taken over, whose terms are each of one row: points and what they have, say. Structures
 * are no points, but lists: of edges, say. */
static bool find_rows_of_data(const parcast_values *values, const struct grid_choice *choice,
                              parcast_extents *extents)
{
    uint64_t words = images_front(values, choice->array);
    bool may_be = choice->grid.n == 2 && values->arrays[choice->array].record <= 1;
    uint64_t row = may_be ? asked_row_of_data(values, choice->array) : 0;
    if (!row || words % row || words == row) return false;
    *extents = (parcast_extents){2, {words / row, row}};
    return true;
}

/* Where the index array tells no such extents, another that the work might be divided by may: the elements of
 * a mesh, say, of which the largest array holds all corners; not lists that are only read, of the neighbours
 * of its structures, say. */
static bool infer_extents(const parcast_values *values, struct grid_choice *choice)
{
    uint32_t arrays[GRAPH_INDEX_ARRAYS];
    bool fine = graph_infer_extents(values, choice->array, choice->grid.n, &choice->extents);
    if (fine && !are_listed(values, choice)) return true;
    if (!fine && find_rows_of_data(values, choice, &choice->extents)) return true;
    size_t n_first, n = graph_index_arrays(values, NULL, arrays, &n_first);
    for (size_t i = 0; i < n; i++) {
        struct grid_choice other = *choice;
        other.array = arrays[i];
        if (!graph_infer_extents(values, other.array, other.grid.n, &other.extents)) continue;
        bool is_data =
            fine && values->arrays[choice->array].n_written && !values->arrays[arrays[i]].n_written;
        if (is_data || are_listed(values, &other)) continue;
        *choice = other;
        return true;
    }
    return fine || (choice->grid.n == 2 && asked_find_lines(values, choice->array, &choice->extents));
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
    parcast_error_hint(error, "give them: --extent %s; it has %llu words; a line is cut by --grid %zu",
                       extents_to_give[choice->grid.n],
                       (unsigned long long)values->arrays[choice->array].words, grid_parts(&choice->grid));
    return PARCAST_DATA;
}

/* So few words, and less than half of any other dimension. */
bool asked_is_few(const parcast_extents *extents, size_t which)
{
    if (extents->extent[which] > GRID_MOST_FIELDS) return false;
    for (size_t i = 0; i < extents->n; i++)
        if (i != which && 2 * extents->extent[which] >= extents->extent[i]) return false;
    return true;
}

/* Fields of a block that may be small itself: fewer words than any other dimension has. */
static bool are_fewest(const parcast_extents *extents, size_t which)
{
    if (extents->n < 4 || extents->extent[which] > GRID_FIELDS) return asked_is_few(extents, which);
    for (size_t i = 0; i < extents->n; i++)
        if (i != which && extents->extent[which] >= extents->extent[i]) return false;
    return true;
}

/* Of a plane or a block with a few words at one end only these are its fields. */
static bool has_fields_elsewhere(const parcast_extents *extents, size_t uncut)
{
    size_t last = extents->n - 1;
    bool in_front = are_fewest(extents, 0), behind = are_fewest(extents, last);
    return last > 1 && in_front != behind && uncut != (in_front ? 0 : last);
}

/* Rows of a few fields each, one row of each field after the other. */
static bool are_in_rows(const parcast_extents *extents, size_t uncut)
{
    return extents->n == 3 && uncut == 1 && extents->extent[1] <= GRID_FIELDS && asked_is_few(extents, 1);
}

/* Fields lie together or one after the other, or a row of each; what else is between cut dimensions would be
 * no block. A plane or a block of as many as its distances tell may be fields: the nineteen populations of a
 * lattice, say. On a line more than a few in front are rows, and rows are what a grid of one dimension cuts.
 */
bool asked_is_plausible(const parcast_extents *extents, size_t uncut)
{
    uint64_t most = extents->n == 2 ? GRID_FIELDS : GRID_MOST_FIELDS;
    if (are_in_rows(extents, uncut)) return true;
    if (has_fields_elsewhere(extents, uncut)) return false;
    if (uncut == 0) return extents->extent[0] <= most;
    return uncut == extents->n - 1 && (extents->n == 2 || extents->extent[uncut] <= most);
}

/* A matrix may be declared for more rows, or longer ones. */
static bool is_square(const parcast_values *values, uint32_t array, const parcast_extents *plane)
{
    uint64_t rows = 0, columns = 0, row = plane->extent[1];
    if (plane->extent[0] == row) return true;
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        const struct graph_vertex *vertex = &values->vertices[v];
        if (vertex->array != array) continue;
        if (vertex->offset / row >= rows) rows = vertex->offset / row + 1;
        if (vertex->offset % row >= columns) columns = vertex->offset % row + 1;
    }
    return rows == columns;
}

/* Where the array shows as a square matrix, a block of it has the same rows, or these consist of its rows;
 * and rows and columns are no planes, and not in groups, in whatever steps a factorisation goes through them:
 * where such a distance is seen it is seldom. */
bool asked_contradicts(const parcast_values *values, uint32_t array, const parcast_extents *plane,
                       const parcast_extents *extents)
{
    if (plane->n != 2 || extents->n != 3 || !is_square(values, array, plane)) return false;
    uint64_t row = plane->extent[1], last = extents->extent[2];
    bool is_of_rows = row == last || row == last * extents->extent[1];
    return !is_of_rows || plane->extent[0] == extents->extent[0] || extents_are_rare(values, array, extents);
}

bool asked_has_better_rows(const parcast_values *values, const struct grid_choice *choice, uint32_t array,
                           parcast_extents *extents)
{
    enum { TWICE = 2 };
    const parcast_extents *own = &choice->extents;
    if (!values->arrays[array].n_written || !graph_infer_extents(values, array, choice->grid.n, extents) ||
        graph_words_of(extents) != images_front(values, array))
        return false;
    return graph_words_of(own) != images_front(values, choice->array) ||
           extents_near(values, array, extents) > TWICE * extents_near(values, choice->array, own);
}
