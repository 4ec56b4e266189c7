#include "core/pool.h"

#include "core/lines.h"

bool pool_grow(struct pool *pool)
{
    uint64_t room = pool->n_records ? pool->n_records + pool->n_records / 2 : 64;
    if (room > UINT32_MAX - 1) return false;
    unsigned char *records = lines_allocate(room, pool->record_bytes);
    if (!records) return false;
    if (pool->n_used) memcpy(records, pool->records, pool->n_used * pool->record_bytes);
    free(pool->records);
    pool->records = records;
    pool->n_records = (uint32_t)room;
    return true;
}
