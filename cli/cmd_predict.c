#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "estimates.h"
#include "parcast/forecast.h"
#include "parcast/units.h"
#include "predict_compare.h"
#include "study_runs.h"
#include "table.h"

enum { MAX_ENGINES = 8 };

struct predict {
    struct cli_common common;
    char *on, *recorded_on, *counts, *place, *deadline, *budget, *runs, *reading, *method, *problem;
    char **engines; /* NULL-terminated */
    int oversubscribe;
    const char *study_path;

    parcast_platform *platform, *recorded; /* recorded: NULL if it is the same */
    struct cli_runs chosen;
    struct cli_estimates estimates;
    struct cli_figures figures;
    int *list;
    parcast_forecast_options options;
    parcast_fit_options fit;
};

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
    if (p->deadline) status = parcast_units_deadline(p->deadline, time(NULL), &p->options.deadline_s, error);
    if (!status && p->budget) {
        char *end;
        p->options.budget = strtod(p->budget, &end);
        if (end == p->budget || *end || !(p->options.budget >= 0) || !isfinite(p->options.budget))
            status =
                parcast_error_set(error, PARCAST_INVALID, NULL, 0, "--budget '%s' is no amount", p->budget);
    }
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
    /* p->chosen is freed by release(), which the analyzer does not see. */
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
    return parcast_platform_from_runs(p->chosen.runs, p->chosen.n_runs, largest, &p->platform, error);
}

/* ---- printing ---- */

static const char *nodes_text(const parcast_platform *platform, const parcast_placement *placement,
                              char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t g = 0; g < placement->n_groups && used < size; g++) {
        const parcast_placement_group *group = &placement->groups[g];
        int n = snprintf(text + used, size - used, "%s%d %s x %d", used ? ", " : "", group->n_nodes,
                         platform->types[group->type].name, group->n_ranks);
        used += n > 0 ? (size_t)n : 0;
    }
    return text;
}

/* Every node used is full. */
static bool whole_nodes(const parcast_platform *platform, const parcast_placement *placement)
{
    for (size_t g = 0; g < placement->n_groups; g++)
        if (placement->groups[g].n_ranks < platform->types[placement->groups[g].type].cores) return false;
    return true;
}

/* Long sweeps are thinned for people: powers of two, whole nodes, the best ones, the ends. JSON has them all.
 */
static bool shown(const void *data, const parcast_forecast *f, size_t i)
{
    const struct predict *p = data;
    const int best[] = {f->best.fastest, f->best.cheapest, f->best.turning_point, f->best.under_deadline,
                        f->best.under_budget};
    int n = f->points[i].processes;
    bool all = p->counts != NULL || p->common.verbose || f->n_points <= 24;
    if (all || i == 0 || i + 1 == f->n_points || (n & (n - 1)) == 0) return true;
    for (size_t b = 0; b < sizeof best / sizeof *best; b++)
        if (best[b] == (int)i) return true;
    return parcast_platform_nodes(p->platform) <= 16 && whole_nodes(p->platform, f->points[i].placement);
}

/* Three significant digits, never an exponent: 0.0000437, 1.25, 310. */
static const char *cost_text(double cost, char *text, size_t size)
{
    int digits = cost > 0 ? 2 - (int)floor(log10(cost)) : 2;
    if (isnan(cost))
        snprintf(text, size, "-");
    else
        snprintf(text, size, "%.*f", digits < 0 ? 0 : digits > 9 ? 9 : digits, cost);
    return text;
}

static bool any_known(const parcast_forecast *f, double (*value)(const parcast_point *))
{
    for (size_t i = 0; i < f->n_points; i++)
        if (!isnan(value(&f->points[i]))) return true;
    return false;
}

static double cost_of(const parcast_point *point)
{
    return point->cost;
}

static double compute_of(const parcast_point *point)
{
    return point->compute_s;
}

static void put_time(struct cli_table *table, double seconds)
{
    char text[32];
    cli_table_put(table, "%s", parcast_units_format_time(seconds, text, sizeof text));
}

