#include "parcast/validation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Above this a measurement says too little to be held against a forecast. */
static const double steady_ratio = 0.05;

struct validator {
    parcast_engine engine;
    const parcast_run *runs;
    size_t n_runs;
    const parcast_validation_platforms *platforms;
    const parcast_fit_options *options;
    const bool *fitted; /* [n_runs] or NULL */
    int *point_of;      /* [n_runs] index of the point, -1: not used */
    parcast_validation *v;
};

/* Ranks on each node, node types behind them: equal texts are repetitions. */
static void describe_placement(const parcast_run *run, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < run->n_nodes && used < size; i++) {
        const parcast_run_node *node = &run->nodes[i];
        const char *type = node->type ? node->type : node->name ? node->name : "";
        const char *before = i == 0                   ? NULL
                             : run->nodes[i - 1].type ? run->nodes[i - 1].type
                                                      : run->nodes[i - 1].name;
        bool same = before && strcmp(before, type) == 0;
        int n = snprintf(text + used, size - used, "%s%s%s%d",
                         i == 0 ? ""
                         : same ? "+"
                                : ", ",
                         same ? "" : type, same || !*type ? "" : " ", node->n_ranks);
        used += n > 0 ? (size_t)n : 0;
    }
    if (run->n_nodes == 0 && run->n_nodes_used > 0)
        snprintf(text, size, "%d node%s", run->n_nodes_used, run->n_nodes_used == 1 ? "" : "s");
}

/* Has the fit seen a run of the point? */
static bool seen_by_fit(const struct validator *w, int k)
{
    for (size_t i = 0; w->fitted && i < w->n_runs; i++)
        if (w->fitted[i] && w->point_of[i] == k) return true;
    return false;
}

