/* parcast validate: forecasts beside measurements, with errors on runs that the fit has not seen. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "parcast/units.h"
#include "parcast/validation.h"
#include "study_runs.h"
#include "table.h"

struct validate {
    struct cli_common common;
    char *on, *recorded_on, *fit, *fit_runs, *engine, *runs, *fail_above;
    const char *study_path;

    parcast_engine which;
    parcast_platform *platform, *recorded; /* recorded: NULL if it is the same */
    struct cli_runs chosen;
    parcast_recorded_trace *traces; /* [replays.n_traces] of the runs */
    parcast_replay_basis replays;
    bool *fitted;       /* [chosen.n_runs], NULL: leave out each point in turn */
    double limit_ratio; /* NAN: none */
};

static parcast_status read_options(struct validate *v, parcast_error *error)
{
    parcast_status status = parcast_engine_parse(v->engine ? v->engine : "model", &v->which, error);
    v->limit_ratio = NAN;
    if (!status && v->fail_above) {
        char *end;
        v->limit_ratio = strtod(v->fail_above, &end);
        if (*end == '%') {
            v->limit_ratio /= 100;
            end++;
        }
        if (end == v->fail_above || *end || !(v->limit_ratio >= 0))
            status = parcast_error_set(error, PARCAST_INVALID, NULL, 0, "--fail-above '%s' is no ratio",
                                       v->fail_above);
    }
    if (!status && v->fit && v->fit_runs)
        status =
            parcast_error_set(error, PARCAST_INVALID, NULL, 0, "--fit and --fit-runs exclude each other");
    if (!status && v->on) status = parcast_platform_load(v->on, &v->platform, error);
    if (!status && v->recorded_on) status = parcast_platform_load(v->recorded_on, &v->recorded, error);
    return status;
}

/* Mark the runs whose process count (--fit) or id (--fit-runs) is in the list; each must be of use. */
static parcast_status choose_fitted(struct validate *v, parcast_error *error)
{
    const char *text = v->fit ? v->fit : v->fit_runs;
    int *list = NULL;
    size_t n = 0;
    if (!text) return PARCAST_OK;
    parcast_status status = parcast_units_list(text, &list, &n, error);
    if (status) return status;
    v->fitted = calloc(v->chosen.n_runs + 1, sizeof *v->fitted);
    if (!v->fitted) {
        free(list);
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu runs",
                                 v->chosen.n_runs);
    }
    for (size_t k = 0; k < n && !status; k++) {
        bool found = false;
        for (size_t i = 0; i < v->chosen.n_runs; i++) {
            const parcast_run *run = &v->chosen.runs[i];
            if ((v->fit ? (int64_t)run->n_ranks : run->id) != list[k]) continue;
            v->fitted[i] = found = true;
        }
        if (!found)
            status = parcast_error_set(error, PARCAST_DATA, v->study_path, 0,
                                       v->fit ? "--fit: there is no run of %d processes"
                                              : "--fit-runs: run %d is not among the runs",
                                       list[k]);
    }
    free(list);
    return status;
}

static json_t *ids_json(const parcast_validation_point *p)
{
    json_t *ids = json_array();
    for (int i = 0; i < p->n_runs; i++) json_array_append_new(ids, json_integer(p->run_ids[i]));
    return ids;
}

static void print_json(const struct validate *v, const parcast_validation *validation)
{
    json_t *points = json_array();
    for (size_t i = 0; i < validation->n_points; i++) {
        const parcast_validation_point *p = &validation->points[i];
        json_array_append_new(
            points,
            json_pack("{s:i, s:s, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b}", "processes",
                      p->processes, "placement", p->placement, "runs", p->n_runs, "run_ids", ids_json(p),
                      "measured_s", cli_json_number(p->measured_s), "measured_cv_ratio",
                      cli_json_number(p->measured_cv_ratio), "predicted_s", cli_json_number(p->predicted_s),
                      "low_s", cli_json_number(p->low_s), "high_s", cli_json_number(p->high_s), "error_ratio",
                      cli_json_number(p->error_ratio), "held_out", p->held_out, "counts", p->counts));
    }
    cli_print_json(json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "schema", "parcast.validate/1",
                             "engine", parcast_engine_name(validation->engine), "platform",
                             cli_json_text(v->platform ? v->platform->name : NULL), "points", points,
                             "mape_ratio", cli_json_number(validation->mape_ratio), "worst_ratio",
                             cli_json_number(validation->worst_ratio), "in_sample_ratio",
                             cli_json_number(validation->in_sample_ratio), "inside_interval_ratio",
                             cli_json_number(validation->inside_ratio)));
}

