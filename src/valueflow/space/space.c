#include "valueflow/space/space.h"

#include <stdlib.h>
#include <string.h>

#include "valueflow/space/embed.h"
#include "valueflow/space/extents/read_afar.h"
#include "valueflow/space/images.h"
#include "valueflow/space/turned.h"

/* Of planes at an end: how many are a frame at most, and which share of the usual work is little. */
enum { D = PARCAST_MAX_EXTENTS, FEW = 16, WIDEST = 4, LITTLE = 4, MUCH = 2 };

/* Row-major. */
static void coordinates(const parcast_extents *extents, uint64_t offset, uint64_t *at)
{
    for (size_t i = extents->n; i-- > 0;) {
        at[i] = i ? offset % extents->extent[i] : offset;
        offset /= extents->extent[i];
    }
}

static bool is_image(const struct space *space, uint64_t offset)
{
    return space->image && space->image[offset] != offset;
}

bool space_has_place(const parcast_values *values, const struct space *space, uint32_t v)
{
    const struct graph_array *index = &values->arrays[space->array];
    const struct graph_array *own = &values->arrays[values->vertices[v].array];
    if (own != index && !graph_are_alike(own, index)) return false;
    uint64_t offset = values->vertices[v].offset;
    return !space->image || (offset < index->words && space->image[offset] != GRAPH_NONE);
}

void space_find_place(const struct space *space, const struct graph_vertex *vertex, uint64_t *at)
{
    uint64_t offset = turned_offset(space->turns, vertex);
    coordinates(&space->extents, space->image ? space->image[offset] : offset, at);
    for (size_t i = 0; i < space->extents.n; i++) {
        at[i] = at[i] < space->low[i] ? 0 : at[i] - space->low[i];
        if (at[i] >= space->count[i]) at[i] = space->count[i] - 1;
    }
}

/* The words that are written: a frame of fixed values belongs to whoever is beside it. */
static bool find_box(const parcast_values *values, struct space *space, bool written)
{
    uint64_t high[D] = {0};
    bool any = false;
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        uint64_t at[D] = {0};
        const struct graph_vertex *vertex = &values->vertices[v];
        if (vertex->array != space->array || (written && !(vertex->work > 0))) continue;
        if (is_image(space, vertex->offset)) continue;
        coordinates(&space->extents, vertex->offset, at);
        for (size_t i = 0; i < space->extents.n; i++) {
            if (!any || at[i] < space->low[i]) space->low[i] = at[i];
            if (!any || at[i] > high[i]) high[i] = at[i];
        }
        any = true;
    }
    space->n_cells = 1;
    for (size_t i = 0; i < space->extents.n; i++)
        space->n_cells *= space->count[i] = high[i] - space->low[i] + 1;
    return any;
}