/* Columns that nothing is known of are left out. */
static int print_points(struct predict *p, const parcast_forecast *f)
{
    bool split = any_known(f, compute_of), priced = any_known(f, cost_of);
    char cost[32], title[48];
    snprintf(title, sizeof title, "cost [%.32s]", f->currency);
    struct cli_column columns[10] = {
        {"processes", CLI_RIGHT}, {"nodes", CLI_LEFT}, {"time", CLI_RIGHT}, {"95 % interval", CLI_RIGHT}};
    size_t n = 4;
    if (split) columns[n++] = (struct cli_column){"compute", CLI_RIGHT};
    if (split) columns[n++] = (struct cli_column){"comm.", CLI_RIGHT};
    columns[n++] = (struct cli_column){"speed-up", CLI_RIGHT};
    columns[n++] = (struct cli_column){"eff.", CLI_RIGHT};
    if (priced) columns[n++] = (struct cli_column){title, CLI_RIGHT};
    if (split) columns[n++] = (struct cli_column){"limited by", CLI_LEFT};
    struct cli_table *table = cli_table_create(&p->common, columns, n);
    for (size_t i = 0; i < f->n_points; i++) {
        if (!shown(p, f, i)) continue;
        const parcast_point *point = &f->points[i];
        char nodes[128], low[32], high[32];
        cli_table_row(table);
        cli_table_put(table, "%d", point->processes);
        cli_table_put(table, "%s", nodes_text(p->platform, point->placement, nodes, sizeof nodes));
        put_time(table, point->time_s);
        cli_table_put(table, "%s .. %s", parcast_units_format_time(point->low_s, low, sizeof low),
                      parcast_units_format_time(point->high_s, high, sizeof high));
        if (split) put_time(table, point->compute_s);
        if (split) put_time(table, point->communication_s);
        cli_table_put(table, "%.2f", point->speedup);
        cli_table_put(table, "%.0f %%", 100 * point->efficiency_ratio);
        if (priced) cli_table_put(table, "%s", cost_text(point->cost, cost, sizeof cost));
        if (split) cli_table_put(table, "%s", point->limit);
        if ((int)i == f->best.turning_point) cli_table_highlight(table);
    }
    return cli_table_print(&p->common, &table);
}

static void print_best(const parcast_forecast *f, const char *what, int index, const char *none)
{
    char time[32], cost[32];
    if (index < 0) {
        if (none) printf("%-15s %s\n", what, none);
        return;
    }
    const parcast_point *point = &f->points[index];
    printf("%-15s %d process%s on %d node%s: %s", what, point->processes, point->processes == 1 ? "" : "es",
           point->placement->n_nodes, point->placement->n_nodes == 1 ? "" : "s",
           parcast_units_format_time(point->time_s, time, sizeof time));
    if (!isnan(point->cost)) printf(", %s %s", cost_text(point->cost, cost, sizeof cost), f->currency);
    putchar('\n');
}

static void print_summary(const parcast_forecast *f)
{
    print_best(f, "turning point", f->best.turning_point, NULL);
    print_best(f, "fastest", f->best.fastest, NULL);
    print_best(f, "cheapest", f->best.cheapest, NULL);
    if (!isnan(f->deadline_s)) print_best(f, "by deadline", f->best.under_deadline, "no count meets it");
    if (!isnan(f->budget))
        print_best(f, "in budget", f->best.under_budget,
                   f->best.cheapest < 0 ? "unknown: the platform has no price_per_hour"
                                        : "no count stays within it");
}

static bool undetermined(const parcast_parameter *p)
{
    return !p->fixed && (p->prior_only || !p->identifiable);
}

/* Parameters that the same kind of run would determine stand in one line. */
static void print_undetermined(const parcast_fit_report *r)
{
    for (size_t i = 0; i < r->n_parameters; i++) {
        bool told = !undetermined(&r->parameters[i]);
        for (size_t j = 0; j < i; j++)
            told = told || (undetermined(&r->parameters[j]) &&
                            strcmp(r->parameters[i].advice, r->parameters[j].advice) == 0);
        if (told) continue;
        printf("not determined by the runs: %s", r->parameters[i].name);
        for (size_t j = i + 1; j < r->n_parameters; j++)
            if (undetermined(&r->parameters[j]) &&
                strcmp(r->parameters[i].advice, r->parameters[j].advice) == 0)
                printf(", %s", r->parameters[j].name);
        printf("; %s would\n", r->parameters[i].advice);
    }
}

