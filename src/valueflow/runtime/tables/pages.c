#include "valueflow/runtime/tables/pages.h"

#include <stdbool.h>

#include "core/large_pages.h"
#include "valueflow/runtime/process/memory.h"
#include "valueflow/runtime/tables/map.h"
#include "valueflow/runtime/tables/room.h"

enum { MANY = 64 << 20, LARGE_TABLE = 4 << 20, MOST_RANGES = 256 };

static struct range {
    void *p;
    size_t bytes;
} ranges[MOST_RANGES];
static size_t n_ranges;
static bool is_tried, are_wanted;

void vf_pages_for_range(void *p, size_t bytes)
{
    if (are_wanted) madvise(p, bytes, MADV_HUGEPAGE);
    if (!is_tried && n_ranges < MOST_RANGES) ranges[n_ranges++] = (struct range){p, bytes};
}

/* A wish, no need: it does not matter whether the system grants it. */
static void try_large(void)
{
    is_tried = true;
    void *memory = vf_map_pages(NULL, LARGE_PAGE_TRY_BYTES, 0);
    if (memory == MAP_FAILED) return;
    are_wanted = large_page_pays(memory);
    vf_unmap_pages(memory, LARGE_PAGE_TRY_BYTES);
    for (size_t i = 0; are_wanted && i < n_ranges; i++) madvise(ranges[i].p, ranges[i].bytes, MADV_HUGEPAGE);
}

void vf_pages_for_table(void *p, size_t bytes, size_t mapped)
{
    if (!is_tried && mapped >= MANY && vf_memory_is_ample()) try_large();
    if (are_wanted && bytes >= LARGE_TABLE && !vf_has_room(p)) madvise(p, bytes, MADV_HUGEPAGE);
}
