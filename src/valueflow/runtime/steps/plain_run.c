/* The plain run: the time of the region, its entries, and the iterations of its loops. */
#include "valueflow/runtime/steps/plain_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "valueflow/runtime/process/region.h"
#include "valueflow/runtime/steps/steps.h"

uint64_t parcast_vf_inside; /* 1 inside the region of a plain run */

extern struct parcast_vf_loop __start_parcast_loops[] __attribute__((weak));
extern struct parcast_vf_loop __stop_parcast_loops[] __attribute__((weak));

static const struct parcast_vf_loop *current; /* the outermost that runs */
static const char *plain_path;
static uint64_t plain_depth, plain_entries, region_cpu_ns, region_ns, entered_cpu_ns, entered_ns,
    loop_entered_ns;

static uint64_t now_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* CPU time, which other programs do not change. Asking for it costs ten times as much as for the time of day:
 * a loop that begins more often is too short to be steps. */
static uint64_t loop_time_ns(const struct parcast_vf_loop *loop)
{
    enum { SELDOM = 10000 };
    return now_ns(loop->entries <= SELDOM ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC);
}

void vf_plain_enter(void)
{
    plain_depth++;
    if (plain_depth > 1 || !plain_path) return;
    plain_entries++;
    parcast_vf_inside = 1;
    entered_ns = now_ns(CLOCK_MONOTONIC);
    entered_cpu_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID);
}

void vf_plain_leave(void)
{
    if (!plain_depth) return;
    plain_depth--;
    if (plain_depth || !plain_path) return;
    region_cpu_ns += now_ns(CLOCK_PROCESS_CPUTIME_ID) - entered_cpu_ns;
    region_ns += now_ns(CLOCK_MONOTONIC) - entered_ns;
    parcast_vf_inside = 0;
    current = NULL;
}

void vf_plain_forget(void)
{
    plain_depth = plain_entries = region_cpu_ns = region_ns = parcast_vf_inside = 0;
    current = NULL;
    for (struct parcast_vf_loop *loop = __start_parcast_loops; loop < __stop_parcast_loops; loop++)
        loop->count = loop->entries = loop->time_ns = loop->before_ns = 0;
}

/* Who finds this alone knows that the program was instrumented and ended in another way. */
static void write_started(void)
{
    FILE *out = fopen(plain_path, "we");
    if (!out) return; /* who asked for it says so */
    fputs("started\n", out);
    fclose(out);
}

/* plain_format: "started" until the program ends; then "region CPU_SECONDS SECONDS ENTRIES", with " left"
 * behind it where a marked region was over before the program and " late" where a library marks it that was
 * loaded later, then for each loop that ran "loop NUMBER COUNT SECONDS SECONDS_BEFORE SITE". */
static void write_counts(void)
{
    bool left = vf_region_is_marked() && plain_entries && !plain_depth;
    if (plain_depth) {
        plain_depth = 1;
        vf_plain_leave();
    }
    FILE *out = fopen(plain_path, "we");
    if (!out) return; /* who asked for it says so */
    fprintf(out, "region %.9f %.9f %llu%s%s\n", (double)region_cpu_ns * 1e-9, (double)region_ns * 1e-9,
            (unsigned long long)plain_entries, left ? " left" : "", vf_region_is_late() ? " late" : "");
    for (struct parcast_vf_loop *loop = __start_parcast_loops; loop < __stop_parcast_loops; loop++)
        if (loop->count)
            fprintf(out, "loop %zu %llu %.9f %.9f %s\n", (size_t)(loop - __start_parcast_loops),
                    (unsigned long long)(loop->count + loop->uncounted * loop->entries),
                    (double)loop->time_ns * 1e-9, (double)loop->before_ns * 1e-9, loop->site);
    fclose(out);
}

void vf_plain_loop_enter(struct parcast_vf_loop *loop)
{
    if (current) return;
    current = loop;
    loop->entries++;
    loop_entered_ns = loop_time_ns(loop);
    if (loop->entries == 1) loop->before_ns = region_cpu_ns + loop_entered_ns - entered_cpu_ns;
}

void vf_plain_loop_leave(struct parcast_vf_loop *loop)
{
    if (current != loop) return;
    loop->time_ns += loop_time_ns(loop) - loop_entered_ns;
    current = NULL;
}

void vf_plain_open(void)
{
    const char *path = getenv("PARCAST_PLAIN");
    if (!path || !*path) return;
    plain_path = path;
    write_started();
    atexit(write_counts);
}