/* "fitted on 9 runs: 1 (x 3), 2 (x 3), 4* (x 3) processes; * more ranks than cores" */
static void print_runs(const parcast_forecast *f)
{
    const parcast_fit_report *r = f->report;
    bool crowded = false;
    printf("\nengine %s", parcast_engine_name(f->engine));
    if (r->n_runs == 0) {
        putchar('\n'); /* bound: its notes say which estimates it is from */
        return;
    }
    printf(", %s %zu run%s:", f->engine == PARCAST_ENGINE_BOUND ? "beside estimates from" : "fitted on",
           r->n_runs, r->n_runs == 1 ? "" : "s");
    for (size_t i = 0; i < r->n_runs; i++) {
        const parcast_used_run *run = &r->runs[i];
        int times = 0;
        bool told = false;
        for (size_t k = 0; k < r->n_runs; k++) {
            bool same =
                r->runs[k].processes == run->processes && r->runs[k].oversubscribed == run->oversubscribed;
            told = told || (same && k < i);
            times += same;
        }
        if (told) continue;
        crowded = crowded || run->oversubscribed;
        printf("%s %d%s", i ? "," : "", run->processes, run->oversubscribed ? "*" : "");
        if (times > 1) printf(" (x %d)", times);
    }
    printf(" process%s%s\n", r->n_runs == 1 && r->runs[0].processes == 1 ? "" : "es",
           crowded ? "; * more ranks than cores" : "");
}

/* Where the figures come from: runs, error out of sample, what the runs cannot tell, what to record next. */
static void print_basis(const struct predict *p, const parcast_forecast *f)
{
    const parcast_fit_report *r = f->report;
    print_runs(f);
    if (isfinite(r->loo_mean_ratio))
        printf("error out of sample: mean %.1f %%, worst %.1f %% (each %s left out in turn)\n",
               100 * r->loo_mean_ratio, 100 * r->loo_worst_ratio,
               f->engine == PARCAST_ENGINE_BOUND ? "size" : "count");
    else
        puts(f->engine == PARCAST_ENGINE_BOUND
                 ? "error out of sample: none, nothing was extrapolated over sizes"
                 : "error out of sample: unknown, too few process counts to leave one out");
    if (p->common.quiet) return;
    print_undetermined(r);
    for (size_t i = 0; i < f->n_advice && (i == 0 || p->common.verbose); i++)
        printf("%s: %d rank%s on %d node%s, would cut the variance of the last row by %.0f %%\n",
               i == 0 ? "next run that helps most" : "  or", f->advice[i].processes,
               f->advice[i].processes == 1 ? "" : "s", f->advice[i].nodes, f->advice[i].nodes == 1 ? "" : "s",
               100 * f->advice[i].gain_ratio);
    for (size_t i = 0; i < r->n_notes; i++) printf("note: %s\n", r->notes[i]);
    for (size_t i = 0; i < f->n_notes; i++) printf("note: %s\n", f->notes[i]);
}

static void print_fit(const parcast_fit_report *r)
{
    puts("\nfunctions of the process count n:");
    for (size_t i = 0; i < r->n_functions; i++)
        printf("  %-22s %s\n", r->functions[i].quantity, r->functions[i].form);
    puts("parameters:");
    for (size_t i = 0; i < r->n_parameters; i++) {
        const parcast_parameter *q = &r->parameters[i];
        printf("  %-34s %.4g %s [%.3g, %.3g] %s\n", q->name, q->value, q->unit, q->low, q->high, q->note);
    }
}

static int print_forecast(struct predict *p, const parcast_forecast *f)
{
    printf("%s%s%s on %s, %s\n\n", f->program, *f->arguments ? " " : "", f->arguments, f->platform,
           f->policy == PARCAST_FILL ? "nodes filled one after the other" : "ranks spread over the nodes");
    int status = print_points(p, f);
    if (status) return status;
    putchar('\n');
    print_summary(f);
    print_basis(p, f);
    if (p->common.verbose) print_fit(f->report);
    return 0;
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
    cli_print_json(first);
}

