/*
 * Mean value analysis, single servers and delays.
 *
 * One class:   R_k = D_k (1 + Q_k),  X = n / (Z + sum_k R_k),  Q_k = X R_k,   n = 1..N from Q = 0.
 * All numbers stay non-negative: no cancellation, stable for any N.
 *
 * Several classes, over the lattice of populations n <= (N_1, .., N_R):
 *     R_rk(n) = D_rk (1 + Q_k(n - e_r)),  X_r = n_r / (Z_r + sum_k R_rk),  Q_k(n) = sum_r X_r R_rk.
 * Only the totals Q_k are kept, and of the class with most customers (which changes slowest here) only the
 * plane before: a point overwrites its own predecessor.
 *
 * Source: Reiser and Lavenberg, Mean-value analysis of closed multichain queuing networks, J. ACM 27 (1980).
 */
#include <stdlib.h>
#include <string.h>

#include "lattice.h"

/* One step to population n. Returns X. */
static double step(size_t n_stations, const double *restrict demand_s, double think_s, double n,
                   double *restrict queue)
{
    double cycle_s = think_s;
#pragma omp simd reduction(+ : cycle_s)
    for (size_t k = 0; k < n_stations; k++) {
        queue[k] = demand_s[k] + demand_s[k] * queue[k];
        cycle_s += queue[k];
    }
    double throughput_per_s = n / cycle_s;
#pragma omp simd
    for (size_t k = 0; k < n_stations; k++) queue[k] *= throughput_per_s;
    return throughput_per_s;
}

parcast_status queueing_mva_single(const struct closed_model *model, const parcast_solve_limits *limits,
                                   struct closed_result *result, struct closed_result *previous,
                                   double *curve, parcast_error *error)
{
    size_t n_stations = model->n_stations, population = model->population[0];
    if ((double)n_stations * (double)population > limits->operations)
        return parcast_error_set(error, PARCAST_LIMIT, NULL, 0,
                                 "the exact solution of %zu stations by %zu customers takes %.3g operations",
                                 n_stations, population, (double)n_stations * (double)population);
    memset(result->queue, 0, n_stations * sizeof *result->queue);
    double throughput_per_s = 0;
    for (size_t n = 1; n <= population; n++) {
        if (previous && n == population) {
            previous->throughput_per_s[0] = throughput_per_s;
            memcpy(previous->queue, result->queue, n_stations * sizeof *result->queue);
        }
        throughput_per_s = step(n_stations, model->demand_s, model->think_s[0], (double)n, result->queue);
        if (curve) curve[n - 1] = throughput_per_s;
    }
    result->throughput_per_s[0] = throughput_per_s;
    return PARCAST_OK;
}

/* The plane of all classes but the largest: digits [n_classes], totals [n_plane][n_stations]. */
struct plane {
    const struct closed_model *model;
    const struct lattice *lattice;
    size_t n_points;
    size_t *digits;
    double *totals;
    double *fresh; /* [n_stations] totals of the point under work */
};

static double dot_demand(const double *restrict demand_s, const double *restrict totals, size_t n_stations)
{
    double residence_s = 0;
#pragma omp simd reduction(+ : residence_s)
    for (size_t k = 0; k < n_stations; k++) residence_s += demand_s[k] * (1 + totals[k]);
    return residence_s;
}

static void add_queue(const double *restrict demand_s, const double *restrict totals, double throughput_per_s,
                      double *restrict fresh, size_t n_stations)
{
    for (size_t k = 0; k < n_stations; k++) fresh[k] += throughput_per_s * (demand_s[k] * (1 + totals[k]));
}

/* One point; at the last one the result per class is written as well. */
static void visit(const struct plane *p, size_t point, struct closed_result *result)
{
    size_t n_stations = p->model->n_stations;
    double *own = p->totals + point * n_stations;
    memset(p->fresh, 0, n_stations * sizeof *p->fresh);
    for (size_t r = 0; r < p->lattice->n_classes; r++) {
        if (p->digits[r] == 0) continue;
        size_t c = p->lattice->class_of[r],
               shift = r == 0 ? 0 : p->lattice->stride[r] / p->lattice->stride[1];
        const double *demand_s = p->model->demand_s + c * n_stations;
        const double *before = own - shift * n_stations;
        double cycle_s = p->model->think_s[c] + dot_demand(demand_s, before, n_stations);
        double throughput_per_s = (double)p->digits[r] / cycle_s;
        add_queue(demand_s, before, throughput_per_s, p->fresh, n_stations);
        if (!result) continue;
        result->throughput_per_s[c] = throughput_per_s;
        memset(result->queue + c * n_stations, 0, n_stations * sizeof *result->queue);
        add_queue(demand_s, before, throughput_per_s, result->queue + c * n_stations, n_stations);
    }
    memcpy(own, p->fresh, n_stations * sizeof *own);
}

static void next_point(const struct plane *p)
{
    for (size_t r = 1; r < p->lattice->n_classes; r++) {
        if (++p->digits[r] <= p->lattice->population[r]) return;
        p->digits[r] = 0;
    }
}

static void walk(const struct plane *p, struct closed_result *result)
{
    size_t last = p->lattice->population[0];
    for (p->digits[0] = 0; p->digits[0] <= last; p->digits[0]++)
        for (size_t point = 0; point < p->n_points; point++, next_point(p))
            visit(p, point, p->digits[0] == last && point + 1 == p->n_points ? result : NULL);
}

parcast_status queueing_mva_lattice(const struct closed_model *model, const parcast_solve_limits *limits,
                                    struct closed_result *result, parcast_error *error)
{
    struct lattice lattice;
    double operations_per_point = 2 * (double)model->n_classes * (double)model->n_stations;
    parcast_status status = queueing_lattice_create(model, operations_per_point, limits, &lattice, error);
    if (status) return status;
    struct plane plane = {
        .model = model, .lattice = &lattice, .n_points = lattice.n_points / (lattice.population[0] + 1)};
    double bytes = 8 * ((double)plane.n_points + 1) * (double)model->n_stations;
    if (bytes > limits->memory_bytes) {
        status = queueing_lattice_refuse(model, bytes, error);
        goto destroy_lattice;
    }
    plane.digits = calloc(model->n_classes, sizeof *plane.digits);
    plane.totals = calloc((plane.n_points + 1) * model->n_stations, sizeof *plane.totals);
    if (plane.digits && plane.totals) {
        plane.fresh = plane.totals + plane.n_points * model->n_stations;
        walk(&plane, result);
    } else {
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a lattice");
    }
    free(plane.digits);
    free(plane.totals);

destroy_lattice:
    queueing_lattice_destroy(&lattice);
    return status;
}
