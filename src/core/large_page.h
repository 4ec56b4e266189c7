/*
 * Large pages save faults and misses where the system has them at hand. In a virtual machine whose host takes
 * back what is free, one may take milliseconds, ten times as long as the small ones that it stands for: the
 * first of them tells.
 */
#ifndef PARCAST_CORE_LARGE_PAGE_H
#define PARCAST_CORE_LARGE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum { LARGE_PAGE_BYTES = 2 << 20 };

/** Touches the first whole large page of new memory for which large pages were asked. True where that took
 * longer than the small ones would have: over half a millisecond. */
static inline bool large_page_is_slow(void *memory, size_t bytes)
{
    static const long slow_ns = 500000;
    char *page = (char *)memory + (-(uintptr_t)memory & (LARGE_PAGE_BYTES - 1));
    struct timespec before, after;
    if (page + LARGE_PAGE_BYTES > (char *)memory + bytes) return false;
    clock_gettime(CLOCK_MONOTONIC, &before);
    *(volatile char *)page = 0;
    clock_gettime(CLOCK_MONOTONIC, &after);
    return (after.tv_sec - before.tv_sec) * 1000000000L + after.tv_nsec - before.tv_nsec > slow_ns;
}

#endif
