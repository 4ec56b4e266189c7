#include "core/heap.h"

#include <stdlib.h>

enum { CACHE_LINE = 64, BEFORE_ROOT = 3 }; /* entries that put entries[1] at the beginning of a line */

bool heap_reserve(struct heap *heap, uint32_t n_handles)
{
    if (n_handles <= heap->n_handles) return true;
    if (n_handles > HEAP_MOST_HANDLES) return false;
    uint64_t room = heap->n_handles ? heap->n_handles : 64;
    while (room < n_handles) room *= 2;
    if (room > HEAP_MOST_HANDLES) room = HEAP_MOST_HANDLES;
    size_t bytes = (room + BEFORE_ROOT) * sizeof *heap->entries;
    bytes = (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    struct heap_entry *block = aligned_alloc(CACHE_LINE, bytes);
    int32_t *slot = block ? realloc(heap->slot, room * sizeof *slot) : NULL;
    if (!slot) {
        free(block);
        return false;
    }
    if (heap->n) memcpy(block + BEFORE_ROOT, heap->entries, heap->n * sizeof *block);
    for (uint64_t i = heap->n_handles; i < room; i++) slot[i] = HEAP_NOWHERE;
    free(heap->block);
    heap->block = block;
    heap->entries = block + BEFORE_ROOT;
    heap->slot = slot;
    heap->n_handles = (uint32_t)room;
    return true;
}

void heap_destroy(struct heap *heap)
{
    free(heap->block);
    free(heap->slot);
    *heap = (struct heap){0};
}