static int by_work(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The median of planes' work. */
static bool find_usual(const double *work, uint64_t n, double *usual)
{
    double *sorted = malloc(n * sizeof *sorted);
    if (!sorted) return false;
    memcpy(sorted, work, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_work);
    *usual = sorted[n / 2];
    free(sorted);
    return true;
}

/* How many planes at an end, from `first` on in steps of `step`, have little work beside what the next one
 * has. */
static uint64_t frame_at(const double *work, uint64_t first, int64_t step, double usual)
{
    uint64_t n = 0;
    while (n <= WIDEST && LITTLE * work[first] < usual) {
        first += (uint64_t)step;
        n++;
    }
    return n <= WIDEST && MUCH * work[first] >= usual ? n : 0;
}

static bool leave_out_frame(struct space *space, size_t dimension, const double *work)
{
    uint64_t n = space->count[dimension];
    double usual;
    if (n < FEW) return true;
    if (!find_usual(work, n, &usual)) return false;
    uint64_t below = frame_at(work, 0, 1, usual), above = frame_at(work, n - 1, -1, usual);
    space->low[dimension] += below;
    space->count[dimension] -= below + above;
    return true;
}

/* Planes along each dimension. */
struct planes {
    uint64_t low[D], count[D];
};

/* Work of all arrays of the shape by planes. */
static void add_work(const parcast_values *values, const struct space *space, const struct planes *planes,
                     uint32_t v, double *const *work)
{
    uint64_t at[D] = {0};
    const struct graph_vertex *vertex = &values->vertices[v];
    if (!(vertex->work > 0) || !space_has_place(values, space, v) || is_image(space, vertex->offset)) return;
    coordinates(&space->extents, vertex->offset, at);
    for (size_t i = 0; i < space->extents.n; i++)
        if (at[i] < planes->low[i] || at[i] - planes->low[i] >= planes->count[i]) return;
    for (size_t i = 0; i < space->extents.n; i++) work[i][at[i] - planes->low[i]] += vertex->work;
}

/* `work` [extent] of all planes of the dimension. */
static bool take_in_beside(struct space *space, size_t dimension, const double *work)
{
    uint64_t n = space->count[dimension], low = space->low[dimension], below = 0, above = 0;
    uint64_t end = space->extents.extent[dimension];
    double usual;
    if (n < FEW || low + n > end) return true;
    if (!find_usual(work + low, n, &usual)) return false;
    while (below < WIDEST && below < low && LITTLE * work[low - below - 1] >= usual) below++;
    while (above < WIDEST && low + n + above < end && LITTLE * work[low + n + above] >= usual) above++;
    space->low[dimension] -= below;
    space->count[dimension] += below + above;
    return true;
}

/* Move the ends of the box by the work of planes. */
static bool move_ends(const parcast_values *values, struct space *space, const struct planes *planes,
                      bool (*move)(struct space *, size_t, const double *))
{
    double *work[D] = {NULL};
    bool fine = true;
    for (size_t i = 0; i < space->extents.n && fine; i++)
        fine = (work[i] = calloc(planes->count[i] + 1, sizeof **work)) != NULL;
    for (uint32_t v = 0; v < values->n_vertices && fine; v++) add_work(values, space, planes, v, work);
    space->n_cells = 1;
    for (size_t i = 0; i < space->extents.n; i++) {
        fine = fine && move(space, i, work[i]);
        space->n_cells *= space->count[i];
        free(work[i]);
    }
    return fine;
}

/* Planes beside those that are written of the array in which others of its shape are: on a staggered mesh the
 * velocities of one field begin a plane before the pressures and end a plane before these. */
static bool take_in_others(const parcast_values *values, struct space *space)
{
    struct planes all = {{0}, {0}};
    if (space->image) return true;
    memcpy(all.count, space->extents.extent, space->extents.n * sizeof *all.count);
    return move_ends(values, space, &all, take_in_beside);
}

/* Cells of a halo, which mirror others, or are computed from those beside them in a few steps, belong to
 * whoever is beside them, too. */
static bool leave_out_frames(const parcast_values *values, struct space *space)
{
    struct planes box;
    memcpy(box.low, space->low, sizeof box.low);
    memcpy(box.count, space->count, sizeof box.count);
    return move_ends(values, space, &box, leave_out_frame);
}

static parcast_status make_space(const parcast_values *values, uint32_t array, const parcast_extents *extents,
                                 struct space *space, parcast_error *error)
{
    size_t n = (size_t)values->n_vertices + 1;
    *space = (struct space){.array = array, .extents = *extents};
    if (!images_find(values, array, &space->image)) return PARCAST_MEMORY;
    bool written = find_box(values, space, true);
    if (written && !(take_in_others(values, space) && read_afar_take_in(values, space) &&
                     leave_out_frames(values, space)))
        return PARCAST_MEMORY;
    if (!written && !find_box(values, space, false))
        return parcast_error_set(error, PARCAST_DATA, NULL, 0,
                                 "the region computes nothing that can be distributed");
    if (space->n_cells >= GRAPH_NONE)
        return parcast_error_set(error, PARCAST_DATA, NULL, 0, "'%s' has too many words to be divided",
                                 values->arrays[array].name);
    space->turns = turned_arrays(values, array, extents);
    space->cell = malloc(n * sizeof *space->cell);
    space->fixed = calloc(n, sizeof *space->fixed);
    return space->cell && space->fixed ? PARCAST_OK : PARCAST_MEMORY;
}

parcast_status space_make(const parcast_values *values, uint32_t array, const parcast_extents *extents,
                          size_t n, struct space *spaces, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    for (size_t k = 0; k < n; k++) spaces[k] = (struct space){0};
    for (size_t k = 0; !status && k < n; k++)
        status = make_space(values, array, &extents[k], &spaces[k], error);
    if (!status && n) status = (space_embed(values, spaces, n) ? PARCAST_OK : PARCAST_MEMORY);
    if (!status) return PARCAST_OK;
    for (size_t k = 0; k < n; k++) space_clear(&spaces[k]);
    if (status == PARCAST_DATA) return status;
    return parcast_error_set(error, status, NULL, 0, "out of memory for %u words", values->n_vertices);
}

void space_clear(struct space *space)
{
    free(space->cell);
    free(space->fixed);
    *space = (struct space){0};
}

static uint32_t block_of(const struct space *space, const parcast_extents *grid, uint64_t cell)
{
    uint64_t at[D] = {0}, block = 0;
    for (size_t i = grid->n; i-- > 0; cell /= space->count[i]) at[i] = cell % space->count[i];
    for (size_t i = 0; i < grid->n; i++)
        block = block * grid->extent[i] + at[i] * grid->extent[i] / space->count[i];
    return (uint32_t)block;
}

parcast_status space_check_grid(const parcast_values *values, const struct space *space,
                                const parcast_extents *grid, parcast_error *error)
{
    for (size_t i = 0; i < grid->n; i++) {
        unsigned long long parts = grid->extent[i], words = space->count[i];
        if (parts > words)
            return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                     "%llu parts for %llu words of '%s' in dimension %zu", parts, words,
                                     values->arrays[space->array].name, i + 1);
    }
    return PARCAST_OK;
}

