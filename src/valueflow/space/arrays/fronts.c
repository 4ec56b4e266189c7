/*
 * Rows of n words tell nothing where the array has n * m + 1, and are cut in the wrong places where the first
 * word is none of them. Of arrays of so many words that no row divides them, those at both ends that have no
 * value are left away, if then rows do. Where more have none, as the corners of a halo, the first and the
 * last row lack as many.
 */
#include "valueflow/space/arrays/fronts.h"

#include <stdlib.h>

#include "valueflow/distribution/grid.h"

enum { LEAST_WORDS = 32, LEAST_ROW = 4, PINS_PER_SET = 64, OFTEN = 4, MOST_SHAPES = 1024 };
static const uint64_t MOST_WORDS = UINT64_C(1) << 26;

/* All arrays of so many words: the first and the last that has a value, and how often words of these are so
 * far from those that they are computed of. */
struct shape {
    uint64_t words, first, last;
    uint32_t *count;
};

struct shapes {
    struct shape *all;
    size_t n;
    uint32_t *of; /* [n_arrays]; GRAPH_NONE */
};

static bool may_have_front(const struct graph_array *array)
{
    return !array->is_result && array->n_blocks == 1 && array->record == 1 && array->words >= LEAST_WORDS &&
           array->words <= MOST_WORDS;
}

static void find_shapes(const parcast_values *values, struct shapes *shapes)
{
    for (uint32_t i = 0; i < values->n_arrays; i++) {
        const struct graph_array *array = &values->arrays[i];
        shapes->of[i] = GRAPH_NONE;
        if (!may_have_front(array)) continue;
        uint32_t s = 0;
        while (s < shapes->n && shapes->all[s].words != array->words) s++;
        if (s == MOST_SHAPES) continue;
        if (s == shapes->n)
            shapes->all[shapes->n++] = (struct shape){.words = array->words, .first = array->words};
        shapes->of[i] = s;
    }
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        const struct graph_vertex *vertex = &values->vertices[v];
        if (shapes->of[vertex->array] == GRAPH_NONE) continue;
        struct shape *shape = &shapes->all[shapes->of[vertex->array]];
        if (vertex->offset < shape->first) shape->first = vertex->offset;
        if (vertex->offset > shape->last) shape->last = vertex->offset;
    }
}

static bool has_ends(const struct shape *shape)
{
    return shape->first <= shape->last && (shape->first || shape->last + 1 < shape->words);
}

static void add(const struct shapes *shapes, const struct graph_vertex *home, const struct graph_vertex *pin)
{
    uint32_t s = shapes->of[home->array];
    if (s == GRAPH_NONE || s != shapes->of[pin->array] || !shapes->all[s].count) return;
    uint64_t a = home->offset, b = pin->offset, distance = a > b ? a - b : b - a;
    if (distance <= shapes->all[s].words / 2) shapes->all[s].count[distance]++;
}

static void count_distances(const parcast_values *values, const struct shapes *shapes)
{
    for (uint32_t s = 0; s < values->n_sets; s++) {
        uint64_t pin = values->set_first[s], last_pin = values->set_first[s + 1];
        uint64_t net = values->net_first[s], last_net = values->net_first[s + 1];
        if (last_pin > pin + PINS_PER_SET) last_pin = pin + PINS_PER_SET;
        if (last_net > net + PINS_PER_SET) last_net = net + PINS_PER_SET;
        for (uint64_t i = net; i < last_net; i++)
            for (uint64_t j = pin; j < last_pin; j++)
                add(shapes, &values->vertices[values->nets[i].home],
                    &values->vertices[values->pins[j] & ~GRAPH_FOLD]);
    }
}

/* The most common distance that is a multiple of another one, of those that a quarter of all words have; 0.
 */
static uint64_t common(const struct shape *shape, uint64_t step)
{
    uint64_t best = 0;
    for (uint64_t w = step > 1 ? 2 * step : LEAST_ROW; w <= shape->words / 2; w += step)
        if (shape->count[w] >= shape->words / OFTEN && (!best || shape->count[w] > shape->count[best]))
            best = w;
    return best;
}

/* The most common row that divides so many words, of those that are seen nearly as often; 0. */
static uint64_t common_divisor(const struct shape *shape, uint64_t words, uint64_t row)
{
    uint64_t best = 0;
    for (uint64_t w = LEAST_ROW; w <= shape->words / 2; w++)
        if (words % w == 0 && 8 * (uint64_t)shape->count[w] >= 7 * (uint64_t)shape->count[row] &&
            (!best || shape->count[w] > shape->count[best]))
            best = w;
    return best;
}

