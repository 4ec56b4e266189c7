#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "amounts.h"
#include "cli.h"
#include "estimates.h"
#include "parcast/forecast.h"
#include "parcast/units.h"
#include "predict.h"
#include "predict_compare.h"
#include "study_runs.h"

/* ---- options ---- */

static parcast_status read_options(struct predict *p, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    p->options = (parcast_forecast_options){
        .deadline_s = NAN, .budget = NAN, .oversubscribe = p->oversubscribe, .other_machine = p->on != NULL};
    if (p->place && strcmp(p->place, "spread") == 0)
        p->options.policy = PARCAST_SPREAD;
    else if (p->place && strcmp(p->place, "fill") != 0)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "--place is fill or spread, not '%s'",
                                 p->place);
    parcast_plan_goal goal = {.deadline_s = NAN, .budget = NAN};
    status = cli_read_goal(p->deadline, p->budget, &goal, error);
    p->options.deadline_s = goal.deadline_s;
    p->options.budget = goal.budget;
    if (!status && p->counts) {
        status = parcast_units_list(p->counts, &p->list, &p->options.n_counts, error);
        p->options.counts = p->list;
    }
    if (!status && p->reading) {
        p->fit.paper_reading_total = strcmp(p->reading, "total") == 0;
        if (!p->fit.paper_reading_total && strcmp(p->reading, "queue") != 0)
            status = parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                       "--paper-reading is queue or total, not '%s'", p->reading);
    }
    if (!status && p->method) {
        p->fit.gauss_newton = strcmp(p->method, "gn") == 0;
        if (!p->fit.gauss_newton && strcmp(p->method, "lm") != 0)
            status = parcast_error_set(error, PARCAST_INVALID, NULL, 0, "--fit-method is lm or gn, not '%s'",
                                       p->method);
    }
    return status;
}

static parcast_status read_platform(struct predict *p, parcast_error *error)
{
    int largest = p->options.n_counts ? p->list[p->options.n_counts - 1] : 0; /* ascending */
    if (p->recorded_on && parcast_platform_load(p->recorded_on, &p->recorded, error)) return error->code;
    if (p->on) return parcast_platform_load(p->on, &p->platform, error);
    if (p->chosen.n_runs == 0) { /* of estimates alone */
        parcast_error_set(error, PARCAST_DATA, p->study_path, 0,
                          "estimates alone do not say on which machine: there is no run");
        parcast_error_hint(error, "describe the machine in a platform file and give it with --on");
        return PARCAST_DATA;
    }
    /* p->chosen is freed by release(), which the analyzer does not see. */
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
    return parcast_platform_from_runs(p->chosen.runs, p->chosen.n_runs, largest, &p->platform, error);
}

/* ---- one engine ---- */

/* For `parcast report`. A sweep over a whole big machine would make the study large for no reader's benefit.
 */
static void keep(struct predict *p, const parcast_forecast *f)
{
    const size_t most_points = 4096;
    parcast_study *study;
    parcast_error error = {.code = PARCAST_OK};
    if (f->n_points > most_points) {
        cli_note(&p->common,
                 "the forecast is not kept in the study for 'parcast report': %zu counts, at most %zu are; "
                 "give -n",
                 f->n_points, most_points);
        return;
    }
    char *json = parcast_forecast_json(f, p->platform);
    if (!json) {
        cli_warn(&p->common, "out of memory: the forecast is not kept in the study");
        return;
    }
    if (parcast_study_open(p->study_path, PARCAST_STUDY_WRITE, &study, &error) == PARCAST_OK) {
        int64_t problem_id = p->chosen.n_runs ? p->chosen.problem_id : p->estimates.problem_id;
        parcast_study_add_result(study, problem_id, "parcast.forecast/1", json, &error);
        parcast_study_close(&study);
    }
    if (error.code) cli_note(&p->common, "the forecast is not kept in the study: %s", error.text);
    free(json);
}

static parcast_status make(struct predict *p, const char *name, parcast_forecast **forecast,
                           parcast_error *error)
{
    parcast_engine engine;
    parcast_predictor *predictor;
    parcast_status status = parcast_engine_parse(name, &engine, error);
    if (status) return status;
    status = parcast_predictor_create(engine, p->chosen.runs, p->chosen.n_runs,
                                      p->recorded ? p->recorded : p->platform, &p->fit, &predictor, error);
    if (status) return status;
    p->options.known_only = p->n_names > 1; /* the others know more counts */
    status = parcast_forecast_create(predictor, p->platform, &p->options, forecast, error);
    parcast_predictor_destroy(&predictor);
    if (!status)
        status = p->chosen.n_runs ? parcast_forecast_set_program(*forecast, &p->chosen.runs[0], error)
                                  : cli_estimates_name(&p->estimates, *forecast, error);
    return status;
}

