/**
 * Records of one size, addressed by 32-bit index, with a free list through the records' first word.
 *
 * Taking from the free list allocates nothing; only a pool that is fuller than ever grows, and then its
 * records move: a pointer to a record holds until the next pool_take. Records of 64 bytes begin a cache line.
 */
#ifndef PARCAST_CORE_POOL_H
#define PARCAST_CORE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define POOL_NONE UINT32_MAX

struct pool {
    unsigned char *records;
    size_t record_bytes; /**< at least 4 */
    uint32_t n_records;  /**< room */
    uint32_t n_used;     /**< records that were ever taken */
    uint32_t n_taken;    /**< records that are taken now */
    uint32_t first_free;
};

static inline struct pool pool_of(size_t record_bytes)
{
    return (struct pool){.record_bytes = record_bytes, .first_free = POOL_NONE};
}

static inline void pool_destroy(struct pool *pool)
{
    free(pool->records);
    *pool = pool_of(pool->record_bytes);
}

static inline void *pool_at(const struct pool *pool, uint32_t index)
{
    return pool->records + (size_t)index * pool->record_bytes;
}

/** Room for more records; false when memory is short. */
bool pool_grow(struct pool *pool);

/** An uninitialized record, or POOL_NONE when memory is short. */
static inline uint32_t pool_take(struct pool *pool)
{
    uint32_t index = pool->first_free;
    if (index != POOL_NONE) {
        memcpy(&pool->first_free, pool_at(pool, index), sizeof pool->first_free);
    } else {
        if (pool->n_used == pool->n_records && !pool_grow(pool)) return POOL_NONE;
        index = pool->n_used++;
    }
    pool->n_taken++;
    return index;
}

static inline void pool_give(struct pool *pool, uint32_t index)
{
    memcpy(pool_at(pool, index), &pool->first_free, sizeof pool->first_free);
    pool->first_free = index;
    pool->n_taken--;
}

#endif
