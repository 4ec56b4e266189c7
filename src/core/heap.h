/**
 * Indexed 4-ary heap of (key, order, handle): smallest key first, smallest order on equal keys.
 *
 * An entry has 16 bytes, so that the four children of a node fill one cache line:
 *
 *     key (8 bytes) | order (38 bits) handle (26 bits)
 *
 * order and handle share a word; orders differ between entries, so comparing the word compares the order.
 * slot[handle] says where a handle's entry lies: an entry is moved or removed by its handle in O(log n).
 * Nothing is allocated by push: heap_reserve makes room for handles beforehand.
 */
#ifndef PARCAST_CORE_HEAP_H
#define PARCAST_CORE_HEAP_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { HEAP_HANDLE_BITS = 26, HEAP_NOWHERE = -1 };
#define HEAP_MOST_HANDLES (UINT32_C(1) << HEAP_HANDLE_BITS)
#define HEAP_MOST_ORDER   (UINT64_C(1) << (64 - HEAP_HANDLE_BITS))

struct heap_entry {
    int64_t key;
    uint64_t word; /**< order << HEAP_HANDLE_BITS | handle */
};

struct heap {
    struct heap_entry *entries; /**< entries[1] begins a cache line */
    int32_t *slot;              /**< [n_handles] place of a handle's entry, HEAP_NOWHERE if it has none */
    uint32_t n, n_handles;
    void *block; /**< what `entries` lies in */
};

/** Room for handles 0..n_handles-1; false when memory is short or there are too many, then nothing changed.
 */
bool heap_reserve(struct heap *heap, uint32_t n_handles);
void heap_destroy(struct heap *heap);

static inline uint64_t heap_word(uint64_t order, uint32_t handle)
{
    return order << HEAP_HANDLE_BITS | handle;
}

static inline uint32_t heap_handle(const struct heap_entry *entry)
{
    return (uint32_t)(entry->word & (HEAP_MOST_HANDLES - 1));
}

static inline uint64_t heap_order(const struct heap_entry *entry)
{
    return entry->word >> HEAP_HANDLE_BITS;
}

/** Not short-circuited: the outcome is as good as random, and a branch on it would be mispredicted. */
static inline bool heap_before(const struct heap_entry *a, const struct heap_entry *b)
{
    return (a->key < b->key) | ((a->key == b->key) & (a->word < b->word));
}

static inline bool heap_empty(const struct heap *heap)
{
    return heap->n == 0;
}

static inline const struct heap_entry *heap_top(const struct heap *heap)
{
    return &heap->entries[0];
}

static inline bool heap_contains(const struct heap *heap, uint32_t handle)
{
    return heap->slot[handle] != HEAP_NOWHERE;
}

static inline void heap_place(struct heap *heap, uint32_t at, struct heap_entry entry)
{
    heap->entries[at] = entry;
    heap->slot[heap_handle(&entry)] = (int32_t)at;
}

/** The hole at `at` goes up until the entry fits into it. */
static inline void heap_sift_up(struct heap *heap, uint32_t at, struct heap_entry entry)
{
    while (at > 0) {
        uint32_t parent = (at - 1) / 4;
        if (!heap_before(&entry, &heap->entries[parent])) break;
        heap_place(heap, at, heap->entries[parent]);
        at = parent;
    }
    heap_place(heap, at, entry);
}

static inline void heap_sift_down(struct heap *heap, uint32_t at, struct heap_entry entry)
{
    for (;;) {
        uint32_t child = 4 * at + 1, best = child;
        if (child >= heap->n) break;
        uint32_t end = child + 4 <= heap->n ? child + 4 : heap->n;
        for (uint32_t i = child + 1; i < end; i++)
            best = heap_before(&heap->entries[i], &heap->entries[best]) ? i : best;
        if (!heap_before(&heap->entries[best], &entry)) break;
        heap_place(heap, at, heap->entries[best]);
        at = best;
    }
    heap_place(heap, at, entry);
}

/** The handle must be within the reserved ones and not in the heap. */
static inline void heap_push(struct heap *heap, int64_t key, uint64_t order, uint32_t handle)
{
    heap_sift_up(heap, heap->n++, (struct heap_entry){key, heap_word(order, handle)});
}

static inline void heap_remove(struct heap *heap, uint32_t handle)
{
    uint32_t at = (uint32_t)heap->slot[handle];
    struct heap_entry last = heap->entries[--heap->n];
    heap->slot[handle] = HEAP_NOWHERE;
    if (at == heap->n) return;
    if (at > 0 && heap_before(&last, &heap->entries[(at - 1) / 4]))
        heap_sift_up(heap, at, last);
    else
        heap_sift_down(heap, at, last);
}

/** Push, or give the handle's entry another key and order. */
static inline void heap_set(struct heap *heap, int64_t key, uint64_t order, uint32_t handle)
{
    struct heap_entry entry = {key, heap_word(order, handle)};
    if (!heap_contains(heap, handle))
        heap_sift_up(heap, heap->n++, entry);
    else if (heap_before(&entry, &heap->entries[heap->slot[handle]]))
        heap_sift_up(heap, (uint32_t)heap->slot[handle], entry);
    else
        heap_sift_down(heap, (uint32_t)heap->slot[handle], entry);
}

/** Remove the first entry and return its handle. */
static inline uint32_t heap_pop(struct heap *heap)
{
    uint32_t handle = heap_handle(&heap->entries[0]);
    struct heap_entry last = heap->entries[--heap->n];
    heap->slot[handle] = HEAP_NOWHERE;
    if (heap->n > 0) heap_sift_down(heap, 0, last);
    return handle;
}

/** Make a heap of entries that were put in any order by heap_place, n of them. O(n). */
static inline void heap_build(struct heap *heap, uint32_t n)
{
    heap->n = n;
    for (uint32_t i = n > 1 ? (n - 2) / 4 + 1 : 0; i-- > 0;) heap_sift_down(heap, i, heap->entries[i]);
}

/** Non-negative doubles as keys: their bits order as they do. */
static inline int64_t heap_key_of(double value)
{
    int64_t bits;
    value += 0.0; /* -0 has the smallest key of all */
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double heap_value_of(int64_t key)
{
    double value;
    memcpy(&value, &key, sizeof value);
    return value;
}

#endif