/* Of rows that are seen nearly as often the one that divides the words that have a value, which is the most
 * common one elsewhere: where a plane is closed to a ring, the first word of a row is beside the last one, a
 * row less one away as a corner is. Where none does, the one that divides all words: a diagonal is as common
 * as a row, and reads two of the corners only. */
static uint64_t common_row(const struct shape *shape)
{
    uint64_t row = common(shape, 1), used = shape->last + 1 - shape->first;
    if (!row || used % row == 0) return row;
    uint64_t of_used = common_divisor(shape, used, row), of_all = common_divisor(shape, shape->words, row);
    return of_used ? of_used : of_all ? of_all : row;
}

/* Rows of cells that have two words or more, of which one is computed of the others of cells in the rows
 * beside: as often they are nearer by some words as farther, and what lies between is a row that divides all
 * words. */
static bool has_rows_of_cells(const struct shape *shape, uint64_t nearer)
{
    for (uint64_t apart = 1; apart < GRID_FIELDS && nearer + 2 * apart <= shape->words / 2; apart++)
        if (shape->words % (nearer + apart) == 0 && shape->count[nearer + 2 * apart] == shape->count[nearer])
            return true;
    return false;
}

/* So few words are no row but fields of a cell that are so far apart, where a somewhat longer distance that
 * divides all words is seen nearly as often: that of cells. As far along a diagonal is as often shorter. */
static bool are_fields(const struct shape *shape, uint64_t row)
{
    if (row > GRID_FIELDS) return false;
    for (uint64_t w = row + 1; w < 2 * row && w <= GRID_FIELDS; w++)
        if (shape->words % w == 0 && 8 * (uint64_t)shape->count[w] >= 7 * (uint64_t)shape->count[row] &&
            4 * (uint64_t)shape->count[2 * row - w] < 3 * (uint64_t)shape->count[w])
            return true;
    return false;
}

/* How many words there are before the rows, and in them; false where all is as it should be. */
static bool find_rows(const struct shape *shape, uint64_t *front, uint64_t *words)
{
    uint64_t row = common_row(shape), plane = row ? common(shape, row) : 0, of = plane ? plane : row;
    if (!row || shape->words % of == 0 || has_rows_of_cells(shape, row) || are_fields(shape, row))
        return false;
    *words = shape->words / of * of;
    uint64_t end = shape->last + 1, least = end > *words ? end - *words : 0, most = shape->words - *words;
    if (shape->first < most) most = shape->first;
    if (least > most) return false;
    uint64_t both = shape->first + end, middle = both > *words ? (both - *words) / 2 : 0;
    *front = middle < least ? least : middle > most ? most : middle;
    return true;
}

static void trim(parcast_values *values, const struct shapes *shapes, uint32_t s)
{
    uint64_t front, words;
    if (!shapes->all[s].count || !find_rows(&shapes->all[s], &front, &words)) return;
    for (uint32_t v = 0; v < values->n_vertices; v++)
        if (shapes->of[values->vertices[v].array] == s) values->vertices[v].offset -= front;
    for (uint32_t i = 0; i < values->n_arrays; i++)
        if (shapes->of[i] == s) {
            values->arrays[i].words = words;
            values->arrays[i].block_words = (uint32_t)words;
        }
}

parcast_status fronts_trim(parcast_values *values)
{
    struct shapes shapes = {.all = calloc(values->n_arrays + 1, sizeof *shapes.all),
                            .of = malloc((values->n_arrays + 1) * sizeof *shapes.of)};
    bool fine = shapes.all && shapes.of;
    if (fine) find_shapes(values, &shapes);
    for (size_t s = 0; fine && s < shapes.n; s++)
        if (has_ends(&shapes.all[s]))
            fine = (shapes.all[s].count = calloc(shapes.all[s].words / 2 + 1, sizeof(uint32_t)));
    if (fine) count_distances(values, &shapes);
    for (uint32_t s = 0; fine && s < shapes.n; s++) trim(values, &shapes, s);
    for (size_t s = 0; s < shapes.n; s++) free(shapes.all[s].count);
    free(shapes.all);
    free(shapes.of);
    return fine ? PARCAST_OK : PARCAST_MEMORY;
}
