/** The mapped tables: every update of them. All are called with the recorder's lock held where there is one.
 */
#ifndef PARCAST_PRELOAD_TABLES_H
#define PARCAST_PRELOAD_TABLES_H

#include "record.h"

static inline unsigned table_bin(uint64_t bytes)
{
    if (bytes == 0) return 0;
    unsigned bin = 64U - (unsigned)__builtin_clzll(bytes);
    return bin < RAW_BINS ? bin : RAW_BINS - 1;
}

/** The slot of a site from `slot` on, or a new one; NULL if there is no room. */
struct raw_site *table_search_site(const struct call *c, unsigned bin, size_t slot);

static inline struct raw_site *table_find_site(const struct call *c, unsigned bin)
{
    uint64_t address = (uint64_t)(uintptr_t)c->site;
    uint64_t key = address + ((uint64_t)bin << 52) + ((uint64_t)c->id << 56);
    size_t slot = (size_t)(key * 0x9e3779b97f4a7c15U >> 52);
    struct raw_site *s = &recorder.sites[slot];
    if (s->address == address && s->bin == bin && s->function == c->id) return s;
    return table_search_site(c, bin, slot);
}

/** Count a call that has no site. */
static inline void table_call_without_site(unsigned id, uint64_t bytes, uint64_t ticks)
{
    struct raw_call *f = &recorder.calls[id];
    if (f->count++ == 0 || ticks < f->min) f->min = ticks;
    if (ticks > f->max) f->max = ticks;
    f->bytes += bytes;
    f->ticks += ticks;
}

/** Count a call at its site; size chooses the site's bin. Returns the site, NULL if there is no room. */
static inline struct raw_site *table_call(const struct call *c, uint64_t bytes, uint64_t size)
{
    uint64_t ticks = c->t1 - c->t0;
    struct raw_site *s = table_find_site(c, table_bin(size));
    recorder.noted.site = s;
    if (__builtin_expect(!s, 0)) {
        table_call_without_site(c->id, bytes, ticks);
        return NULL;
    }
    s->count++;
    s->bytes += bytes;
    s->ticks += ticks;
    if (ticks < s->min) s->min = ticks;
    if (ticks > s->max) s->max = ticks;
    s->gap += c->gap;
    s->gap_sq += (double)(int64_t)c->gap * (double)(int64_t)c->gap;
    if (c->gap < s->gap_min) s->gap_min = c->gap;
    return s;
}

static inline size_t table_size_index(unsigned message_class, unsigned reach, uint64_t bytes)
{
    return ((size_t)message_class * RAW_REACHES + reach) * RAW_BINS + table_bin(bytes);
}

static inline void table_message(unsigned message_class, unsigned reach, uint64_t bytes, uint64_t ticks)
{
    struct raw_size *s = &recorder.sizes[table_size_index(message_class, reach, bytes)];
    if (s->count++ == 0 || ticks < s->min) s->min = ticks;
    s->bytes += bytes;
    s->ticks += ticks;
}

/** A message is something else than it was counted for. */
void table_message_back(unsigned message_class, unsigned reach, uint64_t bytes, uint64_t ticks);

void table_collective(unsigned id, int n_ranks, unsigned reach, uint64_t size, uint64_t bytes,
                      uint64_t ticks);

/** A message to a rank of this world; -1: of another. */
static inline void table_peer(int rank, uint64_t bytes)
{
    if (rank < 0) {
        recorder.header->other_worlds_count++;
        recorder.header->other_worlds_bytes += bytes;
    } else if (rank < recorder.peers_capacity) {
        struct raw_peer *p = &recorder.peers[rank];
        if (p->count++ == 0) p->node = recorder.node_of[rank];
        p->bytes += bytes;
    } else {
        recorder.header->lost_peers++;
    }
}

/** The computing since the last synchronisation of all ranks is complete. */
void table_synchronised(void);

/** The computing since the last wait is complete. */
static inline void table_cycle(void)
{
    struct raw_header *h = recorder.header;
    uint64_t block = h->main.gap - h->cycle_mark;
    h->cycle_mark = h->main.gap;
    if (h->n_cycles++ == 0 || block < h->cycle_min) h->cycle_min = block;
    if (block > h->cycle_max) h->cycle_max = block;
    h->cycle_sq += (double)(int64_t)block * (double)(int64_t)block;
}

/** MPI_Pcontrol(level) at t. */
void table_phase(int level, uint64_t t);

#endif
