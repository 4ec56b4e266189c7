#include "random_run.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t next(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static int count(uint64_t *state)
{
    return (int)(next(state) & 0x7fffffff);
}

static double real(uint64_t *state)
{
    switch (next(state) % 8) {
    case 0:
        return NAN;
    case 1:
        return 0;
    case 2:
        return INFINITY;
    default:
        return (double)next(state) * 1e-15;
    }
}

static void chars(uint64_t *state, char *text, size_t size)
{
    size_t length = next(state) % size; /* up to the last byte */
    for (size_t i = 0; i < length; i++) text[i] = (char)(' ' + next(state) % 95);
    text[length] = '\0';
}

static char *text_copy(uint64_t *state)
{
    char text[80];
    chars(state, text, sizeof text);
    return strdup(text);
}

static void *items(uint64_t *state, size_t size, size_t *n)
{
    *n = next(state) % 5;
    return *n ? calloc(*n, size) : NULL;
}

static void fill_arrays(uint64_t *s, parcast_rank_profile *p)
{
    p->calls = items(s, sizeof *p->calls, &p->n_calls);
    for (size_t i = 0; i < p->n_calls; i++) {
        parcast_profile_call c = {.count = next(s), .time_s = real(s), .bytes = next(s), .wait_s = real(s)};
        c.min_s = real(s);
        c.max_s = real(s);
        chars(s, c.name, sizeof c.name);
        p->calls[i] = c;
    }
    p->sizes = items(s, sizeof *p->sizes, &p->n_sizes);
    for (size_t i = 0; i < p->n_sizes; i++)
        p->sizes[i] = (parcast_profile_sizes){(parcast_message_class)(next(s) % 5),
                                              (parcast_reach)(next(s) % 3),
                                              (int)(next(s) % 64),
                                              next(s),
                                              next(s),
                                              real(s),
                                              real(s)};
    p->collectives = items(s, sizeof *p->collectives, &p->n_collectives);
    for (size_t i = 0; i < p->n_collectives; i++) {
        parcast_profile_collective c = {
            .n_ranks = count(s), .reach = (parcast_reach)(next(s) % 3), .bin = 63};
        c.count = next(s);
        c.bytes = next(s);
        c.time_s = real(s);
        c.min_s = real(s);
        chars(s, c.name, sizeof c.name);
        p->collectives[i] = c;
    }
    p->peers = items(s, sizeof *p->peers, &p->n_peers);
    for (size_t i = 0; i < p->n_peers; i++)
        p->peers[i] =
            (parcast_profile_peer){(int)(next(s) % 100) - 1, (parcast_reach)(next(s) % 3), next(s), next(s)};
    p->sites = items(s, sizeof *p->sites, &p->n_sites);
    for (size_t i = 0; i < p->n_sites; i++) {
        parcast_profile_site c = {.offset = next(s), .bin = (int)(next(s) % 64), .blocking = next(s) % 2};
        c.module = next(s) % 4 ? text_copy(s) : NULL;
        c.count = next(s);
        c.bytes = next(s);
        c.time_s = real(s);
        c.min_s = real(s);
        c.compute_s = real(s);
        c.compute_sq_s2 = real(s);
        c.compute_min_s = real(s);
        chars(s, c.name, sizeof c.name);
        p->sites[i] = c;
    }
    p->phases = items(s, sizeof *p->phases, &p->n_phases);
    for (size_t i = 0; i < p->n_phases; i++)
        p->phases[i] = (parcast_profile_phase){(int)next(s), next(s), real(s), real(s)};
    p->windows_s = items(s, sizeof *p->windows_s, &p->n_windows);
    for (size_t i = 0; i < p->n_windows; i++) p->windows_s[i] = real(s);
}

