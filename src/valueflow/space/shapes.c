/* The shapes that an array may have: what tells each, and which of them are asked for. */
#include "valueflow/distribution/grid.h"
#include "valueflow/space/boxes.h"
#include "valueflow/space/extents/distances.h"
#include "valueflow/space/images.h"

/* Blocks that were allocated one by one are rows of an array in two dimensions, or its structures, or pieces
 * of one line (deque). */
static bool infer_from_blocks(const parcast_values *values, uint32_t index, uint64_t words,
                              parcast_extents *extents)
{
    const struct graph_array *array = &values->arrays[index];
    bool are_structures = array->block_words == array->record;
    if (array->n_blocks < 2 || !array->block_words || words % array->block_words) return false;
    if ((are_structures || extents_run_on(values, index)) && extents_of_words(values, index, 2, extents))
        return true;
    *extents = (parcast_extents){2, {words / array->block_words, array->block_words}};
    return array->block_words > 1;
}

bool graph_infer_extents(const parcast_values *values, uint32_t index, size_t n, parcast_extents *extents)
{
    uint64_t words = images_front(values, index);
    if (n == 1) {
        *extents = (parcast_extents){1, {words}};
        return true;
    }
    if (n == 2 && infer_from_blocks(values, index, words, extents)) return true;
    if (boxes_extents(values, index, n, extents)) return true;
    return extents_of_words(values, index, n, extents) && !extents_are_steps(values, index, extents);
}

/* In n dimensions, and one of fields behind these. */
static bool infer_with(const parcast_values *values, uint32_t array, size_t n, bool fields,
                       parcast_extents *extents)
{
    size_t all = n + fields;
    return all <= PARCAST_MAX_EXTENTS && graph_infer_extents(values, array, all, extents) &&
           (!fields || extents->extent[n] <= GRID_MOST_FIELDS);
}

bool graph_infer_beside(const parcast_values *values, const uint32_t array[2], const bool fields[2], size_t n,
                        parcast_extents *extents)
{
    bool more = true, less = true, any = false;
    parcast_extents first;
    if (!infer_with(values, array[0], n, fields[0], &first)) return false;
    if (!infer_with(values, array[1], n, fields[1], extents)) return false;
    for (size_t i = 0; i < n; i++) {
        uint64_t there = first.extent[i], here = extents->extent[i];
        more = more && (there == here || there == here + 1);
        less = less && (there == here || there + 1 == here);
        any = any || there != here;
    }
    return any && (more || less);
}

/* Fields lie together or one after the other, or are a structure's. */
static bool has_fields(const parcast_extents *extents, uint32_t record)
{
    uint64_t last = extents->extent[extents->n - 1];
    return extents->extent[0] <= GRID_MOST_FIELDS || last <= GRID_MOST_FIELDS || last == record;
}

size_t graph_infer_shapes(const parcast_values *values, uint32_t array, const parcast_extents *given,
                          parcast_extents shapes[PARCAST_MAX_EXTENTS])
{
    size_t n = 0;
    if (given) {
        shapes[0] = *given;
        return 1;
    }
    for (size_t d = 1; d <= PARCAST_MAX_EXTENTS; d++)
        if (graph_infer_extents(values, array, d, &shapes[n]) &&
            (d < 4 || has_fields(&shapes[n], values->arrays[array].record) ||
             boxes_extents(values, array, d, &shapes[n])))
            n++;
    return n;
}
