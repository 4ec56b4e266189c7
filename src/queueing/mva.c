/*
 * Mean value analysis, single servers and delays.
 *
 * One class:   R_k = D_k (1 + Q_k),  X = n / (Z + sum_k R_k),  Q_k = X R_k,   n = 1..N from Q = 0.
 * All numbers stay non-negative: no cancellation, stable for any N.
 * Source: Reiser and Lavenberg, Mean-value analysis of closed multichain queuing networks, J. ACM 27 (1980).
 */
#include <string.h>

#include "closed.h"

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
