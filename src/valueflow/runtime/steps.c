/* See steps.h. The followed run stops at the end of an iteration once iterations repeat: as many values made
 * as before, hardly a new vertex, and, looking back over the last ones, nearly all words written that were
 * ever written. */
#include "valueflow/runtime/steps.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "compiler/hooks.h"
#include "compiler/loop.h"
#include "valueflow/runtime/dump.h"
#include "valueflow/runtime/ending.h"
#include "valueflow/runtime/guard.h"
#include "valueflow/runtime/map.h"
#include "valueflow/runtime/memory.h"
#include "valueflow/runtime/object.h"
#include "valueflow/runtime/region.h"
#include "valueflow/runtime/tables.h"
#include "valueflow/runtime/value.h"
#include "valueflow/runtime/vector.h"

/* No clock decides what is followed: a busy machine gives the same words. */
enum { WATCHED = 48, LONGEST = 20, PATIENCE = 40, FEWEST_COUNTED = 48, MOST_COUNTED = 4096 };
enum { PER_WINDOW = 50, PER_COUNTED = 10 }; /* one of so many iterations is followed, and counted */
static const double drift_ratio = 0.05, new_ratio = 0.01, written_ratio = 0.9, written_at_once_ratio = 0.99;

int parcast_vf_plain = VF_RUNS_PLAIN; /* until the run time has seen that values are asked for */
uint64_t parcast_vf_inside;           /* 1 inside the region of a plain run */

extern struct parcast_vf_loop __start_parcast_loops[] __attribute__((weak));
extern struct parcast_vf_loop __stop_parcast_loops[] __attribute__((weak));
void parcast_vf_loop_enter(struct parcast_vf_loop *loop);
void parcast_vf_loop_leave(struct parcast_vf_loop *loop);
void parcast_vf_loop_step(struct parcast_vf_loop *loop);

static struct parcast_vf_loop
    *current; /* plain: outermost; followed: the one that is watched, when it runs */

/* ---- the plain run ---- */

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
        loop->count = loop->entries = loop->time_ns = 0;
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
 * loaded later, then for each loop that ran "loop NUMBER COUNT SECONDS SITE". */
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
            fprintf(out, "loop %zu %llu %.9f %s\n", (size_t)(loop - __start_parcast_loops),
                    (unsigned long long)(loop->count + loop->uncounted * loop->entries),
                    (double)loop->time_ns * 1e-9, loop->site);
    fclose(out);
}

/* ---- the followed run ---- */

static struct parcast_vf_loop *watched;
static bool watches_entries, done = true;
static uint64_t total, n_steps, last_created, last_vertices;
static uint64_t created[WATCHED];      /* by the last iterations, ring */
static uint64_t first_step;            /* of the window; 0: none yet */
static struct parcast_vf_loop *around; /* the outermost loop that runs */
static uint64_t around_steps;
static uint64_t longest; /* iterations of a window */
static uint64_t period;  /* of iterations that do different work; 0: not known */
bool vf_counting;        /* nothing is followed: operations of iterations are counted */
static pid_t counting_process;
static uint64_t flop[MOST_COUNTED], last_flop; /* of iterations, from the first; what there was before */
static size_t n_flop;

/* What every vertex had computed at the end of the last iterations before the window: two, for arrays that
 * change places, and where it begins. */
struct snapshot {
    uint32_t *work, n, capacity;
};
enum { BEFORE = 2 };
static struct snapshot ends[BEFORE + 1]; /* of iteration k: ends[k % (BEFORE + 1)] */

static void take_snapshot(uint64_t step)
{
    struct snapshot *s = &ends[step % (BEFORE + 1)];
    s->n = vf_vertices_size();
    if (!s->work || s->n > s->capacity) {
        if (s->work) vf_unmap_pages(s->work, (size_t)s->capacity * sizeof *s->work);
        s->capacity = s->n + s->n / 2 + 1;
        s->work = vf_map((size_t)s->capacity * sizeof *s->work);
    }
    for (uint32_t v = 0; v < s->n; v++) s->work[v] = vf_vertices[v].work;
}

static uint32_t work_in(const struct snapshot *s, uint32_t v)
{
    return v < s->n ? s->work[v] : 0;
}

static uint64_t made_by(uint64_t step)
{
    return created[step % WATCHED];
}

static bool same_within(double a, double b, double ratio)
{
    double difference = a > b ? a - b : b - a;
    return difference <= ratio * a;
}

/* Over all that are left the work of an iteration must not drift away. */
static bool repeats(void)
{
    if (n_steps < 2) return false;
    uint64_t new_vertices = vf_vertices_size() - last_vertices;
    double ratio = drift_ratio / (double)total;
    return (double)new_vertices <= new_ratio * (double)made_by(n_steps) &&
           same_within((double)made_by(n_steps), (double)made_by(n_steps - 1), ratio);
}

