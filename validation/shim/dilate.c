/*
 * Time dilation at MPI calls. Between the exit of a call (wall time w, CPU time c) and the entry of the next
 * one the rank has used C seconds of CPU; the entry is put off until w + C / speed. CPU time does not grow
 * while the rank is preempted, and the sleep costs none, so many slow nodes fit on few cores.
 *
 * A sleep ends some microseconds late. That is taken off the next one, or short gaps would all be too long.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "record/preload/behind.h"
#include "record/preload/record.h"
#include "shim.h"

struct shim_settings shim_settings;
_Thread_local enum shim_state shim_state;

enum { CARRIED_NS = 1000000, HOST_BYTES = 64 };

/* The gap that is under way, and what all gaps were together. */
static struct gap {
    int64_t wall_ns, cpu_ns; /* at its beginning */
    int64_t credit_ns;       /* declared by the program, -1: none */
    int64_t overslept_ns;    /* of the last sleep */
} gap = {.credit_ns = -1};

static struct totals {
    int64_t start_ns, gaps, cpu_ns, due_ns, late_gaps, late_ns, longest_late_ns;
    bool scheduling_refused;
} totals;

static _Thread_local bool is_main;
typedef word watch_function(unsigned id, void **next, enum binding binding, unsigned n, word *a,
                            const void *site);
static watch_function *recorder_watch;

__attribute__((constructor)) static void load(void)
{
    const char *speed = getenv("CLUSTER_SPEED"), *sleeps = getenv("CLUSTER_SLEEP"),
               *latency = getenv("CLUSTER_LATENCY_NS");
    if (!speed || !*speed) return;
    shim_settings.speed = strtod(speed, NULL);
    if (!(shim_settings.speed > 0 && shim_settings.speed <= 1)) {
        fprintf(stderr, "cluster: CLUSTER_SPEED is '%s', not a number above 0 and up to 1\n", speed);
        shim_settings.speed = 0;
        return;
    }
    shim_settings.sleeps = sleeps && strcmp(sleeps, "1") == 0;
    shim_settings.latency_ns = latency ? strtoll(latency, NULL, 10) : 0;
    shim_settings.report = getenv("CLUSTER_REPORT_DIR");
}

void shim_sleep_until(int64_t due_ns)
{
    struct timespec due = {due_ns / NS_PER_S, due_ns % NS_PER_S};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL) == EINTR) continue;
}

bool parcast_cluster_compute(double cpu_s)
{
    if (!shim_settings.sleeps || !is_main || !(cpu_s >= 0)) return false;
    gap.credit_ns = (gap.credit_ns > 0 ? gap.credit_ns : 0) + (int64_t)(cpu_s * NS_PER_S);
    return true;
}

/* A rank whose message has come must not queue behind the time slices of ranks that compute: on nodes of
 * their own they are not in its way. Eight ranks on two cores lost up to 8 ms to that in a reduction of 3 kB.
 * So a rank is under SCHED_FIFO, which has a core at once, while it is in MPI or held back, and computes
 * under SCHED_OTHER. (SCHED_IDLE for computing does not do: a kernel with lazy preemption lets even that go
 * on until the next tick.) */
static void give_way(bool yes)
{
    struct sched_param urgency = {.sched_priority = yes ? 0 : 1};
    if (sched_setscheduler(0, yes ? SCHED_OTHER : SCHED_FIFO, &urgency) == 0 || totals.scheduling_refused)
        return;
    totals.scheduling_refused = true;
    fprintf(stderr, "cluster: ranks in MPI get no precedence over those that compute (SCHED_FIFO): %s\n",
            strerror(errno));
}

static void begin_gap(void)
{
    gap.wall_ns = shim_ns(CLOCK_MONOTONIC); /* before others may have the core */
    give_way(true);
    gap.cpu_ns = shim_ns(CLOCK_THREAD_CPUTIME_ID);
    gap.credit_ns = -1;
}

static void note_late(int64_t late_ns)
{
    totals.late_gaps++;
    totals.late_ns += late_ns;
    if (late_ns > totals.longest_late_ns) totals.longest_late_ns = late_ns;
}

