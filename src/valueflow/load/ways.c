#include "valueflow/load/ways.h"

#include <stdlib.h>

#include "valueflow/runtime/tables/tree.h"

/* Free slots, and ends of stretches that lead nowhere. */
static uint64_t skip_free(uint32_t *slots, uint64_t n, uint64_t i)
{
    for (; i < n && (!slots[i] || slots[i] == VF_TREE_NO_WAY); i++) slots[i] = 0;
    return i;
}

/* A stretch from its head on: the nodes follow each other, or are a ring, of which all have the same parent.
 * Returns the slot behind it and behind its way on. */
static uint64_t take_stretch(uint32_t *slots, uint64_t n, uint64_t i, uint32_t *parents)
{
    bool is_ring = slots[i] == VF_TREE_RING;
    if (slots[i] != vf_tree_mark(VF_TREE_ROOT)) slots[i++] = 0; /* the origin */
    uint32_t parent = i < n ? vf_tree_marked(slots[i]) : 0;
    if (i < n) slots[i++] = 0;
    for (; i < n && slots[i] && !vf_tree_is_mark(slots[i]); i++) {
        parents[i] = parent;
        if (!is_ring) parent = (uint32_t)i;
    }
    if (i < n) slots[i++] = 0;
    return i;
}

uint32_t *ways_find(uint32_t *slots, uint64_t n)
{
    uint32_t *parents = calloc(n ? n : 1, sizeof *parents);
    for (uint64_t i = 0; parents && (i = skip_free(slots, n, i)) < n;) i = take_stretch(slots, n, i, parents);
    return parents;
}
