/*
 * Two planes that take turns, u[s % 2] and u[(s + 1) % 2], are two arrays of one shape, whatever the program
 * declares them as. In one array the plane behind the other is the most common distance, and rows are seen
 * beside it only. What tells them is that no word is computed of words of its own plane, and planes of each
 * other in both directions: what is kept of all steps, h[s + 1] of h[s], are no such planes, and in what is
 * swept in place every word is computed of those beside it. Words that are computed of themselves tell
 * nothing.
 *
 * Two planes may be anywhere in a block of memory: as far apart as words are on average from what they are
 * computed of, the same forth and back. More planes, or two on average not a whole number of words apart, as
 * of a staggered mesh, divide the array. Planes may lie side by side, u[n][n][2], too: then words are on
 * average computed of their own cell, forth and back. Black points of a line are so of red ones as well, each
 * of one cell and of the one before, or behind.
 */
#include "valueflow/space/arrays/planes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "valueflow/distribution/grid.h"

enum { MOST_PLANES = GRID_FIELDS, LEAST_WORDS = 16, SOME = 64, SHARE = 8, NEAR = 5, ROUNDS = 4 };
enum { FORTH, BACK };

/* n planes of so many words, from `first` on. */
struct cut {
    uint64_t first, words;
    uint32_t n; /* 0: none */
    bool is_side_by_side;
};

/* Where planes lie side by side: how many pairs are from one to a later one, or an earlier one, by how many
 * planes, and how many cells these are apart together. */
struct beside {
    bool may_be;
    uint64_t n[2], by[2][MOST_PLANES];
    double cells[2][MOST_PLANES];
};

/* What pairs of words of an array tell, of which one is computed of the other. */
struct pairs {
    uint64_t n[2], low, high;       /* to a word behind, to one before; the words of all pairs */
    double apart[2];                /* their distances together */
    bool may_be[MOST_PLANES + 1];   /* of the array in so many planes: all are in two */
    double beside[MOST_PLANES + 1]; /* how far they are from each other's place, together, */
    double away[MOST_PLANES + 1];   /* and however they are: behind it as before it */
    struct beside side[MOST_PLANES + 1];
    uint64_t used;
    bool is_asked; /* of one block, that may be parted */
    struct cut cut;
};

static bool may_have_planes(const struct graph_array *array, uint32_t n)
{
    uint64_t words = array->words / n;
    return array->words % n == 0 && words >= LEAST_WORDS && words % array->record == 0;
}

static bool is_one_block(const struct graph_array *array)
{
    return !array->is_result && array->n_blocks == 1 && array->n_written && !array->planes &&
           array->words >= 2 * (uint64_t)LEAST_WORDS;
}

static bool begin(const parcast_values *values, struct pairs *pairs)
{
    bool any = false;
    for (size_t i = 0; i < values->n_arrays; i++) {
        const struct graph_array *array = &values->arrays[i];
        if (!is_one_block(array)) continue;
        pairs[i].is_asked = any = true;
        pairs[i].low = array->words;
        for (uint32_t n = 2; n <= MOST_PLANES; n++) {
            pairs[i].may_be[n] = may_have_planes(array, n);
            pairs[i].side[n].may_be = pairs[i].may_be[n] && array->record == 1;
        }
    }
    for (uint32_t v = 0; v < values->n_vertices; v++) pairs[values->vertices[v].array].used++;
    return any;
}

static void note_planes(struct pairs *pairs, uint64_t all, uint64_t home, uint64_t pin)
{
    for (uint32_t n = 2; n <= MOST_PLANES; n++) {
        if (!pairs->may_be[n]) continue;
        uint64_t words = all / n, from = home % words, to = pin % words;
        double beside = (double)to - (double)from;
        if (2 * fabs(beside) > (double)words) beside -= copysign((double)words, beside);
        pairs->beside[n] += beside;
        pairs->away[n] += fabs(beside);
        pairs->may_be[n] = home / words != pin / words;
    }
}

static void note_beside(struct pairs *pairs, uint64_t home, uint64_t pin)
{
    for (uint32_t n = 2; n <= MOST_PLANES; n++) {
        struct beside *side = &pairs->side[n];
        if (!side->may_be) continue;
        side->may_be = home % n != pin % n;
        if (!side->may_be) continue;
        int way = home % n < pin % n ? FORTH : BACK;
        uint64_t by = way == FORTH ? pin % n - home % n : home % n - pin % n;
        side->n[way]++;
        side->by[way][by]++;
        side->cells[way][by] += (double)(pin / n) - (double)(home / n);
    }
}

static void note(const parcast_values *values, struct pairs *all, const struct graph_vertex *from,
                 const struct graph_vertex *to)
{
    struct pairs *pairs = &all[from->array];
    uint64_t home = from->offset, pin = to->offset;
    if (from->array != to->array || home == pin) return;
    uint64_t low = home < pin ? home : pin, high = home < pin ? pin : home;
    int way = home < pin ? FORTH : BACK;
    pairs->n[way]++;
    pairs->apart[way] += (double)(high - low);
    if (low < pairs->low) pairs->low = low;
    if (high > pairs->high) pairs->high = high;
    note_planes(pairs, values->arrays[from->array].words, home, pin);
    note_beside(pairs, home, pin);
}

