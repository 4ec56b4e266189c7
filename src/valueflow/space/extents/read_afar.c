/*
 * A frame of fixed values is read by the words beside it. What words in half of all planes read is a plane
 * like those that are written, if these are read so, too: the rows of a matrix of which multiples are taken
 * from all rows below, the first one among them, which nothing is taken from.
 */
#include "valueflow/space/extents/read_afar.h"

#include <stdlib.h>
#include <string.h>

/* What is read in so many planes may be a wide frame. */
enum { D = PARCAST_MAX_EXTENTS, WIDEST = 4, HALF = 2, ENDS = 2 };

/* At each end of a dimension the plane beside the box and the one within it: in which planes of the box these
 * are read. */
struct end {
    bool exists;
    uint64_t n_words, plane[2]; /* n_words: of the plane beside the box that have a value */
    bool *readers[2];           /* [extent] */
};

struct ends {
    const parcast_values *values;
    const struct space *space;
    struct end of[D][ENDS];
};

static void find_place(const struct space *space, uint64_t offset, uint64_t *at)
{
    for (size_t i = space->extents.n; i-- > 0;) {
        at[i] = i ? offset % space->extents.extent[i] : offset;
        offset /= space->extents.extent[i];
    }
}

static bool begin(struct ends *ends)
{
    const struct space *space = ends->space;
    bool fine = true;
    for (size_t i = 0; i < space->extents.n; i++) {
        uint64_t low = space->low[i], high = low + space->count[i], extent = space->extents.extent[i];
        ends->of[i][0] = (struct end){.exists = low > 0, .plane = {low - 1, low}};
        ends->of[i][1] = (struct end){.exists = high < extent, .plane = {high, high - 1}};
        for (size_t k = 0; k < ENDS; k++)
            for (size_t side = 0; ends->of[i][k].exists && side < 2; side++)
                fine = (ends->of[i][k].readers[side] = calloc(extent + 1, sizeof(bool))) && fine;
    }
    return fine;
}

static void clear(struct ends *ends)
{
    for (size_t i = 0; i < D; i++)
        for (size_t k = 0; k < ENDS; k++)
            for (size_t side = 0; side < 2; side++) free(ends->of[i][k].readers[side]);
}

/* Where the word's readers lie, along the dimension; nothing where no plane is that of the word. */
static void note_readers(const struct ends *ends, uint32_t set, size_t dimension, bool *readers)
{
    const parcast_values *values = ends->values;
    for (uint64_t i = values->set_first[set]; i < values->set_first[set + 1]; i++) {
        uint64_t at[D] = {0};
        const struct graph_vertex *pin = &values->vertices[values->pins[i] & ~GRAPH_FOLD];
        if (pin->array != ends->space->array) continue;
        find_place(ends->space, pin->offset, at);
        readers[at[dimension]] = true;
    }
}

static void note_home(const struct ends *ends, uint32_t set, const struct graph_vertex *home)
{
    uint64_t at[D] = {0};
    find_place(ends->space, home->offset, at);
    for (size_t i = 0; i < ends->space->extents.n; i++)
        for (size_t k = 0; k < ENDS; k++)
            for (size_t side = 0; ends->of[i][k].exists && side < 2; side++)
                if (at[i] == ends->of[i][k].plane[side])
                    note_readers(ends, set, i, ends->of[i][k].readers[side]);
}

static bool is_read_afar(const struct space *space, size_t dimension, const bool *readers)
{
    uint64_t n = 0, low = space->low[dimension], count = space->count[dimension];
    for (uint64_t i = low; i < low + count; i++) n += readers[i];
    return n > WIDEST && HALF * n >= count;
}

/* The only word of the first row of a triangle is no row. */
static bool is_like_others(const struct space *space, size_t dimension, const struct end *end)
{
    return end->exists && HALF * end->n_words * space->count[dimension] >= space->n_cells &&
           is_read_afar(space, dimension, end->readers[0]) && is_read_afar(space, dimension, end->readers[1]);
}

static bool move_ends(struct space *space, const struct ends *ends)
{
    bool any = false;
    uint64_t n_cells = 1;
    for (size_t i = 0; i < space->extents.n; i++) {
        bool below = is_like_others(space, i, &ends->of[i][0]),
             above = is_like_others(space, i, &ends->of[i][1]);
        space->low[i] -= below;
        space->count[i] += (uint64_t)below + above;
        n_cells *= space->count[i];
        any = any || below || above;
    }
    space->n_cells = n_cells;
    return any;
}

static void count_words(struct ends *ends)
{
    for (uint32_t v = 0; v < ends->values->n_vertices; v++) {
        uint64_t at[D] = {0};
        const struct graph_vertex *vertex = &ends->values->vertices[v];
        if (vertex->array != ends->space->array) continue;
        find_place(ends->space, vertex->offset, at);
        for (size_t i = 0; i < ends->space->extents.n; i++)
            for (size_t k = 0; k < ENDS; k++)
                ends->of[i][k].n_words += ends->of[i][k].exists && at[i] == ends->of[i][k].plane[0];
    }
}

/* As far as one plane at each end. */
static bool take_in(const parcast_values *values, struct space *space, bool *any)
{
    struct ends ends = {.values = values, .space = space};
    bool fine = begin(&ends);
    count_words(&ends);
    for (uint32_t s = 0; fine && s < values->n_sets; s++)
        for (uint64_t j = values->net_first[s]; j < values->net_first[s + 1]; j++) {
            const struct graph_vertex *home = &values->vertices[values->nets[j].home];
            if (home->array == space->array) note_home(&ends, s, home);
        }
    *any = fine && move_ends(space, &ends);
    clear(&ends);
    return fine;
}

static bool has_room(const struct space *space)
{
    for (size_t i = 0; i < space->extents.n; i++)
        if (space->low[i] || space->count[i] < space->extents.extent[i]) return true;
    return false;
}

bool read_afar_take_in(const parcast_values *values, struct space *space)
{
    bool any = !space->image;
    while (any && has_room(space))
        if (!take_in(values, space, &any)) return false;
    return true;
}
