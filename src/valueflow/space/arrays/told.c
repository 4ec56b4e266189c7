#include "valueflow/space/arrays/told.h"

#include <stdlib.h>

struct share {
    const struct graph_array *array;
    double work;
};

/* Arrays of one shape together, first the one with most work. */
static int by_shape(const void *a, const void *b)
{
    const struct share *x = a, *y = b;
    if (x->array->words != y->array->words) return x->array->words < y->array->words ? -1 : 1;
    if (x->array->n_blocks != y->array->n_blocks) return x->array->n_blocks < y->array->n_blocks ? -1 : 1;
    if (x->array->is_result != y->array->is_result) return x->array->is_result ? 1 : -1;
    if (x->work != y->work) return x->work > y->work ? -1 : 1;
    return x->array < y->array ? -1 : x->array > y->array;
}

/* Arrays of one shape are divided alike. A table of indices beside fields, in which nearly everything is
 * computed, says little to a reader: the field is told in its place. */
parcast_status told_find(parcast_values *values)
{
    enum { NEARLY_ALL = 16 };
    struct share *shares = calloc(values->n_arrays + 1, sizeof *shares), *first = shares;
    if (!shares) return PARCAST_MEMORY;
    for (size_t i = 0; i < values->n_arrays; i++) shares[i].array = &values->arrays[i];
    for (uint32_t v = 0; v < values->n_vertices; v++)
        shares[values->vertices[v].array].work += values->vertices[v].work;
    qsort(shares, values->n_arrays, sizeof *shares, by_shape);
    for (size_t i = 0; i < values->n_arrays; i++) {
        if (!graph_are_alike(shares[i].array, first->array)) first = &shares[i];
        bool is_little = first->work > NEARLY_ALL * shares[i].work;
        values->arrays[shares[i].array - values->arrays].told =
            (uint32_t)((is_little ? first : &shares[i])->array - values->arrays);
    }
    free(shares);
    return PARCAST_OK;
}
