/* See steps.h: which loop is watched, and its iterations as they end. */
#include "valueflow/runtime/steps/steps.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/hooks.h"
#include "compiler/loop.h"
#include "valueflow/runtime/process/ending.h"
#include "valueflow/runtime/process/memory.h"
#include "valueflow/runtime/process/region.h"
#include "valueflow/runtime/steps/plain_run.h"
#include "valueflow/runtime/steps/window.h"
#include "valueflow/runtime/tables/tables.h"
#include "valueflow/runtime/tables/vector.h"

enum { FEWEST_COUNTED = 256, PER_COUNTED = 10, MOST_COUNTED = 4096 }; /* one of ten iterations */

int parcast_vf_plain = VF_RUNS_PLAIN; /* until the run time has seen that values are asked for */

extern struct parcast_vf_loop __start_parcast_loops[] __attribute__((weak));
extern struct parcast_vf_loop __stop_parcast_loops[] __attribute__((weak));
void parcast_vf_loop_enter(struct parcast_vf_loop *loop);
void parcast_vf_loop_leave(struct parcast_vf_loop *loop);
void parcast_vf_loop_step(struct parcast_vf_loop *loop);

static const struct parcast_vf_loop *watched, *current; /* current: it runs */
static bool watches_entries;
static const struct parcast_vf_loop *around; /* the outermost loop that runs */
static uint64_t around_steps;

/* ---- counting ---- */

bool vf_counting; /* nothing is followed: operations of iterations are counted */
static pid_t counting_process;
/* Of iterations, from the first, and what there was before. */
static uint64_t total, flop[MOST_COUNTED], stores[MOST_COUNTED], last_flop, last_stores;
static size_t n_flop;

static void count_flop(void)
{
    uint64_t now_flop = vf_region_flop(), now_stores = vf_region_stores();
    if (n_flop < MOST_COUNTED) {
        flop[n_flop] = now_flop - last_flop;
        stores[n_flop++] = now_stores - last_stores;
    }
    last_flop = now_flop;
    last_stores = now_stores;
}

void vf_steps_counted(void)
{
    char path[4096];
    if (!vf_counting || getpid() != counting_process) return;
    vf_counting = false;
    snprintf(path, sizeof path, "%s.steps", vf_values_path());
    FILE *out = fopen(path, "we");
    for (size_t i = 0; out && i < n_flop; i++)
        fprintf(out, "%llu %llu\n", (unsigned long long)flop[i], (unsigned long long)stores[i]);
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

/* ---- hooks ---- */

static void step_taken(void)
{
    if (vf_counting)
        counted_step();
    else
        vf_window_step(watched ? watched->site : "entries of the region");
}

static bool is_in_region(void)
{
    return vf_tracing || vf_skipping || (vf_counting && vf_region_depth());
}

void parcast_vf_loop_enter(struct parcast_vf_loop *loop)
{
    if (parcast_vf_inside) {
        vf_plain_loop_enter(loop);
        return;
    }
    if (vf_tracing && !around) {
        around = loop;
        around_steps = 1;
    }
    if (current || loop != watched || !is_in_region()) return;
    current = loop;
    last_flop = vf_region_flop();
    last_stores = vf_region_stores();
    vf_window_begin();
}

void parcast_vf_loop_leave(struct parcast_vf_loop *loop)
{
    if (parcast_vf_inside) vf_plain_loop_leave(loop);
    if (around == loop) around = NULL;
    if (current != loop) return;
    if (vf_counting && n_flop + 1 == total) counted_step(); /* the last one leaves before it ends */
    current = NULL;
}

void parcast_vf_loop_step(struct parcast_vf_loop *loop)
{
    if (loop == around) {
        around_steps++;
        vf_memory_expect(0);
        vf_end_if_asked();
    }
    if (loop == watched && current == loop && is_in_region() && (vf_counting || !vf_window_is_done()))
        step_taken();
}

void vf_steps_region_left(void)
{
    current = around = NULL;
    if (watches_entries && (vf_counting || !vf_window_is_done())) step_taken();
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
    if (!vf_counting) vf_window_open(total, end);
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

void vf_steps_open(void)
{
    const char *values = getenv("PARCAST_VALUES");
    if (!values || !*values) {
        vf_plain_open();
        return;
    }
    parcast_vf_plain = vf_steps_only_counted() ? VF_RUNS_COUNTED : VF_RUNS_FOLLOWED;
    read_request(getenv("PARCAST_VALUES_STEPS"));
}