static int print_all(struct predict *p, parcast_forecast *const *forecasts, size_t n)
{
    int exit_status = 0;
    for (size_t i = 0; i < n && exit_status == 0; i++) {
        if (i > 0) putchar('\n');
        exit_status = print_forecast(p, forecasts[i]);
    }
    if (n < 2 || exit_status) return exit_status;
    puts("\nside by side:");
    return cli_compare(&p->common, forecasts, n, p->chosen.runs, p->chosen.n_runs, shown, p);
}

static int forecast_all(struct predict *p)
{
    char model[] = "model", *defaults[] = {model, NULL};
    char **engines = p->engines ? p->engines : defaults;
    parcast_forecast *forecasts[MAX_ENGINES] = {NULL};
    parcast_error error = {.code = PARCAST_OK};
    size_t n = 0;
    int exit_status = 0;
    while (engines[n] && !exit_status) {
        if (n == MAX_ENGINES)
            exit_status = cli_usage(&p->common, "at most %d engines at a time", MAX_ENGINES);
        else if (make(p, engines[n], &forecasts[n], &error))
            exit_status = cli_fail(&p->common, &error);
        else
            keep(p, forecasts[n++]);
    }
    if (!exit_status && p->common.json)
        print_json(p, forecasts, n);
    else if (!exit_status)
        exit_status = print_all(p, forecasts, n);
    for (size_t i = 0; i < n; i++) parcast_forecast_destroy(&forecasts[i]);
    return exit_status;
}

/* A study with estimates and no run can be asked for the bound. */
static bool wants_bound_alone(const struct predict *p)
{
    for (size_t i = 0; p->engines && p->engines[i]; i++)
        if (strcmp(p->engines[i], parcast_engine_name(PARCAST_ENGINE_BOUND)) != 0) return false;
    return p->engines != NULL;
}

static parcast_status read_study(struct predict *p, parcast_error *error)
{
    parcast_status status = cli_estimates_load(p->study_path, p->problem, &p->estimates, error);
    if (status) return status;
    if (p->estimates.n) p->fit.bound = &p->estimates.basis;
    status = cli_figures_read(&p->figures, &p->estimates.basis.figures, error);
    if (status) return status;
    status = cli_runs_load(p->study_path, p->runs, &p->chosen, error);
    if (status != PARCAST_DATA || p->runs || !p->estimates.n || !wants_bound_alone(p)) return status;
    *error = (parcast_error){.code = PARCAST_OK};
    return PARCAST_OK;
}

static void release(struct predict *p, poptContext context)
{
    cli_runs_clear(&p->chosen);
    cli_estimates_clear(&p->estimates);
    free(p->list);
    parcast_platform_destroy(&p->platform);
    parcast_platform_destroy(&p->recorded);
    cli_options_free(&p->common, context);
    char *texts[] = {p->on,     p->recorded_on, p->counts,  p->place,  p->deadline,
                     p->budget, p->runs,        p->reading, p->method, p->problem};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) free(texts[i]);
    for (size_t i = 0; p->engines && p->engines[i]; i++) free(p->engines[i]);
    free(p->engines);
    cli_figures_clear(&p->figures);
}

int cmd_predict(int argc, const char **argv)
{
    struct predict p = {
        .common = {
            .command = "predict",
            .synopsis =
                "parcast predict STUDY [--on PLATFORM] [--recorded-on PLATFORM] [-n LIST] [--place "
                "fill|spread] "
                "[--engine model|paper|pmnf|bound]... [--problem WORDS] [--flop-rate RATE] [--bandwidth B] "
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
        {"engine", 0, POPT_ARG_ARGV, &p.engines, 0, "model, paper, pmnf or bound; may be repeated", "ENGINE"},
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
    p.study_path = cli_argument(context);
    parcast_error error = {.code = PARCAST_OK};
    if (!p.study_path)
        status = cli_usage(&p.common, "which study?");
    else if (cli_argument(context))
        status = cli_usage(&p.common, "one study at a time");
    else if (read_options(&p, &error) || read_study(&p, &error) || read_platform(&p, &error))
        status = cli_fail(&p.common, &error);
    else
        status = forecast_all(&p);
    release(&p, context);
    return status;
}
