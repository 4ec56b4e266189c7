/* Hashes as the tables of the run time need them: only insertion. */
#ifndef PARCAST_VALUEFLOW_HASH_H
#define PARCAST_VALUEFLOW_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/** Entries of `width` words of key, up to eight, and one of content; a content of 0 marks a free entry. */
struct vf_hash {
    uint32_t *entries;
    size_t capacity, n; /* capacity is a power of two */
    size_t n_ahead;     /* entries at which the pages of twice as many are asked for; 0: they are not */
    uint32_t width;
    bool is_index; /* the key is half of a hash: entries lie where it says */
};

/** Where the content of `key` is, or where it goes when it is 0. Valid until the next call. */
uint32_t *vf_hash_at(struct vf_hash *hash, const uint32_t *key);
/** To be called after a content of 0 was set. */
void vf_hash_added(struct vf_hash *hash);
/** Twice as many entries. */
void vf_hash_grow(struct vf_hash *hash);
/** It will soon have twice as many. */
void vf_hash_ahead(struct vf_hash *hash);

/** Nothing is looked up in it any more. */
void vf_hash_empty(struct vf_hash *hash);

/** Numbers, from 1, of records that hold their keys themselves: a third of what a copy of these would take,
 * and to be filled with zeros first. */
struct vf_index {
    struct vf_hash hash;
};
#define VF_INDEX ((struct vf_index){.hash = {.width = 1, .is_index = true}})

static inline uint64_t vf_hash_of(uint64_t key)
{
    uint64_t h = (key ^ key >> 29) * 0xff51afd7ed558ccdull;
    return h ^ h >> 32;
}

/** It will be looked for soon. */
static inline void vf_index_ahead(const struct vf_index *index, uint64_t key_hash)
{
    if (index->hash.capacity)
        __builtin_prefetch(index->hash.entries + 2 * ((uint32_t)key_hash & (index->hash.capacity - 1)), 1);
}

/** Where the number is of the record of which `is` says that it has the key. 0: there is none, and it is to
 * be set to that of a new one at once. */
static inline uint32_t *vf_index_at(struct vf_index *index, uint64_t key_hash,
                                    bool (*is)(uint32_t number, const void *key), const void *key)
{
    struct vf_hash *hash = &index->hash;
    if (__builtin_expect(hash->n * 3 >= hash->capacity * 2, 0)) vf_hash_grow(hash);
    uint32_t tag = (uint32_t)key_hash;
    for (size_t i = tag;; i++) {
        uint32_t *entry = hash->entries + 2 * (i & (hash->capacity - 1));
        if (entry[1] && (entry[0] != tag || !is(entry[1], key))) continue;
        if (!entry[1]) {
            entry[0] = tag;
            if (__builtin_expect(++hash->n == hash->n_ahead, 0)) vf_hash_ahead(hash);
        }
        return entry + 1;
    }
}
#pragma GCC visibility pop

#endif