/* All of one array that meet: all pins of a set's first home, some of further ones, which are alike. */
static void list(const parcast_values *values, struct pairs *pairs,
                 void (*tell)(const parcast_values *, struct pairs *, const struct graph_vertex *,
                              const struct graph_vertex *))
{
    for (uint32_t s = 0; s < values->n_sets; s++) {
        uint64_t first = values->net_first[s], end = values->net_first[s + 1], pin = values->set_first[s];
        uint64_t last_pin = values->set_first[s + 1], step = (last_pin - pin) / SOME + 1;
        if (end > first + SOME) end = first + SOME;
        for (uint64_t net = first; net < end; net++) {
            const struct graph_vertex *home = &values->vertices[values->nets[net].home];
            for (uint64_t i = pin; pairs[home->array].is_asked && i < last_pin; i += net == first ? 1 : step)
                tell(values, pairs, home, &values->vertices[values->pins[i] & ~GRAPH_FOLD]);
        }
    }
}

static bool both_ways(const uint64_t *n, uint64_t used)
{
    uint64_t least = used / SHARE + 1;
    return n[FORTH] >= least && n[BACK] >= least;
}

/* Whichever plane is read from whichever: on average in the same cell. Words of a line that are read some
 * words further on, and as many before, cancel out over all planes only. */
static bool are_in_cells(const struct beside *side)
{
    for (int way = FORTH; way <= BACK; way++)
        for (int by = 1; by < MOST_PLANES; by++)
            if (SHARE * fabs(side->cells[way][by]) > (double)side->by[way][by]) return false;
    return true;
}

static bool find_beside(const struct pairs *pairs, const struct graph_array *array, struct cut *cut)
{
    for (uint32_t n = 2; n <= MOST_PLANES; n++) {
        const struct beside *side = &pairs->side[n];
        if (!side->may_be || !both_ways(side->n, pairs->used) || !are_in_cells(side)) continue;
        *cut = (struct cut){0, array->words / n, n, true};
        return true;
    }
    return false;
}

/* Two planes, the same distance forth and back, with what they leave unused at their ends on both sides. */
static bool find_two(const struct pairs *pairs, const struct graph_array *array, struct cut *cut)
{
    const double nearly_whole = 0.02;
    double forth = pairs->apart[FORTH] / (double)pairs->n[FORTH],
           back = pairs->apart[BACK] / (double)pairs->n[BACK], distance = (forth + back) / 2,
           whole = round(distance);
    uint64_t words = (uint64_t)whole, span = pairs->high + 1 - pairs->low;
    if (SHARE * fabs(forth - back) > distance || fabs(distance - whole) > nearly_whole) return false;
    if (words < LEAST_WORDS || words % array->record || 2 * words > array->words || span <= words ||
        span > 2 * words)
        return false;
    uint64_t margin = (2 * words - span) / 2, first = pairs->low > margin ? pairs->low - margin : 0;
    if (first + 2 * words > array->words) first = array->words - 2 * words;
    if (first % array->record) return false;
    *cut = (struct cut){first, words, 2, false};
    return true;
}

/* The fewest planes, whose halves would be some as well, of which words lie where others do in their own. */
static bool find_several(const struct pairs *pairs, const struct graph_array *array, struct cut *cut)
{
    double all = (double)(pairs->n[FORTH] + pairs->n[BACK]);
    for (uint32_t n = 2; n <= MOST_PLANES; n++) {
        uint64_t words = array->words / n;
        if (!pairs->may_be[n] || SHARE * fabs(pairs->beside[n]) > all * (double)words) continue;
        if (NEAR * pairs->away[n] > all * (double)words) continue;
        *cut = (struct cut){0, words, n, false};
        return true;
    }
    return false;
}

static uint64_t plane_of(const struct cut *cut, uint64_t offset)
{
    if (cut->is_side_by_side) return offset % cut->n;
    return offset < cut->first ? cut->n : (offset - cut->first) / cut->words;
}

/* Two planes that are not on their own: no word is computed of its own plane. */
static void check(const parcast_values *values, struct pairs *all, const struct graph_vertex *from,
                  const struct graph_vertex *to)
{
    struct cut *cut = &all[from->array].cut;
    (void)values;
    if (!cut->n || from->array != to->array || from->offset == to->offset) return;
    if (plane_of(cut, from->offset) == plane_of(cut, to->offset)) cut->n = 0;
}

