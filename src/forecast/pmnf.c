/* Engine "pmnf": a performance model normal form T(p) of the total times (docs/models/scaling.md). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "forecast/engine.h"
#include "forecast/timings.h"
#include "parcast/scaling.h"

struct pmnf {
    parcast_scaling_pmnf *model;
    double reference_calibration;
};

static void destroy(void *state)
{
    struct pmnf *p = state;
    if (!p) return;
    parcast_scaling_pmnf_destroy(&p->model);
    free(p);
}

static parcast_status fit(const double *x, const double *y, size_t n, parcast_scaling_pmnf **model,
                          parcast_error *error)
{
    const double first = 1, range = 1e6; /* positive over every count that may be asked for */
    parcast_scaling_data data = {.n_parameters = 1, .n_points = n, .x = x, .y = y};
    parcast_scaling_options options = {.allow_negative_exponents = true,
                                       .relative = true,
                                       .purpose = PARCAST_SCALING_FORECAST,
                                       .range_from = &first,
                                       .range_to = &range};
    return parcast_scaling_fit_pmnf(&data, &options, model, error);
}

/* Forecast of each count from the others; left NAN where they are too few. */
static void leave_out_each(const double *x, const double *y, size_t n, double *scratch,
                           parcast_fit_report *report)
{
    for (size_t i = 0; i < n; i++) {
        size_t kept = 0;
        for (size_t j = 0; j < n; j++)
            if (x[j] != x[i]) {
                scratch[kept] = x[j];
                scratch[n + kept++] = y[j];
            }
        parcast_scaling_pmnf *model;
        double value;
        if (kept < 3 || fit(scratch, scratch + n, kept, &model, NULL)) continue;
        if (!parcast_scaling_pmnf_predict(model, &x[i], &value, NULL, NULL, NULL))
            report->runs[i].left_out_s = value;
        parcast_scaling_pmnf_destroy(&model);
    }
    report_summarise_runs(report);
}

static parcast_status describe(const struct pmnf *p, const double *x, size_t n, parcast_fit_report *report,
                               parcast_error *error)
{
    static const char *const names[] = {"p"};
    char form[96];
    parcast_scaling_function_text(parcast_scaling_pmnf_function(p->model), names, form, sizeof form);
    parcast_status status =
        report_function(report, "time", form, parcast_scaling_pmnf_quality(p->model)->smape_loo / 100, error);
    for (size_t i = 0; i < n && !status; i++)
        status = parcast_scaling_pmnf_predict(p->model, &x[i], &report->runs[i].fitted_s, NULL, NULL, error);
    return status;
}

static parcast_status create(const parcast_run *runs, size_t n_runs, const parcast_platform *platform,
                             const parcast_fit_options *options, void **state, parcast_fit_report *report,
                             parcast_error *error)
{
    (void)platform;
    (void)options;
    struct pmnf *p = calloc(1, sizeof *p);
    double *x = calloc(4 * n_runs + 1, sizeof *x);
    if (!p || !x) {
        free(p);
        free(x);
        parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu runs", n_runs);
        return PARCAST_MEMORY;
    }
    double *y = x + n_runs;
    parcast_status status = PARCAST_OK;
    size_t n = 0;
    for (size_t i = 0; i < n_runs && !status; i++) {
        if (!runs[i].complete || !(runs[i].time_s > 0)) continue;
        const parcast_used_run used = used_run_of(&runs[i]);
        x[n] = runs[i].n_ranks;
        y[n++] = runs[i].time_s;
        status = report_run(report, &used, error);
    }
    if (!status) {
        p->reference_calibration = reference_calibration_of(runs, n_runs, platform);
        report->empirical = true;
        status = fit(x, y, n, &p->model, error);
        if (status == PARCAST_DATA)
            parcast_error_hint(error, "engine pmnf needs runs at three different process counts");
    }
    if (!status) status = describe(p, x, n, report, error);
    if (!status) leave_out_each(x, y, n, x + 2 * n_runs, report);
    free(x);
    if (status) {
        destroy(p);
        return status;
    }
    *state = p;
    return PARCAST_OK;
}

static parcast_status point_of(const void *state, const parcast_platform *platform,
                               const parcast_placement *placement, parcast_point *point, parcast_error *error)
{
    const struct pmnf *p = state;
    double n = placement->n_ranks, speed = slowest_speed(platform, placement, p->reference_calibration);
    parcast_status status =
        parcast_scaling_pmnf_predict(p->model, &n, &point->time_s, &point->low_s, &point->high_s, error);
    if (status) return status;
    point->time_s /= speed;
    point->low_s /= speed;
    point->high_s /= speed;
    return PARCAST_OK;
}

static parcast_status again(const void *state, const parcast_platform *platform, const parcast_run *run,
                            parcast_point *point, parcast_error *error)
{
    const struct pmnf *p = state;
    double n = run->n_ranks;
    (void)platform;
    return parcast_scaling_pmnf_predict(p->model, &n, &point->time_s, &point->low_s, &point->high_s, error);
}

const struct engine engine_pmnf = {create, destroy, point_of, again, NULL, NULL};
