/* Other shapes than those of the arrays that the work is divided by so far. */
#include "valueflow/space/extents/beside.h"

#include <stdlib.h>

#include "valueflow/space/extents/distances.h"
#include "valueflow/space/images.h"

bool beside_has_shape(const parcast_values *values, const uint32_t *arrays, size_t n, uint64_t words)
{
    for (size_t i = 0; i < n; i++)
        if (values->arrays[arrays[i]].words == words) return true;
    return false;
}

struct shape {
    uint64_t words;
    double work;
    uint32_t array;
};

static int by_words(const void *a, const void *b)
{
    const struct shape *x = a, *y = b;
    if (x->words != y->words) return x->words < y->words ? -1 : 1;
    return x->array < y->array ? -1 : x->array > y->array;
}

uint32_t beside_heaviest(const parcast_values *values, const uint32_t *arrays, size_t n, double least)
{
    struct shape *shapes = calloc(values->n_arrays + 1, sizeof *shapes);
    double most = least;
    uint32_t best = GRAPH_NONE;
    if (!shapes) return best;
    for (uint32_t i = 0; i < values->n_arrays; i++) {
        const struct graph_array *a = &values->arrays[i];
        shapes[i] = (struct shape){a->is_result || a->is_buffer ? 0 : a->words, 0, i};
    }
    for (uint32_t v = 0; v < values->n_vertices; v++)
        shapes[values->vertices[v].array].work += values->vertices[v].work;
    qsort(shapes, values->n_arrays, sizeof *shapes, by_words);
    for (size_t i = 0, end; i < values->n_arrays; i = end) {
        double work = 0;
        uint32_t first = shapes[i].array;
        for (end = i; end < values->n_arrays && shapes[end].words == shapes[i].words; end++) {
            work += shapes[end].work;
            if (values->arrays[shapes[end].array].n_written > values->arrays[first].n_written)
                first = shapes[end].array;
        }
        if (!shapes[i].words || work <= most || beside_has_shape(values, arrays, n, shapes[i].words))
            continue;
        most = work;
        best = first;
    }
    free(shapes);
    return best;
}

/* Does it show rows, in which most is beside each other? Sides of cells in a list have some by chance, and
 * structures in a line have no other ones than these. */
static bool is_plane(const parcast_values *values, uint32_t array)
{
    static const float most = 0.5F;
    parcast_extents rows;
    return graph_infer_extents(values, array, 2, &rows) && rows.extent[1] != values->arrays[array].record &&
           graph_words_of(&rows) == images_front(values, array) && extents_near(values, array, &rows) > most;
}

uint32_t beside_plane(const parcast_values *values, const uint32_t *arrays, size_t n, double least)
{
    enum { MOST_TRIED = 8 };
    uint32_t tried[GRAPH_INDEX_ARRAYS + MOST_TRIED];
    for (size_t i = 0; i < n; i++) {
        if (is_plane(values, arrays[i])) return GRAPH_NONE;
        tried[i] = arrays[i];
    }
    for (size_t i = n; i < n + MOST_TRIED; i++) {
        tried[i] = beside_heaviest(values, tried, i, least);
        if (tried[i] == GRAPH_NONE || is_plane(values, tried[i])) return tried[i];
    }
    return GRAPH_NONE;
}
