/* What a study tells about the course of a run: docs/models/plan.md, section 1. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parcast/plan.h"
#include "plan/learn.h"

enum { LEAST_WINDOWS = 8 };

void parcast_course_clear(parcast_course *course)
{
    free(course->work);
    free(course->measured);
    *course = (parcast_course){.work = NULL};
}

/* ---- work between synchronisations ---- */

static bool has_windows(const parcast_run *run)
{
    if (run->n_profiles == 0) return false;
    for (size_t i = 0; i < run->n_profiles; i++)
        if (run->ranks[i].n_windows != run->ranks[0].n_windows || run->ranks[i].spawned) return false;
    return run->ranks[0].n_windows >= LEAST_WINDOWS;
}

static const parcast_run *run_with_windows(const parcast_run *runs, size_t n)
{
    const parcast_run *best = NULL;
    for (size_t i = 0; i < n; i++)
        if (runs[i].complete && has_windows(&runs[i]) && (!best || runs[i].n_ranks > best->n_ranks))
            best = &runs[i];
    return best;
}

/* The last window may be a part of one, and has what comes after the last synchronisation: it is left out. */
static parcast_status read_work(const parcast_run *run, parcast_course *course, parcast_error *error)
{
    size_t n = run->ranks[0].n_windows - 1;
    double sum = 0;
    course->work = calloc(n, sizeof *course->work);
    if (!course->work) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a plan");
    course->n_work = n;
    for (size_t i = 0; i < run->n_profiles; i++)
        for (size_t k = 0; k < n; k++) {
            course->work[k] += run->ranks[i].windows_s[k];
            sum += run->ranks[i].windows_s[k];
        }
    if (sum > 0) return PARCAST_OK;
    free(course->work); /* nothing was computed between synchronisations */
    course->work = NULL;
    course->n_work = 0;
    return PARCAST_OK;
}

/* ---- state ---- */

static double memory_of(const parcast_run *run)
{
    double bytes = 0;
    for (size_t i = 0; i < run->n_profiles; i++)
        if (isfinite(run->ranks[i].peak_memory_bytes)) bytes += run->ranks[i].peak_memory_bytes;
    return bytes;
}

/* The run of the fewest ranks, or of the most. */
static const parcast_run *extreme(const parcast_run *runs, size_t n, bool most)
{
    const parcast_run *best = NULL;
    for (size_t i = 0; i < n; i++) {
        if (!runs[i].complete || !(memory_of(&runs[i]) > 0)) continue;
        if (!best || (most ? runs[i].n_ranks > best->n_ranks : runs[i].n_ranks < best->n_ranks))
            best = &runs[i];
    }
    return best;
}

/* Each rank brings the memory of its MPI library along: memory = state + ranks x library, where the state is
   divided. With one count of ranks alone all memory is taken for state. */
static double state_bytes(const parcast_run *runs, size_t n)
{
    const parcast_run *few = extreme(runs, n, false), *many = extreme(runs, n, true);
    if (!few) return 0;
    double bytes = memory_of(few);
    if (many->n_ranks == few->n_ranks) return bytes;
    double library = (memory_of(many) - bytes) / (many->n_ranks - few->n_ranks);
    double state = bytes - few->n_ranks * library;
    return library > 0 && state > 0 ? state : bytes;
}

/* ---- the latest elastic run ---- */

