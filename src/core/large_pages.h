/*
 * Large pages save faults and misses, and where a virtual machine's pages are looked after by software most
 * of both. Where its host takes back what is free, one may take milliseconds to come, several times as long
 * as the small ones that it stands for. A try tells.
 */
#ifndef PARCAST_CORE_LARGE_PAGES_H
#define PARCAST_CORE_LARGE_PAGES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <time.h>

enum { LARGE_PAGE_BYTES = 2 << 20, LARGE_PAGE_TRY_BYTES = 3 * LARGE_PAGE_BYTES };

static inline double large_page_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/** In new memory of LARGE_PAGE_TRY_BYTES, which is used up: does a large page come about as fast as the small
 * ones that it stands for? Of these an eighth is tried. */
static inline bool large_page_pays(void *memory)
{
    enum { SMALL = 4096, SHARE = 8 };
    static const double most_ratio = 1.5;
    volatile char *few = (volatile char *)memory + (-(uintptr_t)memory & (LARGE_PAGE_BYTES - 1)),
                  *one = few + LARGE_PAGE_BYTES;
    if (madvise((void *)few, LARGE_PAGE_BYTES, MADV_NOHUGEPAGE) ||
        madvise((void *)one, LARGE_PAGE_BYTES, MADV_HUGEPAGE))
        return false;
    double begin_s = large_page_now_s();
    for (int i = 0; i < LARGE_PAGE_BYTES / SHARE; i += SMALL) few[i] = 1;
    double middle_s = large_page_now_s();
    *one = 1;
    double end_s = large_page_now_s();
    return end_s - middle_s <= most_ratio * SHARE * (middle_s - begin_s);
}

#endif
