/** Ticks: the cheapest steady counter of the machine; stamps tie them to the monotonic clock. */
#ifndef PARCAST_PRELOAD_CLOCK_H
#define PARCAST_PRELOAD_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "record/raw_format.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#elif !defined(__aarch64__)
#error "the preload library knows the calling conventions of Linux on x86-64 and aarch64 only"
#endif

/* True when the time stamp counter runs at one rate in all power states and on all cores. */
extern bool clock_uses_counter __attribute__((visibility("hidden")));

void clock_choose(void);
struct raw_stamp clock_stamp(void);
struct raw_usage clock_usage(void);

static inline uint64_t clock_ns(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

static inline uint64_t clock_ticks(void)
{
#if defined(__x86_64__)
    if (clock_uses_counter) return __rdtsc();
    return clock_ns(CLOCK_MONOTONIC);
#else
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#endif
}

#endif