static void name_file(char *path, size_t size, const char *suffix)
{
    snprintf(path, size, "%s%s", vf_values_path(), suffix);
}

/* What there is now, by a child: writing it counts what is alive as finished. The program's own fork is not
 * used. */
static bool dump_counts_in_child(const char *path)
{
    int status = 0;
    long child = syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, 0);
    if (child == 0) {
        vf_tracing = false;
        vf_dump_counts(path);
        vf_leave(0);
    }
    while (child > 0 && waitpid((pid_t)child, &status, 0) < 0 && errno == EINTR) {
    }
    return child > 0 && !status;
}

static void leave_first(void)
{
    char path[4096];
    name_file(path, sizeof path, ".before");
    if (dump_counts_in_child(path))
        first_step = n_steps;
    else
        done = true;
}

/* Of the words that the two iterations before the window computed it must have written nearly all: iterations
 * in space write other words each time. One iteration alone must have written all: arrays that change places
 * are written in turn. What only the first iterations made, when temporaries had other names, does not count.
 */
static bool all_written(uint64_t length)
{
    const struct snapshot *first = &ends[first_step % (BEFORE + 1)];
    const struct snapshot *before = &ends[(first_step - BEFORE) % (BEFORE + 1)];
    uint64_t computed = 0, written = 0;
    for (uint32_t v = 1; v < first->n; v++) {
        if (first->work[v] == work_in(before, v)) continue;
        computed++;
        written += vf_vertices[v].work > first->work[v];
    }
    double ratio = length == 1 ? written_at_once_ratio : written_ratio;
    return computed && (double)written >= ratio * (double)computed;
}

static uint64_t made_between(uint64_t from, uint64_t to)
{
    uint64_t sum = 0;
    for (uint64_t s = from + 1; s <= to; s++) sum += made_by(s);
    return sum;
}

static void write_steps(double spread)
{
    char path[4096];
    name_file(path, sizeof path, ".steps");
    FILE *out = fopen(path, "we");
    if (!out) vf_stop("cannot write '%s': %s", path, strerror(errno));
    fprintf(out, "%llu %llu %llu %.6g %s\n", (unsigned long long)first_step, (unsigned long long)n_steps,
            (unsigned long long)total, spread, watched ? watched->site : "entries of the region");
    if (fclose(out)) vf_stop("cannot write '%s': %s", path, strerror(errno));
}

static void count_flop(void)
{
    uint64_t now = vf_region_flop();
    if (n_flop < MOST_COUNTED) flop[n_flop++] = now - last_flop;
    last_flop = now;
}

void vf_steps_counted(void)
{
    char path[4096];
    if (!vf_counting || getpid() != counting_process) return;
    vf_counting = false;
    name_file(path, sizeof path, ".steps");
    FILE *out = fopen(path, "we");
    for (size_t i = 0; out && i < n_flop; i++) fprintf(out, "%llu\n", (unsigned long long)flop[i]);
    if (!out || fclose(out)) vf_stop("cannot write '%s': %s", path, strerror(errno));
}

static void counted_step(void)
{
    count_flop();
    bool enough = n_flop >= FEWEST_COUNTED && n_flop >= total / PER_COUNTED;
    if (!enough && n_flop < MOST_COUNTED && n_flop < total) return;
    vf_steps_counted();
    vf_leave(0);
}

static void stop_here(double spread)
{
    write_steps(spread);
    vf_tracing = false;
    vf_dump(vf_values_path(), NULL);
    vf_leave(0);
}

static double ratio_of(double a, double b)
{
    double difference = a > b ? a - b : b - a;
    return a > 0 ? difference / a : 0;
}

/* One iteration like the one before it, where there are few. */
static void look_at_one(void)
{
    double before = (double)made_by(n_steps - 1), last = (double)made_by(n_steps);
    if (longest <= 2 && same_within(before, last, drift_ratio / (double)total) && all_written(1))
        stop_here(ratio_of(before, last));
}

/* The window is even, for arrays that change places, and long where iterations are many. */
static void look_at_window(void)
{
    uint64_t length = n_steps - first_step, half = length / 2;
    if (length == 1) look_at_one();
    if (length % 2) return;
    double first = (double)made_between(first_step, first_step + half);
    double second = (double)made_between(first_step + half, n_steps);
    bool even = same_within(first, second, drift_ratio * (double)half / (double)total);
    if (even && length >= longest) {
        if (all_written(length)) stop_here(ratio_of(first, second));
        done = true;
    }
    if (length >= PATIENCE) done = true;
}

