/* Memory of the run time: only from the kernel, never from the program's allocator that is being watched. */
#include "valueflow/runtime/tables/vector.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "valueflow/runtime/process/memory.h"
#include "valueflow/runtime/tables/ahead.h"
#include "valueflow/runtime/tables/map.h"
#include "valueflow/runtime/tables/pages.h"

enum { LARGEST_PIECE = 32 << 20, LEAST_IN_ORDER = 4096 };

static size_t mapped_bytes;

size_t vf_mapped_bytes(void)
{
    return mapped_bytes;
}

void *vf_map(size_t bytes)
{
    void *p = vf_map_pages(NULL, bytes, 0);
    if (p == MAP_FAILED) vf_stop("no memory for %zu bytes of the value tables: %s", bytes, strerror(errno));
    mapped_bytes += bytes;
    vf_pages_for_table(p, bytes, mapped_bytes);
    return p;
}

void *vf_remap(void *old, size_t old_bytes, size_t bytes)
{
    void *p = mremap(old, old_bytes, bytes, MREMAP_MAYMOVE);
    if (p == MAP_FAILED)
        vf_stop("no memory for %zu bytes of the value tables: %s; use a smaller problem", bytes,
                strerror(errno));
    mapped_bytes += bytes - old_bytes;
    vf_pages_for_table(p, bytes, mapped_bytes);
    return p;
}

void vf_unmap(void *table, size_t bytes)
{
    vf_unmap_pages(table, bytes);
    mapped_bytes -= bytes;
}

void *vf_grow_exact(void *table, size_t *capacity, size_t size, size_t need)
{
    if (need < *capacity) return table;
    size_t wanted = need + need / 4 + LEAST_IN_ORDER;
    void *grown = table ? vf_remap(table, *capacity * size, wanted * size) : vf_map(wanted * size);
    *capacity = wanted;
    return grown;
}

void *vf_grow_sparse(void *table, size_t *capacity, size_t size, size_t need)
{
    if (need < *capacity) return table;
    size_t wanted = *capacity ? *capacity : 4096;
    while (wanted <= need) wanted += wanted * size < LARGEST_PIECE ? wanted : LARGEST_PIECE / size;
    void *grown = table ? vf_remap(table, *capacity * size, wanted * size) : vf_map(wanted * size);
    *capacity = wanted;
    return grown;
}

void *vf_grow_scattered(void *table, size_t *capacity, size_t size, size_t need)
{
    size_t before = *capacity;
    table = vf_grow_sparse(table, capacity, size, need);
    if (*capacity > before) madvise(table, *capacity * size, MADV_NOHUGEPAGE);
    return table;
}

void *vf_grow(void *table, size_t *capacity, size_t size, size_t need)
{
    if (need < *capacity) return table;
    size_t before = table ? *capacity : SIZE_MAX;
    void *grown = vf_grow_sparse(table, capacity, size, need);
    if (before >= *capacity) return grown;
    vf_memory_expect((*capacity - before) * size);
    vf_ahead((char *)grown + before * size, (*capacity - before) * size, mapped_bytes);
    return grown;
}

char *vf_text(size_t bytes)
{
    enum { ROOM = 1 << 16 };
    static char *room;
    static size_t left;
    if (bytes > left) {
        left = bytes > ROOM ? bytes : ROOM;
        room = vf_map(left);
    }
    left -= bytes;
    room += bytes;
    return room - bytes;
}