static bool find_cuts(const parcast_values *values, struct pairs *pairs)
{
    bool any = false;
    for (size_t i = 0; i < values->n_arrays; i++)
        if (pairs[i].is_asked && both_ways(pairs[i].n, pairs[i].used))
            any = find_two(&pairs[i], &values->arrays[i], &pairs[i].cut) || any;
    if (any) list(values, pairs, check);
    for (size_t i = 0; i < values->n_arrays; i++)
        if (pairs[i].is_asked && both_ways(pairs[i].n, pairs[i].used) && !pairs[i].cut.n)
            any = find_beside(&pairs[i], &values->arrays[i], &pairs[i].cut) ||
                  find_several(&pairs[i], &values->arrays[i], &pairs[i].cut) || any;
    return any;
}

/* Where planes are arrays: the first of them, or GRAPH_NONE where the array itself is that, as nothing lies
 * around its planes; and the second one. */
struct place {
    uint32_t own, others;
};

static void make_plane(struct graph_array *array, const struct cut *cut)
{
    array->words = cut->words;
    array->block_words = (uint32_t)cut->words;
    array->planes = cut->n;
    array->are_side_by_side = cut->is_side_by_side;
    if (array->words < 2 * (uint64_t)array->record) array->record = 1;
}

static bool add_plane(parcast_values *values, uint32_t array, const struct cut *cut)
{
    struct graph_array *plane = graph_copy_array(values, array);
    if (!plane) return false;
    make_plane(plane, cut);
    return true;
}

static bool add_planes(parcast_values *values, uint32_t array, const struct cut *cut, bool any_around,
                       struct place *place)
{
    bool fine = true;
    if (any_around) place->own = (uint32_t)values->n_arrays;
    for (uint32_t i = any_around ? 0 : 1; fine && i < cut->n; i++) {
        if (i == 1) place->others = (uint32_t)values->n_arrays;
        fine = add_plane(values, array, cut);
    }
    struct graph_array *own = &values->arrays[array];
    if (!any_around) {
        make_plane(own, cut);
    } else {
        own->words -= cut->n * cut->words;
        own->block_words = (uint32_t)own->words;
        if (own->words < 2 * (uint64_t)own->record || own->words % own->record) own->record = 1;
    }
    return fine;
}

static bool is_around(const struct cut *cut, const struct graph_vertex *vertex)
{
    return cut->n && plane_of(cut, vertex->offset) >= cut->n;
}

static void move(const struct cut *cut, const struct place *place, struct graph_vertex *vertex)
{
    if (vertex->offset < cut->first) return;
    uint64_t plane = plane_of(cut, vertex->offset);
    if (plane >= cut->n) {
        vertex->offset -= cut->n * cut->words;
        return;
    }
    vertex->offset =
        cut->is_side_by_side ? vertex->offset / cut->n : vertex->offset - cut->first - plane * cut->words;
    if (plane) vertex->array = place->others + (uint32_t)plane - 1;
    if (!plane && place->own != GRAPH_NONE) vertex->array = place->own;
}

static bool part(parcast_values *values, const struct pairs *pairs)
{
    size_t n_arrays = values->n_arrays;
    struct place *places = malloc((n_arrays + 1) * sizeof *places);
    bool *any_around = calloc(n_arrays + 1, sizeof *any_around), fine = places && any_around;
    for (uint32_t v = 0; fine && v < values->n_vertices; v++)
        if (is_around(&pairs[values->vertices[v].array].cut, &values->vertices[v]))
            any_around[values->vertices[v].array] = true;
    for (uint32_t i = 0; fine && i < n_arrays; i++) {
        places[i] = (struct place){GRAPH_NONE, GRAPH_NONE};
        if (pairs[i].cut.n) fine = add_planes(values, i, &pairs[i].cut, any_around[i], &places[i]);
    }
    for (uint32_t v = 0; fine && v < values->n_vertices; v++) {
        uint32_t array = values->vertices[v].array;
        if (pairs[array].cut.n) move(&pairs[array].cut, &places[array], &values->vertices[v]);
    }
    free(places);
    free(any_around);
    return fine;
}

static void count_written(parcast_values *values)
{
    for (size_t i = 0; i < values->n_arrays; i++) values->arrays[i].n_written = 0;
    for (uint32_t v = 0; v < values->n_vertices; v++)
        if (values->vertices[v].work > 0) values->arrays[values->vertices[v].array].n_written++;
}

/* Once; false: out of memory. */
static bool part_once(parcast_values *values, bool *more)
{
    struct pairs *pairs = calloc(values->n_arrays + 1, sizeof *pairs);
    if (!pairs) return false;
    bool fine = true;
    *more = begin(values, pairs);
    if (*more) list(values, pairs, note);
    *more = *more && find_cuts(values, pairs);
    if (*more) {
        fine = part(values, pairs);
        count_written(values);
    }
    free(pairs);
    return fine;
}

/* What lies around planes may be planes as well. */
parcast_status planes_part(parcast_values *values)
{
    bool more = true, fine = true;
    for (int round = 0; fine && more && round < ROUNDS; round++) fine = part_once(values, &more);
    return fine ? PARCAST_OK : PARCAST_MEMORY;
}