static int print_table(const struct validate *v, const parcast_validation *validation)
{
    static const struct cli_column columns[] = {
        {"processes", CLI_RIGHT},     {"placement", CLI_WRAP}, {"runs", CLI_RIGHT},
        {"measured", CLI_RIGHT},      {"cv", CLI_RIGHT},       {"forecast", CLI_RIGHT},
        {"95 % interval", CLI_RIGHT}, {"error", CLI_RIGHT},    {"", CLI_LEFT}};
    struct cli_table *table = cli_table_create(&v->common, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < validation->n_points; i++) {
        const parcast_validation_point *p = &validation->points[i];
        char text[32], high[32];
        cli_table_row(table);
        cli_table_put(table, "%d", p->processes);
        cli_table_put(table, "%s", p->placement);
        cli_table_put(table, "%d", p->n_runs);
        cli_table_put(table, "%s", parcast_units_format_time(p->measured_s, text, sizeof text));
        if (isnan(p->measured_cv_ratio))
            cli_table_put(table, "-");
        else
            cli_table_put(table, "%.1f %%", 100 * p->measured_cv_ratio);
        if (isnan(p->predicted_s)) {
            for (int cell = 0; cell < 3; cell++) cli_table_put(table, "-");
            cli_table_put(table, "no trace of other runs");
            continue;
        }
        cli_table_put(table, "%s", parcast_units_format_time(p->predicted_s, text, sizeof text));
        cli_table_put(table, "%s .. %s", parcast_units_format_time(p->low_s, text, sizeof text),
                      parcast_units_format_time(p->high_s, high, sizeof high));
        cli_table_put(table, "%+.1f %%", 100 * p->error_ratio);
        cli_table_put(table, "%s", !p->held_out ? "fitted" : p->counts ? "held out" : "held out, unsteady");
    }
    return cli_table_print(&v->common, &table);
}

static void print_summary(const parcast_validation *validation)
{
    printf("\nengine %s: ", parcast_engine_name(validation->engine));
    if (isnan(validation->mape_ratio))
        puts("no held-out point whose runs agree within 5 %");
    else
        printf("out of sample %.1f %% on average, at worst %.1f %%\n", 100 * validation->mape_ratio,
               100 * validation->worst_ratio);
    if (!isnan(validation->in_sample_ratio))
        printf("in sample %.1f %% on average\n", 100 * validation->in_sample_ratio);
    if (!isnan(validation->inside_ratio))
        printf("%.0f %% of the held-out points are inside their 95 %% interval\n",
               100 * validation->inside_ratio);
}

static parcast_status read_traces(struct validate *v, parcast_error *error)
{
    if (v->which != PARCAST_ENGINE_REPLAY) return PARCAST_OK;
    parcast_status status =
        cli_traces_load(v->study_path, &v->chosen, &v->traces, &v->replays.n_traces, error);
    v->replays.traces = v->traces;
    return status;
}

static int validate(struct validate *v)
{
    parcast_error error = {.code = PARCAST_OK};
    parcast_validation *validation = NULL;
    parcast_validation_platforms platforms = {v->recorded ? v->recorded : v->platform, v->platform};
    parcast_fit_options options = {.replay = &v->replays};
    if (choose_fitted(v, &error) || read_traces(v, &error) ||
        parcast_validation_create(v->which, v->chosen.runs, v->chosen.n_runs, &platforms, &options, v->fitted,
                                  &validation, &error))
        return cli_fail(&v->common, &error);
    /* v->fitted is freed by cmd_validate(), which the analyzer does not see. */
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
    int status = 0;
    if (v->common.json) {
        print_json(v, validation);
    } else {
        status = print_table(v, validation);
        if (!status) print_summary(validation);
    }
    if (!status && !isnan(v->limit_ratio) && !(validation->mape_ratio <= v->limit_ratio)) {
        cli_warn(&v->common, "the error out of sample is above %g %%", 100 * v->limit_ratio);
        status = EXIT_TOLERANCE;
    }
    parcast_validation_destroy(&validation);
    return status;
}

int cmd_validate(int argc, const char **argv)
{
    struct validate v = {
        .common = {.command = "validate",
                   .synopsis = "parcast validate STUDY [--on PLATFORM] [--recorded-on PLATFORM] [--fit LIST] "
                               "[--fit-runs IDS] [--engine model|paper|pmnf|replay] [--runs IDS] "
                               "[--fail-above ERROR] [--json]"}};
    const struct poptOption table[] = {
        {"on", 0, POPT_ARG_STRING, &v.on, 0, "platform file of the machine that the runs were made on",
         "PLATFORM"},
        {"recorded-on", 0, POPT_ARG_STRING, &v.recorded_on, 0,
         "platform file of the machine of the runs that are fitted on (default: the same)", "PLATFORM"},
        {"fit", 0, POPT_ARG_STRING, &v.fit, 0,
         "fit on these process counts, hold out the rest (default: leave out each point in turn)", "LIST"},
        {"fit-runs", 0, POPT_ARG_STRING, &v.fit_runs, 0, "fit on these runs, hold out the rest", "IDS"},
        {"engine", 0, POPT_ARG_STRING, &v.engine, 0, "model, paper, pmnf or replay", "ENGINE"},
        {"runs", 0, POPT_ARG_STRING, &v.runs, 0,
         "these runs (default: all complete ones of the latest problem)", "IDS"},
        {"fail-above", 0, POPT_ARG_STRING, &v.fail_above, 0,
         "exit with status 4 when the mean error out of sample is above it: 0.1 or 10%", "ERROR"},
        CLI_COMMON(&v.common),
        POPT_TABLEEND};
    poptContext context;
    int status = cli_options(&v.common, argc, argv, table, &context);
    if (status >= 0) return status;
    parcast_error error = {.code = PARCAST_OK};
    v.study_path = cli_only_argument(&v.common, context, "study");
    if (!v.study_path)
        status = EXIT_USAGE;
    else if (read_options(&v, &error) || cli_runs_load(v.study_path, v.runs, &v.chosen, &error))
        status = cli_fail(&v.common, &error);
    else
        status = validate(&v);
    parcast_recorded_traces_free(&v.traces, v.replays.n_traces);
    cli_runs_clear(&v.chosen);
    free(v.fitted);
    parcast_platform_destroy(&v.platform);
    parcast_platform_destroy(&v.recorded);
    cli_options_free(&v.common, context);
    return status;
}
