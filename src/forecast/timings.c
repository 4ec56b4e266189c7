#include "forecast/timings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "forecast/machine.h"
#include "parcast/scaling.h"

struct timings {
    parcast_scaling_timings *total;
    parcast_scaling_timings *compute; /* NULL unless every run has its computing time */
    double reference_calibration;
};

double slowest_speed(const parcast_platform *platform, const parcast_placement *placement,
                     double reference_calibration)
{
    double slowest = INFINITY;
    for (size_t g = 0; g < placement->n_groups; g++)
        slowest = fmin(
            slowest, machine_type_speed(&platform->types[placement->groups[g].type], reference_calibration));
    return slowest;
}

void timings_destroy(struct timings *timings)
{
    if (!timings) return;
    parcast_scaling_timings_destroy(&timings->total);
    parcast_scaling_timings_destroy(&timings->compute);
    free(timings);
}

static bool usable(const parcast_run *run)
{
    return run->complete && run->time_s > 0;
}

/* Total or computing times of the usable runs but those with `skip` processes. */
static size_t collect(const parcast_run *runs, size_t n_runs, bool compute, int skip,
                      parcast_scaling_timing *points)
{
    size_t n = 0;
    for (size_t i = 0; i < n_runs; i++) {
        if (!usable(&runs[i]) || runs[i].n_ranks == skip) continue;
        points[n++] = (parcast_scaling_timing){.processes = runs[i].n_ranks,
                                               .nodes = runs[i].n_nodes_used,
                                               .time_s = compute ? runs[i].compute_s : runs[i].time_s,
                                               .weight = runs[i].oversubscribed ? 0.2 : 1};
    }
    return n;
}

/* In sample, and from the other counts. */
static parcast_status describe_run(const struct timings *t, const parcast_run *runs, size_t n_runs, size_t i,
                                   bool weak, parcast_scaling_timing *points, parcast_fit_report *report,
                                   parcast_error *error)
{
    const parcast_run *run = &runs[i];
    parcast_used_run used = {.id = run->id,
                             .processes = run->n_ranks,
                             .nodes = run->n_nodes_used,
                             .weight = run->oversubscribed ? 0.2 : 1,
                             .time_s = run->time_s,
                             .left_out_s = NAN,
                             .oversubscribed = run->oversubscribed};
    for (size_t k = 0; k < report->n_runs; k++) { /* a repetition: the same forecasts, found already */
        const parcast_used_run *earlier = &report->runs[k];
        if (earlier->processes != used.processes || earlier->nodes != used.nodes) continue;
        used.fitted_s = earlier->fitted_s;
        used.left_out_s = earlier->left_out_s;
        return report_run(report, &used, error);
    }
    parcast_status status =
        parcast_scaling_predict(t->total, run->n_ranks, run->n_nodes_used, &used.fitted_s, NULL, NULL, error);
    size_t others = collect(runs, n_runs, false, run->n_ranks, points);
    if (!status && others >= 2) {
        parcast_scaling_timings *rest;
        status = parcast_scaling_fit_timings(points, others, weak, &rest, error);
        if (!status)
            status = parcast_scaling_predict(rest, run->n_ranks, run->n_nodes_used, &used.left_out_s, NULL,
                                             NULL, error);
        if (!status) parcast_scaling_timings_destroy(&rest);
    }
    return status ? status : report_run(report, &used, error);
}

static parcast_status describe_notes(const struct timings *t, parcast_fit_report *report,
                                     parcast_error *error)
{
    parcast_scaling_timings_summary summary = parcast_scaling_timings_describe(t->total);
    char form[96];
    snprintf(form, sizeof form, "W/p (1 + (p/P)^g), g about %.2g, overhead %.0f %% at %d",
             summary.overhead_exponent, 100 * summary.overhead_ratio, summary.largest);
    parcast_status status = report_function(report, "time", form, report->loo_mean_ratio, error);
    if (!status)
        status =
            report_note(report, error,
                        "total times alone: nothing tells computing from communication, so other nodes and "
                        "networks are guesses; 'parcast record' of the program at two or three counts would "
                        "narrow the interval");
    if (!status && summary.does_not_scale)
        status = report_note(
            report, error,
            "no larger count is clearly faster than the smallest: the runs are bad or the problem "
            "is too small; this forecast is no reason to buy nodes");
    return status;
}

parcast_status timings_create(const parcast_run *runs, size_t n_runs, const parcast_platform *platform,
                              struct timings **timings, parcast_fit_report *report, parcast_error *error)
{
    struct timings *t = calloc(1, sizeof *t);
    parcast_scaling_timing *points = calloc(n_runs + 1, sizeof *points);
    if (!t || !points) {
        free(t);
        free(points);
        parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu runs", n_runs);
        return PARCAST_MEMORY;
    }
    bool weak = false, split = true;
    for (size_t i = 0; i < n_runs; i++) {
        weak = weak || runs[i].weak;
        split = split && (!usable(&runs[i]) || runs[i].compute_s > 0);
    }
    report->empirical = true;
    t->reference_calibration = reference_calibration_of(runs, n_runs, platform);
    size_t n = collect(runs, n_runs, false, 0, points);
    parcast_status status = parcast_scaling_fit_timings(points, n, weak, &t->total, error);
    if (!status && split) {
        n = collect(runs, n_runs, true, 0, points);
        status = parcast_scaling_fit_timings(points, n, weak, &t->compute, error);
    }
    for (size_t i = 0; i < n_runs && !status; i++)
        if (usable(&runs[i])) status = describe_run(t, runs, n_runs, i, weak, points, report, error);
    report_summarise_runs(report);
    if (!status) status = describe_notes(t, report, error);
    free(points);
    if (status) {
        timings_destroy(t);
        return status;
    }
    *timings = t;
    return PARCAST_OK;
}

parcast_status timings_point(const struct timings *t, const parcast_platform *platform,
                             const parcast_placement *placement, parcast_point *point, parcast_error *error)
{
    double speed = slowest_speed(platform, placement, t->reference_calibration), compute_s = NAN;
    parcast_status status = parcast_scaling_predict(t->total, placement->n_ranks, placement->n_nodes,
                                                    &point->time_s, &point->low_s, &point->high_s, error);
    if (!status && t->compute)
        status = parcast_scaling_predict(t->compute, placement->n_ranks, placement->n_nodes, &compute_s, NULL,
                                         NULL, error);
    if (status) return status;
    point->time_s /= speed;
    point->low_s /= speed;
    point->high_s /= speed;
    if (isfinite(compute_s)) {
        point->compute_s = fmin(compute_s / speed, point->time_s);
        point->communication_s = point->time_s - point->compute_s;
    }
    return PARCAST_OK;
}

parcast_status timings_run(const struct timings *t, const parcast_run *run, parcast_point *point,
                           parcast_error *error)
{
    return parcast_scaling_predict(t->total, run->n_ranks, run->n_nodes_used, &point->time_s, &point->low_s,
                                   &point->high_s, error);
}
