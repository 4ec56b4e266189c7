/** What the benchmarks measure with. */
#ifndef PARCAST_BENCH_MEASURE_H
#define PARCAST_BENCH_MEASURE_H

#include <math.h>
#include <stdlib.h>
#include <time.h>

static inline double clock_s(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/** Of this process with all its threads. */
static inline double cpu_s(void)
{
    return clock_s(CLOCK_PROCESS_CPUTIME_ID);
}

static inline double wall_s(void)
{
    return clock_s(CLOCK_MONOTONIC);
}

static inline int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/** Sorts them; NAN of none. */
static inline double median(double *values, size_t n)
{
    qsort(values, n, sizeof *values, compare_doubles);
    return n == 0 ? NAN : 0.5 * (values[(n - 1) / 2] + values[n / 2]);
}

#endif
