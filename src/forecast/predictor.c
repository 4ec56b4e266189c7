#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "forecast/engine.h"
#include "forecast/machine.h"

static const struct {
    const char *name;
    const struct engine *engine;
} engines[] = {
#define ROW(name, constant, about) {#name, &engine_##name},
    PARCAST_ENGINE_LIST(ROW)
#undef ROW
};

enum { N_ENGINES = sizeof engines / sizeof engines[0] };

const char *parcast_engine_name(parcast_engine engine)
{
    return (size_t)engine < N_ENGINES ? engines[engine].name : "?";
}

parcast_status parcast_engine_parse(const char *name, parcast_engine *engine, parcast_error *error)
{
    for (size_t i = 0; i < N_ENGINES; i++)
        if (strcmp(engines[i].name, name) == 0) {
            *engine = (parcast_engine)i;
            return PARCAST_OK;
        }
    parcast_error_set(error, PARCAST_INVALID, NULL, 0, "no engine '%s'", name);
    parcast_error_hint(error, "engines: "
#define NAME(name, constant, about) #name " "
                       PARCAST_ENGINE_LIST(NAME)
#undef NAME
    );
    return PARCAST_INVALID;
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median of the scores within a quarter of the first one. */
static double median_calibration(const parcast_run *runs, size_t n_runs, double first)
{
    enum { MOST = 1024 };
    double scores[MOST];
    size_t n = 0;
    for (size_t i = 0; i < n_runs; i++)
        for (size_t k = 0; k < runs[i].n_nodes && n < MOST; k++)
            if (runs[i].nodes[k].calibration > 0.75 * first && runs[i].nodes[k].calibration < 1.25 * first)
                scores[n++] = runs[i].nodes[k].calibration;
    qsort(scores, n, sizeof *scores, compare_numbers);
    return n ? 0.5 * (scores[(n - 1) / 2] + scores[n / 2]) : first;
}

double reference_calibration_of(const parcast_run *runs, size_t n_runs, const parcast_platform *platform)
{
    for (size_t i = 0; i < n_runs; i++)
        for (size_t k = 0; k < runs[i].n_nodes; k++) {
            const parcast_run_node *node = &runs[i].nodes[k];
            int type = machine_node_type(platform, node);
            if (type >= 0 && platform->types[type].calibration > 0) return platform->types[type].calibration;
            if (node->calibration > 0) return median_calibration(runs, n_runs, node->calibration);
        }
    return NAN;
}

/* Times of a problem that grows with the processes say nothing of one that does not. */
static parcast_status check_one_scaling(const parcast_run *runs, size_t n_runs, parcast_error *error)
{
    for (size_t i = 1; i < n_runs; i++) {
        if (runs[i].weak == runs[0].weak) continue;
        parcast_error_set(error, PARCAST_DATA, NULL, 0, "run %lld is of weak scaling and run %lld is not",
                          (long long)runs[runs[i].weak ? i : 0].id, (long long)runs[runs[i].weak ? 0 : i].id);
        parcast_error_hint(error, "choose runs of one kind with --runs");
        return PARCAST_DATA;
    }
    return PARCAST_OK;
}

parcast_status parcast_predictor_create(parcast_engine engine, const parcast_run *runs, size_t n_runs,
                                        const parcast_platform *platform, const parcast_fit_options *options,
                                        parcast_predictor **predictor, parcast_error *error)
{
    static const parcast_fit_options defaults = {0};
    if ((size_t)engine >= N_ENGINES)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "no such engine");
    if (n_runs == 0 && engine != PARCAST_ENGINE_BOUND) {
        parcast_error_set(error, PARCAST_DATA, NULL, 0, "there is no run to forecast from");
        parcast_error_hint(error, "record one: parcast record -s STUDY -n 1,2,4 -- PROGRAM");
        return PARCAST_DATA;
    }
    parcast_status status = check_one_scaling(runs, n_runs, error);
    if (status) return status;
    parcast_predictor *p = calloc(1, sizeof *p);
    if (!p) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a predictor");
    p->engine = engines[engine].engine;
    p->report.engine = engine;
    p->report.loo_mean_ratio = p->report.loo_worst_ratio = p->report.extrapolation_ratio = NAN;
    p->reference_calibration = reference_calibration_of(runs, n_runs, platform);
    status = p->engine->create(runs, n_runs, platform, options ? options : &defaults, &p->state, &p->report,
                               error);
    if (status) {
        report_clear(&p->report);
        free(p);
        return status;
    }
    if (isnan(p->reference_calibration) && options && options->bound && options->bound->n_estimates)
        p->reference_calibration = options->bound->estimates[options->bound->n_estimates - 1].calibration;
    *predictor = p;
    return PARCAST_OK;
}

void parcast_predictor_destroy(parcast_predictor **predictor)
{
    if (!predictor || !*predictor) return;
    (*predictor)->engine->destroy((*predictor)->state);
    report_clear(&(*predictor)->report);
    free(*predictor);
    *predictor = NULL;
}

const parcast_fit_report *parcast_predictor_report(const parcast_predictor *predictor)
{
    return &predictor->report;
}

static parcast_point empty_point(int processes)
{
    parcast_point p = {.processes = processes,
                       .compute_s = NAN,
                       .communication_s = NAN,
                       .speedup = NAN,
                       .efficiency_ratio = NAN,
                       .cost = NAN};
    for (size_t i = 0; i < sizeof p.sensitivity / sizeof *p.sensitivity; i++) p.sensitivity[i] = NAN;
    return p;
}

/* Nothing that is no time leaves an engine with success. */
static parcast_status check_time(const parcast_predictor *predictor, const parcast_point *point,
                                 parcast_error *error)
{
    if (isfinite(point->time_s) && point->time_s > 0) return PARCAST_OK;
    return parcast_error_set(error, PARCAST_NOT_CONVERGED, NULL, 0,
                             "engine %s has no finite positive time for %d processes",
                             parcast_engine_name(predictor->report.engine), point->processes);
}

parcast_status parcast_predictor_point(const parcast_predictor *predictor, const parcast_platform *platform,
                                       const parcast_placement *placement, parcast_point *point,
                                       parcast_error *error)
{
    parcast_point p = empty_point(placement->n_ranks);
    parcast_status status = predictor->engine->point(predictor->state, platform, placement, &p, error);
    if (!status) status = check_time(predictor, &p, error);
    if (!status) *point = p;
    return status;
}

parcast_status parcast_predictor_run(const parcast_predictor *predictor, const parcast_platform *platform,
                                     const parcast_run *run, parcast_point *point, parcast_error *error)
{
    parcast_point p = empty_point(run->n_ranks);
    parcast_status status = predictor->engine->again(predictor->state, platform, run, &p, error);
    if (!status) status = check_time(predictor, &p, error);
    if (!status) *point = p;
    return status;
}