/* Every scalar of a profile once: X(kind, field). */
#define PROFILE_SCALARS(X)                                                                                   \
    X(WIDE, world_id)                                                                                        \
    X(FLAG, spawned)                                                                                         \
    X(COUNT, n_ranks)                                                                                        \
    X(COUNT, n_nodes)                                                                                        \
    X(TEXT, host)                                                                                            \
    X(WIDE, pid)                                                                                             \
    X(WIDE, launcher_pid)                                                                                    \
    X(COUNT, core)                                                                                           \
    X(COUNT, allowed_cores)                                                                                  \
    X(COUNT, node_allowed_cores)                                                                             \
    X(COUNT, node_cores)                                                                                     \
    X(COUNT, node_logical_cores)                                                                             \
    X(COUNT, node_sockets)                                                                                   \
    X(COUNT, node_ranks)                                                                                     \
    X(REAL, node_memory_bytes)                                                                               \
    X(REAL, calibration)                                                                                     \
    X(REAL, load_average)                                                                                    \
    X(TEXT, mpi)                                                                                             \
    X(TEXT, mpi_version)                                                                                     \
    X(TEXT, mpi_text)                                                                                        \
    X(COUNT, thread_level_asked)                                                                             \
    X(COUNT, thread_level)                                                                                   \
    X(COUNT, n_threads)                                                                                      \
    X(FLAG, complete)                                                                                        \
    X(FLAG, oversubscribed)                                                                                  \
    X(FLAG, uncounted)                                                                                       \
    X(FLAG, unsaved)                                                                                         \
    X(WIDE, lost_sites)                                                                                      \
    X(WIDE, lost_peers)                                                                                      \
    X(WIDE, lost_collectives)                                                                                \
    X(WIDE, lost_requests)                                                                                   \
    X(REAL, start_unix_s)                                                                                    \
    X(REAL, time_s)                                                                                          \
    X(REAL, startup_s)                                                                                       \
    X(REAL, shutdown_s)                                                                                      \
    X(REAL, mpi_s)                                                                                           \
    X(REAL, wait_s)                                                                                          \
    X(REAL, io_s)                                                                                            \
    X(REAL, compute_wall_s)                                                                                  \
    X(REAL, compute_s)                                                                                       \
    X(REAL, cpu_s)                                                                                           \
    X(REAL, thread_cpu_s)                                                                                    \
    X(REAL, other_threads_mpi_s)                                                                             \
    X(REAL, other_threads_compute_s)                                                                         \
    X(WIDE, switches_voluntary)                                                                              \
    X(WIDE, switches_involuntary)                                                                            \
    X(REAL, peak_memory_bytes)                                                                               \
    X(WIDE, syncs_per_window)                                                                                \
    X(WIDE, n_syncs)                                                                                         \
    X(WIDE, n_rounds)                                                                                        \
    X(WIDE, n_cycles)                                                                                        \
    X(REAL, cycle_s)                                                                                         \
    X(REAL, cycle_sq_s2)                                                                                     \
    X(REAL, cycle_min_s)                                                                                     \
    X(REAL, cycle_max_s)

#define FILL_WIDE(field)  p->field = (__typeof__(p->field))next(s);
#define FILL_FLAG(field)  p->field = next(s) % 2;
#define FILL_COUNT(field) p->field = count(s);
#define FILL_TEXT(field)  chars(s, p->field, sizeof p->field);
#define FILL_REAL(field)  p->field = real(s);
#define FILL(kind, field) FILL_##kind(field)

static void fill_profile(uint64_t *s, parcast_rank_profile *p, int rank, size_t n_nodes)
{
    PROFILE_SCALARS(FILL)
    p->rank = rank;
    p->node = (int)(next(s) % n_nodes);
    p->end = (parcast_profile_end)(next(s) % 4);
    fill_arrays(s, p);
}

static void fill_nodes(uint64_t *s, parcast_run *run)
{
    run->n_nodes = 1 + next(s) % 3;
    run->nodes = calloc(run->n_nodes, sizeof *run->nodes);
    for (size_t i = 0; i < run->n_nodes; i++) {
        parcast_run_node *node = &run->nodes[i];
        node->name = text_copy(s);
        node->type = next(s) % 2 ? text_copy(s) : NULL;
        node->n_ranks = count(s);
        node->cores = count(s);
        node->allowed_cores = count(s);
        node->sockets = count(s);
        node->memory_bytes = real(s);
        node->calibration = real(s);
    }
}

void random_run(parcast_run *run, unsigned seed, size_t n_profiles)
{
    uint64_t state = seed, *s = &state;
    memset(run, 0, sizeof *run);
    run->source = next(s) % 2 ? PARCAST_RUN_IMPORTED : PARCAST_RUN_RECORDED;
    run->program = strdup("./program");
    run->n_arguments = seed % 4;
    run->arguments = calloc(run->n_arguments + 1, sizeof *run->arguments);
    for (size_t i = 0; i < run->n_arguments; i++) run->arguments[i] = text_copy(s);
    run->started_at = text_copy(s);
    run->mpi = text_copy(s);
    run->launcher = next(s) % 2 ? text_copy(s) : NULL;
    run->placement = text_copy(s);
    run->notes = next(s) % 2 ? text_copy(s) : NULL;
    run->n_ranks = count(s);
    run->n_nodes_used = count(s);
    run->complete = next(s) % 2;
    run->oversubscribed = next(s) % 2;
    run->weak = next(s) % 2;
    run->exit_status = (int)(next(s) % 256);
    run->time_s = real(s);
    run->wall_s = real(s);
    run->compute_s = real(s);
    run->mpi_s = real(s);
    run->load_average = real(s);
    fill_nodes(s, run);
    run->n_profiles = n_profiles;
    run->ranks = n_profiles ? calloc(n_profiles, sizeof *run->ranks) : NULL;
    for (size_t i = 0; i < n_profiles; i++) fill_profile(s, &run->ranks[i], (int)i, run->n_nodes);
}

static void assert_same_real(double a, double b, const char *name)
{
    if (!(isnan(a) && isnan(b)) && a != b) fail_msg("%s: %.17g and %.17g", name, a, b);
}

static void assert_same_wide(uint64_t a, uint64_t b, const char *name)
{
    if (a != b) fail_msg("%s: %llu and %llu", name, (unsigned long long)a, (unsigned long long)b);
}

static void assert_same_text(const char *a, const char *b, const char *name)
{
    if ((!a != !b) || (a && strcmp(a, b) != 0)) fail_msg("%s: '%s' and '%s'", name, a ? a : "-", b ? b : "-");
}

