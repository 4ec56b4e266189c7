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

/** Count a call under its function and its site; size chooses the site's bin. Returns the site, NULL if there
 * is no room. */
struct raw_site *table_call(const struct call *c, uint64_t bytes, uint64_t size);

static inline void table_message(unsigned message_class, unsigned reach, uint64_t bytes, uint64_t ticks)
{
    struct raw_size *s = &recorder.sizes[(message_class * RAW_REACHES + reach) * RAW_BINS + table_bin(bytes)];
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
void table_cycle(void);

/** MPI_Pcontrol(level) at t. */
void table_phase(int level, uint64_t t);

#endif
