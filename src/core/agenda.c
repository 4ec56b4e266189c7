#include "core/agenda.h"

#include <stdlib.h>

enum { SHORT_RUN = 16, FIRST_ROOM = 64 };

void agenda_destroy(struct agenda *agenda)
{
    for (unsigned b = 0; b < AGENDA_BUCKETS; b++) free(agenda->buckets[b].entries);
    free(agenda->near.entries);
    free(agenda->fresh.entries);
    *agenda = (struct agenda){0};
}

static bool make_room(struct agenda *agenda, struct agenda_list *list, uint64_t room)
{
    struct heap_entry *entries = room <= UINT32_MAX ? realloc(list->entries, room * sizeof *entries) : NULL;
    if (!entries) {
        agenda->failed = true;
        return false;
    }
    list->entries = entries;
    list->room = (uint32_t)room;
    return true;
}

bool agenda_widen(struct agenda *agenda, struct agenda_list *list)
{
    return make_room(agenda, list, list->room ? 2 * (uint64_t)list->room : FIRST_ROOM);
}

static void sort_run(struct heap_entry *entries, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        const struct heap_entry entry = entries[i];
        uint32_t at = i;
        for (; at > 0 && heap_before(&entry, &entries[at - 1]); at--) entries[at] = entries[at - 1];
        entries[at] = entry;
    }
}

/* Of two sorted runs, from[0..half) and from[half..n). Not branched: which comes first is as good as random.
 */
static void merge(const struct heap_entry *from, uint32_t half, uint32_t n, struct heap_entry *to)
{
    uint32_t a = 0, b = half, k = 0;
    while (a < half && b < n) {
        bool second = heap_before(&from[b], &from[a]);
        to[k++] = from[second ? b : a];
        b += second;
        a += !second;
    }
    if (a < half) memcpy(to + k, from + a, (half - a) * sizeof *to);
    if (b < n) memcpy(to + k, from + b, (n - b) * sizeof *to);
}

/* The result lies in entries, or in scratch: that is told. */
static bool sort_between(struct heap_entry *entries, struct heap_entry *scratch, uint32_t n)
{
    if (n <= SHORT_RUN) {
        sort_run(entries, n);
        return false;
    }
    uint32_t half = n / 2;
    bool there = sort_between(entries, scratch, half);
    if (sort_between(entries + half, scratch + half, n - half) != there) {
        if (there)
            memcpy(scratch + half, entries + half, (n - half) * sizeof *entries);
        else
            memcpy(entries + half, scratch + half, (n - half) * sizeof *entries);
    }
    merge(there ? scratch : entries, half, n, there ? entries : scratch);
    return !there;
}

static bool is_sorted(const struct heap_entry *entries, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        if (heap_before(&entries[i], &entries[i - 1])) return false;
    return true;
}

static void sort(struct agenda *agenda, struct heap_entry *entries, uint32_t n)
{
    struct heap_entry few[AGENDA_LEAF], *scratch = few;
    if (is_sorted(entries, n)) return;
    if (n > AGENDA_LEAF) scratch = malloc(n * sizeof *scratch);
    if (!scratch) {
        agenda->failed = true;
        return;
    }
    if (sort_between(entries, scratch, n)) memcpy(entries, scratch, n * sizeof *entries);
    if (scratch != few) free(scratch);
}

/* The bucket's entries go to the buckets below it: they differ from their first in lower bits only. */
static void spread(struct agenda *agenda, unsigned bucket)
{
    struct agenda_list *from = &agenda->buckets[bucket];
    int64_t least = from->entries[0].key;
    for (uint32_t i = 1; i < from->n; i++)
        if (from->entries[i].key < least) least = from->entries[i].key;
    agenda->last = least;
    agenda->occupied &= ~(UINT64_C(1) << bucket);
    agenda->n_far -= from->n;
    for (uint32_t i = 0; i < from->n; i++) agenda_put_far(agenda, from->entries[i]);
    from->n = 0;
}

/* The lowest bucket to the end of near, sorted. Keys from now on are compared with its last possible one. */
static void take_bucket(struct agenda *agenda, unsigned bucket)
{
    struct agenda_list *from = &agenda->buckets[bucket], *near = &agenda->near;
    uint32_t n = from->n;
    uint64_t below = bucket > 1 ? (UINT64_C(1) << (bucket - 1)) - 1 : 0;
    if (bucket > 0) agenda->last = (int64_t)((uint64_t)from->entries[0].key | below);
    agenda->limit = agenda->last < INT64_MAX ? agenda->last + 1 : INT64_MAX;
    agenda->occupied &= ~(UINT64_C(1) << bucket);
    agenda->n_far -= n;
    from->n = 0;
    if (n > AGENDA_LEAF) { /* of equal keys; near is empty: exchange the memory */
        struct agenda_list before = *near;
        *near = *from;
        *from = before;
        near->n = n;
        sort(agenda, near->entries, n);
        return;
    }
    if (near->n + n > near->room && !make_room(agenda, near, AGENDA_LEAF + (uint64_t)near->n + n)) return;
    sort(agenda, from->entries, n);
    memcpy(near->entries + near->n, from->entries, n * sizeof *near->entries);
    near->n += n;
}

void agenda_refill(struct agenda *agenda)
{
    agenda->first = agenda->near.n = 0;
    agenda->n_refills++;
    while (agenda->occupied && !agenda->failed) {
        unsigned bucket = (unsigned)__builtin_ctzll(agenda->occupied);
        uint32_t n = agenda->buckets[bucket].n;
        if (agenda->near.n > 0 && agenda->near.n + n > AGENDA_LEAF) return;
        if (bucket > 0 && n > AGENDA_LEAF)
            spread(agenda, bucket);
        else
            take_bucket(agenda, bucket);
    }
}