static void group_runs(struct validator *w)
{
    parcast_validation *v = w->v;
    for (size_t i = 0; i < w->n_runs; i++) {
        const parcast_run *run = &w->runs[i];
        parcast_validation_point point = {.processes = run->n_ranks, .measured_cv_ratio = NAN};
        w->point_of[i] = -1;
        if (!run->complete || !(run->time_s > 0)) continue;
        describe_placement(run, point.placement, sizeof point.placement);
        size_t k = 0;
        while (k < v->n_points && !(v->points[k].processes == point.processes &&
                                    strcmp(v->points[k].placement, point.placement) == 0))
            k++;
        if (k == v->n_points) v->points[v->n_points++] = point;
        v->points[k].n_runs++;
        w->point_of[i] = (int)k;
    }
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static parcast_status measure(const struct validator *w, int k, double *times, parcast_error *error)
{
    parcast_validation_point *point = &w->v->points[k];
    double sum = 0, squares = 0;
    int n = 0;
    point->run_ids = calloc((size_t)point->n_runs, sizeof *point->run_ids);
    if (!point->run_ids)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %d runs", point->n_runs);
    for (size_t i = 0; i < w->n_runs; i++)
        if (w->point_of[i] == k) {
            point->run_ids[n] = (long long)w->runs[i].id;
            times[n++] = w->runs[i].time_s;
        }
    for (int i = 0; i < n; i++) sum += times[i] / n;
    for (int i = 0; i < n && n > 1; i++) squares += (times[i] - sum) * (times[i] - sum) / (n - 1);
    qsort(times, (size_t)n, sizeof *times, compare_times);
    point->measured_s = n % 2 ? times[n / 2] : 0.5 * (times[n / 2 - 1] + times[n / 2]);
    if (n > 1) point->measured_cv_ratio = sqrt(squares) / sum;
    return PARCAST_OK;
}

/* Fit on the runs that may be seen; k < 0: those of the counts asked for, otherwise all but point k. */
static parcast_status fit_for(const struct validator *w, int k, parcast_run *seen,
                              parcast_predictor **predictor, parcast_error *error)
{
    size_t n = 0;
    for (size_t i = 0; i < w->n_runs; i++) {
        int point = w->point_of[i];
        bool used = point >= 0 && (k < 0 ? w->fitted[i] : point != k);
        if (used) seen[n++] = w->runs[i]; /* lent: the predictor keeps nothing of it */
    }
    if (n == 0) {
        parcast_error_set(error, PARCAST_DATA, NULL, 0, "there is no run left to fit on");
        parcast_error_hint(error, "record more process counts or placements");
        return PARCAST_DATA;
    }
    return parcast_predictor_create(w->engine, seen, n, w->platforms->recorded, w->options, predictor, error);
}

static parcast_status predict_point(const struct validator *w, const parcast_predictor *predictor, int k,
                                    parcast_error *error)
{
    parcast_validation_point *point = &w->v->points[k];
    parcast_point forecast;
    size_t i = 0;
    while (w->point_of[i] != k) i++; /* every point has a run */
    parcast_status status =
        parcast_predictor_run(predictor, w->platforms->measured, &w->runs[i], &forecast, error);
    if (status) return status;
    point->predicted_s = forecast.time_s;
    point->low_s = forecast.low_s;
    point->high_s = forecast.high_s;
    point->error_ratio = forecast.time_s / point->measured_s - 1;
    point->held_out = !seen_by_fit(w, k);
    point->counts = point->held_out && !(point->measured_cv_ratio > steady_ratio);
    return PARCAST_OK;
}

static void leave_unknown(const struct validator *w, int k)
{
    parcast_validation_point *point = &w->v->points[k];
    point->predicted_s = point->low_s = point->high_s = point->error_ratio = NAN;
    point->held_out = !seen_by_fit(w, k);
    point->counts = false;
}

static parcast_status predict_points(const struct validator *w, parcast_run *seen, parcast_error *error)
{
    parcast_predictor *predictor = NULL;
    parcast_error why = {.code = PARCAST_OK};
    size_t n_unknown = 0;
    parcast_status status = w->fitted ? fit_for(w, -1, seen, &predictor, error) : PARCAST_OK;
    for (size_t k = 0; k < w->v->n_points && !status; k++) {
        parcast_error own = {.code = PARCAST_OK};
        if (!w->fitted) status = fit_for(w, (int)k, seen, &predictor, &own);
        if (!status) status = predict_point(w, predictor, (int)k, &own);
        if (!w->fitted) parcast_predictor_destroy(&predictor);
        if (!status) continue;
        if (status == PARCAST_DATA && w->engine == PARCAST_ENGINE_REPLAY) { /* no trace but its own */
            leave_unknown(w, (int)k);
            if (n_unknown++ == 0) why = own;
            status = PARCAST_OK;
        } else if (error) {
            *error = own;
        }
    }
    parcast_predictor_destroy(&predictor);
    if (status || n_unknown < w->v->n_points) return status;
    if (error) *error = why;
    return PARCAST_DATA;
}

static void summarise(parcast_validation *v)
{
    double out = 0, in = 0, worst = 0;
    int n_out = 0, n_in = 0, n_held = 0, n_inside = 0;
    for (size_t k = 0; k < v->n_points; k++) {
        const parcast_validation_point *p = &v->points[k];
        double e = fabs(p->error_ratio);
        if (isnan(p->predicted_s)) continue;
        if (p->counts) {
            out += e;
            worst = fmax(worst, e);
            n_out++;
        }
        if (p->held_out) {
            n_held++;
            n_inside += p->low_s <= p->measured_s && p->measured_s <= p->high_s;
        } else {
            in += e;
            n_in++;
        }
    }
    v->mape_ratio = n_out ? out / n_out : NAN;
    v->worst_ratio = n_out ? worst : NAN;
    v->in_sample_ratio = n_in ? in / n_in : NAN;
    v->inside_ratio = n_held ? (double)n_inside / n_held : NAN;
}

static int compare_points(const void *a, const void *b)
{
    const parcast_validation_point *x = a, *y = b;
    if (x->processes != y->processes) return x->processes < y->processes ? -1 : 1;
    return strcmp(x->placement, y->placement);
}

void parcast_validation_destroy(parcast_validation **validation)
{
    if (!validation || !*validation) return;
    for (size_t k = 0; k < (*validation)->n_points; k++) free((*validation)->points[k].run_ids);
    free((*validation)->points);
    free(*validation);
    *validation = NULL;
}

parcast_status parcast_validation_create(parcast_engine engine, const parcast_run *runs, size_t n_runs,
                                         const parcast_validation_platforms *platforms,
                                         const parcast_fit_options *options, const bool *fitted,
                                         parcast_validation **validation, parcast_error *error)
{
    struct validator w = {engine, runs, n_runs, platforms, options, fitted, NULL, NULL};
    parcast_status status = PARCAST_OK;
    if (engine == PARCAST_ENGINE_BOUND) {
        parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                          "engine bound is what no program can beat, not how long one takes");
        parcast_error_hint(error, "'parcast predict --engine all' shows it beside the measurements");
        return PARCAST_INVALID;
    }
    parcast_validation *v = calloc(1, sizeof *v);
    double *times = calloc(n_runs + 1, sizeof *times);
    parcast_run *seen = calloc(n_runs + 1, sizeof *seen);
    w.point_of = calloc(n_runs + 1, sizeof *w.point_of);
    if (v) v->points = calloc(n_runs + 1, sizeof *v->points);
    if (!v || !v->points || !times || !seen || !w.point_of) {
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu runs", n_runs);
        goto free_scratch;
    }
    v->engine = engine;
    w.v = v;
    group_runs(&w);
    for (size_t k = 0; k < v->n_points && !status; k++) status = measure(&w, (int)k, times, error);
    if (!status) status = predict_points(&w, seen, error);
    if (status) goto free_scratch;
    qsort(v->points, v->n_points, sizeof *v->points, compare_points);
    summarise(v);
    *validation = v;
    v = NULL;

free_scratch:
    parcast_validation_destroy(&v);
    free(times);
    free(seen);
    free(w.point_of);
    return status;
}
