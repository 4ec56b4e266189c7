/* One replay: its trace is opened, placed on the machine, run, and drawn if that was asked for. */
#include "replay_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "replay_input.h"

static parcast_status place(struct replay_job *job, int n_ranks, parcast_error *error)
{
    const char *policy = job->given->place ? job->given->place : "fill";
    bool spread = strcmp(policy, "spread") == 0;
    if (!spread && strcmp(policy, "fill") != 0)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "--place is fill or spread, not '%s'",
                                 policy);
    if (!job->platform) return PARCAST_OK;
    parcast_status status =
        parcast_placement_create(job->platform, n_ranks, spread ? PARCAST_SPREAD : PARCAST_FILL,
                                 job->given->oversubscribe, &job->placement, error);
    if (status) return status;
    job->rank_node = malloc((size_t)n_ranks * sizeof *job->rank_node);
    if (!job->rank_node) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    parcast_replay_place(job->platform, job->placement, job->rank_node);
    for (size_t g = 0; g < job->placement->n_groups; g++)
        if (job->placement->groups[g].n_ranks > 0) job->n_nodes += job->placement->groups[g].n_nodes;
    return PARCAST_OK;
}

/* ---- progress ---- */

static double clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* From the second second on, four times a second. */
static void show_progress(void *state, double simulated_s, uint64_t n_events)
{
    const double first_s = 2, between_s = 0.25;
    struct replay_job *job = state;
    double now_s = clock_s(), took_s = now_s - job->begin_s;
    if (took_s < first_s || now_s - job->shown_s < between_s) return;
    job->shown_s = now_s;
    fprintf(stderr, "\r\033[Kreplaying: %.4g s simulated, %.3g million events, %.3g million a second",
            simulated_s, 1e-6 * (double)n_events, 1e-6 * (double)n_events / took_s);
    fflush(stderr);
}

static void begin_progress(struct replay_job *job)
{
    if (job->given->common.quiet || !isatty(STDERR_FILENO)) return;
    job->begin_s = clock_s();
    job->observer = (parcast_replay_observer){.state = job, .progress = show_progress};
    job->how.observer = &job->observer;
}

static void end_progress(const struct replay_job *job)
{
    if (job->shown_s > 0) fputs("\r\033[K", stderr);
}

/* ---- the timeline ---- */

static parcast_status begin_timeline(struct replay_job *job, int n_ranks, parcast_error *error)
{
    if (job->again) return PARCAST_OK;
    parcast_status status =
        drawing_begin(&job->drawing, &job->given->drawing, n_ranks, job->rank_node, job->platform, error);
    job->how.timeline = job->drawing.timeline;
    return status;
}

static parcast_status end_timeline(struct replay_job *job, parcast_status status,
                                   parcast_replay_result **result, parcast_error *error)
{
    status = drawing_end(&job->drawing, status, error);
    if (status) parcast_replay_result_destroy(result);
    return status;
}

static parcast_status run_goal(struct replay_job *job, const char *path, parcast_replay_result **result,
                               parcast_error *error)
{
    parcast_goal *goal = NULL;
    if (job->with_loggops && job->how.scale_speed_ratio > 0)
        return parcast_error_set(error, PARCAST_UNSUPPORTED, path, 0,
                                 "--scale-speed does not apply to a GOAL program on LogGOPS");
    if (job->given->phases && !job->again)
        cli_note(&job->given->common,
                 "a GOAL program has no calls among which --phases could find iterations");
    parcast_status status = parcast_goal_load(path, &goal, error);
    if (!status && !job->with_loggops) status = place(job, parcast_goal_ranks(goal), error);
    if (!status) status = begin_timeline(job, parcast_goal_ranks(goal), error);
    if (!status && job->with_loggops)
        status = parcast_replay_goal_with(goal, &job->loggops, &job->how, result, error);
    else if (!status)
        status = parcast_replay_goal_on(goal, job->platform, job->rank_node, &job->how, result, error);
    parcast_goal_destroy(&goal);
    return end_timeline(job, status, result, error);
}

static parcast_status run_operations(struct replay_job *job, const char *path, enum replay_format format,
                                     parcast_replay_result **result, parcast_error *error)
{
    struct replay_input *input = NULL;
    const struct replay_choice choice = {&job->given->common, job->run, job->given->cut, job->again};
    parcast_status status = replay_open(&choice, path, format, job->platform, &input, error);
    if (status) return status;
    parcast_operation_source source = replay_source(input);
    status = place(job, source.n_ranks, error);
    if (!status && job->given->phases && !job->again) {
        status = parcast_replay_find_loops(&source, &job->loops, error);
        source = replay_source(input);
        job->how.loops = job->loops;
    }
    if (!status) status = begin_timeline(job, source.n_ranks, error);
    if (!status)
        status = parcast_replay_run(&source, job->platform, job->rank_node,
                                    job->with_loggops ? &job->loggops : NULL, &job->how, result, error);
    replay_close(&input);
    return end_timeline(job, status, result, error);
}

parcast_status replay_job_run(struct replay_job *job, const char *path, parcast_replay_result **result,
                              parcast_error *error)
{
    enum replay_format format;
    parcast_status status = replay_detect(path, &format, error);
    if (!status) status = replay_job_platform(job, error);
    if (status) return status;
    job->goal = format == REPLAY_GOAL;
    begin_progress(job);
    status =
        job->goal ? run_goal(job, path, result, error) : run_operations(job, path, format, result, error);
    end_progress(job);
    return status;
}

void replay_job_release(struct replay_job *job)
{
    for (unsigned c = 0; c < PARCAST_COLLECTIVES; c++) free(job->names[c]);
    free(job->rank_node);
    free(job->loops);
    drawing_release(&job->drawing);
    parcast_placement_destroy(&job->placement);
    parcast_platform_destroy(&job->platform);
}