/* The first engine's forecast, with those of the others in it. */
static void print_json(const struct predict *p, parcast_forecast *const *forecasts, size_t n)
{
    json_t *first = NULL, *others = json_array();
    for (size_t i = 0; i < n; i++) {
        char *text = parcast_forecast_json(forecasts[i], p->platform);
        json_t *object = text ? json_loads(text, 0, NULL) : NULL;
        free(text);
        if (i == 0)
            first = object;
        else
            json_array_append_new(others, object);
    }
    if (json_array_size(others) > 0) json_object_set(first, "others", others);
    json_decref(others);
    json_object_set_new(first, "measured", predict_measured_json(p));
    if (n > 1) json_object_set_new(first, "side_by_side", predict_compare_json(p, forecasts, n));
    cli_print_json(first);
}

static int print_all(struct predict *p, parcast_forecast *const *forecasts, size_t n)
{
    int exit_status = 0;
    for (size_t i = 0; i < n && exit_status == 0; i++) {
        if (i > 0) putchar('\n');
        exit_status = predict_print(p, forecasts[i]);
    }
    if (n < 2 || exit_status) return exit_status;
    puts("\nside by side, with 95 % intervals:");
    return predict_compare(p, forecasts, n);
}

/* One of several engines that the study has nothing for, or cannot take what it has. */
static void leave_out(const struct predict *p, const char *engine, parcast_error *error)
{
    cli_warn(&p->common, "engine %s is left out: %s%s%s", engine, error->source, error->source[0] ? ": " : "",
             error->text);
    if (error->hint[0]) cli_note(&p->common, "%s", error->hint);
    *error = (parcast_error){.code = PARCAST_OK};
}

/* The study may hold what another engine needs; a wrong option is wrong for all. */
static bool may_be_left_out(const struct predict *p, size_t i, size_t n_made, parcast_status status)
{
    return status != PARCAST_INVALID && status != PARCAST_MEMORY && (n_made || i + 1 < p->n_names);
}

static int forecast_all(struct predict *p)
{
    parcast_forecast *forecasts[PREDICT_MOST_ENGINES] = {NULL};
    parcast_error error = {.code = PARCAST_OK};
    size_t n = 0;
    int exit_status = 0;
    for (size_t i = 0; i < p->n_names && !exit_status; i++) {
        parcast_status status = make(p, p->names[i], &forecasts[n], &error);
        if (!status)
            keep(p, forecasts[n++]);
        else if (may_be_left_out(p, i, n, status))
            leave_out(p, p->names[i], &error);
        else
            exit_status = cli_fail(&p->common, &error);
    }
    if (!exit_status && p->common.json)
        print_json(p, forecasts, n);
    else if (!exit_status)
        exit_status = print_all(p, forecasts, n);
    for (size_t i = 0; i < n; i++) parcast_forecast_destroy(&forecasts[i]);
    return exit_status;
}

/* ---- which engines ---- */

static bool wants(const struct predict *p, parcast_engine engine)
{
    for (size_t i = 0; i < p->n_names; i++)
        if (strcmp(p->names[i], parcast_engine_name(engine)) == 0) return true;
    return false;
}

static parcast_status add_engine(struct predict *p, const char *name, parcast_error *error)
{
    for (size_t i = 0; i < p->n_names; i++)
        if (strcmp(p->names[i], name) == 0) return PARCAST_OK;
    if (p->n_names == PREDICT_MOST_ENGINES)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "at most %d engines at a time",
                                 PREDICT_MOST_ENGINES);
    p->names[p->n_names++] = name;
    return PARCAST_OK;
}

/* The library knows them one by one. */
static parcast_status parse_engine(const char *name, parcast_error *error)
{
    parcast_engine engine;
    parcast_status status = parcast_engine_parse(name, &engine, error);
    if (status) {
        char one_by_one[sizeof error->hint];
        snprintf(one_by_one, sizeof one_by_one, "%s", error->hint);
        parcast_error_hint(error, "%sall", one_by_one);
    }
    return status;
}

/* "all": what a measurement is worth being held against; `paper` and `pmnf` are there for comparison. */
static parcast_status read_engines(struct predict *p, parcast_error *error)
{
    static const char *const all[] = {"model", "replay", "bound"};
    parcast_status status = PARCAST_OK;
    if (!p->engines) return add_engine(p, "model", error);
    for (char **name = p->engines; *name && !status; name++) {
        bool is_all = strcmp(*name, "all") == 0;
        if (!is_all) status = parse_engine(*name, error);
        if (!is_all && !status) status = add_engine(p, *name, error);
        for (size_t i = 0; is_all && i < sizeof all / sizeof *all && !status; i++)
            status = add_engine(p, all[i], error);
    }
    return status;
}

/* ---- the study ---- */

static parcast_status read_traces(struct predict *p, parcast_error *error)
{
    if (!wants(p, PARCAST_ENGINE_REPLAY)) return PARCAST_OK;
    parcast_status status =
        cli_traces_load(p->study_path, &p->chosen, &p->traces, &p->replays.n_traces, error);
    p->replays.traces = p->traces;
    p->fit.replay = &p->replays;
    return status;
}