#define SAME_WIDE(field)  assert_same_wide((uint64_t)a->field, (uint64_t)b->field, #field);
#define SAME_FLAG         SAME_WIDE
#define SAME_COUNT        SAME_WIDE
#define SAME_TEXT(field)  assert_same_text(a->field, b->field, #field);
#define SAME_REAL(field)  assert_same_real(a->field, b->field, #field);
#define SAME(kind, field) SAME_##kind(field)

static void assert_same_call(const parcast_profile_call *a, const parcast_profile_call *b)
{
    SAME_TEXT(name)
    SAME_WIDE(count) SAME_REAL(time_s) SAME_WIDE(bytes) SAME_REAL(wait_s) SAME_REAL(min_s) SAME_REAL(max_s)
}

static void assert_same_sizes(const parcast_profile_sizes *a, const parcast_profile_sizes *b)
{
    SAME_WIDE(message_class)
    SAME_WIDE(reach) SAME_WIDE(bin) SAME_WIDE(count) SAME_WIDE(bytes) SAME_REAL(time_s) SAME_REAL(min_s)
}

static void assert_same_collective(const parcast_profile_collective *a, const parcast_profile_collective *b)
{
    SAME_TEXT(name)
    SAME_WIDE(n_ranks)
    SAME_WIDE(reach) SAME_WIDE(bin) SAME_WIDE(count) SAME_WIDE(bytes) SAME_REAL(time_s) SAME_REAL(min_s)
}

static void assert_same_peer(const parcast_profile_peer *a, const parcast_profile_peer *b)
{
    SAME_WIDE(rank) SAME_WIDE(reach) SAME_WIDE(count) SAME_WIDE(bytes)
}

static void assert_same_site(const parcast_profile_site *a, const parcast_profile_site *b)
{
    SAME_TEXT(name)
    SAME_TEXT(module)
    SAME_WIDE(offset)
    SAME_WIDE(bin)
    SAME_WIDE(blocking)
    SAME_WIDE(count)
    SAME_WIDE(bytes)
    SAME_REAL(time_s) SAME_REAL(min_s) SAME_REAL(compute_s) SAME_REAL(compute_sq_s2) SAME_REAL(compute_min_s)
}

static void assert_same_phase(const parcast_profile_phase *a, const parcast_profile_phase *b)
{
    SAME_WIDE(level) SAME_WIDE(count) SAME_REAL(time_s) SAME_REAL(compute_s)
}

#define SAME_ARRAY(field, counter, compare)                                                                  \
    assert_same_wide(a->counter, b->counter, #counter);                                                      \
    for (size_t i = 0; i < a->counter; i++) compare(&a->field[i], &b->field[i]);

static void assert_same_window(const double *a, const double *b)
{
    assert_same_real(*a, *b, "windows_s");
}

static void assert_same_profile(const parcast_rank_profile *a, const parcast_rank_profile *b)
{
    PROFILE_SCALARS(SAME)
    SAME_WIDE(rank)
    SAME_WIDE(node)
    SAME_WIDE(end)
    SAME_ARRAY(calls, n_calls, assert_same_call)
    SAME_ARRAY(sizes, n_sizes, assert_same_sizes)
    SAME_ARRAY(collectives, n_collectives, assert_same_collective)
    SAME_ARRAY(peers, n_peers, assert_same_peer)
    SAME_ARRAY(sites, n_sites, assert_same_site)
    SAME_ARRAY(phases, n_phases, assert_same_phase)
    SAME_ARRAY(windows_s, n_windows, assert_same_window)
}

static void assert_same_node(const parcast_run_node *a, const parcast_run_node *b)
{
    SAME_TEXT(name)
    SAME_TEXT(type)
    SAME_WIDE(n_ranks)
    SAME_WIDE(cores)
    SAME_WIDE(allowed_cores) SAME_WIDE(sockets) SAME_REAL(memory_bytes) SAME_REAL(calibration)
}

void assert_same_run(const parcast_run *a, const parcast_run *b)
{
    SAME_WIDE(source)
    SAME_TEXT(program)
    SAME_WIDE(n_arguments)
    for (size_t i = 0; i < a->n_arguments; i++)
        assert_same_text(a->arguments[i], b->arguments[i], "arguments");
    /* clang-format off: it never settles on these */
    SAME_TEXT(started_at)
    SAME_TEXT(mpi)
    SAME_TEXT(launcher)
    SAME_TEXT(placement)
    SAME_TEXT(notes)
    SAME_WIDE(n_ranks)
    SAME_WIDE(n_nodes_used)
    SAME_WIDE(complete)
    SAME_WIDE(oversubscribed)
    SAME_WIDE(weak)
    SAME_WIDE(exit_status)
    SAME_REAL(time_s)
    SAME_REAL(wall_s)
    SAME_REAL(compute_s)
    SAME_REAL(mpi_s)
    SAME_REAL(load_average)
    SAME_ARRAY(nodes, n_nodes, assert_same_node)
    SAME_ARRAY(ranks, n_profiles, assert_same_profile)
    /* clang-format on */
}
