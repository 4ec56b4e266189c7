/* Memory of the run time: only from the kernel, never from the program's allocator that is being watched. */
#include "valueflow/runtime/tables/vector.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "valueflow/runtime/process/memory.h"
#include "valueflow/runtime/tables/ahead.h"
#include "valueflow/runtime/tables/map.h"
#include "valueflow/runtime/tables/pages.h"
#include "valueflow/runtime/tables/room.h"

enum {
    LARGEST_PIECE = 32 << 20,
    LEAST_IN_ORDER = 4096,
    LARGE = 4 << 20, /* a table that gets a room */
    LEAST_STEP = 2 << 20,
    MOST_STEP = 8 << 20,
};

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

/* Into a room when it gets large. */
static void *make_room(void *old, size_t old_bytes, size_t bytes)
{
    if (vf_has_room(old) && bytes <= VF_ROOM_BYTES) return old;
    void *room = bytes >= LARGE && bytes <= VF_ROOM_BYTES ? vf_room_take() : NULL;
    if (!room) return mremap(old, old_bytes, bytes, MREMAP_MAYMOVE);
    return mremap(old, old_bytes, old_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, room);
}

static void *moved(void *p, size_t old_bytes, size_t bytes)
{
    if (p == MAP_FAILED)
        vf_stop("no memory for %zu bytes of the value tables: %s; use a smaller problem", bytes,
                strerror(errno));
    mapped_bytes += bytes - old_bytes;
    return p;
}

void *vf_remap(void *old, size_t old_bytes, size_t bytes)
{
    void *p = moved(make_room(old, old_bytes, bytes), old_bytes, bytes);
    vf_pages_for_table(p, bytes, mapped_bytes);
    return p;
}

void vf_unmap(void *table, size_t bytes)
{
    if (vf_has_room(table))
        vf_room_free(table);
    else
        vf_unmap_pages(table, bytes);
    mapped_bytes -= bytes;
}

void vf_empty(void *table, size_t bytes)
{
    if (table) madvise(table, vf_has_room(table) ? VF_ROOM_BYTES : bytes, MADV_DONTNEED);
}

void *vf_grow_exact(void *table, size_t *capacity, size_t size, size_t need)
{
    if (need < *capacity) return table;
    size_t wanted = need + need / 4 + LEAST_IN_ORDER;
    void *grown = table ? vf_remap(table, *capacity * size, wanted * size) : vf_map(wanted * size);
    *capacity = wanted;
    return grown;
}

static size_t wanted_for(size_t capacity, size_t size, size_t need)
{
    if (!capacity) capacity = 4096;
    while (capacity <= need) capacity += capacity * size < LARGEST_PIECE ? capacity : LARGEST_PIECE / size;
    return capacity;
}

void *vf_grow_sparse(void *table, size_t *capacity, size_t size, size_t need)
{
    if (need < *capacity) return table;
    size_t wanted = wanted_for(*capacity, size, need);
    void *grown = table ? vf_remap(table, *capacity * size, wanted * size) : vf_map(wanted * size);
    *capacity = wanted;
    return grown;
}

void *vf_grow_scattered(void *table, size_t *capacity, size_t size, size_t need)
{
    if (need < *capacity) return table;
    size_t old = *capacity * size, wanted = wanted_for(*capacity, size, need), bytes = wanted * size;
    void *grown = table ? moved(mremap(table, old, bytes, MREMAP_MAYMOVE), old, bytes) : vf_map(bytes);
    madvise(grown, bytes, MADV_NOHUGEPAGE);
    *capacity = wanted;
    return grown;
}

/* One step further, while the pages of the one behind that come. */
static void *step(void *table, size_t *capacity, size_t size, size_t need)
{
    size_t bytes = *capacity * size / 8, wanted = *capacity;
    if (bytes < LEAST_STEP) bytes = LEAST_STEP;
    if (bytes > MOST_STEP) bytes = MOST_STEP;
    while (wanted <= need) wanted += bytes / size;
    vf_memory_expect((wanted - *capacity) * size);
    vf_remap(table, *capacity * size, wanted * size);
    *capacity = wanted;
    if ((wanted * size) + bytes < VF_ROOM_BYTES) vf_ahead((char *)table + wanted * size, bytes, mapped_bytes);
    return table;
}

void *vf_grow(void *table, size_t *capacity, size_t size, size_t need)
{
    if (need < *capacity) return table;
    if (vf_has_room(table)) return step(table, capacity, size, need);
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