static double real(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* Shorter than a life. */
static bool is_time(double seconds)
{
    return seconds >= 0 && seconds < 1e9;
}

static void learn_event(const json_t *event, int n, parcast_course *course)
{
    double from_nodes = real(event, "from_nodes"), to_nodes = real(event, "to_nodes");
    struct learned_move move = {.stop_s = real(event, "stop_s"),
                                .move_s = real(event, "move_s"),
                                .launch_s = real(event, "launch_s"),
                                .bytes = real(event, "bytes")};
    if (!(from_nodes >= 1 && from_nodes < 1e7 && to_nodes >= 1 && to_nodes < 1e7)) return;
    double pause_s = real(event, "pause_s"), still_s = fmax(0, pause_s - move.stop_s - move.move_s);
    if (is_time(pause_s) && is_time(move.launch_s)) {
        bool overlapped =
            still_s < 0.5 * move.launch_s; /* the most of it was over when the program stopped */
        if (overlapped) move.beside_s = move.launch_s;
        move.launch_s = still_s;
    }
    if (!is_time(move.stop_s) || !is_time(move.move_s) || !is_time(move.launch_s)) return;
    if (!(move.bytes >= 0 && move.bytes < 1e18)) move.bytes = NAN;
    parcast_size from = {.nodes = (int)from_nodes, .processes = (int)from_nodes};
    double to_ranks = real(event, "to_ranks");
    parcast_size to = {.nodes = (int)to_nodes,
                       .processes = to_ranks >= 1 && to_ranks < 1e9 ? (int)to_ranks : (int)to_nodes};
    learn_move(&course->move, n, &from, &to, &move);
    course->move_measured = true;
    course->bytes_measured = course->bytes_measured || !isnan(move.bytes);
}

static int by_nodes(const void *a, const void *b)
{
    const parcast_measured_size *x = a, *y = b;
    return x->nodes < y->nodes ? -1 : x->nodes > y->nodes;
}

/* Node counts that ran, each once. */
static parcast_status read_sizes(const json_t *run, parcast_course *course, parcast_error *error)
{
    const json_t *sizes = json_object_get(run, "sizes"), *size;
    size_t i, n = 0, kept = 0;
    course->measured = calloc(json_array_size(sizes) + 1, sizeof *course->measured);
    if (!course->measured)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a plan");
    json_array_foreach(sizes, i, size)
    {
        double nodes = real(size, "nodes"), iterations = real(size, "iterations"),
               time_s = real(size, "time_s");
        if (!(nodes >= 1 && nodes < 1e7 && iterations >= 1 && is_time(time_s) && time_s > 0)) continue;
        course->measured[n++] = (parcast_measured_size){(int)nodes, time_s / iterations};
    }
    qsort(course->measured, n, sizeof *course->measured, by_nodes);
    for (i = 0; i < n; i++)
        if (kept == 0 || course->measured[kept - 1].nodes != course->measured[i].nodes)
            course->measured[kept++] = course->measured[i];
    course->n_measured = kept;
    return PARCAST_OK;
}

static parcast_status read_run(const char *text, parcast_course *course, parcast_error *error)
{
    json_error_t where;
    json_t *run = json_loads(text, 0, &where);
    const json_t *schema = json_object_get(run, "schema");
    if (!run || !json_is_string(schema) || strcmp(json_string_value(schema), "parcast.run/1") != 0) {
        json_decref(run);
        return parcast_error_set(error, PARCAST_FORMAT, NULL, 0,
                                 "the elastic run in the study is no parcast.run/1");
    }
    double n_iterations = real(run, "iterations");
    bool whole = !json_is_false(json_object_get(run, "complete"));
    if (whole && n_iterations >= 1 && n_iterations < 1e15) course->n_iterations = (int64_t)n_iterations;
    const json_t *events = json_object_get(run, "events"), *event;
    size_t i;
    int n = 0;
    json_array_foreach(events, i, event)
    {
        learn_event(event, n, course);
        n += course->move_measured;
    }
    parcast_status status = read_sizes(run, course, error);
    json_decref(run);
    return status;
}

parcast_status parcast_course_read(const parcast_run *runs, size_t n_runs, const char *run_json,
                                   const parcast_platform *platform, parcast_course *course,
                                   parcast_error *error)
{
    parcast_course c = {.work = NULL};
    parcast_move_model_default(platform, &c.move);
    c.move.bytes = state_bytes(runs, n_runs);
    const parcast_run *with_windows = run_with_windows(runs, n_runs);
    parcast_status status = with_windows ? read_work(with_windows, &c, error) : PARCAST_OK;
    if (!status && run_json) status = read_run(run_json, &c, error);
    if (status) {
        parcast_course_clear(&c);
        return status;
    }
    *course = c;
    return PARCAST_OK;
}