/* The computing since the last call takes its time before this one begins. */
static void end_gap(void)
{
    int64_t used_ns = shim_ns(CLOCK_THREAD_CPUTIME_ID) - gap.cpu_ns;
    if (gap.credit_ns >= 0) used_ns = gap.credit_ns;
    int64_t takes_ns = (int64_t)((double)used_ns / shim_settings.speed);
    int64_t due_ns = gap.wall_ns + takes_ns - gap.overslept_ns, now_ns = shim_ns(CLOCK_MONOTONIC);
    totals.gaps++;
    totals.cpu_ns += used_ns;
    totals.due_ns += takes_ns;
    give_way(false);
    if (now_ns < due_ns) {
        shim_sleep_until(due_ns);
        now_ns = shim_ns(CLOCK_MONOTONIC);
    }
    int64_t over_ns = now_ns - due_ns;
    gap.overslept_ns = over_ns < CARRIED_NS ? over_ns : 0;
    if (over_ns >= CARRIED_NS) note_late(over_ns);
}

/* One line a rank: is this run fit to be compared with anything? */
static void report(void)
{
    char host[HOST_BYTES] = "", path[4096];
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    struct rusage usage;
    if (!shim_settings.report || !*shim_settings.report) return;
    snprintf(path, sizeof path, "%s/rank.%s", shim_settings.report, rank ? rank : "0");
    FILE *file = fopen(path, "ae"); /* an elastic run has several launches */
    gethostname(host, sizeof host - 1);
    getrusage(RUSAGE_SELF, &usage);
    bool written =
        file && fprintf(file, "%s %s %lld %.9f %.9f %lld %.9f %.9f %ld %.9f %.9f\n", rank ? rank : "0", host,
                        (long long)totals.gaps, 1e-9 * (double)totals.cpu_ns, 1e-9 * (double)totals.due_ns,
                        (long long)totals.late_gaps, 1e-9 * (double)totals.late_ns,
                        1e-9 * (double)totals.longest_late_ns, usage.ru_nivcsw,
                        1e-9 * (double)(shim_ns(CLOCK_MONOTONIC) - totals.start_ns),
                        1e-9 * (double)shim_ns(CLOCK_PROCESS_CPUTIME_ID)) > 0;
    if ((file && fclose(file) != 0) || !written)
        fprintf(stderr, "cluster: cannot write '%s': %s\n", path, strerror(errno));
}

/* The thread that initialises MPI is the one whose computing is dilated: one thread a rank. */
static void start(void)
{
    is_main = true;
    prctl(PR_SET_TIMERSLACK, 1UL);
    begin_gap();
    totals.start_ns = gap.wall_ns;
}

static word pass_on(const struct function *f, void **next, enum binding binding, unsigned n, word *a,
                    const void *site)
{
    static bool looked;
    if (!looked) recorder_watch = (watch_function *)abi_symbol("parcast_record_watch", site);
    looked = true;
    if (recorder_watch) return recorder_watch(f->id, next, binding, n, a, site);
    void *behind = __atomic_load_n(next, __ATOMIC_RELAXED);
    if (!behind) {
        behind = behind_find(f, binding, site);
        __atomic_store_n(next, behind, __ATOMIC_RELAXED);
    }
    return abi_call(behind, n, a);
}

word parcast_watch(const struct function *f, void **next, enum binding binding, unsigned n, word *a,
                   const void *site)
{
    bool starts = f->kind == KIND_INIT || f->kind == KIND_INIT_THREAD, ends = f->kind == KIND_FINALIZE;
    if (shim_settings.speed == 0 || shim_state != OUTSIDE || (!is_main && !starts))
        return pass_on(f, next, binding, n, a, site);
    if (is_main) end_gap();
    if (is_main && ends) report();
    shim_state = starts || ends || (f->flags & WAITS) ? WAITING : PASSING;
    word result = pass_on(f, next, binding, n, a, site);
    shim_state = OUTSIDE;
    if (starts) start();
    if (ends) is_main = false;
    if (is_main) begin_gap();
    return result;
}

/* The program's own clock shows the dilated time: reading it is a call like any other. */
static double read_clock(double (*clock)(void))
{
    bool own = shim_settings.speed != 0 && shim_state == OUTSIDE && is_main;
    if (own) end_gap();
    double now_s = clock();
    if (own) begin_gap();
    return now_s;
}

#define CLOCK(symbol)                                                                                        \
    __attribute__((visibility("default"))) double symbol(void);                                              \
    double symbol(void)                                                                                      \
    {                                                                                                        \
        static double (*next)(void);                                                                         \
        if (!next) next = (double (*)(void))abi_symbol(#symbol, __builtin_return_address(0));                \
        if (!next) abort();                                                                                  \
        return read_clock(next);                                                                             \
    }
CLOCK(MPI_Wtime)
CLOCK(mpi_wtime_)
CLOCK(mpi_wtime)
CLOCK(mpi_wtime__)
CLOCK(MPI_WTIME)
CLOCK(mpi_wtime_f08_)