static parcast_status read_study(struct predict *p, parcast_error *error)
{
    parcast_status status = cli_estimates_load(p->study_path, p->problem, &p->estimates, error);
    if (status) return status;
    if (p->estimates.n) p->fit.bound = &p->estimates.basis;
    status = cli_figures_read(&p->figures, &p->estimates.basis.figures, error);
    if (status) return status;
    status = cli_runs_load(p->study_path, p->runs, &p->chosen, error);
    if (!status) return read_traces(p, error);
    /* A study with estimates and no run can be asked for the bound. */
    if (status != PARCAST_DATA || p->runs || !p->estimates.n) return status;
    if (!wants(p, PARCAST_ENGINE_BOUND)) {
        parcast_error_hint(
            error,
            "it holds estimates of a sequential program: --engine bound forecasts from them; for other "
            "engines record its MPI version: parcast record -s %s -n 1,2,4 -- PROGRAM",
            p->study_path);
        return status;
    }
    *error = (parcast_error){.code = PARCAST_OK};
    return PARCAST_OK;
}

static void release(struct predict *p, poptContext context)
{
    parcast_recorded_traces_free(&p->traces, p->replays.n_traces);
    cli_runs_clear(&p->chosen);
    cli_estimates_clear(&p->estimates);
    free(p->list);
    parcast_platform_destroy(&p->platform);
    parcast_platform_destroy(&p->recorded);
    cli_options_free(&p->common, context);
}

int cmd_predict(int argc, const char **argv)
{
    struct predict p = {
        .common = {.command = "predict",
                   .synopsis =
                       "parcast predict STUDY [--on PLATFORM] [--recorded-on PLATFORM] [-n LIST] [--place "
                       "fill|spread] "
                       "[--engine model|paper|pmnf|bound|replay|all]... [--problem WORDS] [--flop-rate RATE] "
                       "[--bandwidth B] "
                       "[--overlap RATIO] [--deadline T] [--budget C] "
                       "[--runs IDS] "
                       "[--json]"}};
    const struct poptOption table[] = {
        {"on", 0, POPT_ARG_STRING, &p.on, 0,
         "platform file (default: more nodes of the kind that the runs were made on)", "PLATFORM"},
        {"recorded-on", 0, POPT_ARG_STRING, &p.recorded_on, 0,
         "platform file of the machine that the runs were made on (default: that of --on)", "PLATFORM"},
        {NULL, 'n', POPT_ARG_STRING, &p.counts, 0, "process counts (default: 1 to all cores)", "LIST"},
        {"place", 0, POPT_ARG_STRING, &p.place, 0, "fill nodes one after the other, or spread ranks over all",
         "fill|spread"},
        {"engine", 0, POPT_ARG_ARGV, &p.engines, 0,
         "model, paper, pmnf, bound or replay; may be repeated; all: model, replay and bound side by side",
         "ENGINE"},
        {"deadline", 0, POPT_ARG_STRING, &p.deadline, 0, "seconds, 90m, 2h30m or a clock time 18:00", "T"},
        {"budget", 0, POPT_ARG_STRING, &p.budget, 0, "in the platform's currency", "C"},
        {"runs", 0, POPT_ARG_STRING, &p.runs, 0,
         "fit these runs (default: all complete ones of the latest problem)", "IDS"},
        {"problem", 0, POPT_ARG_STRING, &p.problem, 0,
         "engine bound: arguments of the sequential program to forecast (default: the runs')", "WORDS"},
        {"flop-rate", 0, POPT_ARG_STRING, &p.figures.flop_rate, 0,
         "engine bound: of one core at this program (default: measured, or the platform's)", "RATE"},
        {"bandwidth", 0, POPT_ARG_STRING, &p.figures.bandwidth, 0,
         "engine bound: of a node with all nodes busy (default: the platform's)", "B"},
        {"overlap", 0, POPT_ARG_STRING, &p.figures.overlap, 0,
         "engine bound: share of a transfer that computing hides (default: the platform's)", "RATIO"},
        {"oversubscribe", 0, POPT_ARG_NONE, &p.oversubscribe, 0, "allow more processes than cores", NULL},
        {"paper-reading", 0, POPT_ARG_STRING, &p.reading, 0,
         "engine paper: jobs in the CPU queue or in total", "queue|total"},
        {"fit-method", 0, POPT_ARG_STRING, &p.method, 0, "Levenberg-Marquardt or Gauss-Newton", "lm|gn"},
        CLI_COMMON(&p.common),
        POPT_TABLEEND};
    poptContext context;
    int status = cli_options(&p.common, argc, argv, table, &context);
    if (status >= 0) return status;
    p.study_path = cli_only_argument(&p.common, context, "study");
    parcast_error error = {.code = PARCAST_OK};
    if (!p.study_path)
        status = EXIT_USAGE;
    else if (read_options(&p, &error) || read_engines(&p, &error) || read_study(&p, &error) ||
             read_platform(&p, &error))
        status = cli_fail(&p.common, &error);
    else
        status = forecast_all(&p);
    release(&p, context);
    return status;
}
