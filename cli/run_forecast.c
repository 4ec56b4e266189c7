#include "run_forecast.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* -------- runs of this problem -------- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_problem(const struct decide_request *request, const parcast_run *run)
{
    if (!run->program || strcmp(base_name(run->program), base_name(request->program)) != 0 ||
        run->n_arguments != request->n_arguments)
        return false;
    for (size_t i = 0; i < run->n_arguments; i++)
        if (strcmp(run->arguments[i], request->arguments[i]) != 0) return false;
    return true;
}

/* The program may have been recorded under several paths, which are several problems: its own path if there
   are runs of it, else that of the latest run. 0: none. */
static int64_t choose_problem(const struct decide_request *request, const parcast_run_list *list)
{
    int64_t problem = 0;
    bool same_path = false;
    for (size_t i = 0; i < list->n_runs; i++) {
        const parcast_run *run = &list->runs[i];
        if (!run->complete || !is_problem(request, run)) continue;
        bool same = strcmp(run->program, request->path) == 0;
        if (same_path && !same) continue;
        problem = run->problem_id;
        same_path = same_path || same;
    }
    return problem;
}

/* Complete runs of a problem, as a list of numbers; NULL if there is none. */
static char *list_runs(int64_t problem, const parcast_run_list *list)
{
    char *text = NULL;
    size_t bytes = 0, n = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) return NULL;
    for (size_t i = 0; i < list->n_runs; i++)
        if (list->runs[i].complete && list->runs[i].problem_id == problem)
            fprintf(out, "%s%lld", n++ ? "," : "", (long long)list->runs[i].id);
    fclose(out);
    if (n > 0) return text;
    free(text);
    return NULL;
}

static bool has_study(const struct decide_request *request)
{
    return request->study && access(request->study, F_OK) == 0;
}

static parcast_status load_runs(const struct decide_request *request, struct run_forecast *f,
                                parcast_error *error)
{
    parcast_study *study;
    parcast_run_list list = {0};
    if (!has_study(request)) return PARCAST_OK;
    parcast_status status = parcast_study_open(request->study, PARCAST_STUDY_READ, &study, error);
    if (status) return status;
    status = parcast_study_list(study, 0, &list, error);
    parcast_study_close(&study);
    if (status) return status;
    int64_t problem = choose_problem(request, &list);
    char *ids = problem ? list_runs(problem, &list) : NULL;
    parcast_run_list_clear(&list);
    if (!problem) return PARCAST_OK;
    status = ids ? cli_runs_load(request->study, ids, &f->runs, error)
                 : parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    free(ids);
    return status;
}

/* -------- earlier elastic runs -------- */

static parcast_status read_course(const struct decide_request *request, struct run_forecast *f,
                                  parcast_error *error)
{
    parcast_study *study;
    char *json = NULL;
    parcast_error none = {0};
    int64_t problem = f->runs.problem_id;
    parcast_status status = PARCAST_OK;
    if (has_study(request)) {
        status = parcast_study_open(request->study, PARCAST_STUDY_READ, &study, error);
        if (status) return status;
        /* A study that is only read cannot make the problem: then it has no results either. */
        bool known = problem || parcast_study_problem(study, request->path, request->arguments,
                                                      request->n_arguments, &problem, &none) == PARCAST_OK;
        if (known) json = cli_latest_elastic_run(study, problem);
        parcast_study_close(&study);
    }
    status = parcast_course_read(f->runs.runs, f->runs.n_runs, json, f->platform, &f->course, error);
    free(json);
    return status;
}

/* -------- platform -------- */

/* Nodes of which nothing is known but how many ranks they take. */
static parcast_status plain_platform(const struct decide_request *request, parcast_platform **platform,
                                     parcast_error *error)
{
    char text[512];
    snprintf(text, sizeof text,
             "schema: parcast.platform/1\nname: \"%d nodes\"\n"
             "nodes:\n  - {type: node, count: %d, cores: %d, speed: 1}\n"
             "network: {topology: star, latency: 30 us, bandwidth: 10 Gbit/s, duplex: full}\n",
             request->max_nodes, request->max_nodes, request->ranks_per_node);
    return parcast_platform_parse(text, strlen(text), "built-in platform", platform, error);
}

static parcast_status find_platform(const struct decide_request *request, struct run_forecast *f,
                                    parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    if (!request->platform && f->runs.n_runs > 0)
        status = parcast_platform_from_runs(f->runs.runs, f->runs.n_runs,
                                            request->max_nodes * request->ranks_per_node, &f->own, error);
    else if (!request->platform)
        status = plain_platform(request, &f->own, error);
    f->platform = request->platform ? request->platform : f->own;
    return status;
}

/* -------- the forecast -------- */

/* What an earlier run measured, else what is usual: a launcher that starts a daemon on each of several
   machines takes 0.4 s and 0.1 s a node (Open MPI 4.1, measured on three and eight). */
static void set_move(const struct decide_request *request, parcast_course *course)
{
    course->move.overlaps = request->overlaps;
    course->move.copies = request->far;
    if (course->move_measured || !request->far) return;
    course->move.launch_s = 0.4;
    course->move.launch_per_node_s = 0.1;
    course->move.launch_per_rank_s = 0;
}

static parcast_status make_malleable(const struct decide_request *request, struct run_forecast *f,
                                     parcast_error *error)
{
    parcast_predictor *predictor;
    parcast_malleable_options options = {
        .n_iterations = request->iterations ? request->iterations : f->course.n_iterations,
        .work = f->course.work,
        .n_work = f->course.n_work,
        .min_nodes = request->min_nodes,
        .max_nodes = request->max_nodes,
        .ranks_per_node = request->ranks_per_node,
        .other_machine = request->platform != NULL,
        .move = &f->course.move,
        .measured = f->course.measured,
        .n_measured = f->course.n_measured,
    };
    set_move(request, &f->course);
    if (f->runs.n_runs == 0) return parcast_malleable_unknown(f->platform, 0, &options, &f->malleable, error);
    parcast_status status = parcast_predictor_create(PARCAST_ENGINE_MODEL, f->runs.runs, f->runs.n_runs,
                                                     f->platform, NULL, &predictor, error);
    if (status) return status;
    status =
        parcast_malleable_create(predictor, f->platform, &f->runs.runs[0], &options, &f->malleable, error);
    parcast_predictor_destroy(&predictor);
    return status;
}

static void tell(const struct decide_request *request, const struct run_forecast *f)
{
    if (f->runs.n_runs > 0) return;
    if (f->course.n_measured > 0)
        cli_note(request->common, "no recorded run of this program and these arguments: an earlier elastic "
                                  "run is the forecast");
    else
        cli_note(request->common,
                 "no recorded run of this program and these arguments: how long it takes is learned while it "
                 "runs ('parcast record -s STUDY' gives a forecast from the start)");
}

parcast_status run_forecast_open(const struct decide_request *request, struct run_forecast *forecast,
                                 parcast_error *error)
{
    struct run_forecast f = {0};
    parcast_status status = load_runs(request, &f, error);
    if (!status) status = find_platform(request, &f, error);
    if (!status) status = read_course(request, &f, error);
    if (!status) status = make_malleable(request, &f, error);
    if (status) {
        run_forecast_close(&f);
        return status;
    }
    tell(request, &f);
    *forecast = f;
    return PARCAST_OK;
}

void run_forecast_close(struct run_forecast *f)
{
    parcast_malleable_destroy(&f->malleable);
    parcast_course_clear(&f->course);
    parcast_platform_destroy(&f->own);
    cli_runs_clear(&f->runs);
}