parcast_status space_cut(const parcast_values *values, const struct space *space, const parcast_extents *grid,
                         uint32_t *part, parcast_error *error)
{
    parcast_status status = space_check_grid(values, space, grid, error);
    if (status) return status;
    /* Every cell once, where these are fewer than vertices. */
    uint32_t *block = space->n_cells < values->n_vertices ? malloc(space->n_cells * sizeof *block + 1) : NULL;
    for (uint64_t cell = 0; block && cell < space->n_cells; cell++) block[cell] = block_of(space, grid, cell);
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        uint32_t cell = space->cell[v];
        part[v] = cell == GRAPH_NONE ? GRAPH_NONE : block ? block[cell] : block_of(space, grid, cell);
    }
    free(block);
    return PARCAST_OK;
}

/* Which of n parts gets this one. */
static uint64_t dealt(uint64_t number, uint64_t n, bool back)
{
    uint64_t at = number % n;
    return back && number / n % 2 ? n - 1 - at : at;
}

void space_deal(const parcast_values *values, const struct space *space, const parcast_extents *grid,
                uint64_t width, bool back, uint32_t *part)
{
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        uint64_t at[D] = {0}, block = 0, cell = space->cell[v];
        for (size_t i = grid->n; i-- > 0; cell /= space->count[i]) at[i] = cell % space->count[i];
        for (size_t i = 0; i < grid->n; i++)
            block = block * grid->extent[i] + dealt(at[i] / width, grid->extent[i], back);
        part[v] = space->cell[v] == GRAPH_NONE ? GRAPH_NONE : (uint32_t)block;
    }
}
