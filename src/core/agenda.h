/**
 * What comes next: a queue of (key, order, handle), smallest key first, smallest order on equal keys, for
 * keys that are mostly not before the one taken last. What has been put in is not moved; unlike heap.h it has
 * no table by handle.
 *
 *     buckets[0]   keys equal to `last`
 *     buckets[b]   keys that differ from `last` in bit b - 1 and agree above it: all of them are after those
 * of lower buckets. Not sorted. near         what was in the lowest buckets, sorted; taken from the front
 *     fresh        a heap of what came since with keys below `limit`, which is above all of near
 *
 * When near and fresh are empty, the lowest bucket is sorted into near if it is small, and otherwise spread
 * over the buckets below. An entry goes down a few buckets, always in runs along memory, where a heap of many
 * entries misses the cache at every level; and what comes next is known some entries ahead, so that it can be
 * fetched.
 *
 * Cost: O(1) a push; an entry is moved O(log(range of keys)) times at most, sorted among AGENDA_LEAF at most
 * unless keys are equal. Source: Ahuja, Mehlhorn, Orlin, Tarjan: Faster algorithms for the shortest path
 * problem, J. ACM 37, 1990 (radix heap); the sorted front as in Tang, Goh, Thng: Ladder queue, ACM TOMACS 15,
 * 2005.
 */
#ifndef PARCAST_CORE_AGENDA_H
#define PARCAST_CORE_AGENDA_H

#include "core/heap.h"

enum { AGENDA_BUCKETS = 64, AGENDA_LEAF = 256 };
#define AGENDA_NONE UINT32_MAX

struct agenda_list {
    struct heap_entry *entries;
    uint32_t n, room;
};

struct agenda {
    struct agenda_list near, fresh;
    uint32_t first;    /**< of near that is not taken yet */
    uint32_t n_far;    /**< in buckets */
    int64_t last;      /**< no key in a bucket is before */
    int64_t limit;     /**< keys below it do not go into buckets */
    uint64_t occupied; /**< bit b: buckets[b] holds something */
    struct agenda_list buckets[AGENDA_BUCKETS];
    uint32_t n_refills;
    bool failed; /**< memory was short, and something is lost */
};

void agenda_destroy(struct agenda *agenda);
/** Room for one more. Sets `failed` when memory is short. */
bool agenda_widen(struct agenda *agenda, struct agenda_list *list);
/** Sort the earliest of the buckets into near, which is empty like fresh. */
void agenda_refill(struct agenda *agenda);

static inline bool agenda_empty(const struct agenda *agenda)
{
    return agenda->first == agenda->near.n && agenda->fresh.n == 0 && agenda->n_far == 0;
}

static inline void agenda_append(struct agenda *agenda, struct agenda_list *list, struct heap_entry entry)
{
    if (list->n == list->room && !agenda_widen(agenda, list)) return;
    list->entries[list->n++] = entry;
}

/** Keys are not before `last`. */
static inline void agenda_put_far(struct agenda *agenda, struct heap_entry entry)
{
    uint64_t differs = (uint64_t)(entry.key ^ agenda->last);
    unsigned bucket = differs ? 64U - (unsigned)__builtin_clzll(differs) : 0;
    agenda->occupied |= UINT64_C(1) << bucket;
    agenda->n_far++;
    agenda_append(agenda, &agenda->buckets[bucket], entry);
}

static inline void agenda_put_fresh(struct agenda *agenda, struct heap_entry entry)
{
    struct agenda_list *fresh = &agenda->fresh;
    if (fresh->n == fresh->room && !agenda_widen(agenda, fresh)) return;
    uint32_t at = fresh->n++;
    while (at > 0 && heap_before(&entry, &fresh->entries[(at - 1) / 4])) {
        fresh->entries[at] = fresh->entries[(at - 1) / 4];
        at = (at - 1) / 4;
    }
    fresh->entries[at] = entry;
}

/** Any key; but those before the last one taken are for the heap alone, at its price. */
static inline void agenda_push(struct agenda *agenda, int64_t key, uint64_t order, uint32_t handle)
{
    const struct heap_entry entry = {key, heap_word(order, handle)};
    if (key < agenda->limit)
        agenda_put_fresh(agenda, entry);
    else
        agenda_put_far(agenda, entry);
}

static inline void agenda_take_fresh(struct agenda *agenda)
{
    struct heap_entry *entries = agenda->fresh.entries;
    uint32_t n = --agenda->fresh.n, at = 0;
    const struct heap_entry last = entries[n];
    for (uint32_t child = 1; child < n; child = 4 * at + 1) {
        uint32_t best = child, end = child + 4 <= n ? child + 4 : n;
        for (uint32_t i = child + 1; i < end; i++) best = heap_before(&entries[i], &entries[best]) ? i : best;
        if (!heap_before(&entries[best], &last)) break;
        entries[at] = entries[best];
        at = best;
    }
    entries[at] = last;
}

/** The first entry; NULL: there is none. It holds until the next call that changes the agenda. */
static inline const struct heap_entry *agenda_top(struct agenda *agenda)
{
    if (agenda->first == agenda->near.n) {
        if (agenda->fresh.n > 0) return agenda->fresh.entries;
        if (agenda->n_far == 0) return NULL;
        agenda_refill(agenda);
        if (agenda->near.n == 0) return NULL;
    }
    const struct heap_entry *near = &agenda->near.entries[agenda->first];
    if (agenda->fresh.n > 0 && heap_before(agenda->fresh.entries, near)) return agenda->fresh.entries;
    return near;
}

/** Take what agenda_top has returned. */
static inline void agenda_take(struct agenda *agenda, const struct heap_entry *top)
{
    if (agenda->fresh.n > 0 && top == agenda->fresh.entries)
        agenda_take_fresh(agenda);
    else
        agenda->first++;
}

/** The handle of what will come n entries after the next one, if nothing is put in between; AGENDA_NONE: not
 * known. */
static inline uint32_t agenda_ahead(const struct agenda *agenda, uint32_t n)
{
    if (agenda->near.n - agenda->first <= n) return AGENDA_NONE;
    return heap_handle(&agenda->near.entries[agenda->first + n]);
}

#endif
