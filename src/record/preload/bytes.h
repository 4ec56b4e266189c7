/** Sizes: of datatypes, of what a rank gives to a collective. */
#ifndef PARCAST_PRELOAD_BYTES_H
#define PARCAST_PRELOAD_BYTES_H

#include "comms.h"

/** Bytes of one element, by the key of the type. Cached. */
uint64_t bytes_of_type(word key);

/** Some datatype was freed: its handle may come back as another type. */
void bytes_forget_types(void);

/** count x type at two positions of the arguments. */
static inline uint64_t bytes_of_buffer(const struct call *c, unsigned count, unsigned type)
{
    int64_t n = count ? call_count(c, count) : 1;
    return n > 0 ? (uint64_t)n * bytes_of_type(call_handle(c, type)) : 0;
}

struct contribution {
    uint64_t bytes; /* what this rank gives */
    uint64_t size;  /* of the operation: where a root gives or takes all, the part of one rank */
};

struct contribution bytes_of_collective(const struct call *c, struct comm *comm);

#endif
