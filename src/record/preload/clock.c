#include "clock.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

bool clock_uses_counter;

/* The kernel has checked what the processor promises, and whether the counters of all cores agree. */
static bool counter_is_steady(void)
{
#if defined(__x86_64__)
    FILE *file = fopen("/proc/cpuinfo", "re");
    if (!file) return false;
    char line[8192];
    bool steady = false;
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "flags", 5) != 0) continue;
        steady = strstr(line, " constant_tsc") && strstr(line, " nonstop_tsc");
        break;
    }
    fclose(file);
    return steady;
#else
    return true;
#endif
}

void clock_choose(void)
{
    clock_uses_counter = counter_is_steady();
}

/* The counter between two readings of the clock; of a few tries the tightest pair. */
struct raw_stamp clock_stamp(void)
{
    struct raw_stamp best = {0, 0};
    uint64_t best_width = UINT64_MAX;
    for (int i = 0; i < 3; i++) {
        uint64_t before = clock_ticks();
        uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
        uint64_t width = clock_ticks() - before;
        if (width >= best_width) continue;
        best_width = width;
        best = (struct raw_stamp){before + width / 2, now_ns};
    }
    return best;
}

struct raw_usage clock_usage(void)
{
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    return (struct raw_usage){
        .process_cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID),
        .thread_cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID),
        .voluntary = (uint64_t)r.ru_nvcsw,
        .involuntary = (uint64_t)r.ru_nivcsw,
        .peak_memory_bytes = (uint64_t)r.ru_maxrss * 1024,
    };
}
