/**
 * The spool of this rank: a file that is mapped piece by piece, so that memory stays bounded and what was
 * recorded survives the process. Everything is called with the recorder's lock held where there is one.
 */
#ifndef PARCAST_PRELOAD_SPOOL_H
#define PARCAST_PRELOAD_SPOOL_H

#include "record.h"
#include "record/spool_format.h"

struct spool {
    struct spool_header *header; /* NULL: this rank is not traced */
    unsigned char *window;
    size_t used, size; /* of the window */
    uint64_t offset;   /* of the window in the file */
};
extern struct spool spool __attribute__((visibility("hidden")));

/** Make the file. False: there is none, and nothing will be traced. */
bool spool_create(const char *directory, uint64_t world_id, int rank, int n_ranks);

/** Note how the recording ended, and how much was written. */
void spool_close(enum raw_end end);

/** Move the window so that n bytes and two more fit; false when the disk is full: tracing has ended. */
bool spool_slide(size_t n);

/** Room for n bytes (even) behind what was written. NULL: tracing has ended. */
static inline unsigned char *spool_room(size_t n)
{
    if (__builtin_expect(spool.used + n + 2 > spool.size, 0) && !spool_slide(n)) return NULL;
    return spool.window + spool.used;
}

/** Make the item in the room visible: its first two bytes come last. */
static inline void spool_commit(void *room, uint16_t first, size_t n)
{
    __atomic_store_n((uint16_t *)room, first, __ATOMIC_RELEASE);
    spool.used += n;
}

/** An item with words. */
void spool_put(enum spool_item item, unsigned number, const uint64_t *words, size_t n);

/** Place of the next item in the file. */
static inline uint64_t spool_place(void)
{
    return spool.offset + spool.used;
}

/** Set who was matched, at a place. */
void spool_set_match(uint64_t place, int32_t peer, int32_t tag);

#endif
