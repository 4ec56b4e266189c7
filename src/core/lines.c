#include "core/lines.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 1 << 21, LARGE = 4 * LARGE_PAGE };

void *lines_allocate(size_t n, size_t record_bytes)
{
    if (n > (SIZE_MAX - LARGE_PAGE) / record_bytes) return NULL;
    size_t bytes = n * record_bytes, alignment = bytes >= LARGE ? LARGE_PAGE : LINE_BYTES;
    bytes = (bytes + alignment - 1) / alignment * alignment;
    void *memory = aligned_alloc(alignment, bytes);
#ifdef MADV_HUGEPAGE
    if (memory && bytes >= LARGE)
        (void)madvise(memory, bytes, MADV_HUGEPAGE); /* where it cannot be, it is small */
#endif
    return memory;
}
