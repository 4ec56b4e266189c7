/** Sizes: of datatypes, of what a rank gives to a collective. */
#ifndef PARCAST_PRELOAD_BYTES_H
#define PARCAST_PRELOAD_BYTES_H

#include "comms.h"

struct cached_type {
    word key;
    uint64_t bytes;
    uint64_t generation;
};
enum { CACHED_TYPES_LOG2 = 9 };
extern struct cached_type bytes_types[1 << CACHED_TYPES_LOG2] __attribute__((visibility("hidden")));
extern uint64_t bytes_generation __attribute__((visibility("hidden")));
uint64_t bytes_ask_type(word key, struct cached_type *cached);

/** Bytes of one element, by the key of the type. Cached. */
static inline uint64_t bytes_of_type(word key)
{
    struct cached_type *t = &bytes_types[key * 0x9e3779b97f4a7c15U >> (64 - CACHED_TYPES_LOG2)];
    return t->key == key && t->generation == bytes_generation ? t->bytes : bytes_ask_type(key, t);
}

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
