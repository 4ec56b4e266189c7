/* A sweep over process counts on one platform: points, what is best, which run would narrow it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forecast/engine.h"
#include "forecast/machine.h"

/* A point costs about a millisecond, and two kilobytes in the study. */
enum { MAX_POINTS = 100000 };

void parcast_forecast_destroy(parcast_forecast **forecast)
{
    if (!forecast || !*forecast) return;
    parcast_forecast *f = *forecast;
    for (size_t i = 0; i < f->n_points; i++) parcast_placement_destroy(&f->points[i].placement);
    free(f->points);
    for (size_t i = 0; i < f->n_notes; i++) free(f->notes[i]);
    free(f->notes);
    if (f->report) report_clear(f->report);
    free(f->report);
    free(f->program);
    free(f->arguments);
    free(f->platform);
    free(f->currency);
    free(f);
    *forecast = NULL;
}

static parcast_status one_point(const parcast_predictor *predictor, const parcast_platform *platform, int n,
                                parcast_placement_policy policy, bool oversubscribe, parcast_point *point,
                                parcast_error *error)
{
    parcast_placement *placement;
    parcast_status status = parcast_placement_create(platform, n, policy, oversubscribe, &placement, error);
    if (status) return status;
    status = parcast_predictor_point(predictor, platform, placement, point, error);
    if (status) {
        parcast_placement_destroy(&placement);
        return status;
    }
    point->placement = placement;
    return PARCAST_OK;
}

/* Sum of the speeds of the cores used, relative to a core of the first node type. */
static double relative_speeds(const parcast_platform *platform, const parcast_placement *placement,
                              double calibration)
{
    double first = machine_type_speed(&platform->types[0], calibration), sum = 0;
    for (size_t g = 0; g < placement->n_groups; g++) {
        const parcast_placement_group *group = &placement->groups[g];
        const parcast_node_type *type = &platform->types[group->type];
        int busy = group->n_ranks < type->cores ? group->n_ranks : type->cores;
        sum += (double)group->n_nodes * busy * machine_type_speed(type, calibration) / first;
    }
    return sum;
}

static void complete_point(const parcast_predictor *predictor, const parcast_platform *platform,
                           double alone_s, parcast_point *point)
{
    point->speedup = alone_s / point->time_s;
    point->efficiency_ratio =
        point->speedup / relative_speeds(platform, point->placement, predictor->reference_calibration);
    point->cost = parcast_placement_cost(platform, point->placement, point->time_s);
}

/* Lower is better; ties go to fewer processes, which come first. */
static int lowest(const parcast_forecast *f, double (*value)(const parcast_point *),
                  double (*limit)(const parcast_point *), double at_most)
{
    int best = -1;
    for (size_t i = 0; i < f->n_points; i++) {
        double v = value(&f->points[i]);
        if (isnan(v) || (limit && !(limit(&f->points[i]) <= at_most))) continue;
        if (best < 0 || v < value(&f->points[best])) best = (int)i;
    }
    return best;
}

static double time_value(const parcast_point *p)
{
    return p->time_s;
}

static double cost_value(const parcast_point *p)
{
    return p->cost;
}

static double processes_value(const parcast_point *p)
{
    return p->processes;
}

static void find_best(parcast_forecast *f)
{
    f->best = (parcast_best){-1, -1, -1, -1, -1};
    f->best.fastest = lowest(f, time_value, NULL, 0);
    f->best.cheapest = lowest(f, cost_value, NULL, 0);
    if (f->best.fastest >= 0) {
        double enough = 1.05 * f->points[f->best.fastest].time_s;
        f->best.turning_point = lowest(f, processes_value, time_value, enough);
    }
    if (!isnan(f->deadline_s)) {
        f->best.under_deadline = lowest(f, cost_value, time_value, f->deadline_s);
        if (f->best.under_deadline < 0)
            f->best.under_deadline = lowest(f, processes_value, time_value, f->deadline_s);
    }
    if (!isnan(f->budget)) f->best.under_budget = lowest(f, time_value, cost_value, f->budget);
}

