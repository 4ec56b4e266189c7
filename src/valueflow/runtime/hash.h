/* A hash of fixed keys of up to eight 32-bit words, as the tables of the run time need it: only insertion. */
#ifndef PARCAST_VALUEFLOW_HASH_H
#define PARCAST_VALUEFLOW_HASH_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/** Entries of `width` words of key and one of content; a content of 0 marks a free entry. */
struct vf_hash {
    uint32_t *entries;
    size_t capacity, n; /* capacity is a power of two */
    uint32_t width;
};

/** Where the content of `key` is, or where it goes when it is 0. Valid until the next call. */
uint32_t *vf_hash_at(struct vf_hash *hash, const uint32_t *key);
/** To be called after a content of 0 was set. */
void vf_hash_added(struct vf_hash *hash);
#pragma GCC visibility pop

#endif