/* A window of whole periods, from where whole periods are left. */
static void look_at_period(void)
{
    bool few_new = (double)(vf_vertices_size() - last_vertices) <= new_ratio * (double)made_by(n_steps);
    if (!first_step && n_steps >= 2 && (total - n_steps) % period == 0 && few_new) {
        leave_first();
    } else if (first_step && n_steps - first_step == period) {
        if (all_written(period)) stop_here(0);
        done = true;
    }
}

static void step_taken(void)
{
    if (vf_counting) {
        counted_step();
        return;
    }
    n_steps++;
    created[n_steps % WATCHED] = vf_values_created() - last_created;
    if (!first_step) take_snapshot(n_steps);
    if (!first_step && 2 * n_steps >= total)
        done = true; /* not worth it any more */
    else if (period)
        look_at_period();
    else if (first_step)
        look_at_window();
    else if (repeats())
        leave_first();
    last_created = vf_values_created();
    last_vertices = vf_vertices_size();
}

/* What was computed before the loop is no iteration of it. */
static void begin_watching(void)
{
    take_snapshot(0);
    last_created = vf_values_created();
    last_vertices = vf_vertices_size();
}

static bool is_in_region(void)
{
    return vf_tracing || (vf_counting && vf_region_depth());
}

void parcast_vf_loop_enter(struct parcast_vf_loop *loop)
{
    if (vf_tracing && !around) {
        around = loop;
        around_steps = 1;
    }
    if (current) return;
    if (parcast_vf_inside) {
        current = loop;
        loop->entries++;
        loop_entered_ns = loop_time_ns(loop);
    } else if (loop == watched && is_in_region()) {
        current = loop;
        last_flop = vf_region_flop();
        if (!done && !ends[0].work) begin_watching();
    }
}

void parcast_vf_loop_leave(struct parcast_vf_loop *loop)
{
    if (around == loop) around = NULL;
    if (current != loop) return;
    if (parcast_vf_inside) loop->time_ns += loop_time_ns(loop) - loop_entered_ns;
    current = NULL;
}

void parcast_vf_loop_step(struct parcast_vf_loop *loop)
{
    if (loop == around) {
        around_steps++;
        vf_memory_expect(0);
        vf_end_if_asked();
    }
    if (loop == watched && current == loop && is_in_region() && (!done || vf_counting)) step_taken();
}

void vf_steps_region_left(void)
{
    current = around = NULL;
    if (watches_entries && (!done || vf_counting)) step_taken();
}

void vf_steps_where(char *text, size_t size)
{
    if (around)
        snprintf(text, size, "iteration %llu of %s", (unsigned long long)around_steps, around->site);
    else
        snprintf(text, size, "%s", "");
}

/* ---- beginning ---- */

static void read_request(const char *text)
{
    char *end = NULL;
    if (!text || !*text) return;
    watches_entries = strncmp(text, "entries:", 8) == 0;
    if (watches_entries) {
        end = (char *)text + 7;
    } else {
        size_t number = strtoull(text, &end, 10);
        if (number >= (size_t)(__stop_parcast_loops - __start_parcast_loops)) return;
        watched = &__start_parcast_loops[number];
    }
    if (*end != ':') return;
    total = strtoull(end + 1, &end, 10);
    vf_counting = vf_steps_only_counted();
    period = *end == ':' ? strtoull(end + 1, NULL, 10) : 0;
    longest = total / PER_WINDOW > LONGEST ? LONGEST : total / PER_WINDOW / 2 * 2;
    if (longest < 2) longest = 2;
    done = total == 0 || vf_counting;
    counting_process = getpid();
    if (vf_counting) atexit(vf_steps_counted);
}

bool vf_steps_only_counted(void)
{
    static const char ending[] = ":count";
    const char *steps = getenv("PARCAST_VALUES_STEPS");
    size_t n = steps ? strlen(steps) : 0, m = sizeof ending - 1;
    return n > m && strcmp(steps + n - m, ending) == 0;
}

__attribute__((constructor(101))) static void begin(void)
{
    const char *values = getenv("PARCAST_VALUES");
    plain_path = getenv("PARCAST_PLAIN");
    bool plain = !(values && *values);
    if (!plain) parcast_vf_plain = vf_steps_only_counted() ? VF_RUNS_COUNTED : VF_RUNS_FOLLOWED;
    if (plain && plain_path && *plain_path) {
        write_started();
        atexit(write_counts);
    } else {
        plain_path = NULL;
    }
    if (!plain) read_request(getenv("PARCAST_VALUES_STEPS"));
}