static parcast_status copy_text(char **to, const char *from, parcast_error *error)
{
    *to = strdup(from ? from : "");
    return *to ? PARCAST_OK
               : parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a forecast");
}

/* The counts that an engine knows; 0: all. */
static size_t known_counts(const parcast_predictor *predictor, const int **counts)
{
    return predictor->engine->known_counts ? predictor->engine->known_counts(predictor->state, counts) : 0;
}

static bool knows(const parcast_predictor *predictor, int count)
{
    const int *known = NULL;
    size_t n = known_counts(predictor, &known), i = 0;
    while (i < n && known[i] != count) i++;
    return n == 0 || i < n;
}

/* Process counts of a forecast: those of the options, or from 1 on; of these what the engine knows. */
struct count_list {
    int *counts;
    size_t n;
};

static parcast_status make_room(struct count_list *list, size_t n, parcast_error *error)
{
    if (n > MAX_POINTS) {
        parcast_error_set(error, PARCAST_LIMIT, NULL, 0, "%zu process counts: a forecast takes at most %d", n,
                          MAX_POINTS);
        parcast_error_hint(error, "choose some with -n: 1..%zu (powers of two) or 1-%zu:%zu", n, n, n / 1000);
        return PARCAST_LIMIT;
    }
    list->counts = calloc(n + 1, sizeof *list->counts);
    if (list->counts) return PARCAST_OK;
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu process counts", n);
}

static parcast_status say_left_out(const int *left_out, size_t n, parcast_forecast *f, parcast_error *error)
{
    char text[200];
    size_t used = (size_t)snprintf(text, sizeof text, "no trace, left out:");
    for (size_t i = 0; i < n && used < sizeof text - 16; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s %d", i ? "," : "", left_out[i]);
    snprintf(text + used, sizeof text - used, "%s processes", used < sizeof text - 16 ? "" : " ...");
    return notes_add(&f->notes, &f->n_notes, text, error);
}

/* Counts that were asked for are refused by the engine itself unless they may be left out. */
static parcast_status choose_asked(const parcast_predictor *predictor,
                                   const parcast_forecast_options *options, struct count_list *list,
                                   parcast_forecast *f, parcast_error *error)
{
    size_t n_out = 0;
    int *left_out = calloc(options->n_counts + 1, sizeof *left_out);
    parcast_status status =
        left_out ? make_room(list, options->n_counts, error)
                 : parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu process counts",
                                     options->n_counts);
    for (size_t i = 0; i < options->n_counts && !status; i++)
        if (options->known_only && !knows(predictor, options->counts[i]))
            left_out[n_out++] = options->counts[i];
        else
            list->counts[list->n++] = options->counts[i];
    if (!status && n_out && list->n) status = say_left_out(left_out, n_out, f, error);
    if (!status && n_out && !list->n) list->counts[list->n++] = left_out[0]; /* the engine says why not */
    free(left_out);
    return status;
}

static parcast_status choose_counts(const parcast_predictor *predictor, const parcast_platform *platform,
                                    const parcast_forecast_options *options, struct count_list *list,
                                    parcast_forecast *f, parcast_error *error)
{
    const int *known = NULL;
    int cores = parcast_platform_cores(platform);
    size_t n_known = known_counts(predictor, &known), n = n_known ? n_known : (size_t)cores;
    if (options->counts) return choose_asked(predictor, options, list, f, error);
    parcast_status status = make_room(list, n, error);
    for (size_t i = 0; i < n && !status; i++) {
        int count = n_known ? known[i] : (int)i + 1;
        /* Nothing that the engine knows fits: placing it says so. */
        if (count <= cores || options->oversubscribe || list->n == 0) list->counts[list->n++] = count;
    }
    return status;
}

/* Total times say nothing about another node or network: half as fast or twice as fast would be no surprise.
 */
