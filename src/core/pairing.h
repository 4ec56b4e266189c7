/**
 * Pairing heap of records that are addressed by 32-bit index and carry their own links. Nothing is allocated.
 *
 * What comes in order is melded in O(1); taking the first costs O(log n) amortized. Where records lie and
 * which of two comes first is told by functions, which the compiler inlines. The caller keeps the index of
 * the root, POOL_NONE when there is none; a record that joins has both links POOL_NONE.
 *
 * Source: Fredman, Sedgewick, Sleator, Tarjan: The pairing heap, Algorithmica 1, 1986 (two-pass variant).
 */
#ifndef PARCAST_CORE_PAIRING_H
#define PARCAST_CORE_PAIRING_H

#include <stdbool.h>
#include <stdint.h>

#include "core/pool.h"

struct pairing_links {
    uint32_t child, sibling;
};

typedef struct pairing_links *pairing_links_of(const void *owner, uint32_t index);
typedef bool pairing_before(const void *owner, uint32_t a, uint32_t b);

#define PAIRING_INLINE static inline __attribute__((always_inline))

/** One heap of two; the roots must not have siblings that are still needed. */
PAIRING_INLINE uint32_t pairing_meld(const void *owner, pairing_links_of *links, pairing_before *before,
                                     uint32_t a, uint32_t b)
{
    if (a == POOL_NONE) return b;
    if (b == POOL_NONE) return a;
    if (before(owner, b, a)) {
        uint32_t c = a;
        a = b;
        b = c;
    }
    links(owner, b)->sibling = links(owner, a)->child;
    links(owner, a)->child = b;
    return a;
}

/** The heap without its root: its children melded in pairs, the pairs from the last to the first. */
PAIRING_INLINE uint32_t pairing_rest(const void *owner, pairing_links_of *links, pairing_before *before,
                                     uint32_t root)
{
    uint32_t first = links(owner, root)->child, pairs = POOL_NONE, heap = POOL_NONE;
    while (first != POOL_NONE) {
        uint32_t second = links(owner, first)->sibling;
        uint32_t rest = second == POOL_NONE ? POOL_NONE : links(owner, second)->sibling;
        uint32_t pair = pairing_meld(owner, links, before, first, second);
        links(owner, pair)->sibling = pairs;
        pairs = pair;
        first = rest;
    }
    while (pairs != POOL_NONE) {
        uint32_t next = links(owner, pairs)->sibling;
        heap = pairing_meld(owner, links, before, heap, pairs);
        pairs = next;
    }
    return heap;
}

#endif