static void widen(parcast_point *point)
{
    const double other_machine_sd = 0.35;
    double low = log(point->time_s / point->low_s) / 1.96, high = log(point->high_s / point->time_s) / 1.96;
    point->low_s = point->time_s * exp(-1.96 * sqrt(low * low + other_machine_sd * other_machine_sd));
    point->high_s = point->time_s * exp(1.96 * sqrt(high * high + other_machine_sd * other_machine_sd));
}

/* One process on the first node type, for the speed-up; NAN where the engine does not know that. */
static parcast_status time_alone(const parcast_predictor *predictor, const parcast_platform *platform,
                                 double *alone_s, parcast_error *error)
{
    parcast_point alone = {.placement = NULL};
    *alone_s = NAN;
    if (!knows(predictor, 1)) return PARCAST_OK;
    parcast_status status = one_point(predictor, platform, 1, PARCAST_FILL, false, &alone, error);
    if (status) return status;
    parcast_placement_destroy(&alone.placement);
    *alone_s = alone.time_s;
    return PARCAST_OK;
}

static parcast_status fill_points(const parcast_predictor *predictor, const parcast_platform *platform,
                                  const parcast_forecast_options *options, parcast_forecast *f,
                                  parcast_error *error)
{
    struct count_list list = {NULL, 0};
    double alone_s = NAN;
    parcast_status status = choose_counts(predictor, platform, options, &list, f, error);
    if (!status) f->points = calloc(list.n + 1, sizeof *f->points);
    if (!status && !f->points)
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu points", list.n);
    if (!status) status = time_alone(predictor, platform, &alone_s, error);
    for (size_t i = 0; i < list.n && !status; i++) {
        status = one_point(predictor, platform, list.counts[i], options->policy, options->oversubscribe,
                           &f->points[i], error);
        if (status) break;
        f->n_points++;
        if (options->other_machine && predictor->report.empirical) widen(&f->points[i]);
        complete_point(predictor, platform, alone_s, &f->points[i]);
    }
    free(list.counts);
    return status;
}

parcast_status parcast_forecast_create(const parcast_predictor *predictor, const parcast_platform *platform,
                                       const parcast_forecast_options *options, parcast_forecast **forecast,
                                       parcast_error *error)
{
    parcast_forecast *f = calloc(1, sizeof *f);
    if (!f) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a forecast");
    f->engine = predictor->report.engine;
    f->policy = options->policy;
    f->deadline_s = options->deadline_s;
    f->budget = options->budget;
    parcast_status status = copy_text(&f->program, NULL, error);
    if (!status) status = copy_text(&f->arguments, NULL, error);
    if (!status) status = copy_text(&f->platform, platform->name, error);
    if (!status) status = copy_text(&f->currency, platform->currency, error);
    if (!status) status = fill_points(predictor, platform, options, f, error);
    if (!status) status = report_copy(&predictor->report, &f->report, error);
    if (!status) find_best(f);
    if (!status && predictor->engine->advise && f->n_points > 0)
        status = predictor->engine->advise(predictor->state, platform, f->points[f->n_points - 1].placement,
                                           f->advice, &f->n_advice, error);
    if (status) {
        parcast_forecast_destroy(&f);
        return status;
    }
    *forecast = f;
    return PARCAST_OK;
}

parcast_status parcast_forecast_set_program(parcast_forecast *forecast, const parcast_run *run,
                                            parcast_error *error)
{
    size_t size = 1;
    for (size_t i = 0; i < run->n_arguments; i++) size += strlen(run->arguments[i]) + 1;
    char *program = strdup(run->program ? run->program : ""), *arguments = malloc(size);
    if (!program || !arguments) {
        free(program);
        free(arguments);
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a forecast");
    }
    char *end = arguments;
    *end = '\0';
    for (size_t i = 0; i < run->n_arguments; i++) {
        if (i > 0) *end++ = ' ';
        end = stpcpy(end, run->arguments[i]);
    }
    free(forecast->program);
    free(forecast->arguments);
    forecast->program = program;
    forecast->arguments = arguments;
    return PARCAST_OK;
}
